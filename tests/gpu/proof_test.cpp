// Whole proofs from the kernels of cuda/, one after another, against the CPU's at the same r and s: equal bytes.
// Usage: proof_test FOLDER JOB_FILE ...; test keys are made in FOLDER. The host waits between steps: no figure of
// speed.
#include "circuits/catalog.hpp"
#include "cuda/backend/kernels.hpp"
#include "cuda/device/device.hpp"
#include "cuda/evaluate/evaluate.hpp"
#include "cuda/masked/masked.hpp"
#include "cuda/msm/msm.hpp"
#include "cuda/ntt/ntt.hpp"
#include "filecoin/input.hpp"
#include "groth16/prove.hpp"
#include "groth16/select_bits.hpp"
#include "groth16/test_key.hpp"
#include "groth16/verify.hpp"

#include <bit>
#include <cstdio>
#include <cstdlib>
#include <thread>

using namespace cuzk;
using namespace cuzk::cuda;
using namespace cuzk::groth16;

namespace {

template <class T>
T need(result<T> r) {
  if (!r) {
    std::fprintf(stderr, "%s\n", r.err().message().c_str());
    std::exit(1);
  }
  return *std::move(r);
}

/// One stream; waits by asking.
struct gpu {
  stream s = need(stream::create());
  int multiprocessors = 0;
  void finish() const {
    const event e = need(event::create());
    need(e.record(s.get()));
    while (!need(e.reached()))
      std::this_thread::yield();
  }
  device_memory room(std::size_t bytes) const {
    return need(device_memory::allocate(std::max<std::size_t>(bytes, 64)));
  }
  template <class T>
  device_memory upload(std::span<const T> data) const {
    auto m = room(data.size_bytes());
    if (!data.empty())
      need(copy_to_device(m.data(), data.data(), data.size_bytes(), s.get()));
    finish();
    return m;
  }
};

/// Points of a section, those that meet scalars first, then those that meet bits.
struct gpu_points {
  device_memory points;
  std::size_t scalars = 0, bits = 0;
};

gpu_points place(const gpu& g, curve_group group, const point_view& view,
                 const std::vector<std::uint32_t>* scalar_points) {
  const std::size_t size = group == curve_group::g1 ? sizeof(g1_affine) : sizeof(g2_affine);
  gpu_points out{g.room(view.count * size), view.count, 0};
  std::vector<std::uint32_t> slots;
  if (scalar_points != nullptr) {
    out.scalars = scalar_points->size();
    out.bits = view.count - out.scalars;
    std::size_t next = 0;
    for (std::uint32_t i = 0; i < view.count; ++i)
      if (next < out.scalars && (*scalar_points)[next] == i)
        slots.push_back(static_cast<std::uint32_t>(next++));
      else
        slots.push_back(static_cast<std::uint32_t>(out.scalars + i - next));
  }
  const auto raw = g.upload(std::span(view.data, view.count * size));
  const auto places = g.upload(std::span<const std::uint32_t>(slots));
  std::uint64_t bad = no_bad_point;
  const auto bad_word = g.upload(std::span<const std::uint64_t>(&bad, 1));
  need(queue_points({group, view.layout == point_layout::big_endian, raw.data(),
                     slots.empty() ? nullptr : places.as<std::uint32_t>(), 0, static_cast<std::uint32_t>(view.count),
                     out.points.data()},
                    bad_word.as<std::uint64_t>(), g.s.get()));
  need(copy_to_host(&bad, bad_word.data(), 8, g.s.get()));
  g.finish();
  if (bad != no_bad_point)
    need(status(error{errc::params, "point " + std::to_string(bad >> 2) + " is damaged"}));
  return out;
}

template <class F>
jacobian<F> sum(const gpu& g, const affine<F>* points, const fr* scalars, std::size_t n) {
  if (n == 0)
    return jacobian<F>::infinity();
  constexpr bool first = sizeof(F) == sizeof(fp);
  const auto plan = need(plan_msm({first ? curve_group::g1 : curve_group::g2, n, g.multiprocessors}));
  const auto scratch = g.room(plan.scratch_bytes);
  std::vector<jacobian<F>> ends(plan.ends());
  need(queue_msm(plan, points, scalars, scratch.data(), ends.data(), g.s.get()));
  g.finish();
  return msm_result(plan, ends.data());
}

template <class F>
jacobian<F> masked(const gpu& g, const affine<F>* points, const device_memory& mask, std::size_t n) {
  auto out = jacobian<F>::infinity();
  if (n == 0)
    return out;
  constexpr bool first = sizeof(F) == sizeof(fp);
  const auto plan = need(plan_masked(first ? curve_group::g1 : curve_group::g2, n, g.multiprocessors));
  const auto scratch = g.room(plan.scratch_bytes);
  need(queue_masked(plan, points, mask.as<std::uint64_t>(), scratch.data(), &out, g.s.get()));
  g.finish();
  return out;
}

/// A circuit, its key and a witness on the device.
class device_proof {
public:
  device_proof(const gpu& g, const prove_request& r)
    : g_(g), key_(*r.key), of_(*r.circuit), counts_(of_.wires.counts()) {
    std::vector<fr> values(r.witness->inputs().begin(), r.witness->inputs().end());
    values.insert(values.end(), r.witness->fields().begin(), r.witness->fields().end());
    values_ = g.upload(std::span<const fr>(values));
    bits_ = g.upload(r.witness->bits());
    coefficients_ = g.upload(of_.matrices.coefficients);
  }

