#include "cuda/backend/device_key.hpp"

#include "cuda/device/device.hpp"
#include "groth16/select_bits.hpp"

#include <bit>
#include <cstring>
#include <deque>
#include <string>
#include <vector>

namespace cuzk::cuda {
namespace {

using groth16::section;

constexpr std::size_t chunk_bytes = std::size_t{8} << 20, chunk_count = 4;

/// Something of the host that goes to the device.
struct piece {
  const std::byte* from = nullptr;
  std::size_t bytes = 0;
  std::byte* to = nullptr; ///< of plain bytes
  // Points:
  bool points = false, big_endian = false;
  curve_group group = curve_group::g1;
  std::uint32_t first = 0;                                   ///< place of the first point that meets a bit or, without
                                                             ///< scalar points, of the first point
  const std::vector<std::uint32_t>* scalar_points = nullptr; ///< none: the points lie as they come
  std::uint32_t scalars_at = 0;                              ///< place of the first point that meets a scalar
  std::size_t bad = 0;                                       ///< which word names the first damaged point
  std::string where;                                         ///< "FILE: section h"
  std::size_t point_bytes() const { return group == curve_group::g1 ? sizeof(g1_affine) : sizeof(g2_affine); }
};

class key_loader : public std::enable_shared_from_this<key_loader> {
public:
  using done_function = std::function<void(result<std::shared_ptr<const device_key>>)>;

  key_loader(thread_pool& pool, int device, std::shared_ptr<device_key> out, std::shared_ptr<const groth16::circuit> of,
             done_function done)
    : strand_(std::make_shared<strand>(pool)), device_(device), out_(std::move(out)), of_(std::move(of)),
      done_(std::move(done)) {}

  void start() {
    post([](key_loader& l) {
      if (auto ready = l.set_up(); !ready)
        l.failure_ = std::move(ready);
      l.pump();
    });
  }

private:
  struct chunk {
    pinned_memory host;
    device_memory device;
  };

  template <class Task>
  void post(Task task) {
    strand_->post([self = shared_from_this(), task] {
      if (auto used = use_device(self->device_); !used && self->failure_)
        self->failure_ = std::move(used);
      task(*self);
    });
  }

  // -- what goes there

  template <class T>
  const T* place(std::span<const T> data) {
    const auto bytes = data.size_bytes();
    auto* to = out_->memory.data() + used_;
    used_ += (bytes + 255) / 256 * 256;
    if (bytes != 0)
      pieces_.push_back({reinterpret_cast<const std::byte*>(data.data()), bytes, to});
    return reinterpret_cast<const T*>(to);
  }
  const std::uint32_t* place_own(std::vector<std::uint32_t> data) {
    own_.push_back(std::move(data));
    return place(std::span<const std::uint32_t>(own_.back()));
  }

  device_matrix place_matrix(const sparse_matrix& m, const fr* coefficients) {
    device_matrix out;
    out.row_lengths = place(m.row_lengths);
    out.block_entry = place(m.block_entry);
    out.block_long = place(m.block_long);
    out.long_rows = place(m.long_rows);
    out.columns = place(m.columns);
    out.codes = place(m.codes);
    out.rows = m.rows();
    out.column_bits = of_->matrices.column_bits;
    out.coefficients = coefficients;
    return out;
  }

  /// Which bit wires occur in an array, and how many before each word.
  bit_choice place_choice(const wire_density& density) {
    const auto& counts = of_->wires.counts();
    std::vector<std::uint32_t> chosen((std::size_t{counts.bits} + 31) / 32), rank(chosen.size());
    std::uint32_t before = 0;
    for (std::size_t w = 0; w < chosen.size(); ++w) {
      const std::uint64_t left = counts.bits - 32 * w;
      chosen[w] = static_cast<std::uint32_t>(groth16::bits_at(density.mask, counts.first_bit() + 32 * w));
      if (left < 32)
        chosen[w] &= (std::uint32_t{1} << left) - 1;
      rank[w] = before;
      before += static_cast<std::uint32_t>(std::popcount(chosen[w]));
    }
    bit_choice out;
    out.words = static_cast<std::uint32_t>(chosen.size());
    out.chosen = place_own(std::move(chosen));
    out.rank = place_own(std::move(rank));
    return out;
  }

  void add_points(array_of which, const point_view& view, const std::vector<std::uint32_t>* scalar_points,
                  std::uint32_t scalars_at, const std::string& where) {
    const auto& array = out_->plan.of(which);
    piece p;
    p.from = view.data;
    p.points = true;
    p.big_endian = view.layout == point_layout::big_endian;
    p.group = array.group;
    p.bytes = view.count * p.point_bytes();
    p.to = const_cast<std::byte*>(out_->of(which));
    p.scalar_points = scalar_points;
    p.scalars_at = scalars_at;
    p.first = scalar_points != nullptr ? array.scalars : scalars_at;
    p.bad = bad_count_++;
    p.where = where;
    if (view.count > 0)
      pieces_.push_back(std::move(p));
  }

