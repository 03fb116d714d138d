#include "cuda/backend/cuda_backend.hpp"

#include "cuda/backend/proof_run.hpp"
#include "cuda/backend/strand.hpp"
#include "groth16/proving_key.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <deque>
#include <map>

namespace cuzk::cuda {
namespace {

using groth16::derived_use;
using groth16::prove_listener;
using groth16::prove_request;
using clock_type = std::chrono::steady_clock;

double seconds_since(clock_type::time_point start) {
  return std::chrono::duration<double>(clock_type::now() - start).count();
}

/// A request and how far it is.
struct job {
  prove_request request;
  std::shared_ptr<prove_listener> listener;
  std::shared_ptr<const device_key> key;
  std::shared_ptr<const void> use; ///< while it lives the key stays
  proof_slot* slot = nullptr;
  unsigned steps_left = 0;
  bool begun = false; ///< a step of it was queued
  clock_type::time_point started;
  groth16::prove_timings timings;
  std::optional<error> failure;
};
using job_ptr = std::shared_ptr<job>;

/// A stream of the lane and what waits for it. Facts of it come by a second stream, so that it never stands still for
/// one.
struct work_stream {
  struct entry {
    job_ptr owner;
    proof_step step;
    std::size_t number = 0; ///< within the proof
  };
  std::size_t index = 0; ///< its lane_stream
  stream work, facts;
  std::deque<entry> waiting;
  unsigned queued = 0;
};

/// Which way to h a request takes: derived or not.
using key_name = std::pair<const groth16::proving_key*, bool>;

struct key_entry {
  std::shared_ptr<const groth16::proving_key> key; ///< keeps the name valid
  std::shared_ptr<const device_key> ready;         ///< empty while it is loading
  std::weak_ptr<const void> use;                   ///< alive while a proof uses it
  std::vector<std::function<void(status)>> told;   ///< who waits for it
  bool released = false;
};

class cuda_backend final : public groth16::backend, public std::enable_shared_from_this<cuda_backend> {
public:
  cuda_backend(const device_info& device, thread_pool& pool)
    : device_(device), shape_{device.multiprocessors, device.total_bytes}, pool_(pool),
      strand_(std::make_shared<strand>(pool)) {}

  status set_up() {
    CUZK_CHECK(use_device(device_.index));
    for (auto* s : {&streams_[0].work, &streams_[0].facts, &streams_[1].work, &streams_[1].facts, &streams_[2].work,
                    &streams_[2].facts, &uploads_}) {
      CUZK_TRY(made, stream::create());
      *s = std::move(made);
    }
    for (std::size_t i = 0; i < lane_streams; ++i)
      streams_[i].index = i;
    for (auto& slot : slots_) {
      CUZK_TRY(made, proof_slot::create());
      slot = std::move(made);
    }
    return ok();
  }

  std::string name() const override { return "cuda:" + std::to_string(device_.index) + " " + device_.name; }
  unsigned credits() const override { return static_cast<unsigned>(slots_.size()); }

  groth16::memory_need need(const groth16::circuit& of, derived_use derived) const override {
    groth16::memory_need out;
    for (const bool way : {true, false}) { // where the key decides, room for both
      if (derived == (way ? derived_use::off : derived_use::required))
        continue;
      const auto plan = plan_proof(of, way, shape_);
      if (!plan)
        continue;
      out.pinned_bytes = std::max<std::uint64_t>(out.pinned_bytes, plan->witness_bytes + plan->result_bytes);
      out.device_bytes = std::max<std::uint64_t>(out.device_bytes, plan->witness_bytes + plan->scratch_bytes());
      out.device_key_bytes = std::max<std::uint64_t>(out.device_key_bytes, plan->point_bytes + plan->matrix_bytes);
    }
    return out;
  }

  void prepare(std::shared_ptr<const groth16::proving_key> key, std::shared_ptr<const groth16::circuit> of,
               std::function<void(status)> done) override {
    post([key = std::move(key), of = std::move(of), done = std::move(done)](cuda_backend& b) {
      auto& entry = b.entry_of(key, of, key->derived() != nullptr);
      entry.released = false;
      if (entry.ready)
        done(ok());
      else
        entry.told.push_back(done);
    });
  }

