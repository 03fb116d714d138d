#include "filecoin/bincode.hpp"

#include "filecoin/merkle_layout.hpp"

namespace cuzk::filecoin {
namespace {

/// A number that the shape fixes.
bool expect(byte_reader& in, const char* what, std::uint64_t found, std::uint64_t expected, std::size_t at) {
  if (in.good() && found != expected)
    in.fail(at, std::string(what) + " is " + std::to_string(found) + "; expected " + std::to_string(expected));
  return in.good();
}

bool length(byte_reader& in, const char* what, std::uint64_t expected) {
  const std::size_t at = in.offset();
  return expect(in, what, in.u64(), expected, at);
}

bool variant(byte_reader& in, const tree_shape& tree) {
  const std::size_t at = in.offset();
  return expect(in, "variant of a Merkle proof (0 Single, 1 Sub, 2 Top)", in.u32(), part_count(tree) - 1, at);
}

void read_level(byte_reader& in, merkle_proof& out, const tree_shape& tree, unsigned level) {
  const unsigned arity = tree.arity(level);
  if (!length(in, "number of siblings", arity - 1))
    return;
  const std::size_t first = first_sibling(tree, level);
  for (unsigned i = 0; i + 1 < arity; ++i)
    out.siblings[first + i] = in.array<32>();
  const std::size_t at = in.offset();
  const std::uint64_t position = in.u64();
  if (position >= arity)
    in.fail(at, "path index is " + std::to_string(position) + "; expected less than " + std::to_string(arity));
  out.index += position * level_weight(tree, level);
}

void read_part(byte_reader& in, merkle_proof& out, const tree_shape& tree, unsigned part) {
  const unsigned levels = part_levels(tree, part);
  if (!length(in, "number of levels", levels))
    return;
  for (unsigned i = 0; i < levels && in.good(); ++i)
    read_level(in, out, tree, part_first(tree, part) + i);
}

merkle_proof read_merkle(byte_reader& in, const tree_shape& tree) {
  merkle_proof out;
  if (!variant(in, tree))
    return out;
  prepare(out, tree);
  const bool single = part_count(tree) == 1;
  if (single) {
    out.root = in.array<32>();
    out.leaf = in.array<32>();
  }
  for (unsigned part = 0; part < part_count(tree) && in.good(); ++part)
    read_part(in, out, tree, part);
  if (!single) {
    out.root = in.array<32>();
    out.leaf = in.array<32>();
  }
  return out;
}

column_proof read_column(byte_reader& in, const sector_shape& shape) {
  column_proof out;
  in.u32(); // index of the column: the path says it
  if (!length(in, "number of layers of a column", shape.porep.layers))
    return out;
  for (unsigned i = 0; i < shape.porep.layers; ++i)
    out.rows.push_back(in.array<32>());
  out.path = read_merkle(in, shape.tree);
  return out;
}

labeling_proof read_labeling(byte_reader& in) {
  labeling_proof out;
  if (!length(in, "number of parents of a label", label_parents))
    return out;
  for (unsigned i = 0; i < label_parents; ++i)
    out.parents.push_back(in.array<32>());
  out.layer_index = in.u32();
  out.node = in.u64();
  return out;
}

porep_challenge read_challenge(byte_reader& in, const sector_shape& shape) {
  porep_challenge out;
  out.tree_d = read_merkle(in, shape.tree_d);
  out.tree_r = read_merkle(in, shape.tree);
  out.column = read_column(in, shape);
  length(in, "number of DRG parents", drg_degree);
  for (unsigned i = 0; i < drg_degree && in.good(); ++i)
    out.parents[i] = read_column(in, shape);
  length(in, "number of expander parents", expander_degree);
  for (unsigned i = drg_degree; i < parent_count && in.good(); ++i)
    out.parents[i] = read_column(in, shape);
  length(in, "number of labelling proofs", shape.porep.layers);
  for (unsigned i = 0; i < shape.porep.layers && in.good(); ++i)
    out.labels.push_back(read_labeling(in));
  out.encoding = read_labeling(in);
  if (in.good())
    out.challenge = out.labels.front().node;
  return out;
}

/// Partitions: one of the two numbers a size knows.
bool read_partition_count(byte_reader& in, const porep_shape& porep, std::uint64_t& count) {
  const std::size_t at = in.offset();
  count = in.u64();
  if (in.good() && count != porep.partitions && count != porep.ni_partitions)
    in.fail(at, "number of partitions is " + std::to_string(count) + "; expected " + std::to_string(porep.partitions) +
                  ", or " + std::to_string(porep.ni_partitions) + " of a non-interactive proof");
  return in.good();
}

} // namespace

result<c1_output> read_c1_bincode(byte_view data, const sector_shape& shape) {
  byte_reader in(data);
  c1_output out;
  out.size = shape.size;
  std::uint64_t count = 0;
  read_partition_count(in, shape.porep, count);
  for (std::uint64_t k = 0; k < count && in.good(); ++k) {
    out.partitions.emplace_back();
    length(in, "number of challenges", shape.porep.challenges);
    for (unsigned i = 0; i < shape.porep.challenges && in.good(); ++i)
      out.partitions.back().push_back(read_challenge(in, shape));
  }
  for (auto* d : {&out.comm_r, &out.comm_d, &out.replica_id, &out.seed, &out.ticket})
    *d = in.array<32>();
  if (in.good() && in.left() > 0)
    in.fail(in.offset(), std::to_string(in.left()) + " bytes after the value; expected the end");
  if (!in.good())
    return in.failure();
  return out;
}

result<post_sector> read_post_sector(byte_reader& in, const sector_shape& shape, proof_kind kind) {
  post_sector out;
  out.sector = in.u64();
  out.comm_r = in.array<32>();
  length(in, "number of sectors in a vanilla proof", 1);
  const unsigned paths = kind == proof_kind::winning ? winning_slots : window_challenges;
  length(in, "number of challenges", paths);
  for (unsigned i = 0; i < paths && in.good(); ++i)
    out.paths.push_back(read_merkle(in, shape.tree));
  out.comm_c = in.array<32>();
  out.comm_r_last = in.array<32>();
  if (!in.good())
    return in.failure();
  return out;
}

result<snap_partition> read_snap_partition(byte_reader& in, const sector_shape& shape) {
  snap_partition out;
  out.comm_c = in.array<32>();
  if (length(in, "number of apex leaves", shape.snap.apex_leaves))
    for (unsigned i = 0; i < shape.snap.apex_leaves; ++i)
      out.apex_leaves.push_back(in.array<32>());
  length(in, "number of challenges", shape.snap.challenges);
  for (unsigned i = 0; i < shape.snap.challenges && in.good(); ++i) {
    snap_challenge c;
    c.tree_r_old = read_merkle(in, shape.tree);
    c.tree_d_new = read_merkle(in, shape.tree_d);
    c.tree_r_new = read_merkle(in, shape.tree);
    out.challenges.push_back(std::move(c));
  }
  if (!in.good())
    return in.failure();
  return out;
}

} // namespace cuzk::filecoin
