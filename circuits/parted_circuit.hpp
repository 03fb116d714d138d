#pragma once
// A circuit of the form "head, then equal parts" behind the interface of the catalog.
#include "circuits/catalog.hpp"
#include "circuits/core/shape_reader.hpp"
#include "circuits/core/witness_storage.hpp"

#include <atomic>
#include <new>
#include <utility>

namespace cuzk::circuits {

/// Sizes after a stretch of a circuit.
struct stretch {
  r1cs_size size;
  wire_map wires;
};

/// Sizes of head + n parts, from head alone and head with one part.
r1cs_size extended(const r1cs_size& head, const r1cs_size& head_and_part, std::uint64_t parts);
wire_counts extended(const wire_counts& head, const wire_counts& head_and_part, std::uint32_t parts);
r1cs_counts extended(const r1cs_counts& head, const r1cs_counts& head_and_part, std::uint64_t parts);
wire_map extended(const wire_map& head, const wire_map& head_and_part, std::uint32_t parts);

/// Text<CS> is the circuit: parts(), head(cs, partition), part(cs, head, partition, i), and the type `partition`.
/// Check(shape, partition) says whether a partition fits. Parts are equal in shape and use nothing but the head.
template <template <class> class Text, class Check>
class parted_circuit final : public circuit {
public:
  template <class... A>
  parted_circuit(const filecoin::circuit_name& name, Check check, const A&... shape)
    : circuit(name), shape_text_(shape...), witness_text_(shape...), check_(std::move(check)) {
    const auto head = read(nullptr, 0), one_part = read(nullptr, 1);
    head_ = head.wires.counts();
    head_and_part_ = one_part.wires.counts();
    size_ = extended(head.size, one_part.size, parts());
    wires_ = extended(head.wires, one_part.wires, parts());
  }

  status read_rows(row_sink& sink) const override {
    if (read(&sink, parts()).size != size_)
      return internal_error("parts of " + to_string(name_) + " differ in size");
    return ok();
  }

  status check(const filecoin::vanilla_partition& partition) const override {
    const auto* p = std::get_if<partition_type>(&partition);
    if (!p)
      return bad_input({}, "the partition is not one of " + to_string(name_));
    return check_(*p);
  }

  result<compact_witness> witness(const filecoin::vanilla_partition& partition, thread_pool& pool) const override {
    CUZK_CHECK(check(partition));
    try {
      return fill(std::get<partition_type>(partition), pool);
    } catch (const std::bad_alloc&) {
      return error{errc::resources, "no memory for the witness of " + to_string(name_) + ": " +
                                      std::to_string(32 * std::uint64_t(wires_.counts().fields)) + " bytes"};
    }
  }

  r1cs_counts entry_counts() const override {
    r1cs_counter head, one_part;
    const auto h = read(&head, 0), p = read(&one_part, 1);
    return extended(head.counts(h.size), one_part.counts(p.size), parts());
  }

private:
  using partition_type = typename Text<witness_reader>::partition;

  std::uint32_t parts() const { return shape_text_.parts(); }

  stretch read(row_sink* sink, std::uint32_t part_count) const {
    shape_reader cs(sink);
    const auto head = shape_text_.head(cs, nullptr);
    for (std::uint32_t i = 0; i < part_count; ++i)
      shape_text_.part(cs, head, nullptr, i);
    return {cs.size(), cs.wires()};
  }

  result<compact_witness> fill(const partition_type& partition, thread_pool& pool) const {
    witness_storage storage(wires_.counts());
    witness_reader head_reader(storage.range({1, 0, 0}, head_));
    const auto head = witness_text_.head(head_reader, &partition);
    std::atomic<bool> complete{head_reader.finish()};
    pool.parallel_for(parts(), 1, [&](std::size_t begin, std::size_t end) {
      for (auto i = static_cast<std::uint32_t>(begin); i < end; ++i) {
        witness_reader reader(
          storage.range(extended(head_, head_and_part_, i), extended(head_, head_and_part_, i + 1)));
        witness_text_.part(reader, head, &partition, i);
        if (!reader.finish())
          complete.store(false, std::memory_order_relaxed);
      }
    });
    if (!complete)
      return internal_error("the witness of " + to_string(name_) + " does not have its circuit's variables");
    return std::move(storage).finish();
  }

  Text<shape_reader> shape_text_;
  Text<witness_reader> witness_text_;
  Check check_;
  wire_counts head_, head_and_part_;
};

} // namespace cuzk::circuits
