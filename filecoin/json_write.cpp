#include "filecoin/json_write.hpp"

#include "filecoin/base64.hpp"
#include "filecoin/bincode_write.hpp"
#include "filecoin/merkle_layout.hpp"

namespace cuzk::filecoin {
namespace {

/// Appends compact JSON; commas come from `list`.
class writer {
public:
  writer& raw(std::string_view text) {
    out_ += text;
    return *this;
  }
  writer& number(std::uint64_t x) { return raw(std::to_string(x)); }
  writer& put(const digest& d) {
    return list(d, [&](std::uint8_t byte) { number(byte); });
  }
  template <class Range, class F>
  writer& list(const Range& items, F&& item) {
    raw("[");
    bool first = true;
    for (const auto& i : items) {
      raw(first ? "" : ",");
      first = false;
      item(i);
    }
    return raw("]");
  }
  writer& digests(std::span<const digest> all) {
    return list(all, [&](const digest& d) { put(d); });
  }
  std::string take() { return std::move(out_); }

private:
  std::string out_;
};

void put_part(writer& out, const merkle_proof& proof, const tree_shape& tree, unsigned part) {
  std::vector<unsigned> levels;
  for (unsigned i = 0; i < part_levels(tree, part); ++i)
    levels.push_back(part_first(tree, part) + i);
  out.raw("{\"path\":").list(levels, [&](unsigned level) {
    out.raw("{\"hashes\":");
    out.digests(std::span(proof.siblings).subspan(first_sibling(tree, level), tree.arity(level) - 1));
    out.raw(",\"index\":").number(position_at(tree, proof.index, level)).raw("}");
  });
  out.raw("}");
}

void put_merkle(writer& out, const merkle_proof& proof, const tree_shape& tree) {
  constexpr const char* parts[] = {"base_proof", "sub_proof", "top_proof"};
  const auto ends = [&] { out.raw("\"root\":").put(proof.root).raw(",\"leaf\":").put(proof.leaf); };
  out.raw("{\"data\":{\"").raw(variant_name(tree)).raw("\":{");
  if (part_count(tree) == 1) {
    ends();
    out.raw(",\"path\":");
    put_part(out, proof, tree, 0);
  } else {
    for (unsigned part = 0; part < part_count(tree); ++part) {
      out.raw("\"").raw(parts[part]).raw("\":");
      put_part(out, proof, tree, part);
      out.raw(",");
    }
    ends();
  }
  out.raw("}}}");
}

void put_column(writer& out, const column_proof& column, const tree_shape& tree) {
  out.raw("{\"column\":{\"index\":").number(column.path.index).raw(",\"rows\":").digests(column.rows);
  out.raw(",\"_h\":null},\"inclusion_proof\":");
  put_merkle(out, column.path, tree);
  out.raw("}");
}

void put_labeling(writer& out, const labeling_proof& proof) {
  out.raw("{\"parents\":").digests(proof.parents).raw(",\"layer_index\":").number(proof.layer_index);
  out.raw(",\"node\":").number(proof.node).raw("}");
}

void put_challenge(writer& out, const porep_challenge& c, const sector_shape& shape) {
  const std::span parents(c.parents);
  const auto column = [&](const column_proof& p) { put_column(out, p, shape.tree); };
  out.raw("{\"comm_d_proofs\":");
  put_merkle(out, c.tree_d, shape.tree_d);
  out.raw(",\"comm_r_last_proof\":");
  put_merkle(out, c.tree_r, shape.tree);
  out.raw(",\"replica_column_proofs\":{\"c_x\":");
  column(c.column);
  out.raw(",\"drg_parents\":").list(parents.first(drg_degree), column);
  out.raw(",\"exp_parents\":").list(parents.subspan(drg_degree), column);
  out.raw("},\"labeling_proofs\":").list(c.labels, [&](const labeling_proof& l) { put_labeling(out, l); });
  out.raw(",\"encoding_proof\":");
  put_labeling(out, c.encoding);
  out.raw("}");
}

void put_partitions(writer& out, const c1_output& c1) {
  out.list(c1.partitions, [&](const std::vector<porep_challenge>& partition) {
    out.list(partition, [&](const porep_challenge& c) { put_challenge(out, c, shape_of(c1.size)); });
  });
}

void put_tail(writer& out, const c1_output& c1) {
  out.raw(",\"comm_r\":").put(c1.comm_r).raw(",\"comm_d\":").put(c1.comm_d).raw(",\"replica_id\":").put(c1.replica_id);
  out.raw(",\"seed\":").put(c1.seed).raw(",\"ticket\":").put(c1.ticket).raw("}");
}

writer& quoted(writer& out, const std::string& text) {
  return out.raw("\"").raw(text).raw("\"");
}

void put_job_head(writer& out, const registered_proof& proof) {
  out.raw("{\"kind\":\"").raw(to_string(proof.kind)).raw("\",\"registered_proof\":\"").raw(to_string(proof)).raw("\"");
}

} // namespace

std::string write_c1_json(const c1_output& c1) {
  writer out;
  out.raw("{\"registered_proof\":\"").raw(c1.proof ? to_string(*c1.proof) : "").raw("\",\"vanilla_proofs\":{\"");
  out.raw(vanilla_proofs_key(c1.size)).raw("\":");
  put_partitions(out, c1);
  out.raw("}");
  put_tail(out, c1);
  return out.take();
}

std::string write_c1_inner_json(const c1_output& c1) {
  writer out;
  out.raw("{\"vanilla_proofs\":");
  put_partitions(out, c1);
  put_tail(out, c1);
  return out.take();
}

std::string write_envelope(std::uint64_t sector, const std::string& c1_json, sector_size size) {
  const byte_view inside(reinterpret_cast<const std::uint8_t*>(c1_json.data()), c1_json.size());
  writer out;
  out.raw("{\"SectorNum\":").number(sector).raw(",\"Phase1Out\":\"").raw(to_base64(inside));
  out.raw("\",\"SectorSize\":").number(bytes_of(size)).raw("}");
  return out.take();
}

std::string write_post_job(const registered_proof& proof, const digest& prover_id, const digest& randomness,
                           std::span<const post_sector> sectors, std::optional<std::uint32_t> partition) {
  writer out;
  put_job_head(out, proof);
  quoted(out.raw(",\"prover_id\":"), to_hex(prover_id));
  quoted(out.raw(",\"randomness\":"), to_hex(randomness));
  out.raw(",\"partition\":").raw(partition ? std::to_string(*partition) : "null");
  out.raw(",\"sectors\":").list(sectors, [&](const post_sector& s) {
    out.raw("{\"sector\":").number(s.sector);
    quoted(out.raw(",\"comm_r\":"), to_hex(s.comm_r)).raw("}");
  });
  out.raw(",\"proofs\":").list(sectors, [&](const post_sector& s) {
    quoted(out, to_base64(write_post_sector(s, shape_of(proof.size))));
  });
  return out.raw("}").take();
}

std::string write_snap_job(const registered_proof& proof, std::span<const snap_partition> partitions) {
  writer out;
  put_job_head(out, proof);
  quoted(out.raw(",\"comm_r_old\":"), to_hex(partitions.front().comm_r_old));
  quoted(out.raw(",\"comm_r_new\":"), to_hex(partitions.front().comm_r_new));
  quoted(out.raw(",\"comm_d_new\":"), to_hex(partitions.front().comm_d_new));
  out.raw(",\"proofs\":").list(partitions, [&](const snap_partition& p) {
    quoted(out, to_base64(write_snap_partition(p, shape_of(proof.size))));
  });
  return out.raw("}").take();
}

} // namespace cuzk::filecoin
