#pragma once
// Shared, immutable blobs too big to copy: they never leave the process. Plain values; local_handles.hpp lets them
// travel between actors.
#include "runtime/base/hex.hpp"

#include <memory>

namespace cuzk {

/// A parsed, checked input. What is in it only actors/services knows.
struct prepared_input {
  virtual ~prepared_input() = default;
};
/// What a verifier needs for one partition: its public inputs.
struct partition_statement {
  virtual ~partition_statement() = default;
};
/// The compact witness of one partition.
struct partition_witness {
  virtual ~partition_witness() = default;
};
/// A proving key with its matrices and verifying key.
struct loaded_key {
  virtual ~loaded_key() = default;
  bool test_key = false; ///< insecure by construction
};

/// The bytes of an input; null: the store has them under their digest.
struct input_handle {
  std::shared_ptr<const bytes> data;
};
struct prepared_handle {
  std::shared_ptr<const prepared_input> input;
};
struct key_handle {
  std::shared_ptr<const loaded_key> key;
};
/// What a finalizer needs beside the points.
struct statement_handle {
  std::shared_ptr<const partition_statement> statement;
  std::shared_ptr<const loaded_key> key;
};
/// What a lane needs beside the order. `witness` is null for a remote lane; `statement` goes on to the finalizer.
struct witness_handle {
  std::shared_ptr<const partition_witness> witness;
  std::shared_ptr<const partition_statement> statement;
  std::shared_ptr<const loaded_key> key;
};

} // namespace cuzk