  void release(const groth16::proving_key& key) override {
    post([name = &key](cuda_backend& b) {
      for (const bool derived : {true, false})
        if (const auto it = b.keys_.find({name, derived}); it != b.keys_.end())
          it->second.released = true;
      b.drop_released();
    });
  }

  void prove(prove_request request, std::shared_ptr<prove_listener> listener) override {
    auto one = std::make_shared<job>();
    one->request = std::move(request);
    one->listener = std::move(listener);
    post([one](cuda_backend& b) {
      b.requests_.push_back(one);
      b.advance();
    });
  }

private:
  static constexpr int large_lg = 22; ///< from here on steps take long: few are queued ahead
  static constexpr unsigned large_depth = 2, small_depth = 64;

  template <class Task>
  void post(Task task) {
    strand_->post([self = shared_from_this(), task = std::move(task)] {
      static_cast<void>(use_device(self->device_.index)); // what fails now fails again at the next call, which is told
      task(*self);
    });
  }

  // -- keys

  key_entry& entry_of(const std::shared_ptr<const groth16::proving_key>& key,
                      const std::shared_ptr<const groth16::circuit>& of, bool derived) {
    const key_name name{key.get(), derived};
    const auto [it, fresh] = keys_.try_emplace(name);
    if (!fresh)
      return it->second;
    it->second.key = key;
    auto on_loaded = [self = shared_from_this(), name](result<std::shared_ptr<const device_key>> loaded) {
      self->post([name, loaded](cuda_backend& b) { b.loaded(name, loaded); });
    };
    if (auto plan = plan_proof(*of, derived, shape_))
      load_device_key(pool_, device_.index, *std::move(plan), key, of, std::move(on_loaded));
    else
      on_loaded(plan.err());
    return it->second;
  }

  void loaded(const key_name& name, const result<std::shared_ptr<const device_key>>& loaded) {
    const auto it = keys_.find(name);
    const auto outcome = loaded ? status(ok()) : status(loaded.err());
    const auto told = std::move(it->second.told);
    if (loaded) {
      it->second.ready = *loaded;
    } else {
      for (const auto& r : requests_)
        if (key_name{r->request.key.get(), wants_derived(r->request)} == name)
          r->failure = loaded.err();
      forget(it);
    }
    for (const auto& tell : told)
      tell(outcome);
    drop_released();
    advance();
  }

  void drop_released() {
    for (auto it = keys_.begin(); it != keys_.end();) {
      const auto here = it++;
      if (here->second.released && here->second.ready && here->second.use.expired() && !is_wanted(here->first))
        forget(here);
    }
  }
  bool is_wanted(const key_name& name) const {
    return std::any_of(requests_.begin(), requests_.end(), [&](const job_ptr& r) {
      return key_name{r->request.key.get(), wants_derived(r->request)} == name;
    });
  }
  /// Freeing waits for the device, so it is the pool's.
  void forget(std::map<key_name, key_entry>::iterator it) {
    pool_.submit([gone = std::move(it->second), device = device_.index]() mutable {
      static_cast<void>(use_device(device));
      gone = {};
    });
    keys_.erase(it);
  }

  // -- requests

  static bool wants_derived(const prove_request& r) {
    return r.derived != derived_use::off && r.key->derived() != nullptr;
  }

  static status check(const prove_request& r) {
    if (r.derived == derived_use::required && r.key->derived() == nullptr)
      return error{errc::params, "there is no derived key beside it", r.key->path()};
    if (r.witness->counts() != r.circuit->wires.counts())
      return bad_input("witness", "is not one of " + r.circuit->name + ": " +
                                    std::to_string(r.witness->counts().total()) + " wires, expected " +
                                    std::to_string(r.circuit->wires.counts().total()));
    return ok();
  }

