#pragma once
// The journal as plain C++: what makes an accepted job survive kill -9. SQLite and a folder of input files behind one
// interface, which the journal actor owns and tests replace.
#include "runtime/base/error.hpp"
#include "runtime/base/hex.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace cuzk::store {

/// SHA-256.
using digest = std::array<std::uint8_t, 32>;

/// Fact: a job is accepted. When `input` is set its bytes are stored under input_digest before the fact is; when not,
/// the file must be there already.
struct accepted {
  std::uint64_t job = 0;             ///< sequence number, unique and increasing
  std::string request_id;            ///< the client's name for the request, unique among the jobs kept
  digest payload_digest{};           ///< of input and options together: what makes two requests the same
  digest input_digest{};             ///< of the input bytes; names the input file
  bytes request;                     ///< options of the job in the owner's encoding; opaque here
  std::int64_t accepted_unix_ms = 0; ///< wall clock
  std::int64_t deadline_unix_ms = 0; ///< wall clock; 0 = none
  std::shared_ptr<const bytes> input{};
};

/// Fact: the input was read; the job has this many partitions. Said twice, the last holds.
struct prepared {
  std::uint64_t job = 0;
  std::uint32_t partitions = 0;
  std::string identity; ///< "checked", "unchecked", "in input"
};

/// Fact: a partition is proved and its proof verified. Said twice, the first holds.
struct partition_done {
  std::uint64_t job = 0;
  std::uint32_t partition = 0;
  std::uint32_t attempt = 0;
  bytes proof;
  std::string device; ///< what proved it
  bool test_key = false;
  std::int64_t done_unix_ms = 0;
};

enum class end : std::uint8_t { done = 1, failed = 2, cancelled = 3 };

/// Fact: a job reached its one terminal state. Said twice, the first holds. The input file goes when no unfinished job
/// names it. The result of a job that is done are the proofs of its partitions.
struct finished {
  std::uint64_t job = 0;
  end how = end::failed;
  error failure{}; ///< for `failed` and `cancelled`
  std::int64_t finished_unix_ms = 0;
};

/// Fact: the time a result is kept is over; all rows of the job go.
struct forgotten {
  std::uint64_t job = 0;
};

using fact = std::variant<accepted, prepared, partition_done, finished, forgotten>;

/// A job as the journal has it.
struct stored_job {
  accepted job;                           ///< input is not loaded
  std::optional<prepared> shape;          ///< absent: the input was not read yet
  std::vector<partition_done> partitions; ///< by partition
  std::optional<finished> over;           ///< absent: to be taken up again
};

/// Not thread-safe: one owner, a detached actor in the node. Every call may block on the disk.
class journal_store {
public:
  virtual ~journal_store() = default;

  /// Makes all facts durable, in order, as one transaction (group commit): after success they survive power loss, after
  /// an error none of them is there. Facts about unknown jobs are ignored (the job was forgotten).
  /// Errors: resources (disk full or not writable), conflict (request id or job number already there), not_found (an
  /// accepted job without input bytes whose file is not there), internal (the file is damaged).
  virtual status append(std::span<const fact> facts) = 0;

  /// Every job kept, by number.
  virtual result<std::vector<stored_job>> load() = 0;

  /// One more than the largest job number ever accepted, also of jobs forgotten since; at least 1.
  virtual result<std::uint64_t> next_job() = 0;

  /// Bytes of a stored input. Errors: not_found; internal when the bytes have another digest.
  virtual result<bytes> input(const digest& name) = 0;
};

struct store_options {
  std::string folder;                         ///< made with mode 0700 where missing
  std::uint64_t min_free_bytes = 64ull << 20; ///< append refuses new jobs below this much free disk
};

/// Current layout of the SQLite file. Another one is refused with both numbers.
inline constexpr std::uint32_t journal_schema = 1;

/// Opens or makes <folder>/journal.sqlite and <folder>/inputs. Input files that no unfinished job names are removed.
/// Errors: conflict (other schema), resources (folder), internal (damaged).
result<std::unique_ptr<journal_store>> open_journal(const store_options& options);

/// Bytes of a stored input; may be called from any thread while a journal is open on the folder.
/// Errors: not_found; internal when the bytes have another digest (the disk lied); resources.
result<bytes> read_input(const std::string& folder, const digest& name);

} // namespace cuzk::store
