#include "groth16/key_check.hpp"

#include "groth16/checked_files.hpp"
#include "groth16/random.hpp"
#include "math/hash/blake2.hpp"
#include "math/subgroup_batch.hpp"

#include <algorithm>

namespace cuzk::groth16 {

namespace {

constexpr std::size_t piece = 1 << 20; // points between two looks at the stop flag
constexpr std::size_t few = 20000;     // below, every point is tested on its own

/// An array and how it is called.
struct named_points {
  std::string where;
  point_view points;
};

bool stopped(const key_check_options& options) {
  return options.stop != nullptr && options.stop->load(std::memory_order_relaxed);
}

error cancelled(const mapped_file& file) {
  return {errc::cancelled, "the check was stopped", file.path()};
}

result<digest> secret_seed() {
  digest out;
  CUZK_CHECK(random_bytes(out));
  return out;
}

/// The arrays of one file.
struct file_points {
  const mapped_file& file;
  std::vector<named_points> g1{}, g2{};

  void add(std::vector<named_points>& to, std::string_view name, point_view points) {
    points.check_curve = true;
    to.push_back({file.path() + ": section " + std::string(name), points});
  }
};

file_points arrays_of(const proving_key& key) {
  file_points out{key.file()};
  for (const auto s : {section::h, section::l, section::a, section::b_g1})
    out.add(out.g1, to_string(s), key.points(s));
  out.add(out.g2, to_string(section::b_g2), key.points(section::b_g2));
  return out;
}

file_points arrays_of(const derived_key& key) {
  file_points out{key.file()};
  out.add(out.g1, "G", key.g());
  out.add(out.g1, "L", key.l());
  out.add(out.g1, "K", key.k());
  return out;
}

class check_run {
public:
  check_run(const file_points& arrays, const key_check_options& options) : arrays_(arrays), options_(options) {
    for (const auto& array : arrays.g1)
      total_ += array.points.count;
    for (const auto& array : arrays.g2)
      total_ += 3 * array.points.count;
  }

  status run() {
    CUZK_CHECK(group<fp>(arrays_.g1, 1));
    return group<fp2>(arrays_.g2, 3);
  }

private:
  // Large arrays of a group share one random test; when it fails, one for each says which.
  template <class F>
  status group(const std::vector<named_points>& arrays, std::size_t weight) {
    CUZK_TRY(seed, secret_seed());
    subgroup_batch<F> batch(seed, options_.pool);
    bool any = false;
    for (const auto& array : arrays) {
      if (array.points.count < few) {
        CUZK_CHECK(named(array, 0, check_points<F>(array.points, seed, options_.pool)));
        tell(array, weight * array.points.count);
        continue;
      }
      CUZK_CHECK(feed(batch, array, weight));
      any = true;
    }
    if (any && !batch.finish(options_.pool))
      return find_bad<F>(arrays, seed);
    return ok();
  }

  template <class F>
  status feed(subgroup_batch<F>& batch, const named_points& array, std::size_t weight) {
    for (std::size_t at = 0; at < array.points.count; at += piece) {
      if (stopped(options_))
        return cancelled(arrays_.file);
      auto part = array.points;
      part.count = std::min(piece, array.points.count - at);
      part.data += at * 2 * sizeof(F);
      CUZK_CHECK(named(array, at, batch.add(part, options_.pool)));
      tell(array, weight * part.count);
    }
    return ok();
  }

  template <class F>
  status find_bad(const std::vector<named_points>& arrays, const digest& seed) {
    for (const auto& array : arrays)
      CUZK_CHECK(named(array, 0, check_points<F>(array.points, seed, options_.pool)));
    return error{errc::params, "holds a point outside the subgroup", arrays_.file.path()};
  }

  // The error of a piece that begins at point `first`, with the array's name.
  status named(const named_points& array, std::size_t first, status outcome) const {
    if (outcome || outcome.err().code != errc::params)
      return outcome;
    auto& why = outcome.err();
    if (why.where.starts_with("point ")) {
      const auto index = std::stoull(why.where.substr(6));
      why.where = array.where + ", point " + std::to_string(first + index);
    } else {
      why.where = array.where + (why.where.empty() ? "" : ", " + why.where);
    }
    return outcome;
  }

  void tell(const named_points& array, std::size_t weighted) {
    done_ += weighted;
    options_.told(array.where, static_cast<double>(done_) / static_cast<double>(std::max<std::size_t>(total_, 1)));
  }

  const file_points& arrays_;
  const key_check_options& options_;
  std::size_t total_ = 0, done_ = 0;
};

/// One file: its digest, read only when its stamp is new, and its points, when no file of this digest has passed.
result<key_check> check_file(const file_points& arrays, const key_check_options& options) {
  auto memory = checked_files::read(options.memory_path);
  key_check out;
  const auto known = memory.digest_of(arrays.file.stamp());
  if (known && !options.again)
    return key_check{*known, true};
  CUZK_TRY(found, digest_of_file(arrays.file, options));
  out.digest = found;
  out.remembered = memory.passed(found) && !options.again;
  if (!out.remembered)
    CUZK_CHECK(check_run(arrays, options).run());
  if (!options.memory_path.empty()) // a memo: where it cannot be written, the next start checks again
    static_cast<void>(memory.remember(arrays.file.stamp(), found));
  return out;
}

} // namespace

result<std::string> digest_of_file(const mapped_file& file, const key_check_options& options) {
  constexpr std::size_t bytes_a_step = std::size_t{64} << 20;
  blake2b hash;
  const auto data = file.bytes();
  for (std::size_t at = 0; at < data.size(); at += bytes_a_step) {
    if (stopped(options))
      return cancelled(file);
    hash.update(data.subspan(at, std::min(bytes_a_step, data.size() - at)));
    options.told("digest", static_cast<double>(at) / static_cast<double>(data.size()));
  }
  std::array<std::uint8_t, 16> out;
  hash.finish(out);
  return to_hex(out);
}

result<key_check> check_key(const proving_key& key, const key_check_options& options) {
  CUZK_TRY(out, check_file(arrays_of(key), options));
  if (key.derived() == nullptr)
    return out;
  CUZK_TRY(derived, check_file(arrays_of(*key.derived()), options));
  out.remembered = out.remembered && derived.remembered;
  return out;
}

} // namespace cuzk::groth16
