#include "gateway/uploads.hpp"

#include "gateway/wire.hpp"
#include "messages/names.hpp"

namespace cuzk {

namespace {
constexpr std::size_t max_chunk_bytes = 4u << 20;
}

result<upload_room::ticket> upload_room::take(std::uint64_t size) {
  if (size > max_input_bytes_)
    return bad_input("bytes", "an input of " + std::to_string(size) + " bytes; this node takes at most " +
                                std::to_string(max_input_bytes_) + " (api.max_input)");
  if (size > max_bytes_ - std::min(used_, max_bytes_))
    return error{errc::resources,
                 human_bytes(size) + " wanted, " + human_bytes(max_bytes_ - std::min(used_, max_bytes_)) +
                   " free for uploads (api.max_uploads)",
                 "upload", 2000};
  return ticket(*this, size);
}

upload_server::upload_server(const announced& what, upload_room::ticket room, input_set& inputs, kj::Timer& timer,
                             kj::Duration idle)
  : what_(what), room_(kj::mv(room)), inputs_(inputs), timer_(timer), idle_(idle), last_write_(timer.now()),
    idle_watch_(watch_idle().eagerlyEvaluate(nullptr)) {}

void upload_server::refuse(error why) {
  refused_ = std::make_unique<error>(std::move(why));
  data_ = {};
  room_ = nullptr; // the room is free at once, whatever the client does now
}

kj::Promise<void> upload_server::watch_idle() {
  return timer_.atTime(last_write_ + idle_).then([this]() -> kj::Promise<void> {
    if (refused_ != nullptr || room_ == nullptr)
      return kj::READY_NOW;
    if (timer_.now() - last_write_ < idle_)
      return watch_idle();
    refuse({errc::resources, "the upload brought nothing for " + std::to_string(idle_ / kj::SECONDS) + " s", "upload"});
    return kj::READY_NOW;
  });
}

kj::Promise<void> upload_server::write(WriteContext context) {
  if (refused_ != nullptr)
    return kj::READY_NOW; // finish says why
  last_write_ = timer_.now();
  auto chunk = context.getParams().getChunk();
  if (chunk.size() > max_chunk_bytes) {
    refuse(bad_input("chunk", std::to_string(chunk.size()) + " bytes, at most " + std::to_string(max_chunk_bytes)));
  } else if (chunk.size() > what_.bytes - data_.size()) {
    refuse(bad_input("chunk", "more bytes than the " + std::to_string(what_.bytes) + " that were announced"));
  } else {
    data_.insert(data_.end(), chunk.begin(), chunk.end());
    hash_.update(byte_view(chunk.begin(), chunk.size()));
  }
  return kj::READY_NOW;
}

kj::Promise<void> upload_server::finish(FinishContext context) {
  auto results = context.getResults();
  if (refused_ == nullptr && data_.size() != what_.bytes)
    refuse(bad_input("upload",
                     "ended after " + std::to_string(data_.size()) + " of " + std::to_string(what_.bytes) + " bytes"));
  if (refused_ == nullptr && hash_.finish() != what_.sha256)
    refuse(bad_input("sha256", "the bytes that came have another digest than was announced"));
  if (refused_ != nullptr) {
    wire::write(*refused_, results.initRefused());
    return kj::READY_NOW;
  }
  KJ_IF_MAYBE (room, room_) {
    auto data = std::make_shared<const bytes>(std::move(data_));
    results.setInput(inputs_.add(kj::heap<input_server>(std::move(data), what_.sha256, kj::mv(*room))));
  }
  refused_ = std::make_unique<error>(bad_input("upload", "was finished before"));
  room_ = nullptr;
  return kj::READY_NOW;
}

} // namespace cuzk
