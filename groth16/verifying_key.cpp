#include "groth16/verifying_key.hpp"

#include "filecoin/parameters.hpp"
#include "math/encoding.hpp"
#include "math/hash/blake2.hpp"

namespace cuzk::groth16 {

namespace {

/// Reads points of one file, remembering the first fault.
class point_reader {
public:
  point_reader(byte_view file, const std::string& path) : file_(file), path_(path) {}

  template <class F>
  affine<F> at(std::size_t offset, const std::string& name) {
    affine<F> out = affine<F>::infinity();
    if (failed_)
      return out;
    const auto fault = read_uncompressed(file_.subspan(offset, uncompressed_size<F>), point_check::subgroup, out);
    if (fault != encoding_fault::none)
      fail(name, to_string(fault));
    else if (out.is_infinity())
      fail(name, "is the point at infinity");
    return out;
  }
  bool failed() const noexcept { return failed_; }
  const error& why() const noexcept { return why_; }

private:
  void fail(const std::string& name, const std::string& text) {
    failed_ = true;
    why_ = {errc::params, text, path_ + ": section vk, " + name};
  }
  byte_view file_;
  std::string path_;
  bool failed_ = false;
  error why_;
};

template <class F>
void append(bytes& out, const affine<F>& p) {
  const auto form = encode_uncompressed(p);
  out.insert(out.end(), form.begin(), form.end());
}

} // namespace

result<verifying_key> read_verifying_key(byte_view file, const std::string& path) {
  CUZK_TRY(count, read_vk_count(file, path));
  point_reader read(file, path);
  verifying_key out;
  out.alpha_g1 = read.at<fp>(vk_alpha_g1, "alpha_g1");
  out.beta_g1 = read.at<fp>(vk_beta_g1, "beta_g1");
  out.beta_g2 = read.at<fp2>(vk_beta_g2, "beta_g2");
  out.gamma_g2 = read.at<fp2>(vk_gamma_g2, "gamma_g2");
  out.delta_g1 = read.at<fp>(vk_delta_g1, "delta_g1");
  out.delta_g2 = read.at<fp2>(vk_delta_g2, "delta_g2");
  for (std::size_t i = 0; i < count && !read.failed(); ++i)
    out.ic.push_back(read.at<fp>(vk_ic + i * g1_bytes, "ic " + std::to_string(i)));
  if (read.failed())
    return read.why();
  return out;
}

bytes write_verifying_key(const verifying_key& vk) {
  bytes out;
  out.reserve(vk_ic + vk.ic.size() * g1_bytes);
  append(out, vk.alpha_g1);
  append(out, vk.beta_g1);
  append(out, vk.beta_g2);
  append(out, vk.gamma_g2);
  append(out, vk.delta_g1);
  append(out, vk.delta_g2);
  for (int shift = 24; shift >= 0; shift -= 8)
    out.push_back(static_cast<std::uint8_t>(vk.ic.size() >> shift));
  for (const auto& p : vk.ic)
    append(out, p);
  return out;
}

std::string vk_digest(byte_view vk_bytes) {
  const auto full = blake2b_512(vk_bytes);
  return to_hex(byte_view(full).first(16));
}

bool is_published_vk(byte_view vk_bytes) {
  return filecoin::circuit_of_published_vk(vk_digest(vk_bytes)).has_value();
}

} // namespace cuzk::groth16
