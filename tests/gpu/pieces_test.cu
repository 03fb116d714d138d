// The small kernels of cuda/backend, callbacks and injected faults, against plain loops on the host.
#include "cuda/backend/kernels.hpp"
#include "cuda/device/faults.hpp"
#include "tests/gpu/support.cuh"

#include <atomic>

using namespace cuzk;
using namespace cuzk::cuda;
using namespace cuzk::cuda::test;

namespace {

void put_big_endian(std::vector<std::uint8_t>& out, const big_int<6>& x) {
  for (int i = 47; i >= 0; --i)
    out.push_back(static_cast<std::uint8_t>(x.limb[i / 8] >> (8 * (i % 8))));
}
void put(std::vector<std::uint8_t>& out, const fp& x) {
  put_big_endian(out, x.to_int());
}
void put(std::vector<std::uint8_t>& out, const fp2& x) {
  put(out, x.c1);
  put(out, x.c0);
}

/// Multiples of the generator and an infinity, as in a .params file.
template <class F>
std::vector<affine<F>> some_points(std::size_t n) {
  std::vector<affine<F>> points;
  auto p = jacobian<F>::from(generator<F>());
  for (std::size_t i = 0; i < n; ++i, p = p + generator<F>())
    points.push_back(i % 7 == 3 ? affine<F>::infinity() : p.to_affine());
  return points;
}

template <class F>
std::vector<std::uint8_t> encoded(const std::vector<affine<F>>& points) {
  std::vector<std::uint8_t> out;
  for (const auto& p : points) {
    const std::size_t at = out.size();
    put(out, p.x);
    put(out, p.y);
    if (p.is_infinity())
      out[at] = 0x40;
  }
  return out;
}

template <class F>
struct decoded {
  std::vector<affine<F>> points;
  std::uint64_t bad;
};

template <class F>
decoded<F> decode(const std::vector<std::uint8_t>& raw, bool big_endian, const std::vector<u32>& slots,
                  std::uint64_t first) {
  const stream s = need(stream::create());
  const auto n = static_cast<u32>(raw.size() / sizeof(affine<F>));
  const array<std::uint8_t> in(raw);
  const array<u32> places(slots.empty() ? std::vector<u32>{0} : slots);
  const array<affine<F>> out(n + first);
  const array<std::uint64_t> bad(std::vector<std::uint64_t>{no_bad_point});
  need(fill_bytes(out.get(), 0xa5, out.size() * sizeof(affine<F>), s.get()));
  const curve_group group = quads<F> == 3 ? curve_group::g1 : curve_group::g2;
  const point_piece piece{
    group, big_endian, reinterpret_cast<const std::byte*>(in.get()), slots.empty() ? nullptr : places.get(),
    first, n,          reinterpret_cast<std::byte*>(out.get())};
  need(queue_points(piece, bad.get(), s.get()));
  finish(s.get());
  return {out.read(out.size()), bad.read(1)[0]};
}

template <class F>
void check_points(report& r, const std::string& group) {
  const std::size_t n = 1000;
  const auto points = some_points<F>(n);
  const auto raw = encoded(points);
  const auto plain = decode<F>(raw, true, {}, 0);
  r.check(plain.points == points && plain.bad == no_bad_point, group + ": points of a key file");
  const auto later = decode<F>(raw, true, {}, 5);
  r.check(std::equal(points.begin(), points.end(), later.points.begin() + 5), group + ": a later piece");
  std::vector<u32> slots;
  for (u32 i = 0; i < n; ++i)
    slots.push_back(static_cast<u32>((i * 7 + 3) % n)); // 7 and 1000 have no common factor
  const auto moved = decode<F>(raw, true, slots, 0);
  bool right = true;
  for (std::size_t i = 0; i < n; ++i)
    right = right && moved.points[slots[i]] == points[i];
  r.check(right, group + ": points with places");
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(points.data());
  const auto copied = decode<F>({bytes, bytes + n * sizeof(affine<F>)}, false, {}, 0);
  r.check(copied.points == points, group + ": points in Montgomery form");
  const auto damage = [&](std::size_t number, std::size_t byte, std::uint8_t with, point_fault fault,
                          const std::string& what) {
    auto spoiled = raw;
    spoiled[number * sizeof(affine<F>) + byte] ^= with;
    spoiled[900 * sizeof(affine<F>)] ^= 0x80; // a later fault must not hide the first
    const auto got = decode<F>(spoiled, true, {}, 40);
    r.check(got.bad == ((number + 40) << 2 | static_cast<std::uint64_t>(fault)), group + ": " + what);
  };
  damage(501, sizeof(affine<F>) - 1, 1, point_fault::curve, "off the curve");
  damage(501, 0, 0x80, point_fault::form, "compressed");
  damage(501, 0, 0x20, point_fault::form, "with a sign");
  damage(3, 50, 1, point_fault::form, "infinity with bytes");
  auto big = raw;
  std::fill_n(big.begin() + 200 * sizeof(affine<F>) + sizeof(F), 48, std::uint8_t(0xff));
  r.check(decode<F>(big, true, {}, 0).bad == (200 << 2 | 1), group + ": a coordinate above p");
}

void check_scalars(report& r) {
  const stream s = need(stream::create());
  const u32 n = 70001;
  std::vector<fr> a(n), c(n);
  std::vector<u32> wires(n);
  for (u32 i = 0; i < n; ++i) {
    a[i] = random_fr(1, i);
    c[i] = random_fr(2, i);
    wires[i] = static_cast<u32>(mix(i) % n);
  }
  const fr scale = random_fr(3, 0);
  const array<fr> ab(a), other(c), out(n);
  const array<u32> picks(wires);
  need(queue_gather(ab.get(), picks.get(), n, out.get(), s.get()));
  need(queue_quotient(ab.get(), other.get(), scale, n, s.get()));
  finish(s.get());
  const auto gathered = out.read(n), quotients = ab.read(n);
  std::size_t wrong = 0;
  for (u32 i = 0; i < n; ++i)
    wrong += gathered[i] != a[wires[i]] || quotients[i] != (a[i] - c[i]) * scale;
  r.check(wrong == 0, "gathered scalars and quotients: " + std::to_string(wrong));
}

/// All bits, none, every other one, random ones.
void check_bits(report& r, const std::string& what, u32 words, std::uint64_t pattern) {
  const stream s = need(stream::create());
  std::vector<u32> bits(words), chosen(words), rank(words);
  std::vector<u32> want(words + 1, 0);
  u32 before = 0;
  for (u32 w = 0; w < words; ++w) {
    bits[w] = static_cast<u32>(mix(w));
    chosen[w] = pattern == 1 ? static_cast<u32>(mix(w + 99)) : static_cast<u32>(pattern);
    rank[w] = before;
    for (int k = 0; k < 32; ++k)
      if (chosen[w] >> k & 1) {
        want[before / 32] |= (bits[w] >> k & 1) << (before % 32);
        ++before;
      }
  }
  const array<u32> b(bits), c(chosen), k(rank), out(words + 1);
  need(fill_bytes(out.get(), 0xa5, 4 * (words + 1), s.get()));
  need(queue_choose_bits({b.get(), c.get(), k.get(), words}, out.get(), words + 1, s.get()));
  finish(s.get());
  r.check(out.read(words + 1) == want, "chosen bits: " + what);
}

/// A callback comes once, after the work; a call that fails by injection brings an error and no callback.
void check_facts(report& r) {
  const stream s = need(stream::create());
  std::atomic<int> told{0};
  need(tell_after(s.get(), [&](status st) { told += st ? 1 : 100; }));
  finish(s.get());
  r.check(told == 1, "a callback comes once");
  call_to_fail = 1;
  r.check(!tell_after(s.get(), [&](status) { told += 1000; }), "an injected fault is an error");
  finish(s.get());
  r.check(told == 1, "and no callback");
  need(tell_after(s.get(), [&](status) { ++told; }));
  finish(s.get());
  r.check(told == 2, "the call after it works");
  std::size_t before = 0;
  for (int i = 0; i < 4; ++i) { // the first round brings what the driver keeps
    const auto fails = [](const auto& owner) {
      call_to_fail = 1;
      return !owner();
    };
    r.check(fails([] { return device_memory::allocate(std::size_t(64) << 20); }) &&
              fails([] { return pinned_memory::allocate(4096); }) && fails([] { return stream::create(); }) &&
              fails([] { return event::create(); }),
            "owners that fail by injection");
    call_to_fail = 0;
    if (i == 0)
      before = need(device_memory_state()).free_bytes;
  }
  call_to_fail = 0;
  r.check(need(device_memory_state()).free_bytes == before, "nothing is leaked");
}

} // namespace

int main() {
  first_device();
  report r;
  check_points<fp>(r, "G1");
  check_points<fp2>(r, "G2");
  check_scalars(r);
  check_bits(r, "all", 1000, 0xffffffff);
  check_bits(r, "none", 1000, 0);
  check_bits(r, "every other", 1000, 0x55555555);
  check_bits(r, "random", 100003, 1);
  check_facts(r);
  return r.status("pieces");
}
