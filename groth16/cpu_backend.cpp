#include "groth16/cpu_backend.hpp"

#include "groth16/prove.hpp"

namespace cuzk::groth16 {

memory_need cpu_backend::need(const groth16::circuit& of, derived_use) const {
  // Three vectors of the domain while transforms run; later one, and the buckets and chunks of the sums.
  const std::uint64_t transforms = 3 * of.domain() * sizeof(fr);
  const std::uint64_t sums = of.domain() * sizeof(fr) + (of.domain() < (1u << 16) ? 32ull << 20 : 160ull << 20);
  memory_need out;
  out.host_bytes = std::max(transforms, sums);
  return out;
}

void cpu_backend::prepare(std::shared_ptr<const proving_key> key, std::shared_ptr<const groth16::circuit>,
                          std::function<void(status)> done) {
  pool_.submit([key = std::move(key), done = std::move(done)] {
    key->file().expect(0, key->file().bytes().size(), true);
    done(ok());
  });
}

void cpu_backend::prove(prove_request request, std::shared_ptr<prove_listener> listener) {
  {
    std::lock_guard lock(mutex_);
    queue_.push_back({std::move(request), std::move(listener)});
    if (std::exchange(running_, true))
      return;
  }
  pool_.submit([self = shared_from_this()] { self->run_next(); });
}

void cpu_backend::run_next() {
  waiting next;
  {
    std::lock_guard lock(mutex_);
    next = std::move(queue_.front());
    queue_.pop_front();
  }
  prove_timings timings;
  auto proof = groth16::prove(
    next.request, pool_, [&](stage which, double seconds) { next.listener->stage_done(which, seconds); }, timings);
  if (proof)
    next.listener->proved(*proof, timings);
  else
    next.listener->failed(std::move(proof).err());
  next = {};
  {
    std::lock_guard lock(mutex_);
    if (queue_.empty()) {
      running_ = false;
      return;
    }
  }
  pool_.submit([self = shared_from_this()] { self->run_next(); });
}

} // namespace cuzk::groth16
