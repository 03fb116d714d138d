// Every message survives a serializer: a value with no field at its default comes back equal, byte for byte.
#include "messages/type_ids.hpp"
#include "tests/support/catch.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/binary_deserializer.hpp>
#include <caf/binary_serializer.hpp>

#include <tuple>

using namespace cuzk;

namespace {

/// Walks the fields of a value by its inspect and gives each another content, so that a field left out of inspect or
/// out of order cannot pass unseen.
class filler {
public:
  using result_type = void;
  static constexpr bool reads_state = false;
  static constexpr bool writes_state = true;

  template <class... Ts>
  void operator()(Ts&&... xs) {
    (fill(xs), ...);
  }

private:
  void fill(caf::meta::type_name_t) {}
  void fill(bool& x) { x = !x; }
  void fill(double& x) { x = ++n_ + 0.5; }
  void fill(std::string& x) { x = "text " + std::to_string(++n_); }
  template <class T>
  void fill(std::vector<T>& xs) {
    xs.resize(2);
    for (auto& x : xs)
      fill(x);
  }
  template <class T, std::size_t N>
  void fill(std::array<T, N>& xs) {
    for (auto& x : xs)
      fill(x);
  }
  template <class T>
  void fill(T& x) {
    if constexpr (std::is_enum_v<T>)
      x = static_cast<T>(1);
    else if constexpr (std::is_integral_v<T>)
      x = static_cast<T>(++n_ % 100 + 1);
    else
      inspect(*this, x);
  }
  int n_ = 0;
};

/// Counts the fields inspect gives.
struct counter {
  using result_type = std::size_t;
  template <class... Ts>
  std::size_t operator()(caf::meta::type_name_t, Ts&&...) {
    return sizeof...(Ts);
  }
};

/// Initializes whatever stands in its place.
struct anything {
  template <class T>
  operator T() const;
};
template <class T, std::size_t... Is>
constexpr bool takes(std::index_sequence<Is...>) {
  return requires {
    T{(static_cast<void>(Is), anything{})...};
  };
}
/// Number of fields of an aggregate: the most initializers it takes.
template <class T, std::size_t N = 24>
constexpr std::size_t fields_of() {
  if constexpr (N == 0 || takes<T>(std::make_index_sequence<N>()))
    return N;
  else
    return fields_of<T, N - 1>();
}

template <std::size_t I>
using type_at = typename caf::type_by_id<caf::id_block::cuzk_messages::begin + I>::type;

struct system_of_messages {
  caf::actor_system_config config;
  caf::actor_system system{config.add_message_types<caf::id_block::cuzk_messages>()};
};

template <class T>
void check_one(caf::actor_system& system) {
  INFO(caf::type_name<T>::value);
  T in{};
  if constexpr (std::is_enum_v<T>)
    in = static_cast<T>(77);
  else {
    counter count;
    CHECK(inspect(count, in) == fields_of<T>()); // none forgotten
    filler fill;
    inspect(fill, in);
  }
  std::vector<char> sent, again;
  caf::binary_serializer out(system, sent);
  REQUIRE_FALSE(out(in));
  T back{};
  caf::binary_deserializer source(system, sent);
  REQUIRE_FALSE(source(back));
  caf::binary_serializer twice(system, again);
  REQUIRE_FALSE(twice(back));
  CHECK(sent == again);
  if (!sent.empty()) {
    std::vector<char> empty;
    caf::binary_serializer blank(system, empty);
    T none{};
    REQUIRE_FALSE(blank(none));
    CHECK(sent != empty);
    T cut{};
    std::vector<char> shorter(sent.begin(), sent.end() - 1);
    caf::binary_deserializer broken(system, shorter);
    CHECK(broken(cut)); // a message cut short is an error
  }
}

template <std::size_t... Is>
void check_all(caf::actor_system& system, std::index_sequence<Is...>) {
  (check_one<type_at<Is>>(system), ...);
}

} // namespace

TEST_CASE("every registered message survives a round trip") {
  system_of_messages s;
  constexpr auto count = caf::id_block::cuzk_messages::end - caf::id_block::cuzk_messages::begin;
  static_assert(count > 90);
  check_all(s.system, std::make_index_sequence<count>());
}

TEST_CASE("fields keep their values, nested ones too") {
  system_of_messages s;
  partition_proved in;
  in.ref = {job_id{7}, 3, 2};
  in.lane = lane_id{4};
  in.circuit = "porep-2k";
  in.points[191] = 9;
  in.timings[prove_stage::ntt] = 1.5;
  in.timings.derived = true;
  std::vector<char> sent;
  caf::binary_serializer out(s.system, sent);
  REQUIRE_FALSE(out(in));
  partition_proved back;
  caf::binary_deserializer source(s.system, sent);
  REQUIRE_FALSE(source(back));
  CHECK(back.ref == in.ref);
  CHECK(back.lane == in.lane);
  CHECK(back.circuit == in.circuit);
  CHECK(back.points == in.points);
  CHECK(back.timings[prove_stage::ntt] == 1.5);
  CHECK(back.timings.derived);
}
