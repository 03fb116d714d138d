#pragma once
// The one crossing between CUDA's status codes and our error type. Exceptions live inside cuda/ and end in guarded().
#include "cuda/device/faults.hpp"
#include "runtime/base/error.hpp"

#include <cuda_runtime.h>

#include <exception>
#include <new>
#include <string>
#include <type_traits>

namespace cuzk::cuda {

/// What check() throws.
class failure : public std::exception {
public:
  explicit failure(error what) : error_(std::move(what)) {}
  const char* what() const noexcept override { return error_.text.c_str(); }
  error take() { return std::move(error_); }

private:
  error error_;
};

/// Throws when fault injection wants this call to fail: before a call that must not be made then.
inline void refuse_if_due(const char* doing) {
  if (fault_is_due())
    throw failure({errc::gpu_fault, std::string(doing) + ": a fault was injected"});
}

/// Throws unless `status` is success.
inline void check_status(cudaError_t status, const char* doing) {
  if (status == cudaSuccess)
    return;
  cudaGetLastError(); // an error that is not sticky must not be found again by the next call
  const errc code = status == cudaErrorMemoryAllocation ? errc::resources : errc::gpu_fault;
  throw failure({code, std::string(doing) + ": " + cudaGetErrorString(status)});
}

/// Throws unless `status` is success. `doing` is a literal: "copying to the device".
inline void check(cudaError_t status, const char* doing) {
  check_status(status, doing);
  refuse_if_due(doing);
}

/// Throws when the launch before it was refused.
inline void check_launch(const char* kernel) {
  check(cudaGetLastError(), kernel);
}

/// Runs `body` and turns what it throws into a value: the last statement of every public entry of the room.
template <class Body>
auto guarded(Body&& body) noexcept {
  using value = std::invoke_result_t<Body>;
  using returned = result<std::conditional_t<std::is_void_v<value>, unit, value>>;
  try {
    if constexpr (std::is_void_v<value>) {
      body();
      return returned(unit{});
    } else {
      return returned(body());
    }
  } catch (failure& e) {
    return returned(e.take());
  } catch (const std::bad_alloc&) {
    return returned(error{errc::resources, "out of host memory"});
  } catch (const std::exception& e) {
    return returned(internal_error(e.what()));
  }
}

} // namespace cuzk::cuda
