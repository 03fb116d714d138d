#pragma once
// The CPU as an engine: proves one request after the other on the process's pool.
#include "groth16/backend.hpp"
#include "runtime/base/thread_pool.hpp"

#include <deque>
#include <mutex>

namespace cuzk::groth16 {

class cpu_backend final : public backend, public std::enable_shared_from_this<cpu_backend> {
public:
  /// The pool must outlive the backend and its requests.
  explicit cpu_backend(thread_pool& pool) : pool_(pool) {}

  std::string name() const override { return "cpu"; }
  unsigned credits() const override { return 2; }
  memory_need need(const groth16::circuit& of, derived_use derived) const override;
  void prepare(std::shared_ptr<const proving_key> key, std::shared_ptr<const groth16::circuit> of,
               std::function<void(status)> done) override;
  void release(const proving_key&) override {} // nothing is held but the mapping, which is the key's
  void prove(prove_request request, std::shared_ptr<prove_listener> listener) override;

private:
  struct waiting {
    prove_request request;
    std::shared_ptr<prove_listener> listener;
  };
  void run_next();

  thread_pool& pool_;
  std::mutex mutex_;
  std::deque<waiting> queue_;
  bool running_ = false;
};

} // namespace cuzk::groth16
