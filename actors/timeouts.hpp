#pragma once
// Time limits of requests between actors, by name. No request waits for ever.
#include <chrono>

namespace cuzk::timeouts {

/// A question that is answered from memory.
inline constexpr std::chrono::seconds query{2};
/// A submit: the input is looked at and written to disk.
inline constexpr std::chrono::seconds submit{120};
/// Cancel: a fact on disk.
inline constexpr std::chrono::seconds cancel{30};
/// An await answers at its own limit; this much later it is given up.
inline constexpr std::chrono::seconds await_grace{10};
/// Preload: reading and checking a large key.
inline constexpr std::chrono::minutes preload{60};
/// Drain answers at its own limit; this much later it is given up.
inline constexpr std::chrono::seconds drain_grace{10};

} // namespace cuzk::timeouts
