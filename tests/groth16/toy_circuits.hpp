#pragma once
// The two toy circuits of the vectors, and the real ones, ready for the prover.
#include "circuits/catalog.hpp"
#include "circuits/core/build.hpp"
#include "groth16/circuit.hpp"
#include "groth16/setup.hpp"
#include "math/encoding.hpp"
#include "math/field_bytes.hpp"
#include "tests/filecoin/vanilla_cases.hpp"

namespace cuzk::test {

inline fr read_scalar(const nlohmann::json& hex) {
  const auto raw = unhex(hex.get<std::string>());
  return *from_le_bytes<fr>(std::span<const std::uint8_t, 32>(raw.data(), 32));
}

/// x^3 + x + 5 = out.
template <class CS>
void cube(CS& cs, const fr& value) {
  using circuits::one;
  const auto x = cs.new_num([&] { return value; });
  const auto x2 = cs.new_num([](const fr& v) { return v * v; }, x);
  cs.enforce({{1, x}}, {{1, x}}, {{1, x2}});
  const auto x3 = cs.new_num([](const fr& a, const fr& b) { return a * b; }, x2, x);
  cs.enforce({{1, x2}}, {{1, x}}, {{1, x3}});
  const auto out = cs.new_input([](const fr& a, const fr& b) { return a + b + fr::from_u64(5); }, x3, x);
  cs.enforce({{1, x3}, {1, x}, {5, one}}, {{1, one}}, {{1, out}});
}

/// Variables that occur in C only, one that cancels in A, an input in B.
template <class CS>
void mixed(CS& cs, const fr& p_value, const fr& q_value) {
  using circuits::one;
  const auto p = cs.new_input([&] { return p_value; });
  const auto q = cs.new_input([&] { return q_value; });
  const auto u = cs.new_num([](const fr& a, const fr& b) { return a * b; }, p, q);
  cs.enforce({{1, p}}, {{1, q}}, {{1, u}});
  const auto v = cs.new_num(
    [](const fr& a, const fr& b, const fr& c) { return (a + b.doubled() + fr::from_u64(3)) * (c - a); }, u, p, q);
  cs.enforce({{1, u}, {2, p}, {3, one}}, {{1, q}, {-1, u}}, {{1, v}});
  const auto w = cs.new_num([](const fr& a) { return a; }, v);
  cs.enforce({{1, w}, {1, w}}, {{1, one}}, {{1, v}, {1, v}});
  cs.enforce({}, {}, {{1, w}, {-1, v}});
  const auto t = cs.new_num([](const fr& a) { return a * a; }, u);
  cs.enforce({{1, p}, {1, u}, {-1, p}}, {{1, u}}, {{1, t}});
}

/// A circuit of the vectors with the means to fill it.
struct ready_circuit {
  std::shared_ptr<const groth16::circuit> shape;
  std::function<compact_witness(const nlohmann::json& one_case, thread_pool&)> witness;
};

template <class Text>
ready_circuit toy(const std::string& name, const Text& text) {
  auto built = circuits::build_circuit([&](auto& cs) { text(cs, nlohmann::json()); });
  if (!built)
    throw std::runtime_error(built.err().message());
  auto shape = groth16::make_circuit(name, built->wires, built->matrices);
  return {shape, [text, shape](const nlohmann::json& c, thread_pool&) {
            return *circuits::build_witness(shape->wires.counts(), [&](auto& cs) { text(cs, c); });
          }};
}

inline ready_circuit real(const filecoin::circuit_name& name) {
  auto text = circuits::find_circuit(name);
  if (!text)
    throw std::runtime_error(text.err().message());
  auto built = circuits::build_matrices(**text, circuits::with_digest::no);
  if (!built)
    throw std::runtime_error(built.err().message());
  auto shape = groth16::make_circuit(to_string(name), (*text)->wires(), built->matrices);
  return {shape, [text = *text](const nlohmann::json& c, thread_pool& pool) {
            const vanilla_case vanilla(c["case"].get<std::string>());
            auto job = vanilla.kind() == filecoin::proof_kind::porep
                         ? filecoin::load_job(vanilla.file("c1-inner.bin"), vanilla.inner_identity())
                         : filecoin::load_job(as_bytes(vanilla.document()));
            if (!job)
              throw std::runtime_error(job.err().message());
            return *text->witness(job->partitions[c["partition"].get<std::size_t>()], pool);
          }};
}

inline ready_circuit circuit_of_vectors(const std::string& name) {
  const auto value = [](const nlohmann::json& c, const char* list, int i) {
    return c.is_null() ? fr::zero() : read_scalar(c[list][static_cast<std::size_t>(i)]);
  };
  if (name == "cube")
    return toy(name, [value](auto& cs, const nlohmann::json& c) { cube(cs, value(c, "aux", 0)); });
  if (name == "mixed")
    return toy(name, [value](auto& cs, const nlohmann::json& c) {
      mixed(cs, value(c, "public_inputs", 0), value(c, "public_inputs", 1));
    });
  return real(*filecoin::parse_circuit_name(name == "update-2k" ? "snap-2k" : name));
}

inline groth16::toxic_waste read_toxic(const nlohmann::json& t) {
  return {read_scalar(t["alpha"]),
          read_scalar(t["beta"]),
          read_scalar(t["gamma"]),
          read_scalar(t["delta"]),
          read_scalar(t["tau"]),
          *decode_uncompressed<fp>(unhex(t["g1"].get<std::string>()), point_check::subgroup),
          *decode_uncompressed<fp2>(unhex(t["g2"].get<std::string>()), point_check::subgroup)};
}

} // namespace cuzk::test
