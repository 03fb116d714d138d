#include "groth16/setup.hpp"

#include "groth16/derived_key.hpp"
#include "groth16/sha512.hpp"
#include "groth16/wire_values.hpp"
#include "math/encoding.hpp"
#include "math/fixed_base.hpp"
#include "math/generators.hpp"

#include <cstring>
#include <memory>
#include <optional>

namespace cuzk::groth16 {

toxic_waste toxic_of_seed(std::uint64_t seed) {
  const auto scalar = [&](std::uint8_t index) {
    const std::string_view tag = "cuzk-test-key";
    bytes message(tag.begin(), tag.end());
    for (int i = 0; i < 8; ++i)
      message.push_back(static_cast<std::uint8_t>(seed >> (8 * i)));
    message.push_back(index);
    const auto hash = sha512(message);
    fr out = fr::zero();
    for (std::size_t i = hash.size(); i-- > 0;)
      out = out * fr::from_u64(256) + fr::from_u64(hash[i]);
    return out;
  };
  return {scalar(0), scalar(1), scalar(2), scalar(3), scalar(4), g1_generator(), g2_generator()};
}

namespace {

constexpr std::size_t piece = 1 << 16;

/// Makes points of one group from scalars, a piece at a time, and appends them to a file.
template <class F>
class point_writer {
public:
  point_writer(const affine<F>& base, std::size_t count, thread_pool& pool) : table_(base, count, pool), pool_(pool) {}

  /// scalar(i) for i < n, in order; uncompressed big-endian, or Montgomery form.
  template <class Scalar>
  status write(file_writer& to, std::size_t n, bool montgomery, const Scalar& scalar) {
    for (std::size_t at = 0; at < n; at += piece) {
      const std::size_t count = std::min(piece, n - at);
      scalars_.resize(count);
      points_.resize(count);
      for (std::size_t i = 0; i < count; ++i)
        scalars_[i] = scalar(at + i);
      table_.multiply(scalars_, points_, pool_);
      encode(montgomery);
      CUZK_CHECK(to.append(bytes_));
      told_(count);
    }
    return ok();
  }
  affine<F> one(const fr& scalar) const { return table_.multiply(scalar); }
  void tell(std::function<void(std::size_t)> told) { told_ = std::move(told); }

private:
  void encode(bool montgomery) {
    constexpr std::size_t size = uncompressed_size<F>;
    bytes_.resize(points_.size() * size);
    if (montgomery) {
      static_assert(sizeof(affine<F>) == size);
      std::memcpy(bytes_.data(), points_.data(), bytes_.size());
      return;
    }
    pool_.parallel_for(points_.size(), 4096, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        write_uncompressed(points_[i], std::span<std::uint8_t, size>(bytes_.data() + i * size, size));
    });
  }
  fixed_base<F> table_;
  thread_pool& pool_;
  std::vector<fr> scalars_;
  std::vector<affine<F>> points_;
  bytes bytes_;
  std::function<void(std::size_t)> told_ = [](std::size_t) {};
};

bytes big_endian_count(std::size_t n) {
  return {static_cast<std::uint8_t>(n >> 24), static_cast<std::uint8_t>(n >> 16), static_cast<std::uint8_t>(n >> 8),
          static_cast<std::uint8_t>(n)};
}

/// The wires of an array in the key's order: inputs that occur, then aux that occur.
std::vector<std::uint32_t> wires_in_order(const circuit& of, const query& array) {
  std::vector<std::uint32_t> out;
  out.reserve(array.points);
  for (std::size_t i = 0; i < array.scalar_wires.size() && array.scalar_wires[i] < of.wires.counts().inputs; ++i)
    out.push_back(array.scalar_wires[i]);
  for (const auto& run : of.wires.runs())
    for (std::uint32_t i = 0; i < run.count; ++i) {
      const std::uint32_t wire = of.wires.first_wire(run) + i;
      if (array.density == nullptr || array.density->has(wire))
        out.push_back(wire);
    }
  return out;
}

class generator_run {
public:
  generator_run(const circuit& of, const toxic_waste& toxic, const key_paths& paths, thread_pool& pool,
                const progress& told)
    : of_(of), toxic_(toxic), paths_(paths), pool_(pool), told_(told), total_(all_points()) {}

  result<verifying_key> run() {
    CUZK_CHECK(check());
    told_("values of the wires at tau", 0);
    values_ = values_at(of_, toxic_.tau, pool_);
    gamma_inverse_ = toxic_.gamma.inverse();
    delta_inverse_ = toxic_.delta.inverse();
    z_over_delta_ = (toxic_.tau.pow(of_.domain()) - fr::one()) * delta_inverse_;
    g1_.emplace(toxic_.g1, total_, pool_);
    g2_.emplace(toxic_.g2, of_.counts.b_g2 + 3, pool_);
    vk_ = make_vk();
    if (!paths_.params.empty())
      CUZK_CHECK(write_params());
    if (!paths_.derived.empty())
      CUZK_CHECK(write_derived());
    if (!paths_.vk.empty()) {
      CUZK_TRY(file, file_writer::create(paths_.vk));
      CUZK_CHECK(file.append(write_verifying_key(vk_)));
      CUZK_CHECK(file.commit());
    }
    return vk_;
  }

private:
  std::size_t all_points() const {
    const auto& c = of_.counts;
    return (paths_.params.empty() ? 0 : c.h + c.l + c.a + c.b_g1 + 3 * c.b_g2) +
           (paths_.derived.empty() ? 0 : of_.domain() + c.l + c.ic);
  }

