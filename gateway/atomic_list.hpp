#pragma once
// Work for one consumer from any number of producers: a singly linked list with an atomic head. No lock, no waiting.
#include <atomic>
#include <utility>
#include <vector>

namespace cuzk {

/// Producers push from any thread; one consumer takes everything at once, in order of arrival.
template <class T>
class atomic_list {
public:
  atomic_list() = default;
  atomic_list(const atomic_list&) = delete;
  atomic_list& operator=(const atomic_list&) = delete;
  ~atomic_list() { take_all(); }

  void push(T value) {
    auto* added = new node{std::move(value), head_.load(std::memory_order_relaxed)};
    while (!head_.compare_exchange_weak(added->next, added, std::memory_order_release, std::memory_order_relaxed)) {
    }
  }

  /// Everything pushed so far, oldest first.
  std::vector<T> take_all() {
    node* newest = head_.exchange(nullptr, std::memory_order_acquire);
    node* oldest = nullptr;
    while (newest != nullptr) { // turn the list round
      node* next = newest->next;
      newest->next = oldest;
      oldest = newest;
      newest = next;
    }
    std::vector<T> out;
    while (oldest != nullptr) {
      out.push_back(std::move(oldest->value));
      delete std::exchange(oldest, oldest->next);
    }
    return out;
  }

  bool empty() const noexcept { return head_.load(std::memory_order_acquire) == nullptr; }

private:
  struct node {
    T value;
    node* next;
  };
  std::atomic<node*> head_{nullptr};
};

} // namespace cuzk
