#pragma once
// A key ready to prove with: the mapped .params file, its verifying key, and the derived key beside it where there is
// one.
#include "groth16/derived_key.hpp"
#include "groth16/verifying_key.hpp"
#include "math/point_view.hpp"

#include <memory>
#include <optional>
#include <string>

namespace cuzk::groth16 {

/// How a key is opened.
struct key_options {
  std::string derived_path; ///< empty: "<params>.derived" when it is there
  bool use_derived = true;  ///< false: the derived key is not looked for
};

/// Immutable; proofs share it. Points are decoded from the mapping while they are used: range and curve are checked
/// then.
class proving_key {
public:
  /// Errors: params, naming file and section: missing, damaged, of another circuit. A derived key that is there but
  /// does not fit is an error too, so that nobody waits twice as long without knowing.
  static result<std::shared_ptr<const proving_key>> open(const std::string& params_path, const circuit& of,
                                                         const key_options& options);

  /// Without its circuit: only what the file says of itself is checked, and no derived key is looked for.
  static result<std::shared_ptr<const proving_key>> open_alone(const std::string& params_path);

  /// Whether this is a key of the circuit. Errors: params.
  status fits(const circuit& of) const;

  /// Errors: params when a file of the key was written to since it was opened.
  status unchanged() const;

  const verifying_key& vk() const noexcept { return vk_; }
  byte_view vk_bytes() const noexcept { return file_.bytes().first(layout_.vk_bytes()); }
  /// The points of a section as they lie in the file.
  point_view points(section s) const noexcept;
  const derived_key* derived() const noexcept { return derived_ ? &*derived_ : nullptr; }
  /// Not one of the published keys: insecure, whatever its name.
  bool is_test_key() const noexcept { return test_key_; }
  const std::string& path() const noexcept { return file_.path(); }
  const mapped_file& file() const noexcept { return file_; }
  std::uint64_t mapped_bytes() const noexcept;

private:
  proving_key(mapped_file file, const key_layout& layout, verifying_key vk)
    : file_(std::move(file)), layout_(layout), vk_(std::move(vk)) {}
  static result<std::shared_ptr<proving_key>> read(const std::string& params_path);

  mapped_file file_;
  key_layout layout_;
  verifying_key vk_;
  std::optional<derived_key> derived_;
  bool test_key_ = true;
};

} // namespace cuzk::groth16
