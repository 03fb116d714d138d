#pragma once
// Device memory, pinned host memory, streams and events as owners. No CUDA header: rooms compiled by g++ include it.
#include "runtime/base/error.hpp"

#include <cstddef>
#include <functional>
#include <memory>

struct CUstream_st; // as CUDA's headers declare them
struct CUevent_st;

namespace cuzk::cuda {

using stream_handle = CUstream_st*;
using event_handle = CUevent_st*;

struct device_deleter {
  void operator()(std::byte* p) const noexcept;
};
struct pinned_deleter {
  void operator()(std::byte* p) const noexcept;
};
struct stream_deleter {
  void operator()(CUstream_st* s) const noexcept;
};
struct event_deleter {
  void operator()(CUevent_st* e) const noexcept;
};

/// Bytes on the device, aligned to 256. Freeing waits for the device: never on the steady path.
class device_memory {
public:
  device_memory() = default;
  /// Errors: resources (with the size), gpu_fault.
  static result<device_memory> allocate(std::size_t bytes);
  std::byte* data() const noexcept { return data_.get(); }
  std::size_t size() const noexcept { return size_; }
  template <class T>
  T* as() const noexcept {
    return reinterpret_cast<T*>(data_.get());
  }

private:
  std::unique_ptr<std::byte, device_deleter> data_;
  std::size_t size_ = 0;
};

/// Page-locked host bytes, which copies reach without a detour.
class pinned_memory {
public:
  pinned_memory() = default;
  static result<pinned_memory> allocate(std::size_t bytes);
  std::byte* data() const noexcept { return data_.get(); }
  std::size_t size() const noexcept { return size_; }
  template <class T>
  T* as() const noexcept {
    return reinterpret_cast<T*>(data_.get());
  }

private:
  std::unique_ptr<std::byte, pinned_deleter> data_;
  std::size_t size_ = 0;
};

/// A queue of device work. It has one owner.
class stream {
public:
  stream() = default;
  static result<stream> create();
  stream_handle get() const noexcept { return handle_.get(); }

private:
  std::unique_ptr<CUstream_st, stream_deleter> handle_;
};

/// A mark in a stream, with a time.
class event {
public:
  event() = default;
  static result<event> create();
  event_handle get() const noexcept { return handle_.get(); }
  status record(stream_handle s) const;
  /// Whether everything before the mark is done; never waits.
  result<bool> reached() const;
  /// Milliseconds from `earlier` to this; both must have been reached.
  result<float> ms_since(const event& earlier) const;

private:
  std::unique_ptr<CUevent_st, event_deleter> handle_;
};

/// What is queued on `s` later waits, on the device, until the mark is reached.
status wait_on_device(stream_handle s, const event& e);
/// Calls `tell` once, when the stream has passed or the device has failed, from a thread of the driver. `tell` must not
/// wait, nor call anything of this room. When this returns an error, `tell` is never called. Errors: gpu_fault.
status tell_after(stream_handle s, std::function<void(status)> tell);

/// Queue copies. Host memory must stay until the stream has passed; pageable memory makes the call wait.
status copy_to_device(void* device, const void* host, std::size_t bytes, stream_handle s);
status copy_to_host(void* host, const void* device, std::size_t bytes, stream_handle s);
status fill_bytes(void* device, int value, std::size_t bytes, stream_handle s);

} // namespace cuzk::cuda