  status check() const {
    if (toxic_.gamma.is_zero() || toxic_.delta.is_zero() || toxic_.alpha.is_zero() || toxic_.beta.is_zero())
      return bad_input("toxic scalars", "alpha, beta, gamma and delta must not be zero");
    const fr t = toxic_.tau.pow(2 * of_.domain());
    if (toxic_.tau.is_zero() || t == fr::one())
      return bad_input("toxic scalars", "tau lies on the evaluation domain or its odd coset");
    return ok();
  }

  fr combined(std::uint32_t wire) const {
    return toxic_.beta * values_.a[wire] + toxic_.alpha * values_.b[wire] + values_.c[wire];
  }

  verifying_key make_vk() {
    verifying_key vk;
    vk.alpha_g1 = g1_->one(toxic_.alpha);
    vk.beta_g1 = g1_->one(toxic_.beta);
    vk.beta_g2 = g2_->one(toxic_.beta);
    vk.gamma_g2 = g2_->one(toxic_.gamma);
    vk.delta_g1 = g1_->one(toxic_.delta);
    vk.delta_g2 = g2_->one(toxic_.delta);
    for (std::uint32_t i = 0; i < of_.wires.counts().inputs; ++i)
      vk.ic.push_back(g1_->one(combined(i) * gamma_inverse_));
    return vk;
  }

  void watch(const char* what) {
    const auto step = [this, what](std::size_t points, std::size_t weight) {
      made_ += points * weight;
      told_(what, static_cast<double>(made_) / static_cast<double>(std::max<std::size_t>(total_, 1)));
    };
    g1_->tell([step](std::size_t n) { step(n, 1); });
    g2_->tell([step](std::size_t n) { step(n, 3); });
  }

  status write_params() {
    CUZK_TRY(file, file_writer::create(paths_.params));
    CUZK_CHECK(file.append(write_verifying_key(vk_)));
    watch("h");
    CUZK_CHECK(file.append(big_endian_count(of_.counts.h)));
    fr power = z_over_delta_;
    CUZK_CHECK(g1_->write(file, of_.counts.h, false, [&](std::size_t) {
      const fr out = power;
      power *= toxic_.tau;
      return out;
    }));
    watch("l");
    CUZK_CHECK(write_array(*g1_, file, of_.l, [&](std::uint32_t w) { return combined(w) * delta_inverse_; }));
    watch("a");
    CUZK_CHECK(write_array(*g1_, file, of_.a, [&](std::uint32_t w) { return values_.a[w]; }));
    watch("b in G1");
    CUZK_CHECK(write_array(*g1_, file, of_.b, [&](std::uint32_t w) { return values_.b[w]; }));
    watch("b in G2");
    CUZK_CHECK(write_array(*g2_, file, of_.b, [&](std::uint32_t w) { return values_.b[w]; }));
    return file.commit();
  }

  template <class Writer, class Value>
  status write_array(Writer& writer, file_writer& file, const query& array, const Value& value) {
    const auto wires = wires_in_order(of_, array);
    for (auto w : wires)
      if (value(w).is_zero())
        return bad_input("circuit " + of_.name, "wire " + std::to_string(w) +
                                                  " has the value zero at tau: it never "
                                                  "occurs, or tau is unlucky");
    CUZK_CHECK(file.append(big_endian_count(wires.size())));
    return writer.write(file, wires.size(), false, [&](std::size_t i) { return value(wires[i]); });
  }

  status write_derived() {
    CUZK_TRY(file, file_writer::create(paths_.derived));
    CUZK_CHECK(file.append(write_derived_header(header_for(of_, write_verifying_key(vk_)))));
    watch("derived G");
    const auto g = derived_g_scalars(of_.lg_domain(), toxic_.tau, z_over_delta_, pool_);
    CUZK_CHECK(g1_->write(file, g.size(), true, [&](std::size_t i) { return g[i]; }));
    watch("derived L");
    const auto k = derived_k_scalars(of_, toxic_.tau, z_over_delta_, pool_);
    const auto wires = wires_in_order(of_, of_.l);
    CUZK_CHECK(g1_->write(file, wires.size(), true,
                          [&](std::size_t i) { return combined(wires[i]) * delta_inverse_ + k[wires[i]]; }));
    CUZK_CHECK(g1_->write(file, of_.wires.counts().inputs, true, [&](std::size_t i) { return k[i]; }));
    return file.commit();
  }

  const circuit& of_;
  const toxic_waste& toxic_;
  const key_paths& paths_;
  thread_pool& pool_;
  const progress& told_;
  std::size_t total_, made_ = 0;
  wire_values values_;
  fr gamma_inverse_, delta_inverse_, z_over_delta_;
  std::optional<point_writer<fp>> g1_;
  std::optional<point_writer<fp2>> g2_;
  verifying_key vk_;
};

} // namespace

result<verifying_key> generate_key(const circuit& of, const toxic_waste& toxic, const key_paths& paths,
                                   thread_pool& pool, const progress& told) {
  return generator_run(of, toxic, paths, pool, told).run();
}

} // namespace cuzk::groth16
