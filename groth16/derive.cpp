#include "groth16/derive.hpp"

#include "groth16/point_batch.hpp"
#include "math/encoding.hpp"
#include "math/ntt.hpp"

#include <atomic>

namespace cuzk::groth16 {

namespace {

class derivation {
public:
  derivation(const proving_key& key, const circuit& of, const derive_options& options)
    : key_(key), of_(of), options_(options), batch_(make_point_batch(options.pool, options.lanes)) {}

  status run(const std::string& path) {
    const std::size_t m = of_.domain();
    options_.told("points of h", 0);
    CUZK_TRY(h, read(section::h));
    h.resize(m, g1_affine::infinity());
    multiply(h, [scale = fr::from_u64(2 * m).inverse()](std::size_t) { return scale; });
    CUZK_CHECK(go_on("derived G", 0.05));
    auto g = h;
    const fr step = root_of_unity(of_.lg_domain() + 1).inverse();
    multiply(g, [step](std::size_t i) { return -step.pow(i); });
    batch_->transform(g, root(), options_.stop);
    CUZK_CHECK(go_on("derived K", 0.5));
    batch_->transform(h, root(), options_.stop);
    CUZK_CHECK(go_on("derived L", 0.95));
    const auto k = columns_of_c(std::move(h));
    CUZK_TRY(l, l_with(k));
    return write(path, g, l, std::span(k).first(of_.wires.counts().inputs));
  }

private:
  fr root() const { return root_of_unity(of_.lg_domain()).inverse(); }

  status go_on(std::string_view next, double done) {
    if (options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed))
      return error{errc::cancelled, "deriving was stopped", key_.path()};
    options_.told(next, done);
    return ok();
  }

  template <class Scalar>
  void multiply(std::vector<g1_affine>& points, const Scalar& scalar) {
    std::vector<fr> scalars(points.size());
    options_.pool.parallel_for(points.size(), 1 << 12, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        scalars[i] = scalar(i);
    });
    batch_->multiply(points, scalars);
  }

  result<std::vector<g1_affine>> read(section s) {
    const auto view = key_.points(s);
    std::vector<g1_affine> out(view.count);
    std::atomic<std::size_t> bad = view.count;
    options_.pool.parallel_for(out.size(), 1 << 10, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const byte_view raw(reinterpret_cast<const std::uint8_t*>(view.data) + i * g1_bytes, g1_bytes);
        if (read_uncompressed(raw, point_check::curve, out[i]) != encoding_fault::none || out[i].is_infinity())
          for (std::size_t seen = bad; i < seen && !bad.compare_exchange_weak(seen, i);) {
          }
      }
    });
    if (bad == view.count)
      return out;
    return error{errc::params, "is damaged",
                 key_.path() + ": section " + std::string(to_string(s)) + ", point " + std::to_string(bad)};
  }

  /// K of every wire, compact order: sums over the entries of C of coefficient times its row's point.
  std::vector<g1_affine> columns_of_c(std::vector<g1_affine> rows) {
    const auto& m = of_.matrices;
    // Points: the rows, then the products with coefficients other than 1 and -1.
    std::vector<std::uint32_t> sizes(m.wires.total(), 0), factors_of;
    std::vector<fr> factors;
    const auto each = [&](const auto& f) {
      for_each_row(m.c, 0, m.c.blocks(), [&](std::uint64_t row, const row_view& entries) {
        for (std::size_t e = 0; e < entries.columns.size(); ++e)
          f(static_cast<std::uint32_t>(row), m.wire_of(entries.columns[e]),
            m.code_of(entries.columns[e], entries.codes[e]));
      });
    };
    each([&](std::uint32_t row, std::uint32_t wire, std::uint32_t code) {
      ++sizes[wire];
      if (code > 1) {
        factors.push_back(m.coefficients[code]);
        factors_of.push_back(row);
      }
    });
    std::vector<g1_affine> products(factors.size());
    for (std::size_t i = 0; i < products.size(); ++i)
      products[i] = rows[factors_of[i]];
    batch_->multiply(products, factors);
    const auto first_product = static_cast<std::uint32_t>(rows.size());
    rows.insert(rows.end(), products.begin(), products.end());

    std::vector<std::uint32_t> ends(sizes.size()), next(sizes.size());
    std::uint32_t total = 0, product = first_product;
    for (std::size_t w = 0; w < sizes.size(); ++w) {
      next[w] = total;
      ends[w] = total += sizes[w];
    }
    std::vector<std::uint32_t> items(total);
    each([&](std::uint32_t row, std::uint32_t wire, std::uint32_t code) {
      items[next[wire]++] = code > 1 ? product++ : code == 1 ? row | point_batch::negative : row;
    });
    return batch_->sums(rows, items, ends);
  }

  /// l + K of the aux, in aux order.
  result<std::vector<g1_affine>> l_with(const std::vector<g1_affine>& k) {
    CUZK_TRY(points, read(section::l));
    const std::size_t aux = points.size();
    points.reserve(2 * aux);
    for (const auto& run : of_.wires.runs())
      for (std::uint32_t i = 0; i < run.count; ++i)
        points.push_back(k[of_.wires.first_wire(run) + i]);
    std::vector<std::uint32_t> items(2 * aux), ends(aux);
    for (std::size_t j = 0; j < aux; ++j) {
      items[2 * j] = static_cast<std::uint32_t>(j);
      items[2 * j + 1] = static_cast<std::uint32_t>(aux + j);
      ends[j] = static_cast<std::uint32_t>(2 * j + 2);
    }
    return batch_->sums(points, items, ends);
  }

  status write(const std::string& path, std::span<const g1_affine> g, std::span<const g1_affine> l,
               std::span<const g1_affine> k) {
    CUZK_TRY(file, file_writer::create(path));
    CUZK_CHECK(file.append(write_derived_header(header_for(of_, key_.vk_bytes()))));
    for (const auto& part : {g, l, k})
      CUZK_CHECK(file.append(byte_view(reinterpret_cast<const std::uint8_t*>(part.data()), part.size_bytes())));
    return file.commit();
  }

  const proving_key& key_;
  const circuit& of_;
  const derive_options& options_;
  std::unique_ptr<const point_batch> batch_;
};

} // namespace

status derive_key(const proving_key& key, const circuit& of, const std::string& path, const derive_options& options) {
  if (of.lg_domain() > max_derive_lg)
    return error{errc::resources,
                 "a domain of 2^" + std::to_string(of.lg_domain()) + " takes days on a processor (at most 2^" +
                   std::to_string(max_derive_lg) + "); a GPU derives it",
                 key.path()};
  CUZK_CHECK(key.fits(of));
  return derivation(key, of, options).run(path);
}

} // namespace cuzk::groth16
