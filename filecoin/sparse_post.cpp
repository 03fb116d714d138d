#include "filecoin/sparse_post.hpp"

#include "filecoin/sparse_tree.hpp"

namespace cuzk::filecoin {

post_sector make_sparse_post_sector(std::uint64_t sector, const post_place& place, const filler& free,
                                    thread_pool& pool) {
  const auto value = [free](unsigned level, std::uint64_t i) { return free.at("tree r", level, i); };
  const auto challenged = post_leaves(sector, place);
  std::vector<placed_node> leaves;
  leaves.reserve(challenged.size());
  for (const auto i : challenged)
    leaves.push_back({i, value(0, i)});
  const sparse_tree tree(shape_of(place.proof.size).tree, std::move(leaves), value, pool);
  post_sector out;
  out.sector = sector;
  out.comm_c = free.at("comm_c");
  out.comm_r_last = tree.root();
  out.comm_r = comm_r_of(out.comm_c, out.comm_r_last);
  for (const auto i : challenged)
    out.paths.push_back(tree.open(i));
  return out;
}

} // namespace cuzk::filecoin
