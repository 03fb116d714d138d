#pragma once
// What an operator can set, as values. Each field is declared once in options.cpp, where its meaning is written.
#include "runtime/units.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace cuzk {

struct node_section {
  std::string name, state_dir;
  milliseconds drain_limit{}, keep_results{};
};

struct api_section {
  std::string socket, tcp, http, token_file;
  std::uint64_t max_connections = 0;
  byte_size max_message, max_input, max_uploads;
  milliseconds upload_idle{};
};

struct queue_section {
  std::uint64_t max_jobs = 0, keep_jobs = 0;
  byte_size max_inputs;
};

struct prover_section {
  std::string device, derived_key;
  std::uint64_t synthesizers = 0, finalizers = 0, attempts = 0, faults_to_quarantine = 0;
};

struct cpu_section {
  std::uint64_t threads = 0;
};

struct memory_section {
  byte_size host_budget;
};

struct params_section {
  std::string dir, cache_dir;
  std::vector<std::string> circuits, preload;
  bool allow_test_keys = false;
  std::uint64_t test_seed = 0;
};

struct log_section {
  std::string level, format, file;
};

/// All options of cuzkd.
struct node_options {
  node_section node;
  api_section api;
  queue_section queue;
  prover_section prover;
  cpu_section cpu;
  memory_section memory;
  params_section params;
  log_section log;
};

} // namespace cuzk