  proof_sums run(bool derived) {
    proof_sums out;
    const auto* keyed = key_.derived();
    out.h = derived ? derived_h() : plain_h();
    const auto l = place(g_, curve_group::g1, derived ? keyed->l() : key_.points(section::l), &of_.l.scalar_points);
    const auto* lp = l.points.as<g1_affine>();
    out.l =
      sum<fp>(g_, lp, values_.as<fr>() + counts_.inputs, l.scalars) + masked<fp>(g_, lp + l.scalars, bits_, l.bits);
    if (derived) {
      const auto k = place(g_, curve_group::g1, keyed->k(), nullptr);
      out.l += sum<fp>(g_, k.points.as<g1_affine>(), values_.as<fr>(), k.scalars);
    }
    out.a = query_sum<fp>(section::a, of_.a);
    out.b_g1 = query_sum<fp>(section::b_g1, of_.b);
    out.b_g2 = query_sum<fp2>(section::b_g2, of_.b);
    return out;
  }

private:
  template <class F>
  jacobian<F> query_sum(section which, const query& q) {
    const auto p =
      place(g_, sizeof(F) == sizeof(fp) ? curve_group::g1 : curve_group::g2, key_.points(which), &q.scalar_points);
    const auto* points = p.points.as<affine<F>>();
    const auto wires = g_.upload(std::span<const std::uint32_t>(q.scalar_wires));
    const auto scalars = g_.room(p.scalars * sizeof(fr));
    if (p.scalars > 0)
      need(queue_gather(values_.as<fr>(), wires.as<std::uint32_t>(), static_cast<std::uint32_t>(p.scalars),
                        scalars.as<fr>(), g_.s.get()));
    std::vector<std::uint32_t> chosen((counts_.bits + 31) / 32), rank(chosen.size());
    std::uint32_t before = 0;
    for (std::size_t w = 0; w < chosen.size(); ++w) {
      chosen[w] = static_cast<std::uint32_t>(bits_at(q.density->mask, counts_.first_bit() + 32 * w));
      rank[w] = before;
      before += static_cast<std::uint32_t>(std::popcount(chosen[w]));
    }
    const auto c = g_.upload(std::span<const std::uint32_t>(chosen)),
               r = g_.upload(std::span<const std::uint32_t>(rank));
    const std::size_t words = (p.bits + 63) / 64 * 2 + 2;
    const auto mask = g_.room(4 * words);
    if (!chosen.empty())
      need(queue_choose_bits({bits_.as<std::uint32_t>(), c.as<std::uint32_t>(), r.as<std::uint32_t>(),
                              static_cast<std::uint32_t>(chosen.size())},
                             mask.as<std::uint32_t>(), words, g_.s.get()));
    return sum<F>(g_, points, scalars.as<fr>(), p.scalars) + masked<F>(g_, points + p.scalars, mask, p.bits);
  }

  void evaluate(const sparse_matrix& m, bool inputs_occur, fr* out) {
    const auto lengths = g_.upload(m.row_lengths);
    const auto entry = g_.upload(m.block_entry);
    const auto block_long = g_.upload(m.block_long), long_rows = g_.upload(m.long_rows), columns = g_.upload(m.columns);
    const auto codes = g_.upload(m.codes);
    const device_matrix on{lengths.as<std::uint8_t>(),
                           entry.as<std::uint64_t>(),
                           block_long.as<std::uint32_t>(),
                           long_rows.as<std::uint32_t>(),
                           columns.as<std::uint32_t>(),
                           codes.as<std::uint8_t>(),
                           m.rows(),
                           of_.matrices.column_bits,
                           coefficients_.as<fr>()};
    need(queue_evaluate(on, {values_.as<fr>(), bits_.as<std::uint32_t>(), counts_.first_bit()}, counts_.inputs,
                        inputs_occur, out, of_.domain(), g_.s.get()));
    g_.finish();
  }

  /// Values of a matrix's rows on the coset that `kind` leads to, in `v`.
  void on_coset(const cuda::ntt_domain& d, ntt_kind kind, fr* v, fr* other, const fr* times) {
    need(d.run(kind, v, other, g_.s.get()));
    need(d.run(ntt_kind::forward, other, v, g_.s.get(), times));
  }

