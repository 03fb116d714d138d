#pragma once
// Memory for gigabytes of values: not touched before use, in huge pages where the system has them.
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <type_traits>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace cuzk {

/// A fixed number of values, not initialised. Movable. With pages of 4 KiB, bringing 4 GiB in takes seconds of system
/// time; with huge pages, a tenth.
template <class T>
class large_array {
  static_assert(std::is_trivially_copyable_v<T>);

public:
  /// Throws std::bad_alloc.
  explicit large_array(std::size_t count) : count_(count) {
    const std::size_t need = std::max<std::size_t>(count * sizeof(T), 1), align = need < huge_page ? page : huge_page;
    const std::size_t size = (need + align - 1) / align * align; // aligned_alloc takes nothing else
    data_.reset(static_cast<T*>(std::aligned_alloc(align, size)));
    if (!data_)
      throw std::bad_alloc();
#ifdef __linux__
    if (size >= huge_page)
      ::madvise(data_.get(), size, MADV_HUGEPAGE); // a wish: without it everything works, slower
#endif
  }

  std::span<T> span() noexcept {
    return {data_.get(), count_};
  }
  std::span<const T> span() const noexcept {
    return {data_.get(), count_};
  }

private:
  static constexpr std::size_t page = 4096, huge_page = std::size_t(2) << 20;

  struct release {
    void operator()(T* p) const noexcept { std::free(p); }
  };
  std::unique_ptr<T, release> data_;
  std::size_t count_;
};

} // namespace cuzk
