#pragma once
// A GPU as an engine. No CUDA header; whether there is a driver is found at run time.
#include "cuda/device/device.hpp"
#include "groth16/backend.hpp"
#include "runtime/base/thread_pool.hpp"

#include <memory>
#include <string>
#include <vector>

namespace cuzk::cuda {

/// The device that `name` means: "cuda:N" by CUDA's number, or a UUID as nvidia-smi prints it ("GPU-…", any beginning
/// that fits one device alone). Errors: bad_input, with the devices that are there, also when there is no driver.
result<device_info> find_device(const std::vector<device_info>& devices, const std::string& name);

/// An engine on one device. Keys stay there until they are released. It holds two requests: while one computes, the
/// next one's witness goes there. All its state belongs to one strand on `pool`, which must outlive it; nothing waits.
/// Errors: gpu_fault, resources.
result<std::shared_ptr<groth16::backend>> make_backend(const device_info& device, thread_pool& pool);

} // namespace cuzk::cuda
