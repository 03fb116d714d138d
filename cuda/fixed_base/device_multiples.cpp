#include "cuda/fixed_base/device_multiples.hpp"

#include "cuda/device/device.hpp"
#include "cuda/fixed_base/fixed_base.hpp"

#include <algorithm>
#include <cstring>

namespace cuzk::cuda {

namespace {

template <class F>
constexpr curve_group group_of = sizeof(F) == sizeof(fp) ? curve_group::g1 : curve_group::g2;

/// The table of one generator, and room for a piece of its multiples, made when first used.
template <class F>
class tabled {
public:
  tabled(const affine<F>& base, std::size_t count) : base_(base), count_(count) {}

  std::size_t at_once(std::size_t piece) const {
    return std::clamp<std::size_t>(count_, 1 << 12, std::max<std::size_t>(piece, 1 << 12));
  }

  status write(const device_multiples_options& options, stream_handle s, std::span<const fr> scalars,
               groth16::point_form form, std::span<std::uint8_t> out) {
    if (table_.size() == 0)
      CUZK_CHECK(make(options, s));
    const auto n = static_cast<std::uint32_t>(scalars.size());
    std::memcpy(host_.data(), scalars.data(), scalars.size_bytes());
    CUZK_CHECK(copy_to_device(scalars_.data(), host_.data(), scalars.size_bytes(), s));
    auto* points = points_.template as<affine<F>>();
    CUZK_CHECK(queue_multiples(plan_, table_.data(), scalars_.template as<fr>(), n, points, scratch_.data(), s));
    if (form == groth16::point_form::uncompressed)
      CUZK_CHECK(queue_uncompressed(points, n, s));
    CUZK_CHECK(copy_to_host(host_.data(), points, out.size(), s));
    CUZK_CHECK(options.passed(s));
    std::memcpy(out.data(), host_.data(), out.size());
    return ok();
  }

private:
  status make(const device_multiples_options& options, stream_handle s) {
    const auto n = at_once(options.piece);
    CUZK_TRY(plan, plan_multiples(group_of<F>, n, options.multiprocessors));
    plan_ = plan;
    CUZK_TRY(scratch, device_memory::allocate(plan_.scratch_bytes));
    CUZK_TRY(scalars, device_memory::allocate(n * sizeof(fr)));
    CUZK_TRY(points, device_memory::allocate(n * sizeof(affine<F>)));
    CUZK_TRY(host, pinned_memory::allocate(n * sizeof(affine<F>)));
    CUZK_TRY(table, device_memory::allocate(plan_.table_bytes));
    CUZK_CHECK(queue_multiples_table(plan_, base_, table.data(), scratch.data(), s));
    scratch_ = std::move(scratch);
    scalars_ = std::move(scalars);
    points_ = std::move(points);
    host_ = std::move(host);
    table_ = std::move(table);
    return ok();
  }

  affine<F> base_;
  std::size_t count_;
  multiples_plan plan_;
  device_memory table_, scratch_, scalars_, points_;
  pinned_memory host_;
};

class device_multiples : public groth16::multiples {
public:
  device_multiples(const groth16::generators& of, device_multiples_options options, stream s)
    : options_(std::move(options)), stream_(std::move(s)), g1_(of.g1, of.g1_count), g2_(of.g2, of.g2_count) {}

  std::size_t piece() const override { return std::min(g1_.at_once(options_.piece), g2_.at_once(options_.piece)); }
  status g1(std::span<const fr> scalars, groth16::point_form form, std::span<std::uint8_t> out) override {
    return g1_.write(options_, stream_.get(), scalars, form, out);
  }
  status g2(std::span<const fr> scalars, groth16::point_form form, std::span<std::uint8_t> out) override {
    return g2_.write(options_, stream_.get(), scalars, form, out);
  }

private:
  device_multiples_options options_;
  stream stream_;
  tabled<fp> g1_;
  tabled<fp2> g2_;
};

} // namespace

groth16::multiples_of multiples_on(const device_multiples_options& options) {
  return [options](const groth16::generators& of) -> result<std::unique_ptr<groth16::multiples>> {
    CUZK_CHECK(use_device(options.device));
    CUZK_TRY(s, stream::create());
    return std::unique_ptr<groth16::multiples>(std::make_unique<device_multiples>(of, options, std::move(s)));
  };
}

} // namespace cuzk::cuda
