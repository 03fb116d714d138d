#include "filecoin/check.hpp"

#include "runtime/base/thread_pool.hpp"

#include <atomic>
#include <functional>
#include <limits>

namespace cuzk::filecoin {
namespace {

/// Runs units on the pool; of several failures the one of the lowest unit is kept, so that the answer does not depend
/// on timing. Units behind a failure are left out.
class first_failure {
public:
  void run(thread_pool& pool, std::size_t units, const std::function<status(std::size_t)>& unit) {
    failures_.resize(units);
    pool.parallel_for(units, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        attempt(i, unit);
    });
  }
  status answer() const {
    const auto i = lowest_.load();
    return i == none ? ok() : status(*failures_[i]);
  }

private:
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  void attempt(std::size_t i, const std::function<status(std::size_t)>& unit) {
    if (i > lowest_.load(std::memory_order_relaxed))
      return;
    auto done = unit(i);
    if (done)
      return;
    failures_[i] = std::move(done).err();
    auto seen = lowest_.load();
    while (i < seen && !lowest_.compare_exchange_weak(seen, i)) {
    }
  }

  std::vector<std::optional<error>> failures_;
  std::atomic<std::size_t> lowest_{none};
};

struct kind_checks {
  std::function<std::size_t(const vanilla_partition&)> units;
  status (*head)(const job_input&, std::size_t);
  status (*unit)(const job_input&, std::size_t, std::size_t);
};

kind_checks checks_of(proof_kind kind) {
  switch (kind) {
  case proof_kind::porep:
    return {[](const auto& p) { return porep_units(std::get<porep_partition>(p)); }, check_porep_head,
            check_porep_unit};
  case proof_kind::snap:
    return {[](const auto& p) { return snap_units(std::get<snap_partition>(p)); }, check_snap_head, check_snap_unit};
  default:
    return {[](const auto& p) { return post_units(std::get<post_partition>(p)); }, check_post_head, check_post_unit};
  }
}

/// Where a partition's proof lies in its document. A sector of a PoSt has an entry of its own.
std::string place_of(const job_input& job, std::size_t k) {
  switch (job.circuit.kind) {
  case proof_kind::porep: return "/vanilla_proofs/" + vanilla_proofs_key(job.circuit.size) + "/" + std::to_string(k);
  case proof_kind::snap: return "/proofs/" + std::to_string(k);
  default: return "partition " + std::to_string(k);
  }
}

status in_partition(const job_input& job, std::size_t k, status s) {
  if (!s)
    s.err().where = place_of(job, k) + (s.err().where.starts_with('/') ? "" : ", ") + s.err().where;
  return s;
}

} // namespace

status check_partition(const job_input& job, std::size_t partition, thread_pool& pool) {
  const auto checks = checks_of(job.circuit.kind);
  CUZK_CHECK(in_partition(job, partition, checks.head(job, partition)));
  first_failure units;
  units.run(pool, checks.units(job.partitions[partition]),
            [&](std::size_t i) { return checks.unit(job, partition, i); });
  return in_partition(job, partition, units.answer());
}

status check(const job_input& job, thread_pool& pool) {
  for (std::size_t k = 0; k < job.partitions.size(); ++k)
    CUZK_CHECK(check_partition(job, k, pool));
  return ok();
}

} // namespace cuzk::filecoin
