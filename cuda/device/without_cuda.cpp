// In place of the .cu files where there is no nvcc: no device is found, and none can be used.
#include "cuda/backend/cuda_backend.hpp"
#include "cuda/fixed_base/device_multiples.hpp"

namespace cuzk::cuda {
namespace {

error without() {
  return bad_input("device", "this program was built without CUDA");
}

} // namespace

result<std::vector<device_info>> list_devices() {
  return std::vector<device_info>();
}
const char* built_architectures() noexcept {
  return "none";
}
result<std::shared_ptr<groth16::backend>> make_backend(const device_info&, thread_pool&) {
  return without();
}
groth16::multiples_of multiples_on(const device_multiples_options&) {
  return [](const groth16::generators&) -> result<std::unique_ptr<groth16::multiples>> { return without(); };
}

} // namespace cuzk::cuda
