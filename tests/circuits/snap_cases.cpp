// Parts cut out of the update circuit: outer variables first, as numbers without rows.
#include "circuits/snap/snap_circuit.hpp"
#include "gadget_cases.hpp"

#include <string>
#include <vector>

namespace cuzk::test {
namespace {

using namespace circuits;
using filecoin::sector_size;
using bit_vector = std::vector<shape_bit>;
using num_vector = std::vector<shape_num>;

bit_vector outer_bits(shape_reader& cs, std::size_t n) {
  bit_vector out;
  for (std::size_t i = 0; i < n; ++i)
    out.push_back(cs.as_bit(number(cs, 0)));
  return out;
}

num_vector outer_numbers(shape_reader& cs, std::size_t n) {
  num_vector out;
  for (std::size_t i = 0; i < n; ++i)
    out.push_back(number(cs, 0));
  return out;
}

gadget_case cut_challenge_bits(sector_size size) {
  return only_shape([size](shape_reader& cs) {
    const auto partition = number(cs, 0), comm_r_new = number(cs, 0);
    challenge_bits(cs, challenge_layout(filecoin::shape_of(size)), partition, comm_r_new);
  });
}

/// Only bits that some h takes in are outer variables: the partition's, and the highest random ones.
gadget_case cut_high_bits(sector_size size) {
  return only_shape([size](shape_reader& cs) {
    const auto& shape = filecoin::shape_of(size);
    const auto partition_bits = outer_bits(cs, shape.snap.lg_partitions);
    const auto h_select = outer_bits(cs, shape.snap.hs.size());
    auto challenge = outer_bits(cs, shape.snap.hs.back() - shape.snap.lg_partitions);
    challenge.insert(challenge.end(), partition_bits.begin(), partition_bits.end());
    selected_high_bits(cs, std::span<const shape_bit>(challenge), std::span<const shape_bit>(h_select), shape.snap.hs);
  });
}

gadget_case cut_apex(sector_size size) {
  return only_shape([size](shape_reader& cs) {
    const auto& snap = filecoin::shape_of(size).snap;
    const auto partition_bits = outer_bits(cs, snap.lg_partitions);
    const auto comm_d_new = number(cs, 0);
    const auto leaves = outer_numbers(cs, snap.apex_leaves);
    const auto siblings = outer_numbers(cs, snap.lg_partitions);
    apex_path(cs, leaves, std::span<const shape_bit>(partition_bits), std::span<const shape_num>(siblings), comm_d_new);
  });
}

} // namespace

void add_snap_cases(gadget_table& table) {
  table["cut-update-challenge-bits-2KiB"] = cut_challenge_bits(sector_size::k2);
  table["cut-update-challenge-bits-8MiB"] = cut_challenge_bits(sector_size::m8);
  table["cut-update-challenge-bits-512MiB"] = cut_challenge_bits(sector_size::m512);
  table["cut-update-challenge-bits-32GiB"] = cut_challenge_bits(sector_size::g32);
  table["cut-update-high-bits-2KiB"] = cut_high_bits(sector_size::k2);
  table["cut-update-high-bits-16KiB"] = cut_high_bits(sector_size::k16);
  table["cut-update-high-bits-32GiB"] = cut_high_bits(sector_size::g32);
  table["cut-update-apex-por-2KiB"] = cut_apex(sector_size::k2);
  table["cut-update-apex-por-16KiB"] = cut_apex(sector_size::k16);
  table["cut-update-apex-por-32GiB"] = cut_apex(sector_size::g32);
  table["cut-update-label-r-new"] = only_shape([](shape_reader& cs) {
    const auto rho = number(cs, 0), leaf_r_old = number(cs, 0), leaf_d_new = number(cs, 0);
    new_replica_leaf(cs, leaf_r_old, leaf_d_new, rho);
  });
  table["cut-update-select-apex-leaf-2KiB"] = only_shape([](shape_reader& cs) {
    const auto leaves = outer_numbers(cs, 8);
    const auto bits = outer_bits(cs, 3);
    select(cs, std::span<const shape_num>(leaves), std::span<const shape_bit>(bits));
  });
}

} // namespace cuzk::test
