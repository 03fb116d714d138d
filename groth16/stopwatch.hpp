#pragma once
// Adds the seconds of a scope to a sum.
#include <chrono>

namespace cuzk::groth16 {

class stopwatch {
public:
  explicit stopwatch(double& sum) : sum_(&sum), start_(clock::now()) {}
  stopwatch(const stopwatch&) = delete;
  stopwatch& operator=(const stopwatch&) = delete;
  ~stopwatch() { stop(); }
  /// Adds now instead of at the end of the scope.
  void stop() noexcept {
    if (sum_ != nullptr)
      *sum_ += std::chrono::duration<double>(clock::now() - start_).count();
    sum_ = nullptr;
  }

private:
  using clock = std::chrono::steady_clock;
  double* sum_;
  clock::time_point start_;
};

} // namespace cuzk::groth16
