#pragma once
// What every behaviour file uses: a place for its parts, time, a timer, and sending by effect.
#include "actors/interface.hpp"
#include "messages/status.hpp"

#include <caf/actor_clock.hpp>
#include <caf/actor_system.hpp>
#include <caf/send.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <utility>

namespace cuzk {

/// Lets a class without default constructor live inside a CAF 0.17 stateful actor, which makes its state itself.
template <class T>
struct held {
  static constexpr const char* name = T::name;
  std::optional<T> value;
  template <class... Ts>
  T& init(Ts&&... xs) {
    return value.emplace(std::forward<Ts>(xs)...);
  }
};

/// Calls the function whose argument type fits: std::visit(on{...}, effect).
template <class... Fs>
struct on : Fs... {
  using Fs::operator()...;
};
template <class... Fs>
on(Fs...) -> on<Fs...>;

/// Calls what is not ours to trust not to throw; an exception becomes an internal error.
/// @param f returns a result.
template <class F>
auto guarded(F f) -> decltype(f()) {
  try {
    return f();
  } catch (const std::exception& e) {
    return internal_error(std::string("an exception: ") + e.what());
  }
}

/// The actor clock in us: monotonic, and virtual under the test scheduler.
template <class Self>
std::int64_t mono_us(Self* self) {
  using std::chrono::duration_cast;
  return duration_cast<std::chrono::microseconds>(self->clock().now().time_since_epoch()).count();
}

/// One timer of an actor's own. CAF cannot take a delayed message back, so one that was set anew is told apart by its
/// generation.
class wake_timer {
public:
  template <class Handle, class Self>
  void arm(Self* self, std::optional<std::int64_t> due_us) {
    if (!due_us || (armed_us_ && *armed_us_ <= *due_us))
      return;
    armed_us_ = due_us;
    const auto wait = std::max<std::int64_t>(0, *due_us - mono_us(self));
    caf::delayed_anon_send(caf::actor_cast<Handle>(self), std::chrono::microseconds(wait), timer_fired{++generation_});
  }
  /// True when this is the timer last set.
  bool fired(const timer_fired& t) {
    if (t.generation != generation_)
      return false;
    armed_us_.reset();
    return true;
  }

private:
  std::uint64_t generation_ = 0;
  std::optional<std::int64_t> armed_us_;
};

} // namespace cuzk