  /// Takes requests in as far as there are slots, in order.
  void advance() {
    while (!requests_.empty() && !uploading_) {
      const auto one = requests_.front();
      if (!one->failure && one->request.cancel.cancelled())
        one->failure = error{errc::cancelled, "stopped before upload"};
      if (!one->failure)
        if (auto good = check(one->request); !good)
          one->failure = good.err();
      if (one->failure) {
        requests_.pop_front();
        one->listener->failed(*one->failure);
        continue;
      }
      auto& entry = entry_of(one->request.key, one->request.circuit, wants_derived(one->request));
      const auto slot = std::find_if(slots_.begin(), slots_.end(), [](const proof_slot& s) { return !s.taken; });
      if (!entry.ready || slot == slots_.end() || !make_room(*entry.ready, *slot, *one))
        return;
      if (one->failure)
        continue;
      requests_.pop_front();
      take_in(one, entry, *slot);
    }
  }

  /// Scratch and slot large enough for the plan. False: not before the proofs under way have ended.
  bool make_room(const device_key& key, proof_slot& slot, job& one) {
    if (!scratch_.fits(key.plan) && under_way_ > 0)
      return false;
    auto made = scratch_.fit(key.plan);
    if (made)
      made = slot.fit(key.plan);
    if (!made)
      one.failure = made.err();
    return true;
  }

  void take_in(const job_ptr& one, key_entry& entry, proof_slot& slot) {
    one->key = entry.ready;
    one->use = entry.use.lock();
    if (!one->use)
      entry.use = one->use = std::make_shared<int>();
    one->slot = &slot;
    slot.taken = true;
    ++under_way_;
    uploading_ = true;
    one->started = clock_type::now();
    pool_.submit([self = shared_from_this(), one] { // the copy to pinned memory takes a while
      const auto& w = *one->request.witness;
      auto* to = one->slot->staging.data();
      std::memcpy(to, w.inputs().data(), w.inputs().size_bytes());
      std::memcpy(to + w.inputs().size_bytes(), w.fields().data(), w.fields().size_bytes());
      std::memcpy(to + one->key->plan.witness_bits, w.bits().data(), w.bits().size_bytes());
      self->post([one](cuda_backend& b) { b.upload(one); });
    });
  }

  void upload(const job_ptr& one) {
    uploading_ = false;
    auto& slot = *one->slot;
    if (auto queued = queue_upload(slot, one->key->plan); !queued)
      one->failure = queued.err();
    for (std::size_t i = 0; i < lane_streams; ++i) {
      auto& s = streams_[i];
      if (auto waits = wait_on_device(s.work.get(), slot.uploaded); !waits && !one->failure)
        one->failure = waits.err();
      std::size_t number = 0;
      for (auto& step : steps_on(static_cast<lane_stream>(i), *one->key, slot, scratch_)) {
        s.waiting.push_back({one, std::move(step), number++});
        ++one->steps_left;
      }
    }
    for (std::size_t i = 0; i < lane_streams; ++i)
      pump(i);
    advance();
  }

  status queue_upload(const proof_slot& slot, const proof_plan& plan) const {
    CUZK_CHECK(slot.uploading.record(uploads_.get()));
    CUZK_CHECK(copy_to_device(slot.witness.data(), slot.staging.data(), plan.witness_bytes, uploads_.get()));
    return slot.uploaded.record(uploads_.get());
  }

  // -- steps

  void pump(std::size_t index) {
    auto& s = streams_[index];
    while (!s.waiting.empty()) {
      const auto& plan = s.waiting.front().owner->key->plan;
      if (s.queued >= (plan.lg >= large_lg ? large_depth : small_depth))
        return;
      const auto entry = std::move(s.waiting.front());
      s.waiting.pop_front();
      auto& one = *entry.owner;
      if (!one.failure && one.request.cancel.cancelled())
        one.failure = error{errc::cancelled, "stopped before " + std::string(to_string(entry.step.stage))};
      if (!one.failure)
        if (auto queued = queue_step(s, entry); !queued)
          one.failure = queued.err();
      tell_end(index, entry);
    }
  }

  static status queue_step(const work_stream& s, const work_stream::entry& entry) {
    auto& one = *entry.owner;
    const auto& [begin, end] = marks_of(entry, s);
    one.begun = true;
    CUZK_CHECK(begin.record(s.work.get()));
    CUZK_CHECK(entry.step.queue(s.work.get()));
    return end.record(s.work.get());
  }

