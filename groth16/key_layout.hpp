#pragma once
// Where things lie in a .vk and a .params file. Big-endian u32 counts, uncompressed points, no header, no padding.
#include "runtime/base/error.hpp"
#include "runtime/base/hex.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace cuzk::groth16 {

/// Sections of a .params file in their order; the first is the whole .vk file.
enum class section : std::uint8_t { vk, h, l, a, b_g1, b_g2 };
inline constexpr std::array<section, 6> all_sections = {section::vk, section::h,    section::l,
                                                        section::a,  section::b_g1, section::b_g2};
inline constexpr std::array<section, 5> point_sections = {section::h, section::l, section::a, section::b_g1,
                                                          section::b_g2};
/// "vk", "h", "l", "a", "b_g1", "b_g2".
std::string_view to_string(section s) noexcept;

inline constexpr std::size_t g1_bytes = 96, g2_bytes = 192;
inline constexpr std::size_t vk_fixed_bytes = 864; ///< the six fixed points before the count of ic
/// Offsets of the fixed points of a vk.
inline constexpr std::size_t vk_alpha_g1 = 0, vk_beta_g1 = 96, vk_beta_g2 = 192, vk_gamma_g2 = 384, vk_delta_g1 = 576,
                             vk_delta_g2 = 672, vk_ic = 868;

/// Numbers of points: ic for the vk, then the arrays.
struct key_counts {
  std::uint64_t ic = 0, h = 0, l = 0, a = 0, b_g1 = 0, b_g2 = 0;
  std::uint64_t of(section s) const noexcept;
  friend bool operator==(const key_counts&, const key_counts&) = default;
};

/// One section: `offset` and `bytes` include its count, `points` is where its points (for the vk: ic) begin.
struct section_range {
  std::uint64_t offset = 0, points = 0, count = 0, bytes = 0;
};

/// The layout that follows from the counts. File size = 868 + 96 ic + 20 + 96 (h + l + a + b_g1) + 192 b_g2.
class key_layout {
public:
  explicit key_layout(const key_counts& counts);
  const key_counts& counts() const noexcept { return counts_; }
  const section_range& operator[](section s) const noexcept { return ranges_[static_cast<std::size_t>(s)]; }
  std::uint64_t vk_bytes() const noexcept { return ranges_[0].bytes; }
  std::uint64_t file_bytes() const noexcept;

private:
  key_counts counts_;
  std::array<section_range, 6> ranges_;
};

/// Bytes of one point of a section.
std::size_t point_bytes(section s) noexcept;

/// Count of ic of a vk that fills `file` exactly. Errors: params (short by N bytes, N bytes too many, an error page).
result<std::uint64_t> read_vk_count(byte_view file, const std::string& path);

/// Walks the counts of a .params file, each held against the file's size before it is believed.
/// Errors: params, naming the section and how many bytes are missing or left over.
result<key_layout> read_key_layout(byte_view file, const std::string& path);

/// Whether the counts are those the circuit needs. Errors: params, naming the first section that differs.
status check_counts(const key_counts& found, const key_counts& expected, const std::string& path);

} // namespace cuzk::groth16
