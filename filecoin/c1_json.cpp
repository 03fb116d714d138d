#include "filecoin/c1_json.hpp"

#include "filecoin/json_reader.hpp"
#include "filecoin/merkle_layout.hpp"

#include <limits>

namespace cuzk::filecoin {
namespace {

constexpr std::uint64_t max_u32 = std::numeric_limits<std::uint32_t>::max();

bool read_level(json_reader& in, merkle_proof& out, const tree_shape& tree, unsigned level) {
  const unsigned arity = tree.arity(level);
  digest* const siblings = out.siblings.data() + first_sibling(tree, level);
  return in.record({"hashes", "index"}, [&](int member) {
    if (member == 0)
      return in.array_of(arity - 1, [&](std::size_t i) { return in.bytes32(siblings[i]); });
    std::uint64_t position = 0;
    const bool read = in.number(position, arity - 1);
    out.index += position * level_weight(tree, level);
    return read;
  });
}

/// InclusionPath: { path: [levels] }
bool read_part(json_reader& in, merkle_proof& out, const tree_shape& tree, unsigned part) {
  return in.record({"path"}, [&](int) {
    return in.array_of(part_levels(tree, part), [&](std::size_t i) {
      return read_level(in, out, tree, part_first(tree, part) + static_cast<unsigned>(i));
    });
  });
}

bool read_variant(json_reader& in, merkle_proof& out, const tree_shape& tree) {
  const auto part = [&](int i) {
    switch (i) {
    case 0: return in.bytes32(out.root);
    case 1: return in.bytes32(out.leaf);
    default: return read_part(in, out, tree, static_cast<unsigned>(i) - 2);
    }
  };
  switch (part_count(tree)) {
  case 1: return in.record({"root", "leaf", "path"}, part);
  case 2: return in.record({"root", "leaf", "base_proof", "sub_proof"}, part);
  default: return in.record({"root", "leaf", "base_proof", "sub_proof", "top_proof"}, part);
  }
}

/// { data: { Single | Sub | Top: … } }, the variant that the shape asks for.
bool read_merkle(json_reader& in, merkle_proof& out, const tree_shape& tree) {
  prepare(out, tree);
  return in.record({"data"}, [&](int) {
    bool found = false;
    const bool read = in.object([&](std::string_view name) {
      if (name != variant_name(tree) || found)
        return in.refuse("the variant of this Merkle proof is " + quoted(name, 16) + "; expected one \"" +
                         variant_name(tree) + "\"");
      found = true;
      return read_variant(in, out, tree);
    });
    return read &&
           (found || in.refuse(std::string("no variant of a Merkle proof; expected \"") + variant_name(tree) + "\""));
  });
}

bool read_column(json_reader& in, column_proof& out, const sector_shape& shape) {
  std::uint64_t index = 0; // the path says it
  const auto column = [&](int member) {
    switch (member) {
    case 0: return in.number(index, max_u32);
    case 1:
      out.rows.resize(shape.porep.layers);
      return in.array_of(out.rows.size(), [&](std::size_t i) { return in.bytes32(out.rows[i]); });
    default: return in.null();
    }
  };
  return in.record({"column", "inclusion_proof"}, [&](int member) {
    return member == 0 ? in.record({"index", "rows", "_h"}, column) : read_merkle(in, out.path, shape.tree);
  });
}

bool read_columns(json_reader& in, porep_challenge& out, const sector_shape& shape) {
  const auto parents = [&](unsigned first, unsigned count) {
    return in.array_of(count, [&](std::size_t i) { return read_column(in, out.parents[first + i], shape); });
  };
  return in.record({"c_x", "drg_parents", "exp_parents"}, [&](int member) {
    switch (member) {
    case 0: return read_column(in, out.column, shape);
    case 1: return parents(0, drg_degree);
    default: return parents(drg_degree, expander_degree);
    }
  });
}

bool read_labeling(json_reader& in, labeling_proof& out) {
  return in.record({"parents", "layer_index", "node"}, [&](int member) {
    std::uint64_t layer = 0;
    switch (member) {
    case 0:
      out.parents.resize(label_parents);
      return in.array_of(label_parents, [&](std::size_t i) { return in.bytes32(out.parents[i]); });
    case 1:
      if (!in.number(layer, max_u32))
        return false;
      out.layer_index = static_cast<std::uint32_t>(layer);
      return true;
    default: return in.number(out.node);
    }
  });
}

bool read_challenge(json_reader& in, porep_challenge& out, const sector_shape& shape) {
  const bool read = in.record(
    {"comm_d_proofs", "comm_r_last_proof", "replica_column_proofs", "labeling_proofs", "encoding_proof"},
    [&](int member) {
      switch (member) {
      case 0: return read_merkle(in, out.tree_d, shape.tree_d);
      case 1: return read_merkle(in, out.tree_r, shape.tree);
      case 2: return read_columns(in, out, shape);
      case 3:
        out.labels.resize(shape.porep.layers);
        return in.array_of(out.labels.size(), [&](std::size_t i) { return read_labeling(in, out.labels[i]); });
      default: return read_labeling(in, out.encoding);
      }
    });
  if (read)
    out.challenge = out.labels.front().node;
  return read;
}

bool read_partitions(json_reader& in, std::vector<std::vector<porep_challenge>>& out, const sector_shape& shape) {
  const auto& porep = shape.porep;
  const auto wrong = [&](const char* found) {
    return in.refuse(found + std::string(" partitions; expected ") + std::to_string(porep.partitions) + ", or " +
                     std::to_string(porep.ni_partitions) + " of a non-interactive proof");
  };
  out.clear();
  const bool read = in.array([&](std::size_t k) {
    if (k == porep.ni_partitions)
      return wrong("too many");
    out.emplace_back();
    return in.array_of(porep.challenges, [&](std::size_t) {
      out.back().emplace_back();
      return read_challenge(in, out.back().back(), shape);
    });
  });
  return read && (out.size() == porep.partitions || out.size() == porep.ni_partitions ||
                  wrong(std::to_string(out.size()).c_str()));
}

/// { "StackedDrg2KiBV1": [partitions] }: the name gives the size.
bool read_named_partitions(json_reader& in, c1_output& out) {
  bool found = false;
  const bool read = in.object([&](std::string_view name) {
    for (const auto size : all_sector_sizes) {
      if (found || name != vanilla_proofs_key(size))
        continue;
      found = true;
      out.size = size;
      return read_partitions(in, out.partitions, shape_of(size));
    }
    return in.refuse(quoted(name) + " is not the one name expected here, StackedDrgSIZEV1 as in " +
                     vanilla_proofs_key(sector_size::g32));
  });
  return read && (found || in.refuse("no proofs; expected a member as " + vanilla_proofs_key(sector_size::g32)));
}

bool read_registered(json_reader& in, c1_output& out) {
  std::string_view name;
  if (!in.string(name))
    return false;
  auto proof = parse_registered_proof(proof_kind::porep, name);
  if (!proof)
    return in.refuse(proof.err().text);
  out.proof = *proof;
  return true;
}

error size_mismatch(const c1_output& c1) {
  return bad_input("/registered_proof", "\"" + to_string(*c1.proof) +
                                          "\" is of another sector size than the proofs under \"" +
                                          vanilla_proofs_key(c1.size) + "\"");
}

} // namespace

result<c1_output> read_c1_json(std::string_view text) {
  json_reader in(text);
  c1_output out;
  digest* const digests[] = {&out.comm_r, &out.comm_d, &out.replica_id, &out.seed, &out.ticket};
  const bool read = in.record(
    {"registered_proof", "vanilla_proofs", "comm_r", "comm_d", "replica_id", "seed", "ticket"}, [&](int member) {
      switch (member) {
      case 0: return read_registered(in, out);
      case 1: return read_named_partitions(in, out);
      default: return in.bytes32(*digests[member - 2]);
      }
    });
  if (!read || !in.end())
    return in.failure();
  if (out.proof->size != out.size)
    return size_mismatch(out);
  return out;
}

result<c1_output> read_c1_inner_json(std::string_view text, const sector_shape& shape) {
  json_reader in(text);
  c1_output out;
  out.size = shape.size;
  digest* const digests[] = {&out.comm_r, &out.comm_d, &out.replica_id, &out.seed, &out.ticket};
  const bool read = in.record({"vanilla_proofs", "comm_r", "comm_d", "replica_id", "seed", "ticket"}, [&](int member) {
    return member == 0 ? read_partitions(in, out.partitions, shape) : in.bytes32(*digests[member - 1]);
  });
  if (!read || !in.end())
    return in.failure();
  return out;
}

} // namespace cuzk::filecoin
