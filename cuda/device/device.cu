// The GPUs of this host.
#include "cuda/check.cuh"
#include "cuda/device/device.hpp"

#include <cstdio>

namespace cuzk::cuda {
namespace {

std::string uuid_text(const cudaUUID_t& id) {
  std::string text = "GPU-";
  for (int i = 0; i < 16; ++i) {
    char byte[4];
    std::snprintf(byte, sizeof byte, "%02x", static_cast<unsigned char>(id.bytes[i]));
    text += byte;
    if (i == 3 || i == 5 || i == 7 || i == 9)
      text += '-';
  }
  return text;
}

} // namespace

result<std::vector<device_info>> list_devices() {
  return guarded([] {
    std::vector<device_info> found;
    int count = 0;
    const cudaError_t status = cudaGetDeviceCount(&count);
    if (status == cudaErrorNoDevice || status == cudaErrorInsufficientDriver || status == cudaErrorStubLibrary) {
      cudaGetLastError();
      return found;
    }
    check(status, "counting devices");
    for (int i = 0; i < count; ++i) {
      cudaDeviceProp p{};
      check(cudaGetDeviceProperties(&p, i), "reading a device's properties");
      found.push_back({i, p.name, uuid_text(p.uuid), p.major, p.minor, p.multiProcessorCount, p.totalGlobalMem});
    }
    return found;
  });
}

status use_device(int index) {
  return guarded([&] { check(cudaSetDevice(index), "selecting a device"); });
}

result<memory_state> device_memory_state() {
  return guarded([] {
    memory_state m;
    check(cudaMemGetInfo(&m.free_bytes, &m.total_bytes), "reading free device memory");
    return m;
  });
}

const char* built_architectures() noexcept {
  return CUZK_CUDA_ARCHITECTURES;
}

} // namespace cuzk::cuda
