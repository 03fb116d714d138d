#include "circuits/catalog.hpp"
#include "cuda/backend/cuda_backend.hpp"
#include "cuda/backend/proof_plan.hpp"
#include "tests/support/catch.hpp"

#include <algorithm>

using namespace cuzk;
using namespace cuzk::cuda;

namespace {

std::shared_ptr<const groth16::circuit> window_2k() {
  const auto text = circuits::find_circuit({filecoin::proof_kind::window, filecoin::sector_size::k2});
  return *groth16::read_circuit(**text);
}

struct range {
  std::size_t begin, bytes;
};

/// Nothing lies on anything else, and all of it below `end`.
void apart(std::vector<range> all, std::size_t end) {
  std::sort(all.begin(), all.end(), [](const range& a, const range& b) { return a.begin < b.begin; });
  std::size_t at = 0;
  for (const auto& r : all) {
    CHECK(r.begin >= at);
    CHECK(r.begin % 256 == 0);
    at = r.begin + r.bytes;
  }
  CHECK(at <= end);
}

} // namespace

TEST_CASE("a proof's plan has every point of the key once, and places that do not meet") {
  const auto of = window_2k();
  const auto& w = of->wires.counts();
  for (const bool derived : {true, false}) {
    const auto p = plan_proof(*of, derived, {132, std::size_t{140} << 30});
    REQUIRE(p);
    CHECK(p->of(array_of::h).points() == (derived ? of->domain() : of->counts.h));
    CHECK(p->of(array_of::l).points() == of->counts.l + (derived ? w.inputs : 0));
    CHECK(p->of(array_of::l).scalars == w.fields + (derived ? w.inputs : 0));
    CHECK(p->of(array_of::l).bits == w.bits);
    CHECK(p->of(array_of::a).points() == of->counts.a);
    CHECK(p->of(array_of::b_g1).points() == of->counts.b_g1);
    CHECK(p->of(array_of::b_g2).points() == of->counts.b_g2);
    const std::size_t vector = of->domain() * sizeof(fr);
    apart(
      {{p->first, vector}, {p->second, vector}, {p->other, vector}, {p->h_work, p->of(array_of::h).scratch_bytes()}},
      p->main_bytes);
    std::vector<range> results;
    for (const auto& a : p->arrays) {
      const std::size_t point = a.group == curve_group::g1 ? sizeof(g1) : sizeof(g2);
      if (a.scalars > 0)
        results.push_back({a.msm_ends, static_cast<std::size_t>(a.msm.ends()) * point});
      if (a.bits > 0)
        results.push_back({a.masked_sum, point});
    }
    apart(results, p->result_bytes);
    for (const auto which : {array_of::l, array_of::a, array_of::b_g1}) {
      const auto& a = p->of(which);
      apart(
        {{p->g1.mask, 4 * a.mask_words()}, {p->g1.scalars, a.scalars * sizeof(fr)}, {p->g1.work, a.scratch_bytes()}},
        p->g1.bytes);
    }
    apart({{0, (w.inputs + std::size_t{w.fields}) * sizeof(fr)}, {p->witness_bits, w.bits / 8}}, p->witness_bytes);
  }
}

TEST_CASE("the way without a derived key keeps c and takes more memory between proofs") {
  const auto of = window_2k();
  const auto with = plan_proof(*of, true, {}), without = plan_proof(*of, false, {});
  REQUIRE((with && without));
  CHECK(without->matrix_bytes > with->matrix_bytes);
}

TEST_CASE("a device is found by its number or by its UUID, and what is there is said") {
  std::vector<device_info> devices(2);
  devices[0] = {0, "NVIDIA H200", "GPU-11112222-aaaa", 9, 0, 132, 1};
  devices[1] = {1, "NVIDIA H200", "GPU-11113333-bbbb", 9, 0, 132, 1};
  CHECK(find_device(devices, "cuda:1")->uuid == devices[1].uuid);
  CHECK(find_device(devices, "GPU-11112222-aaaa")->index == 0);
  CHECK(find_device(devices, "GPU-11113")->index == 1);
  for (const auto* wrong : {"GPU-1111", "cuda:2", "cuda:", "", "GPU-", "cuda:1x", "gpu\n"}) {
    const auto none = find_device(devices, wrong);
    REQUIRE_FALSE(none);
    CHECK(none.err().code == errc::bad_input);
    CHECK(none.err().text.find("cuda:0 (NVIDIA H200, GPU-11112222-aaaa)") != std::string::npos);
    CHECK(none.err().text.find('\n') == std::string::npos);
  }
  CHECK_FALSE(find_device({}, "cuda:0"));
}
