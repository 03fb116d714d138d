#include "groth16/setup.hpp"

#include "groth16/derived_key.hpp"
#include "groth16/sha512.hpp"
#include "groth16/wire_values.hpp"
#include "math/generators.hpp"

#include <algorithm>

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

using multiply = status (multiples::*)(std::span<const fr>, point_form, std::span<std::uint8_t>);

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
  generator_run(const circuit& of, const toxic_waste& toxic, const key_paths& paths, const key_work& work)
    : of_(of), toxic_(toxic), paths_(paths), pool_(work.pool), told_(work.told), derived_only_(work.derived_only),
      total_(all_points()) {}

  result<verifying_key> run(const multiples_of& by) {
    CUZK_CHECK(check());
    told_("values of the wires at tau", 0);
    values_ = values_at(of_, toxic_.tau, pool_);
    gamma_inverse_ = toxic_.gamma.inverse();
    delta_inverse_ = toxic_.delta.inverse();
    z_over_delta_ = (toxic_.tau.pow(of_.domain()) - fr::one()) * delta_inverse_;
    CUZK_TRY(made, by({toxic_.g1, toxic_.g2, total_, of_.counts.b_g2 + 3}));
    by_ = std::move(made);
    CUZK_CHECK(make_vk());
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
    return (paths_.params.empty() ? 0 : (derived_only_ ? 0 : c.h + c.l) + c.a + c.b_g1 + 3 * c.b_g2) +
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

  status make_vk() {
    std::vector<fr> in_g1{toxic_.alpha, toxic_.beta, toxic_.delta};
    for (std::uint32_t i = 0; i < of_.wires.counts().inputs; ++i)
      in_g1.push_back(combined(i) * gamma_inverse_);
    CUZK_TRY(p, points<fp>(&multiples::g1, in_g1));
    vk_.alpha_g1 = p[0];
    vk_.beta_g1 = p[1];
    vk_.delta_g1 = p[2];
    vk_.ic.assign(p.begin() + 3, p.end());
    CUZK_TRY(q, points<fp2>(&multiples::g2, {toxic_.beta, toxic_.gamma, toxic_.delta}));
    vk_.beta_g2 = q[0];
    vk_.gamma_g2 = q[1];
    vk_.delta_g2 = q[2];
    return ok();
  }

  template <class F>
  result<std::vector<affine<F>>> points(multiply group, const std::vector<fr>& scalars) {
    std::vector<affine<F>> out(scalars.size());
    for (std::size_t at = 0; at < out.size(); at += by_->piece()) {
      const auto n = std::min(by_->piece(), out.size() - at);
      CUZK_CHECK(((*by_).*group)(std::span(scalars).subspan(at, n), point_form::montgomery,
                                 {reinterpret_cast<std::uint8_t*>(out.data() + at), n * sizeof(affine<F>)}));
    }
    return out;
  }

  /// Appends n points; fill(first, scalars) writes the scalars from the first on, in order.
  template <class Fill>
  status write(file_writer& to, multiply group, std::size_t n, point_form form, const Fill& fill) {
    const std::size_t size = group == &multiples::g1 ? 96 : 192;
    for (std::size_t at = 0; at < n; at += by_->piece()) {
      const std::size_t count = std::min(by_->piece(), n - at);
      scalars_.resize(count);
      bytes_.resize(count * size);
      fill(at, std::span(scalars_));
      CUZK_CHECK(((*by_).*group)(scalars_, form, bytes_));
      CUZK_CHECK(to.append(bytes_));
      made_ += count * (group == &multiples::g1 ? 1 : 3);
      told_(what_, static_cast<double>(made_) / static_cast<double>(std::max<std::size_t>(total_, 1)));
    }
    return ok();
  }

  /// fill() for scalars that do not depend on each other.
  template <class Scalar>
  auto each(const Scalar& scalar) {
    return [this, scalar](std::size_t first, std::span<fr> out) {
      pool_.parallel_for(out.size(), 1 << 12, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
          out[i] = scalar(first + i);
      });
    };
  }

  status write_params() {
    CUZK_TRY(file, file_writer::create(paths_.params));
    CUZK_CHECK(file.append(write_verifying_key(vk_)));
    what_ = "h";
    CUZK_CHECK(file.append(big_endian_count(of_.counts.h)));
    fr power = z_over_delta_;
    if (derived_only_)
      CUZK_CHECK(file.skip(96 * of_.counts.h));
    else
      CUZK_CHECK(write(file, &multiples::g1, of_.counts.h, point_form::uncompressed, [&](std::size_t, auto out) {
        for (auto& s : out) {
          s = power;
          power *= toxic_.tau;
        }
      }));
    const auto a = [this](std::uint32_t w) { return values_.a[w]; };
    const auto b = [this](std::uint32_t w) { return values_.b[w]; };
    const auto l = [this](std::uint32_t w) { return combined(w) * delta_inverse_; };
    if (derived_only_) {
      CUZK_CHECK(file.append(big_endian_count(of_.counts.l)));
      CUZK_CHECK(file.skip(96 * of_.counts.l));
    } else {
      CUZK_CHECK(write_array("l", &multiples::g1, file, of_.l, l));
    }
    CUZK_CHECK(write_array("a", &multiples::g1, file, of_.a, a));
    CUZK_CHECK(write_array("b in G1", &multiples::g1, file, of_.b, b));
    CUZK_CHECK(write_array("b in G2", &multiples::g2, file, of_.b, b));
    return file.commit();
  }

  template <class Value>
  status write_array(const char* what, multiply group, file_writer& file, const query& array, const Value& value) {
    what_ = what;
    const auto wires = wires_in_order(of_, array);
    for (auto w : wires)
      if (value(w).is_zero())
        return bad_input("circuit " + of_.name, "wire " + std::to_string(w) +
                                                  " has the value zero at tau: it never "
                                                  "occurs, or tau is unlucky");
    CUZK_CHECK(file.append(big_endian_count(wires.size())));
    return write(file, group, wires.size(), point_form::uncompressed,
                 each([&](std::size_t i) { return value(wires[i]); }));
  }

  status write_derived() {
    CUZK_TRY(file, file_writer::create(paths_.derived));
    CUZK_CHECK(file.append(write_derived_header(header_for(of_, write_verifying_key(vk_)))));
    const auto append = [&](std::size_t n, const auto& scalar) {
      return write(file, &multiples::g1, n, point_form::montgomery, each(scalar));
    };
    what_ = "derived G";
    const auto g = derived_g_scalars(of_.lg_domain(), toxic_.tau, z_over_delta_, pool_);
    CUZK_CHECK(append(g.size(), [&](std::size_t i) { return g[i]; }));
    what_ = "derived L";
    const auto k = derived_k_scalars(of_, toxic_.tau, z_over_delta_, pool_);
    const auto wires = wires_in_order(of_, of_.l);
    CUZK_CHECK(append(wires.size(), [&](std::size_t i) { return combined(wires[i]) * delta_inverse_ + k[wires[i]]; }));
    CUZK_CHECK(append(of_.wires.counts().inputs, [&](std::size_t i) { return k[i]; }));
    return file.commit();
  }

  const circuit& of_;
  const toxic_waste& toxic_;
  const key_paths& paths_;
  thread_pool& pool_;
  const progress& told_;
  bool derived_only_;
  std::size_t total_, made_ = 0;
  wire_values values_;
  fr gamma_inverse_, delta_inverse_, z_over_delta_;
  std::unique_ptr<multiples> by_;
  std::vector<fr> scalars_;
  bytes bytes_;
  const char* what_ = "";
  verifying_key vk_;
};

} // namespace

result<verifying_key> generate_key(const circuit& of, const toxic_waste& toxic, const key_paths& paths,
                                   const key_work& work) {
  return generator_run(of, toxic, paths, work).run(work.by ? work.by : multiples_on(work.pool));
}

} // namespace cuzk::groth16
