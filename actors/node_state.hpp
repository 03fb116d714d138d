#pragma once
// Decides who is started again, when the node gives up, and when a drain is over. No CAF, clock or I/O.
#include "actors/node_config.hpp"
#include "messages/status.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace cuzk {

/// Start this actor again and tell everyone.
struct respawn_effect {
  actor_role role{};
  std::uint32_t index = 0;
  std::string reason;
};
/// End this one: it cannot live on without the one that died.
struct end_effect {
  actor_role role{};
  std::uint32_t index = 0;
};
/// An actor died too often: the node ends, for a supervisor outside to start it anew.
struct give_up_effect {
  std::string reason;
};
/// Answer to drain `ticket`.
struct drain_answer {
  std::uint64_t ticket = 0;
  admin_reply reply;
};
/// phase_changed goes to all actors.
using node_effect = std::variant<respawn_effect, end_effect, give_up_effect, phase_changed, drain_answer, log_line>;
using node_effects = std::vector<node_effect>;

/// Supervision, phases, drain. A lane that dies too often is left out; any other actor that does ends the node.
class node_state {
public:
  static constexpr const char* name = "node";
  explicit node_state(restart_limits limits) : limits_(limits) {}

  void started(actor_role role, std::uint32_t index);
  /// An actor ended without being asked.
  node_effects died(actor_role role, std::uint32_t index, const std::string& reason, std::int64_t now_us);
  /// The tracker says what is left; the first time, the journal is read.
  node_effects left(const work_left& fact);

  /// `answer` is the refusal when there is one.
  node_effects pause(outcome& answer);
  node_effects resume(outcome& answer);
  node_effects drain(std::uint64_t ticket, std::uint32_t limit_ms, std::int64_t now_us);
  node_effects stop();
  node_effects tick(std::int64_t now_us);
  std::optional<std::int64_t> next_wakeup() const;

  node_phase phase() const { return phase_; }
  std::vector<actor_health> health() const;

private:
  struct record {
    bool up = true;
    std::uint32_t restarts = 0;
    std::deque<std::int64_t> deaths_us;
    std::string last_death;
  };
  struct drain_wait {
    std::uint64_t ticket = 0;
    std::int64_t until_us = 0;
  };
  node_effects to_phase(node_phase next);

  restart_limits limits_;
  node_phase phase_ = node_phase::starting;
  std::uint32_t jobs_left_ = 0;
  bool drained_ = false; ///< the tracker knows of the drain and has nothing left
  std::map<std::pair<actor_role, std::uint32_t>, record> actors_;
  std::vector<drain_wait> drains_;
};

/// "synthesizer 2"; no number for a role of one.
std::string actor_label(actor_role role, std::uint32_t index);

} // namespace cuzk
