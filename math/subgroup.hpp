#pragma once
// Membership in the subgroups of order r: single points exactly, many points by a random test.
#include "math/affine_batch.hpp"
#include "math/hash/chacha.hpp"
#include "runtime/base/thread_pool.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace cuzk {

/// Whether a point of the curve lies in the subgroup of order r; infinity does. Exact. The point must be on the curve.
/// G1: phi(P) = -x^2 P, which says that x^4 - x^2 + 1 = r kills P. G2: psi(P) = x P, which says that p - x = h1 r does;
/// the cofactors of the two curves have no common factor. (Scott, ePrint 2021/1130.) 35 us (G1), 43 us (G2).
bool in_subgroup(const g1_affine& p);
bool in_subgroup(const g2_affine& p);

/// Random test that points of the curve all lie in the subgroup, fed piece by piece. 1.2 us a G1 point, plus 0.8 s.
///
/// In each of 5 rounds every block of 4096 points goes, in random order and with random signs, into 4096 buckets, one
/// point a bucket; in the end every bucket is tested exactly. Points of the subgroup are never refused. If some point
/// is outside, a round accepts with probability at most 2^-13, all of them together with at most 2^-65:
/// say a block holds j > 0 points outside. Given the sums of all other blocks, its points must fall exactly on the j
/// buckets that are off, which has a chance of 1 / C(4096, j), and with the right signs, 2^-j since the cofactors are
/// odd; the product is largest for j = 1.
/// The seed must be unknown to whoever made the points. Instantiated for fp and fp2.
template <class F>
class subgroup_batch {
public:
  subgroup_batch(const digest& seed, const thread_pool& pool);
  /// Pieces of many thousand points are best: a short block costs as much as a full one.
  void add(std::span<const affine<F>> points, thread_pool& pool);
  /// The verdict over all points added.
  bool finish(thread_pool& pool);

private:
  static constexpr std::size_t buckets = 4096;
  static constexpr int rounds = 5;

  // What one thread owns.
  struct lane {
    explicit lane(const digest& seed);
    void add_block(std::span<const affine<F>> points);

    chacha8_rng rng;
    affine_batch<F> batch;
    std::vector<std::uint16_t> order; ///< bucket -> point of the block
    std::vector<affine<F>> sums;      ///< rounds * buckets
  };

  std::vector<lane> lanes_;
};

extern template class subgroup_batch<fp>;
extern template class subgroup_batch<fp2>;

/// Whether all points lie in the subgroup: one by one where that is cheaper, else by the random test.
bool all_in_subgroup(std::span<const g1_affine> points, const digest& seed, thread_pool& pool);
bool all_in_subgroup(std::span<const g2_affine> points, const digest& seed, thread_pool& pool);

} // namespace cuzk
