// Cap'n Proto messages as server and client read them.
#include "gateway/wire.hpp"
#include "tests/fuzz/targets.hpp"

#include <capnp/message.h>
#include <capnp/serialize.h>
#include <kj/exception.h>

#include <cstring>

namespace cuzk::fuzz {
namespace {

template <class Type>
using value_of = decltype(wire::read(std::declval<typename Type::Reader>()));

template <class T>
const T* accepted(const result<T>& read) {
  if (!read)
    expect_refusal(read.err(), {errc::bad_input});
  return read ? &*read : nullptr;
}
template <class T>
const T* accepted(const T& read) {
  return &read;
}

/// What was read is written, read and written again: the same words.
template <class Type>
void read_as(capnp::MessageReader& message) {
  const auto read = wire::read(message.getRoot<Type>());
  const auto* value = accepted(read);
  if (value == nullptr)
    return;
  capnp::MallocMessageBuilder once, twice;
  wire::write(*value, once.initRoot<Type>());
  const auto again = wire::read(once.getRoot<Type>().asReader());
  const auto* same = accepted(again);
  expect(same != nullptr, "what was written is refused");
  wire::write(*same, twice.initRoot<Type>());
  const auto first = capnp::messageToFlatArray(once), second = capnp::messageToFlatArray(twice);
  expect(first.asBytes() == second.asBytes(), "what was read back is written otherwise");
}

using reader = void (*)(capnp::MessageReader&);
constexpr reader readers[] = {read_as<rpc::JobRequest>, read_as<rpc::JobReport>, read_as<rpc::Event>,
                              read_as<rpc::NodeStatus>, read_as<rpc::Refusal>};

/// The first byte chooses the struct, seven are ignored so that the rest is aligned.
void run_message(byte_view input) {
  if (input.size() < 16)
    return;
  const std::size_t words = (input.size() - 8) / sizeof(capnp::word);
  auto copy = kj::heapArray<capnp::word>(words);
  std::memcpy(copy.begin(), input.data() + 8, words * sizeof(capnp::word));
  const auto refused = kj::runCatchingExceptions([&] {
    capnp::ReaderOptions options;
    options.traversalLimitInWords = 64 * words + 1024;
    capnp::FlatArrayMessageReader message(copy, options);
    readers[input[0] % std::size(readers)](message);
  });
  KJ_IF_MAYBE (why, refused)
    expect(why->getDescription().size() > 0, "an exception without a reason");
}

template <class Type, class Value>
bytes message_of(std::uint8_t choice, const Value& value) {
  capnp::MallocMessageBuilder message;
  wire::write(value, message.initRoot<Type>());
  const auto words = capnp::messageToFlatArray(message);
  bytes out{choice, 0, 0, 0, 0, 0, 0, 0};
  const auto raw = words.asBytes();
  out.insert(out.end(), raw.begin(), raw.end());
  return out;
}

std::vector<bytes> message_seeds() {
  submit_job job;
  job.request_id = "a request";
  job.spec.kind = "porep";
  job.spec.identity = {true, {}, true, 7};
  job.spec.r = {bytes32{}};
  job.spec.s = {bytes32{}};
  job_report report;
  report.request_id = "a request";
  report.failure = {errc::bad_input, "wrong", "/a"};
  report.parts = {{0, partition_state::done, 1, "tail", "cpu", 5}};
  report.proof = bytes(192, 1);
  node_status status;
  return {message_of<rpc::JobRequest>(0, job), message_of<rpc::JobReport>(1, report),
          message_of<rpc::Event>(2, job_event{}), message_of<rpc::NodeStatus>(3, status),
          message_of<rpc::Refusal>(4, report.failure)};
}

constexpr target targets[] = {{"message", run_message, message_seeds, 4 << 20, 1024}};

} // namespace

std::span<const target> message_targets() {
  return targets;
}

} // namespace cuzk::fuzz
