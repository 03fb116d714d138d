#include "circuits/partition_check.hpp"

#include "math/field_bytes.hpp"

#include <cstring>
#include <string>

namespace cuzk::circuits {
namespace {

using filecoin::merkle_proof;
using filecoin::tree_shape;

std::string item(const std::string& list, std::size_t i) {
  return list + "[" + std::to_string(i) + "]";
}

status check_number(const digest& d, const std::string& where) {
  big_int<4> x{};
  for (std::size_t i = 0; i < d.size(); ++i)
    x.limb[i / 8] |= std::uint64_t(d[i]) << (8 * (i % 8));
  if (!fr::is_canonical(x))
    return bad_input(where, "the digest is not below the field's order");
  return ok();
}

status check_count(std::size_t found, std::size_t expected, const std::string& where) {
  if (found != expected)
    return bad_input(where, std::to_string(found) + " found, " + std::to_string(expected) + " expected");
  return ok();
}

unsigned index_bits(const tree_shape& tree) {
  unsigned bits = 0;
  for (unsigned level = 0; level < tree.levels(); ++level)
    bits += filecoin::lg_arity(tree.arity(level));
  return bits;
}

// The place is only spelled out once something is wrong: a window partition has a million siblings.
status check_path(const tree_shape& tree, const merkle_proof& path, const std::string& where) {
  CUZK_CHECK(check_count(path.siblings.size(), tree.siblings(), where + ".siblings"));
  if (path.index >> index_bits(tree) != 0)
    return bad_input(where + ".index", std::to_string(path.index) + " is not a leaf of the tree");
  CUZK_CHECK(check_number(path.leaf, where + ".leaf"));
  CUZK_CHECK(check_number(path.root, where + ".root"));
  for (std::size_t i = 0; i < path.siblings.size(); ++i)
    if (auto good = check_number(path.siblings[i], {}); !good)
      return check_number(path.siblings[i], item(where + ".siblings", i));
  return ok();
}

status check_column(const filecoin::sector_shape& shape, const filecoin::column_proof& column,
                    const std::string& where) {
  CUZK_CHECK(check_count(column.rows.size(), shape.porep.layers, where + ".rows"));
  for (std::size_t i = 0; i < column.rows.size(); ++i)
    CUZK_CHECK(check_number(column.rows[i], item(where + ".rows", i)));
  return check_path(shape.tree, column.path, where + ".path");
}

status check_challenge(const filecoin::sector_shape& shape, const filecoin::porep_challenge& c,
                       const std::string& where) {
  CUZK_CHECK(check_path(shape.tree_d, c.tree_d, where + ".tree_d"));
  CUZK_CHECK(check_path(shape.tree, c.tree_r, where + ".tree_r"));
  CUZK_CHECK(check_column(shape, c.column, where + ".column"));
  for (std::size_t i = 0; i < c.parents.size(); ++i)
    CUZK_CHECK(check_column(shape, c.parents[i], item(where + ".parents", i)));
  return ok();
}

} // namespace

status check_partition(const filecoin::sector_shape& shape, const filecoin::porep_partition& partition) {
  CUZK_CHECK(check_count(partition.challenges.size(), shape.porep.challenges, "challenges"));
  CUZK_CHECK(check_number(partition.replica_id, "replica_id"));
  CUZK_CHECK(check_number(partition.comm_d, "comm_d"));
  CUZK_CHECK(check_number(partition.comm_r, "comm_r"));
  for (std::size_t i = 0; i < partition.challenges.size(); ++i)
    CUZK_CHECK(check_challenge(shape, partition.challenges[i], item("challenges", i)));
  return ok();
}

status check_partition(const filecoin::tree_shape& tree, const filecoin::post_shape& shape,
                       const filecoin::post_partition& partition) {
  const bool unrolled = shape.challenges == 1; // Winning: all paths in one sector, a slot each
  CUZK_CHECK(check_count(partition.shape.slots, shape.slots, "slots"));
  CUZK_CHECK(check_count(partition.shape.challenges, shape.challenges, "challenges"));
  if (partition.sectors.empty() || partition.sectors.size() > (unrolled ? 1 : shape.slots))
    return bad_input("sectors", std::to_string(partition.sectors.size()) + " found, 1 to " +
                                  std::to_string(unrolled ? 1 : shape.slots) + " expected");
  for (std::size_t i = 0; i < partition.sectors.size(); ++i) {
    const auto& s = partition.sectors[i];
    const auto where = item("sectors", i);
    CUZK_CHECK(check_number(s.comm_r, where + ".comm_r"));
    CUZK_CHECK(check_number(s.comm_c, where + ".comm_c"));
    CUZK_CHECK(check_number(s.comm_r_last, where + ".comm_r_last"));
    CUZK_CHECK(check_count(s.paths.size(), unrolled ? shape.slots : shape.challenges, where + ".paths"));
    for (std::size_t n = 0; n < s.paths.size(); ++n)
      CUZK_CHECK(check_path(tree, s.paths[n], item(where + ".paths", n)));
  }
  return ok();
}

status check_partition(const filecoin::sector_shape& shape, const filecoin::snap_partition& partition) {
  if (partition.index >= shape.snap.partitions)
    return bad_input("index",
                     std::to_string(partition.index) + " of " + std::to_string(shape.snap.partitions) + " partitions");
  CUZK_CHECK(check_count(partition.challenges.size(), shape.snap.challenges, "challenges"));
  CUZK_CHECK(check_count(partition.apex_leaves.size(), shape.snap.apex_leaves, "apex_leaves"));
  CUZK_CHECK(check_number(partition.comm_r_old, "comm_r_old"));
  CUZK_CHECK(check_number(partition.comm_d_new, "comm_d_new"));
  CUZK_CHECK(check_number(partition.comm_r_new, "comm_r_new"));
  CUZK_CHECK(check_number(partition.comm_c, "comm_c"));
  for (std::size_t i = 0; i < partition.apex_leaves.size(); ++i)
    CUZK_CHECK(check_number(partition.apex_leaves[i], item("apex_leaves", i)));
  for (std::size_t i = 0; i < partition.challenges.size(); ++i) {
    const auto& c = partition.challenges[i];
    const auto where = item("challenges", i);
    CUZK_CHECK(check_path(shape.tree, c.tree_r_old, where + ".tree_r_old"));
    CUZK_CHECK(check_path(shape.tree_d, c.tree_d_new, where + ".tree_d_new"));
    CUZK_CHECK(check_path(shape.tree, c.tree_r_new, where + ".tree_r_new"));
  }
  return ok();
}

} // namespace cuzk::circuits