  void add_arrays() {
    const auto& key = *out_->key;
    for (const auto which : all_arrays) {
      out_->points[static_cast<std::size_t>(which)] = out_->memory.data() + used_;
      used_ += (out_->plan.of(which).bytes() + 255) / 256 * 256;
    }
    const auto in_params = [&](section s) { return key.path() + ": section " + std::string(to_string(s)); };
    if (const auto* derived = out_->plan.derived ? key.derived() : nullptr) {
      add_points(array_of::h, derived->g(), nullptr, 0, derived->path() + ": section g");
      add_points(array_of::l, derived->k(), nullptr, 0, derived->path() + ": section k");
      add_points(array_of::l, derived->l(), &of_->l.scalar_points, out_->plan.wires.inputs,
                 derived->path() + ": section l");
    } else {
      add_points(array_of::h, key.points(section::h), nullptr, 0, in_params(section::h));
      add_points(array_of::l, key.points(section::l), &of_->l.scalar_points, 0, in_params(section::l));
    }
    add_points(array_of::a, key.points(section::a), &of_->a.scalar_points, 0, in_params(section::a));
    add_points(array_of::b_g1, key.points(section::b_g1), &of_->b.scalar_points, 0, in_params(section::b_g1));
    add_points(array_of::b_g2, key.points(section::b_g2), &of_->b.scalar_points, 0, in_params(section::b_g2));
  }

  status set_up() {
    CUZK_CHECK(out_->key->unchanged());
    CUZK_CHECK(out_->key->fits(*of_));
    const auto& plan = out_->plan;
    const std::size_t need = plan.point_bytes + plan.matrix_bytes;
    CUZK_TRY(state, device_memory_state());
    if (need > state.free_bytes)
      return error{errc::resources, "vram: need " + std::to_string(need >> 20) + " MiB, free " +
                                      std::to_string(state.free_bytes >> 20) + " MiB"};
    CUZK_TRY(memory, device_memory::allocate(need));
    out_->memory = std::move(memory);
    CUZK_TRY(s, stream::create());
    stream_ = std::move(s);
    for (auto& c : chunks_) {
      CUZK_TRY(host, pinned_memory::allocate(2 * chunk_bytes));
      CUZK_TRY(device, device_memory::allocate(2 * chunk_bytes));
      c.host = std::move(host);
      c.device = std::move(device);
      free_.push_back(&c);
    }
    add_arrays();
    const auto& m = of_->matrices;
    const auto* coefficients = place(m.coefficients);
    out_->a = place_matrix(m.a, coefficients);
    out_->b = place_matrix(m.b, coefficients);
    if (!plan.derived)
      out_->c = place_matrix(m.c, coefficients);
    out_->a_wires = place_own(of_->a.scalar_wires);
    out_->b_wires = place_own(of_->b.scalar_wires);
    out_->a_bits = place_choice(*of_->a.density);
    out_->b_bits = place_choice(*of_->b.density);
    if (used_ > out_->memory.size())
      return internal_error("a key takes more than was planned");
    CUZK_TRY(bad, device_memory::allocate(8 * bad_count_));
    CUZK_TRY(bad_host, pinned_memory::allocate(8 * bad_count_));
    bad_ = std::move(bad);
    bad_host_ = std::move(bad_host);
    CUZK_CHECK(fill_bytes(bad_.data(), 0xff, 8 * bad_count_, stream_.get()));
    using enum ntt_kind;
    auto domain = plan.derived
                    ? ntt_domain::create(plan.lg, {forward, inverse_to_odd}, stream_.get())
                    : ntt_domain::create(plan.lg, {forward, inverse_to_coset, inverse_from_coset}, stream_.get());
    if (!domain)
      return domain.err();
    out_->domain = *std::move(domain);
    return ok();
  }

  // -- how it goes

  void pump() {
    while (failure_ && at_ < pieces_.size() && !free_.empty()) {
      auto* c = free_.front();
      free_.pop_front();
      if (auto sent = send_next(*c); !sent) {
        failure_ = std::move(sent);
        free_.push_back(c);
        break;
      }
      tell([c](key_loader& l) { l.free_.push_back(c); });
    }
    if (outstanding_ > 0 || finished_)
      return;
    finished_ = true;
    if (failure_ && stream_.get() != nullptr)
      if (auto read = copy_to_host(bad_host_.data(), bad_.data(), 8 * bad_count_, stream_.get()); !read)
        failure_ = std::move(read);
    if (stream_.get() == nullptr)
      return finish();
    tell([](key_loader& l) { l.finish(); });
  }

