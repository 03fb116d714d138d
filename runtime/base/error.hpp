#pragma once
// The one error type of the node, and a value-or-error. C++17: CUDA sources include it too.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace cuzk {

/// What went wrong, grouped by what the caller can do about it. Append only: the numbers travel and are stored.
enum class errc : std::uint8_t {
  bad_input = 1,     ///< file, field or argument wrong: path or offset, value, expected
  params,            ///< proving key missing, damaged or not allowed
  resources,         ///< memory, disk or queue bound: what is needed, what is free
  gpu_fault,         ///< device error after retries
  self_check_failed, ///< our own proof did not verify
  cancelled,         ///< by whom
  deadline,          ///< passed or hopeless
  shutdown,          ///< the node drains
  unauthorized,      ///< not allowed
  not_found,         ///< unknown job
  conflict,          ///< same request id with another payload; a second daemon
  unavailable,       ///< no daemon, connection lost
  internal,          ///< a fault of ours
};

/// All codes, for tables and tests.
inline constexpr errc all_errcs[] = {errc::bad_input,         errc::params,    errc::resources, errc::gpu_fault,
                                     errc::self_check_failed, errc::cancelled, errc::deadline,  errc::shutdown,
                                     errc::unauthorized,      errc::not_found, errc::conflict,  errc::unavailable,
                                     errc::internal};

/// Whether the same request can succeed later.
enum class retry_hint : std::uint8_t { no, once, later, elsewhere, yes, maybe };

/// Stable name of a code as written in JSON, logs and metrics.
const char* to_string(errc code) noexcept;
/// The code of a name; false when there is none.
bool parse_errc(std::string_view name, errc& out) noexcept;
retry_hint retry_of(errc code) noexcept;
const char* to_string(retry_hint hint) noexcept;
/// Exit status of a command that ends with this code.
int exit_status(errc code) noexcept;
/// HTTP status; 0 where the code never crosses HTTP.
int http_status(errc code) noexcept;

/// A failure as a value.
struct error {
  errc code = errc::internal;
  std::string text;                 ///< one sentence: what was found, what was expected; never a secret
  std::string where{};              ///< JSON path, byte offset, file and section; empty when there is no place
  std::uint32_t retry_after_ms = 0; ///< only with errc::resources; 0 = not known

  /// "bad_input: <where>: <text>"
  std::string message() const;
};

inline error bad_input(std::string where, std::string text) {
  return {errc::bad_input, std::move(text), std::move(where)};
}
inline error internal_error(std::string text) {
  return {errc::internal, std::move(text)};
}

/// Words of strangers as they may stand in an error: cut after `most` bytes, "\xNN" for control characters.
std::string printable(std::string_view text, std::size_t most = 64);
/// The same in quotes.
std::string quoted(std::string_view text, std::size_t most = 64);

/// A value or an error. [[nodiscard]]: no failure is dropped silently.
template <class T>
class [[nodiscard]] result {
public:
  using value_type = T;
  result(T value) : data_(std::in_place_index<0>, std::move(value)) {}
  result(error failure) : data_(std::in_place_index<1>, std::move(failure)) {}

  explicit operator bool() const noexcept { return data_.index() == 0; }
  bool has_value() const noexcept { return data_.index() == 0; }
  T& operator*() & { return std::get<0>(data_); }
  const T& operator*() const& { return std::get<0>(data_); }
  T&& operator*() && { return std::get<0>(std::move(data_)); }
  T* operator->() { return &std::get<0>(data_); }
  const T* operator->() const { return &std::get<0>(data_); }
  error& err() & { return std::get<1>(data_); }
  const error& err() const& { return std::get<1>(data_); }
  error&& err() && { return std::get<1>(std::move(data_)); }

private:
  std::variant<T, error> data_;
};

/// Success without a value.
struct unit {};
using status = result<unit>;
inline status ok() {
  return unit{};
}

} // namespace cuzk

#define CUZK_CAT_(a, b) a##b
#define CUZK_CAT(a, b) CUZK_CAT_(a, b)
/// CUZK_TRY(name, expression): declares `name` as the value of a result, or returns its error.
#define CUZK_TRY(name, ...) CUZK_TRY_(CUZK_CAT(cuzk_try_, __LINE__), name, __VA_ARGS__)
#define CUZK_TRY_(tmp, name, ...)                                                                                      \
  auto tmp = (__VA_ARGS__);                                                                                            \
  if (!tmp)                                                                                                            \
    return std::move(tmp).err();                                                                                       \
  auto name = *std::move(tmp)
/// CUZK_CHECK(expression): returns the error of a status.
#define CUZK_CHECK(...)                                                                                                \
  do {                                                                                                                 \
    auto cuzk_check_ = (__VA_ARGS__);                                                                                  \
    if (!cuzk_check_)                                                                                                  \
      return std::move(cuzk_check_).err();                                                                             \
  } while (false)