  g1 derived_h() {
    const std::size_t m = of_.domain();
    const auto a = g_.room(m * sizeof(fr)), b = g_.room(m * sizeof(fr)), other = g_.room(m * sizeof(fr));
    const auto d =
      need(cuda::ntt_domain::create(of_.lg_domain(), {ntt_kind::forward, ntt_kind::inverse_to_odd}, g_.s.get()));
    evaluate(of_.matrices.a, true, a.as<fr>());
    evaluate(of_.matrices.b, false, b.as<fr>());
    on_coset(d, ntt_kind::inverse_to_odd, a.as<fr>(), other.as<fr>(), nullptr);
    on_coset(d, ntt_kind::inverse_to_odd, b.as<fr>(), other.as<fr>(), a.as<fr>());
    const auto points = place(g_, curve_group::g1, key_.derived()->g(), nullptr);
    return sum<fp>(g_, points.points.as<g1_affine>(), b.as<fr>(), points.scalars);
  }

  g1 plain_h() {
    const std::size_t m = of_.domain();
    const auto a = g_.room(m * sizeof(fr)), b = g_.room(m * sizeof(fr)), other = g_.room(m * sizeof(fr));
    const auto to = ntt_kind::inverse_to_coset;
    const auto d = need(
      cuda::ntt_domain::create(of_.lg_domain(), {ntt_kind::forward, to, ntt_kind::inverse_from_coset}, g_.s.get()));
    evaluate(of_.matrices.a, true, a.as<fr>());
    evaluate(of_.matrices.b, false, b.as<fr>());
    on_coset(d, to, a.as<fr>(), other.as<fr>(), nullptr);
    on_coset(d, to, b.as<fr>(), other.as<fr>(), a.as<fr>());
    evaluate(of_.matrices.c, false, a.as<fr>());
    on_coset(d, to, a.as<fr>(), other.as<fr>(), nullptr);
    const fr scale = (fr::from_u64(7).pow(m) - fr::one()).inverse();
    need(queue_quotient(b.as<fr>(), a.as<fr>(), scale, m, g_.s.get()));
    need(d.run(ntt_kind::inverse_from_coset, b.as<fr>(), other.as<fr>(), g_.s.get()));
    const auto points = place(g_, curve_group::g1, key_.points(section::h), nullptr);
    return sum<fp>(g_, points.points.as<g1_affine>(), other.as<fr>(), points.scalars);
  }

  const gpu& g_;
  const proving_key& key_;
  const groth16::circuit& of_;
  wire_counts counts_;
  device_memory values_, bits_, coefficients_;
};

int check_job(const gpu& g, const std::string& path, const std::string& folder, thread_pool& pool) {
  const auto file = need(mapped_file::open(path));
  const auto job = need(filecoin::load_job(file.bytes()));
  const auto name = to_string(job.circuit);
  const auto text = need(circuits::find_circuit(job.circuit));
  const auto shape = need(read_circuit(*text));
  const auto files = need(generate_test_key({job.circuit, toxic_of_seed(5), "5", folder}, {pool}));
  const auto key = need(proving_key::open(files.paths.params, *shape, {}));
  prove_request request{key, shape,
                        std::make_shared<const compact_witness>(need(text->witness(job.partitions[0], pool))),
                        fr::from_u64(12345), fr::from_u64(67890)};
  prove_timings timings;
  const auto expected = need(prove(
    request, pool, [](stage, double) {}, timings));
  int wrong = 0;
  for (const bool derived : {true, false}) {
    const auto got = assemble(key->vk(), device_proof(g, request).run(derived), request.r, request.s);
    const bool same = encode_proof(got) == encode_proof(expected);
    const bool holds = bool(verify(key->vk(), got, request.witness->public_inputs()));
    std::printf("%s, %s: domain 2^%d, %s, %s\n", name.c_str(), derived ? "four transforms" : "seven transforms",
                shape->lg_domain(), same ? "the CPU's bytes" : "OTHER BYTES", holds ? "verifies" : "DOES NOT VERIFY");
    wrong += !same || !holds;
  }
  return wrong;
}

} // namespace

int main(int argc, char** argv) {
  const auto devices = need(list_devices());
  if (devices.empty()) {
    std::printf("no CUDA device: skipped\n");
    return 77;
  }
  need(use_device(devices.front().index));
  gpu g;
  g.multiprocessors = devices.front().multiprocessors;
  thread_pool pool;
  int wrong = argc < 3;
  for (int i = 2; i < argc; ++i)
    wrong += check_job(g, argv[i], argv[1], pool);
  std::printf("proof: %s\n", wrong == 0 ? "ok" : "WRONG");
  return wrong == 0 ? 0 : 1;
}
