// Picks, insertion, Merkle paths.
#include "circuits/core/gadgets/merkle.hpp"
#include "gadget_cases.hpp"
#include "math/hash/poseidon.hpp"
#include "math/hash/sha256.hpp"
#include "merkle_values.hpp"

#include <string>
#include <vector>

namespace cuzk::test {
namespace {

using namespace circuits;

template <class CS>
std::vector<typename CS::bit> index_bits(CS& cs, unsigned n, std::uint64_t index) {
  std::vector<typename CS::bit> bits;
  for (unsigned i = 0; i < n; ++i)
    bits.push_back(alloc_bit(cs, [index, i] { return index >> i & 1; }));
  return bits;
}

gadget_case select_case(unsigned lg, std::uint64_t index) {
  return make_case([lg, index](auto& cs, report& out) {
    using CS = reader_of<decltype(cs)>;
    std::vector<typename CS::num> from;
    for (std::uint64_t i = 0; i < std::uint64_t(1) << lg; ++i)
      from.push_back(number(cs, i + 1));
    const auto bits = index_bits(cs, lg, index);
    out.show(select(cs, std::span<const typename CS::num>(from), std::span<const typename CS::bit>(bits)));
  });
}

gadget_case insert_case(unsigned lg, std::uint64_t index) {
  return make_case([lg, index](auto& cs, report& out) {
    using CS = reader_of<decltype(cs)>;
    std::vector<typename CS::num> siblings;
    for (std::uint64_t i = 1; i < std::uint64_t(1) << lg; ++i)
      siblings.push_back(number(cs, i + 1));
    const auto x = number(cs, 1);
    const auto bits = index_bits(cs, lg, index);
    const auto all =
      insert(cs, x, std::span<const typename CS::bit>(bits), std::span<const typename CS::num>(siblings));
    out.show_list(std::span<const typename CS::num>(all));
  });
}

/// The four ways the vectors call a path.
enum class path_form { root_public, vars, leaf_inside, plain };

template <class CS>
void read_path(CS& cs, path_form form, const sample_path& path, report& out) {
  const auto make = [&](const fr& value) { return cs.new_num([value] { return value; }); };
  const auto leaf_value = fr::from_u64(1);
  if (form == path_form::plain) {
    const auto bits = index_bits(cs, path.tree.index_bits(), path.index);
    const auto leaf = make(leaf_value);
    std::vector<typename CS::num> siblings;
    for (const auto& s : path.siblings)
      siblings.push_back(make(number_of(s)));
    const auto root = make(path.root);
    merkle_path_of(cs, path.tree, leaf, std::span<const typename CS::bit>(bits),
                   std::span<const typename CS::num>(siblings), root);
  } else if (form == path_form::root_public) {
    const auto top = climb(cs, path.tree, make(leaf_value), path.values());
    const auto root = cs.new_num([](const fr& x) { return x; }, top);
    enforce_equal(cs, top, root);
    inputize(cs, root);
  } else if (form == path_form::vars) {
    const auto leaf = make(leaf_value);
    const auto root = make(path.root);
    merkle_path(cs, path.tree, leaf, path.values(), root);
  } else {
    const auto root = make(path.root);
    const auto leaf = make(leaf_value);
    merkle_path(cs, path.tree, leaf, path.values(), root);
  }
  out.say("root ");
  out.show(path.root);
  if (form != path_form::plain)
    out.say(", leaf index " + std::to_string(path.index));
}

struct path_shape {
  const char* name;
  node_hash hash;
  std::vector<unsigned> arities;
};

} // namespace

void add_merkle_cases(gadget_table& table) {
  table["pick"] = make_case([](auto& cs, report& out) {
    const auto a = number(cs, 1), b = number(cs, 2);
    const auto c = alloc_bit(cs, [] { return true; });
    out.show(pick(cs, c, a, b));
  });
  table["select-2"] = select_case(1, 1);
  table["select-4"] = select_case(2, 2);
  table["select-8"] = select_case(3, 5);
  table["select-128"] = select_case(7, 77);
  table["insert-2"] = insert_case(1, 1);
  table["insert-4"] = insert_case(2, 2);
  table["insert-8"] = insert_case(3, 5);
  const auto oct = [](unsigned levels, std::vector<unsigned> above) {
    std::vector<unsigned> arities(levels, 8);
    arities.insert(arities.end(), above.begin(), above.end());
    return arities;
  };
  const path_shape shapes[] = {
    {"poseidon-8-0-0-64", node_hash::poseidon, oct(2, {})},
    {"poseidon-8-2-0-128", node_hash::poseidon, oct(2, {2})},
    {"poseidon-8-8-0-512", node_hash::poseidon, oct(2, {8})},
    {"poseidon-8-8-2-1024", node_hash::poseidon, oct(2, {8, 2})},
    {"poseidon-8-0-0-2^24", node_hash::poseidon, oct(8, {})},
    {"poseidon-8-8-0-2^30", node_hash::poseidon, oct(9, {8})},
    {"poseidon-8-8-2-2^31", node_hash::poseidon, oct(9, {8, 2})},
    {"sha256-2-0-0-64", node_hash::sha256, std::vector<unsigned>(6, 2)},
    {"sha256-2-0-0-2^30", node_hash::sha256, std::vector<unsigned>(30, 2)},
    {"sha256-2-0-0-1", node_hash::sha256, {}},
  };
  const std::pair<const char*, path_form> path_forms[] = {{"-public", path_form::root_public},
                                                          {"-vars", path_form::vars},
                                                          {"-leaf-inside", path_form::leaf_inside},
                                                          {"-plain", path_form::plain}};
  for (const auto& shape : shapes)
    for (const auto& [suffix, form] : path_forms) {
      const sample_path path({shape.hash, shape.arities}, fr::from_u64(1));
      table[std::string("por-") + shape.name + suffix] =
        make_case([path, form = form](auto& cs, report& out) { read_path(cs, form, path, out); });
    }
}

} // namespace cuzk::test
