#pragma once
// Runs tasks one after another on a pool, without a lock: what is posted goes on an atomic list, and whoever finds the
// strand idle has the pool empty the list.
#include "runtime/base/thread_pool.hpp"

#include <atomic>
#include <functional>
#include <memory>

namespace cuzk::cuda {

/// Lives in a shared_ptr. Tasks run in the order they were posted, never two at a time, never inside post. The pool
/// must outlive it.
class strand : public std::enable_shared_from_this<strand> {
public:
  using task = std::function<void()>;
  explicit strand(thread_pool& pool) : pool_(pool) {}
  strand(const strand&) = delete;
  strand& operator=(const strand&) = delete;
  ~strand() { run(head_.load()); } // only after a pool that ended early

  /// From any thread, a driver's too.
  void post(task what) {
    auto* added = new node{std::move(what), nullptr};
    node* old = head_.load(std::memory_order_relaxed);
    do
      added->next = old == &busy_ ? nullptr : old;
    while (!head_.compare_exchange_weak(old, added, std::memory_order_acq_rel));
    if (old == nullptr)
      pool_.submit([self = shared_from_this()] { self->drain(); });
  }

  thread_pool& pool() const noexcept { return pool_; }

private:
  struct node {
    task what;
    node* next;
  };

  void drain() {
    for (;;) {
      node* list = head_.exchange(&busy_, std::memory_order_acq_rel);
      if (list == &busy_) {
        if (head_.compare_exchange_strong(list, nullptr, std::memory_order_acq_rel))
          return;
        continue;
      }
      run(list);
    }
  }

  // The list is newest first.
  void run(node* list) {
    node* first = nullptr;
    while (list != nullptr && list != &busy_) {
      node* next = list->next;
      list->next = first;
      first = list;
      list = next;
    }
    while (first != nullptr) {
      const std::unique_ptr<node> one(first);
      first = first->next;
      one->what();
    }
  }

  thread_pool& pool_;
  node busy_{{}, nullptr};           ///< the list is empty and somebody drains it
  std::atomic<node*> head_{nullptr}; ///< null: idle
};

} // namespace cuzk::cuda