  /// Posts `then`, and the next pump, when the stream has passed.
  template <class Then>
  void tell(Then then) {
    ++outstanding_;
    const auto on_fact = [self = shared_from_this(), then](status passed) {
      self->post([then, passed](key_loader& l) {
        --l.outstanding_;
        if (!passed && l.failure_)
          l.failure_ = passed;
        then(l);
        if (!l.told_)
          l.pump();
      });
    };
    if (auto told = tell_after(stream_.get(), on_fact); !told)
      if (auto again = tell_after(stream_.get(), on_fact); !again) // an injected fault hits once
        on_fact(again);
  }

  status send_next(const chunk& c) {
    auto& p = pieces_[at_];
    if (offset_ == 0)
      CUZK_CHECK(out_->key->unchanged());
    const std::size_t whole = p.points ? chunk_bytes / p.point_bytes() * p.point_bytes() : chunk_bytes;
    const std::size_t bytes = std::min(whole, p.bytes - offset_);
    std::memcpy(c.host.data(), p.from + offset_, bytes);
    if (p.points)
      CUZK_CHECK(send_points(p, c, bytes));
    else
      CUZK_CHECK(copy_to_device(p.to + offset_, c.host.data(), bytes, stream_.get()));
    offset_ += bytes;
    if (offset_ == p.bytes) {
      ++at_;
      offset_ = 0;
      next_scalar_ = 0;
    }
    return ok();
  }

  status send_points(const piece& p, const chunk& c, std::size_t bytes) {
    const auto first = offset_ / p.point_bytes(), count = bytes / p.point_bytes();
    auto* slots = reinterpret_cast<std::uint32_t*>(c.host.data() + chunk_bytes);
    for (std::size_t i = 0; i < count; ++i) {
      const auto point = static_cast<std::uint32_t>(first + i);
      if (p.scalar_points != nullptr && next_scalar_ < p.scalar_points->size() &&
          (*p.scalar_points)[next_scalar_] == point)
        slots[i] = p.scalars_at + static_cast<std::uint32_t>(next_scalar_++);
      else
        slots[i] = p.first + point - static_cast<std::uint32_t>(next_scalar_);
    }
    CUZK_CHECK(copy_to_device(c.device.data(), c.host.data(), bytes, stream_.get()));
    CUZK_CHECK(copy_to_device(c.device.data() + chunk_bytes, slots, 4 * count, stream_.get()));
    point_piece kernel{p.group,
                       p.big_endian,
                       c.device.data(),
                       reinterpret_cast<const std::uint32_t*>(c.device.data() + chunk_bytes),
                       first,
                       static_cast<std::uint32_t>(count),
                       p.to};
    return queue_points(kernel, bad_.as<std::uint64_t>() + p.bad, stream_.get());
  }

  void finish() {
    told_ = true;
    for (const auto& p : pieces_) {
      if (!failure_ || !p.points)
        continue;
      const auto bad = bad_host_.as<std::uint64_t>()[p.bad];
      if (bad == no_bad_point)
        continue;
      static constexpr const char* what[] = {"has flags that no uncompressed point has", "is not below the modulus",
                                             "is not on the curve"};
      failure_ = error{errc::params, what[bad & 3], p.where + ", point " + std::to_string(bad >> 2)};
    }
    if (failure_)
      done_(std::shared_ptr<const device_key>(std::move(out_)));
    else
      done_(failure_.err());
  }

  std::shared_ptr<strand> strand_;
  int device_;
  std::shared_ptr<device_key> out_;
  std::shared_ptr<const groth16::circuit> of_;
  done_function done_;
  stream stream_;
  std::array<chunk, chunk_count> chunks_;
  std::deque<chunk*> free_;
  std::deque<std::vector<std::uint32_t>> own_;
  std::vector<piece> pieces_;
  device_memory bad_;
  pinned_memory bad_host_;
  std::size_t used_ = 0, bad_count_ = 0;
  std::size_t at_ = 0, offset_ = 0, next_scalar_ = 0;
  unsigned outstanding_ = 0;
  bool finished_ = false, told_ = false;
  status failure_ = ok();
};

} // namespace

void load_device_key(thread_pool& pool, int device, proof_plan plan, std::shared_ptr<const groth16::proving_key> key,
                     std::shared_ptr<const groth16::circuit> of,
                     std::function<void(result<std::shared_ptr<const device_key>>)> done) {
  auto out = std::make_shared<device_key>();
  out->plan = std::move(plan);
  out->key = std::move(key);
  std::make_shared<key_loader>(pool, device, std::move(out), std::move(of), std::move(done))->start();
}

} // namespace cuzk::cuda
