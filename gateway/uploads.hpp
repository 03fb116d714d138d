#pragma once
// Inputs on their way up: bounded in size and number, checked against the announced digest. Lives on the loop's thread.
#include "math/hash/sha256.hpp"
#include "messages/ids.hpp"
#include "messages/proving.capnp.h"
#include "runtime/base/error.hpp"
#include "runtime/base/hex.hpp"

#include <capnp/capability.h>
#include <kj/timer.h>

#include <cstdint>
#include <memory>

namespace cuzk {

/// The bytes all uploads together may hold. A ticket gives its bytes back when it goes.
class upload_room {
public:
  upload_room(std::uint64_t max_input_bytes, std::uint64_t max_bytes)
    : max_input_bytes_(max_input_bytes), max_bytes_(max_bytes) {}

  class ticket {
  public:
    ticket(upload_room& room, std::uint64_t size) : room_(&room), bytes_(size) { room.used_ += size; }
    ticket(ticket&& other) noexcept : room_(other.room_), bytes_(std::exchange(other.bytes_, 0)) {}
    ticket& operator=(ticket&&) = delete;
    ~ticket() { room_->used_ -= bytes_; }

  private:
    upload_room* room_;
    std::uint64_t bytes_;
  };

  /// Errors: bad_input (larger than one input may be), resources (no room now).
  result<ticket> take(std::uint64_t size);
  std::uint64_t used() const noexcept { return used_; }

private:
  std::uint64_t max_input_bytes_, max_bytes_, used_ = 0;
};

/// A complete input, held until its capability is dropped.
class input_server final : public rpc::Input::Server {
public:
  input_server(std::shared_ptr<const bytes> data, const bytes32& sha256, upload_room::ticket room)
    : data_(std::move(data)), sha256_(sha256), room_(std::move(room)) {}
  const std::shared_ptr<const bytes>& data() const noexcept { return data_; }
  const bytes32& digest() const noexcept { return sha256_; }

private:
  std::shared_ptr<const bytes> data_;
  bytes32 sha256_;
  upload_room::ticket room_;
};
using input_set = capnp::CapabilityServerSet<rpc::Input>;

/// An input on its way. Bytes are kept as they come: what was only announced is not allocated.
class upload_server final : public rpc::Upload::Server {
public:
  struct announced {
    std::uint64_t bytes = 0;
    bytes32 sha256{};
  };
  upload_server(const announced& what, upload_room::ticket room, input_set& inputs, kj::Timer& timer,
                kj::Duration idle);

protected:
  kj::Promise<void> write(WriteContext context) override;
  kj::Promise<void> finish(FinishContext context) override;

private:
  void refuse(error why);
  kj::Promise<void> watch_idle();

  announced what_;
  kj::Maybe<upload_room::ticket> room_;
  input_set& inputs_;
  kj::Timer& timer_;
  kj::Duration idle_;
  kj::TimePoint last_write_;
  bytes data_;
  class sha256 hash_;
  std::unique_ptr<error> refused_; ///< why the upload is over before its time
  kj::Promise<void> idle_watch_;
};

} // namespace cuzk
