#include "groth16/multiples.hpp"

#include "math/encoding.hpp"
#include "math/fixed_base.hpp"

#include <cstring>
#include <vector>

namespace cuzk::groth16 {

namespace {

template <class F>
class tabled {
public:
  tabled(const affine<F>& base, std::size_t count, thread_pool& pool) : table_(base, count, pool), pool_(pool) {}

  status write(std::span<const fr> scalars, point_form form, std::span<std::uint8_t> out) {
    constexpr std::size_t size = uncompressed_size<F>;
    points_.resize(scalars.size());
    table_.multiply(scalars, points_, pool_);
    if (form == point_form::montgomery) {
      static_assert(sizeof(affine<F>) == size);
      std::memcpy(out.data(), points_.data(), out.size());
      return ok();
    }
    pool_.parallel_for(points_.size(), 4096, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        write_uncompressed(points_[i], std::span<std::uint8_t, size>(out.data() + i * size, size));
    });
    return ok();
  }

private:
  fixed_base<F> table_;
  thread_pool& pool_;
  std::vector<affine<F>> points_;
};

class cpu_multiples : public multiples {
public:
  cpu_multiples(const generators& of, thread_pool& pool)
    : g1_(of.g1, of.g1_count, pool), g2_(of.g2, of.g2_count, pool) {}

  std::size_t piece() const override { return std::size_t{1} << 16; }
  status g1(std::span<const fr> scalars, point_form form, std::span<std::uint8_t> out) override {
    return g1_.write(scalars, form, out);
  }
  status g2(std::span<const fr> scalars, point_form form, std::span<std::uint8_t> out) override {
    return g2_.write(scalars, form, out);
  }

private:
  tabled<fp> g1_;
  tabled<fp2> g2_;
};

} // namespace

multiples_of multiples_on(thread_pool& pool) {
  return [&pool](const generators& of) -> result<std::unique_ptr<multiples>> {
    return std::unique_ptr<multiples>(std::make_unique<cpu_multiples>(of, pool));
  };
}

} // namespace cuzk::groth16
