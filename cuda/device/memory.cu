// Owners of device resources.
#include "cuda/check.cuh"
#include "cuda/device/memory.hpp"

namespace cuzk::cuda {

void device_deleter::operator()(std::byte* p) const noexcept {
  cudaFree(p);
}
void pinned_deleter::operator()(std::byte* p) const noexcept {
  cudaFreeHost(p);
}
void stream_deleter::operator()(CUstream_st* s) const noexcept {
  cudaStreamDestroy(s);
}
void event_deleter::operator()(CUevent_st* e) const noexcept {
  cudaEventDestroy(e);
}

result<device_memory> device_memory::allocate(std::size_t bytes) {
  return guarded([&] {
    device_memory m;
    void* p = nullptr;
    const std::string doing = "allocating " + std::to_string(bytes) + " bytes of device memory";
    const cudaError_t state = cudaMalloc(&p, bytes == 0 ? 1 : bytes);
    m.data_.reset(static_cast<std::byte*>(p)); // owned before anything can throw
    check(state, doing.c_str());
    m.size_ = bytes;
    return m;
  });
}

result<pinned_memory> pinned_memory::allocate(std::size_t bytes) {
  return guarded([&] {
    pinned_memory m;
    void* p = nullptr;
    const std::string doing = "allocating " + std::to_string(bytes) + " bytes of pinned memory";
    const cudaError_t state = cudaHostAlloc(&p, bytes == 0 ? 1 : bytes, cudaHostAllocDefault);
    m.data_.reset(static_cast<std::byte*>(p));
    check(state, doing.c_str());
    m.size_ = bytes;
    return m;
  });
}

result<stream> stream::create() {
  return guarded([] {
    stream s;
    cudaStream_t handle = nullptr;
    const cudaError_t state = cudaStreamCreateWithFlags(&handle, cudaStreamNonBlocking);
    s.handle_.reset(handle);
    check(state, "creating a stream");
    return s;
  });
}

result<event> event::create() {
  return guarded([] {
    event e;
    cudaEvent_t handle = nullptr;
    const cudaError_t state = cudaEventCreate(&handle);
    e.handle_.reset(handle);
    check(state, "creating an event");
    return e;
  });
}

status event::record(stream_handle s) const {
  return guarded([&] { check(cudaEventRecord(handle_.get(), s), "recording an event"); });
}

result<bool> event::reached() const {
  return guarded([&] {
    const cudaError_t state = cudaEventQuery(handle_.get());
    if (state == cudaErrorNotReady)
      return false;
    check(state, "device work before an event");
    return true;
  });
}

result<float> event::ms_since(const event& earlier) const {
  return guarded([&] {
    float ms = 0;
    check(cudaEventElapsedTime(&ms, earlier.handle_.get(), handle_.get()), "reading the time between two events");
    return ms;
  });
}

status wait_on_device(stream_handle s, const event& e) {
  return guarded([&] { check(cudaStreamWaitEvent(s, e.get(), 0), "ordering two streams"); });
}

namespace {

using fact = std::function<void(status)>;

void CUDART_CB pass_on(cudaStream_t, cudaError_t state, void* data) {
  const std::unique_ptr<fact> tell(static_cast<fact*>(data));
  if (state == cudaSuccess)
    (*tell)(ok());
  else
    (*tell)(error{errc::gpu_fault, std::string("device work: ") + cudaGetErrorString(state)});
}

} // namespace

// Not cudaLaunchHostFunc: that one is never called after a device error.
status tell_after(stream_handle s, std::function<void(status)> tell) {
  return guarded([&] {
    auto held = std::make_unique<fact>(std::move(tell));
    refuse_if_due("registering a callback");
    check_status(cudaStreamAddCallback(s, pass_on, held.get(), 0), "registering a callback");
    held.release();
  });
}

status copy_to_device(void* device, const void* host, std::size_t bytes, stream_handle s) {
  return guarded(
    [&] { check(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, s), "copying to the device"); });
}

status copy_to_host(void* host, const void* device, std::size_t bytes, stream_handle s) {
  return guarded(
    [&] { check(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, s), "copying to the host"); });
}

status fill_bytes(void* device, int value, std::size_t bytes, stream_handle s) {
  return guarded([&] { check(cudaMemsetAsync(device, value, bytes, s), "filling device memory"); });
}

} // namespace cuzk::cuda
