#pragma once
// The derived key: the same sums with four transforms instead of seven and without the matrix C.
//
// On the roots of X^m + 1 the product a b equals c - 2 h as polynomials mod X^m + 1, so h = (c - v) / 2 with v the
// coefficients of a b taken there. Both parts are linear in things known per key:
//   sum h_i H_i = sum over odd points z_k = w_2m w^k of (a b)(z_k) G_k  +  sum over wires j of w_j K_j
//   G_k = -1/(2m) sum_i z_k^-i H_i          K_j = 1/(2m) sum over rows r of C_rj sum_i w^(-r i) H_i,   H_(m-1) = 0
// K of the aux is folded into L.
//
// File, all little endian: magic "cuzkdrv1", u32 version, u32 lg m, u64 inputs, u64 aux, 32 bytes BLAKE2b-256 of the
// source's vk section, 32 bytes digest of the circuit, zeros up to 4096; then G (m points), L' (aux, aux order), K'
// (inputs), each point 96 bytes: x, y in Montgomery form of 48 bytes; infinity is all zero.
#include "groth16/circuit.hpp"
#include "groth16/mapped_file.hpp"
#include "math/hash/digest.hpp"
#include "math/point_view.hpp"

#include <string>

namespace cuzk::groth16 {

/// What a derived key belongs to.
struct derived_header {
  int lg_m = 0;
  std::uint64_t inputs = 0, aux = 0;
  digest source{}; ///< digest_of_vk of its source
  digest circuit{};

  std::uint64_t m() const noexcept { return std::uint64_t{1} << lg_m; }
  std::uint64_t file_bytes() const noexcept { return 4096 + 96 * (m() + aux + inputs); }
  friend bool operator==(const derived_header&, const derived_header&) = default;
};

/// BLAKE2b-256 of the vk section of a key: it names the key, for delta is in it.
digest digest_of_vk(byte_view vk_bytes);
derived_header header_for(const circuit& of, byte_view vk_bytes);
bytes write_derived_header(const derived_header& header);

class derived_key {
public:
  /// Opens `path` and holds it against what it must belong to. Errors: params (missing, damaged, of another key).
  static result<derived_key> open(const std::string& path, const derived_header& expected);

  point_view g() const noexcept { return view(0, header_.m()); }
  point_view l() const noexcept { return view(header_.m(), header_.aux); }
  point_view k() const noexcept { return view(header_.m() + header_.aux, header_.inputs); }
  const mapped_file& file() const noexcept { return file_; }
  const std::string& path() const noexcept { return file_.path(); }
  const derived_header& header() const noexcept { return header_; }

private:
  derived_key(mapped_file file, const derived_header& header) : file_(std::move(file)), header_(header) {}
  point_view view(std::uint64_t first, std::uint64_t count) const noexcept {
    return {reinterpret_cast<const std::byte*>(file_.bytes().data()) + 4096 + 96 * first, count,
            point_layout::montgomery, false};
  }
  mapped_file file_;
  derived_header header_;
};

} // namespace cuzk::groth16
