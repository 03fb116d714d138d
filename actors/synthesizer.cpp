#include "actors/synthesizer.hpp"

#include "actors/actor_kit.hpp"
#include "actors/directory.hpp"

#include <atomic>

namespace cuzk {

namespace {

/// What a compute thread made comes back as a message to itself, with the number of the order.
using synthesizer_impl = synthesizer_actor::extend<reacts_to<order_number, input_prepared, prepared_handle>,
                                                   reacts_to<order_number, partition_synthesized, witness_handle>,
                                                   reacts_to<order_number, synthesis_failed>>;

using stop_flag = std::shared_ptr<std::atomic<bool>>;

std::int64_t us_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begin).count();
}

/// What one order needs on a compute thread.
struct order_context {
  synthesizer_impl to;
  services_ptr services;
  order_number number;
  stop_flag stop;
};

result<prepared_job> read_and_check(const prover_services& services, const prepare_input& order, input_handle input) {
  if (input.data == nullptr) {
    CUZK_TRY(stored, services.read_input(order.input_digest));
    input.data = stored;
  }
  return services.prepare(order.spec, *input.data);
}

void run_prepare(const order_context& c, const prepare_input& order, const input_handle& input) {
  const auto begin = std::chrono::steady_clock::now();
  auto made = guarded([&] { return read_and_check(*c.services, order, input); });
  if (!made)
    return caf::anon_send(c.to, c.number, synthesis_failed{{order.job, 0, 0}, std::move(made).err()});
  caf::anon_send(c.to, c.number, input_prepared{order.job, made->partitions, made->identity, us_since(begin)},
                 prepared_handle{made->input});
}

void run_synthesis(const order_context& c, const synthesize_partition& order, const prepared_handle& input) {
  const auto begin = std::chrono::steady_clock::now();
  auto made = guarded([&] { return c.services->synthesize(*input.input, order.input_partition, *c.stop); });
  if (!made)
    return caf::anon_send(c.to, c.number, synthesis_failed{order.ref, std::move(made).err()});
  caf::anon_send(c.to, c.number, partition_synthesized{order.ref, us_since(begin)},
                 witness_handle{made->witness, made->statement, nullptr});
}

struct synthesizer_body {
  static constexpr const char* name = "synthesizer";
  synthesizer_impl::pointer self;
  services_ptr services;
  directory_ptr dir{};
  std::uint64_t current = 0; ///< number of the order that counts
  partition_ref ref{};
  stop_flag stop = std::make_shared<std::atomic<bool>>(false);

  // One that ends wants nothing more of the compute threads.
  ~synthesizer_body() { stop->store(true); }

  /// A new order; what an older one still makes is not wanted.
  order_context begin(const partition_ref& of) {
    stop->store(true);
    stop = std::make_shared<std::atomic<bool>>(false);
    ref = of;
    return {caf::actor_cast<synthesizer_impl>(self), services, {++current}, stop};
  }
  void prepare(const prepare_input& order, const input_handle& input) {
    services->compute([c = begin({order.job, 0, 0}), order, input] { run_prepare(c, order, input); });
  }
  void synthesize(const synthesize_partition& order, const prepared_handle& input) {
    services->compute([c = begin(order.ref), order, input] { run_synthesis(c, order, input); });
  }
  void cancel(const cancel_synthesis& ask) {
    if (ask.ref == ref)
      stop->store(true);
  }
  template <class... Facts>
  void pass_on(const order_number& order, const Facts&... facts) {
    if (order.value == current)
      self->send(dir->scheduler, facts...);
  }
  // Orders of a scheduler that is gone are dropped.
  void introduce(const directory_ptr& next) {
    const auto old = std::exchange(dir, next);
    if (old == nullptr || old->scheduler == next->scheduler)
      return;
    stop->store(true);
    ++current;
  }
};

synthesizer_impl::behavior_type synthesizer(synthesizer_impl::stateful_pointer<held<synthesizer_body>> self,
                                            services_ptr services) {
  auto& body = self->state.init(synthesizer_body{self, std::move(services)});
  return {
    [&body](const prepare_input& order, const input_handle& input) { body.prepare(order, input); },
    [&body](const synthesize_partition& order, const prepared_handle& input) { body.synthesize(order, input); },
    [&body](const cancel_synthesis& ask) { body.cancel(ask); },
    [&body](const directory_ptr& next) { body.introduce(next); },
    [&body](const order_number& order, const input_prepared& fact, const prepared_handle& input) {
      body.pass_on(order, fact, input);
    },
    [&body](const order_number& order, const partition_synthesized& fact, const witness_handle& work) {
      body.pass_on(order, fact, work);
    },
    [&body](const order_number& order, const synthesis_failed& fact) { body.pass_on(order, fact); },
  };
}

} // namespace

synthesizer_actor spawn_synthesizer(caf::actor_system& system, services_ptr services) {
  return system.spawn(synthesizer, std::move(services));
}

} // namespace cuzk
