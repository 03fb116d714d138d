#pragma once
// The GPUs of this host, found at run time: with no driver the list is empty.
#include "runtime/base/error.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace cuzk::cuda {

struct device_info {
  int index = 0;    ///< CUDA's number in this process
  std::string name; ///< "NVIDIA H200"
  std::string uuid; ///< "GPU-xxxxxxxx-..." as nvidia-smi prints it
  int compute_major = 0;
  int compute_minor = 0;
  int multiprocessors = 0;
  std::size_t total_bytes = 0;
};

struct memory_state {
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
};

/// All GPUs; empty without a driver or a device. Errors: gpu_fault.
result<std::vector<device_info>> list_devices();
/// Makes a device the calling thread's. Errors: gpu_fault.
status use_device(int index);
/// Free and total memory of the calling thread's device, other processes' use included. Errors: gpu_fault.
result<memory_state> device_memory_state();
/// Architectures this build has machine code for, such as "sm_90"; "none" in a build without CUDA.
const char* built_architectures() noexcept;

} // namespace cuzk::cuda