  static const std::pair<event, event>& marks_of(const work_stream::entry& entry, const work_stream& s) {
    return entry.owner->slot->marks[s.index][entry.number];
  }

  /// Has the strand told when all that was queued for the step is over, whether it went well or not: only then may its
  /// slot and scratch be used again.
  void tell_end(std::size_t index, const work_stream::entry& entry) {
    auto& s = streams_[index];
    ++s.queued;
    const auto on_fact = [self = shared_from_this(), index, owner = entry.owner, stage = entry.step.stage,
                          number = entry.number](status passed) {
      self->post(
        [index, owner, stage, number, passed](cuda_backend& b) { b.step_over(index, owner, stage, number, passed); });
    };
    // Told by the stream itself when the other way fails: an injected fault hits once. Failing again, the device is
    // lost and runs nothing more.
    if (auto told = tell_aside(s, on_fact); !told) {
      if (!entry.owner->failure)
        entry.owner->failure = told.err();
      if (auto again = tell_after(s.work.get(), on_fact); !again)
        if (auto last = tell_after(s.work.get(), on_fact); !last)
          on_fact(last);
    }
  }

  static status tell_aside(const work_stream& s, std::function<void(status)> tell) {
    CUZK_TRY(here, event::create());
    CUZK_CHECK(here.record(s.work.get()));
    CUZK_CHECK(wait_on_device(s.facts.get(), here));
    return tell_after(s.facts.get(), std::move(tell));
  }

  void step_over(std::size_t index, const job_ptr& one, groth16::stage stage, std::size_t number,
                 const status& passed) {
    --streams_[index].queued;
    if (!passed && !one->failure)
      one->failure = passed.err();
    if (!one->failure) {
      const auto& [begin, end] = one->slot->marks[index][number];
      if (const auto ms = end.ms_since(begin)) {
        const double seconds = 1e-3 * static_cast<double>(*ms);
        one->timings[stage] = std::max(one->timings[stage], seconds);
        one->listener->stage_done(stage, seconds);
      }
    }
    if (--one->steps_left == 0)
      finish(one);
    pump(index);
  }

  // -- ends

  void finish(const job_ptr& one) {
    one->timings.derived = one->key->plan.derived;
    if (one->failure)
      return end(one, *one->failure);
    one->timings.idle_before = std::max(0.0, std::chrono::duration<double>(one->started - last_end_).count());
    one->timings.total = seconds_since(std::max(one->started, last_end_));
    last_end_ = clock_type::now();
    if (const auto ms = one->slot->uploaded.ms_since(one->slot->uploading))
      one->timings[groth16::stage::upload] = 1e-3 * static_cast<double>(*ms);
    pool_.submit([self = shared_from_this(), one] {
      const auto start = clock_type::now();
      auto proof = assemble(*one->key, *one->slot, one->request.r, one->request.s);
      one->timings[groth16::stage::download] = seconds_since(start);
      self->post([one, proof](cuda_backend& b) { b.end(one, proof); });
    });
  }

  void end(const job_ptr& one, result<groth16::raw_proof> proof) {
    one->slot->taken = false;
    one->slot = nullptr;
    --under_way_;
    one->use = {};
    one->key = {};
    if (proof)
      one->listener->proved(*proof, one->timings);
    else
      one->listener->failed(std::move(proof).err());
    drop_released();
    advance();
  }

  device_info device_;
  device_shape shape_;
  thread_pool& pool_;
  std::shared_ptr<strand> strand_;
  std::array<work_stream, lane_streams> streams_;
  stream uploads_;
  std::array<proof_slot, 2> slots_;
  lane_scratch scratch_;
  std::map<key_name, key_entry> keys_;
  std::deque<job_ptr> requests_; ///< not yet taken in
  bool uploading_ = false;       ///< a witness is on its way to pinned memory
  unsigned under_way_ = 0;
  clock_type::time_point last_end_;
};

} // namespace

result<std::shared_ptr<groth16::backend>> make_backend(const device_info& device, thread_pool& pool) {
  const auto out = std::make_shared<cuda_backend>(device, pool);
  CUZK_CHECK(out->set_up());
  return std::shared_ptr<groth16::backend>(out);
}

} // namespace cuzk::cuda
