#pragma once
// The handles of a node's actors. Made by the node; a new one is sent around whenever an actor is replaced.
#include "actors/budget.hpp"
#include "actors/finalizer.hpp"
#include "actors/journal.hpp"
#include "actors/node.hpp"
#include "actors/param_store.hpp"
#include "actors/prover_lane.hpp"
#include "actors/scheduler.hpp"
#include "actors/synthesizer.hpp"
#include "actors/telemetry.hpp"
#include "actors/tracker.hpp"

#include <vector>

namespace cuzk {

struct directory {
  node_facts_actor node;
  tracker_actor tracker;
  journal_actor journal;
  scheduler_actor scheduler;
  budget_actor budget;
  param_store_actor param_store;
  key_loader_actor key_loader;
  telemetry_actor telemetry;
  std::vector<synthesizer_actor> synthesizers;
  std::vector<prover_lane_actor> lanes; ///< by lane_id
  std::vector<lane_info> lane_infos;    ///< of the same
  std::vector<finalizer_actor> finalizers;
};

} // namespace cuzk
