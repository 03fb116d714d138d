#pragma once
// A proof as three points, its bytes, and what making it cost.
#include "math/curve.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace cuzk::groth16 {

/// The three proof points, affine: A in G1, B in G2, C in G1.
struct raw_proof {
  g1_affine a;
  g2_affine b;
  g1_affine c;
  friend bool operator==(const raw_proof& x, const raw_proof& y) { return x.a == y.a && x.b == y.b && x.c == y.c; }
};

/// A (48 bytes) || B (96) || C (48), compressed.
inline constexpr std::size_t proof_size = 192;
using proof_bytes = std::array<std::uint8_t, proof_size>;

/// The steps of proving one partition, the same for every backend and in the order of the GPU_TIMING line.
enum class stage : std::uint8_t {
  upload,   ///< key sections and witness to where they are used (CPU: mapping and opening)
  eval,     ///< row values of A and B (and C on the seven-transform way)
  ntt,      ///< transforms, and the quotient or the derived products
  msm_h,    ///< the sum over h, or over the derived G
  bits,     ///< masked sums over the bit wires of A, B1, B2, L
  tail,     ///< sums over the field wires and inputs, and putting the proof together
  download, ///< results back to the host (CPU: nothing)
};
inline constexpr std::size_t stage_count = 7;
inline constexpr std::array<stage, stage_count> all_stages = {stage::upload, stage::eval, stage::ntt,     stage::msm_h,
                                                              stage::bits,   stage::tail, stage::download};

/// "upload", "eval", "ntt", "msm_h", "bits", "tail", "download".
constexpr std::string_view to_string(stage s) noexcept {
  switch (s) {
  case stage::upload: return "upload";
  case stage::eval: return "eval";
  case stage::ntt: return "ntt";
  case stage::msm_h: return "msm_h";
  case stage::bits: return "bits";
  case stage::tail: return "tail";
  case stage::download: return "download";
  }
  return "";
}

/// Seconds of each stage of one partition. Stages may overlap on a device, so their sum may exceed `total`.
struct prove_timings {
  std::array<double, stage_count> seconds{};
  /// Between the end of the partition before and the start of this one. Negative: the backend does not say.
  double idle_before = -1;
  double total = 0;     ///< from the start of this partition to its points
  bool derived = false; ///< proved with the derived key (four transforms, no c)

  double& operator[](stage s) { return seconds[static_cast<std::size_t>(s)]; }
  double operator[](stage s) const { return seconds[static_cast<std::size_t>(s)]; }
};

} // namespace cuzk::groth16
