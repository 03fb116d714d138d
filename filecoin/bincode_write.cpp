#include "filecoin/bincode_write.hpp"

#include "filecoin/merkle_layout.hpp"

namespace cuzk::filecoin {
namespace {

class writer {
public:
  void u32(std::uint64_t x) { little_endian(x, 4); }
  void u64(std::uint64_t x) { little_endian(x, 8); }
  void put(const digest& d) { out_.insert(out_.end(), d.begin(), d.end()); }
  void put(std::span<const digest> all) {
    u64(all.size());
    for (const auto& d : all)
      put(d);
  }
  bytes take() { return std::move(out_); }

private:
  void little_endian(std::uint64_t x, unsigned n) {
    for (unsigned i = 0; i < n; ++i)
      out_.push_back(static_cast<std::uint8_t>(x >> (8 * i)));
  }
  bytes out_;
};

void put_part(writer& out, const merkle_proof& proof, const tree_shape& tree, unsigned part) {
  out.u64(part_levels(tree, part));
  for (unsigned i = 0; i < part_levels(tree, part); ++i) {
    const unsigned level = part_first(tree, part) + i;
    out.put(std::span(proof.siblings).subspan(first_sibling(tree, level), tree.arity(level) - 1));
    out.u64(position_at(tree, proof.index, level));
  }
}

void put_merkle(writer& out, const merkle_proof& proof, const tree_shape& tree) {
  const unsigned parts = part_count(tree);
  const auto ends = [&] {
    out.put(proof.root);
    out.put(proof.leaf);
  };
  out.u32(parts - 1);
  if (parts == 1)
    ends();
  for (unsigned part = 0; part < parts; ++part)
    put_part(out, proof, tree, part);
  if (parts > 1)
    ends();
}

void put_column(writer& out, const column_proof& column, const tree_shape& tree) {
  out.u32(column.path.index);
  out.put(column.rows);
  put_merkle(out, column.path, tree);
}

void put_labeling(writer& out, const labeling_proof& proof) {
  out.put(proof.parents);
  out.u32(proof.layer_index);
  out.u64(proof.node);
}

void put_challenge(writer& out, const porep_challenge& c, const sector_shape& shape) {
  put_merkle(out, c.tree_d, shape.tree_d);
  put_merkle(out, c.tree_r, shape.tree);
  put_column(out, c.column, shape.tree);
  out.u64(drg_degree);
  for (unsigned i = 0; i < drg_degree; ++i)
    put_column(out, c.parents[i], shape.tree);
  out.u64(expander_degree);
  for (unsigned i = drg_degree; i < parent_count; ++i)
    put_column(out, c.parents[i], shape.tree);
  out.u64(c.labels.size());
  for (const auto& l : c.labels)
    put_labeling(out, l);
  put_labeling(out, c.encoding);
}

} // namespace

bytes write_c1_bincode(const c1_output& c1) {
  writer out;
  out.u64(c1.partitions.size());
  for (const auto& partition : c1.partitions) {
    out.u64(partition.size());
    for (const auto& c : partition)
      put_challenge(out, c, shape_of(c1.size));
  }
  for (const auto* d : {&c1.comm_r, &c1.comm_d, &c1.replica_id, &c1.seed, &c1.ticket})
    out.put(*d);
  return out.take();
}

bytes write_post_sector(const post_sector& sector, const sector_shape& shape) {
  writer out;
  out.u64(sector.sector);
  out.put(sector.comm_r);
  out.u64(1);
  out.u64(sector.paths.size());
  for (const auto& path : sector.paths)
    put_merkle(out, path, shape.tree);
  out.put(sector.comm_c);
  out.put(sector.comm_r_last);
  return out.take();
}

bytes write_snap_partition(const snap_partition& partition, const sector_shape& shape) {
  writer out;
  out.put(partition.comm_c);
  out.put(partition.apex_leaves);
  out.u64(partition.challenges.size());
  for (const auto& c : partition.challenges) {
    put_merkle(out, c.tree_r_old, shape.tree);
    put_merkle(out, c.tree_d_new, shape.tree_d);
    put_merkle(out, c.tree_r_new, shape.tree);
  }
  return out.take();
}

} // namespace cuzk::filecoin
