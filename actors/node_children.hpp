#pragma once
// The node's actors: how each is started, watched, told of the others, and ended. Used by node.cpp alone.
#include "actors/directory.hpp"
#include "actors/node_config.hpp"

#include <caf/actor_addr.hpp>

#include <map>
#include <optional>
#include <set>
#include <utility>

namespace cuzk {

using actor_place = std::pair<actor_role, std::uint32_t>;

/// Starts actors by role and keeps the directory of those that live. Sends nothing by itself.
class node_children {
public:
  node_children(caf::actor_system& system, node_config config, services_ptr services, node_facts_actor node);

  /// Starts one actor in its place in the directory. Returns its address, to be monitored.
  caf::actor_addr start(const actor_place& place);
  /// All places of a node, in the order they are told of each other: the ledger before its holders, synthesizers and
  /// finalizers before the scheduler that orders, lanes after the scheduler they speak to first.
  std::vector<actor_place> places() const;
  caf::actor handle_of(const actor_place& place) const;
  std::optional<actor_place> place_of(const caf::actor_addr& addr) const;
  void forget(const caf::actor_addr& addr) { addresses_.erase(addr); }
  bool empty() const { return addresses_.empty(); }

  /// The directory as it is now, as a message.
  directory_ptr directory_now() const { return std::make_shared<const directory>(now_); }
  const directory& now() const { return now_; }

private:
  caf::actor spawn(const actor_place& place);

  caf::actor_system& system_;
  node_config config_;
  services_ptr services_;
  directory now_;
  std::map<caf::actor_addr, actor_place> addresses_;
};

} // namespace cuzk
