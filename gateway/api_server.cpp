#include "gateway/api_server.hpp"

#include "actors/payload.hpp"
#include "actors/timeouts.hpp"
#include "gateway/json.hpp"
#include "gateway/wire.hpp"

#include <capnp/common.h>
#include <kj/debug.h>

#include <algorithm>

namespace cuzk {

namespace {

constexpr std::uint32_t max_await_ms = 3'600'000;
constexpr std::uint32_t day_ms = 86'400'000;

std::chrono::milliseconds in_ms(std::uint32_t count) {
  return std::chrono::milliseconds(count);
}

/// Lets kj drop the call when its client has gone. From 1.0 on the schema says so instead.
template <class Context>
void allow_cancellation(Context& context) {
#if CAPNP_VERSION < 1000000
  context.allowCancellation();
#else
  (void)context;
#endif
}

bool same(const bytes& expected, capnp::Data::Reader given) {
  std::uint8_t difference = expected.size() == given.size() ? 0 : 1;
  for (std::size_t i = 0; i < expected.size() && i < given.size(); ++i)
    difference |= expected[i] ^ given[i];
  return difference == 0;
}

void write_done(const result<admin_reply>& reply, rpc::Done::Builder to) {
  if (!reply)
    wire::write(reply.err(), to.initRefused());
  else if (!reply->result.ok)
    wire::write(reply->result.why, to.initRefused());
  else
    to.setOk();
}

void write_found(const result<job_report>& report, rpc::Found::Builder to) {
  if (!report)
    wire::write(report.err(), to.initRefused());
  else if (!report->found.ok)
    wire::write(report->found.why, to.initRefused());
  else
    wire::write(*report, to.initJob());
}

void write_key(const result<params_reply>& reply, rpc::KeyDone::Builder to) {
  if (!reply)
    return wire::write(reply.err(), to.initRefused());
  if (!reply->result.ok)
    return wire::write(reply->result.why, to.initRefused());
  auto facts = to.initLoaded();
  facts.setBytes(reply->bytes);
  facts.setTookMs(reply->took_ms);
}

void write_submitted(const result<submit_reply>& reply, rpc::Submitted::Builder to) {
  if (!reply)
    return wire::write(reply.err(), to.initRefused());
  if (!reply->result.ok)
    return wire::write(reply->result.why, to.initRefused());
  to.setJob(number(reply->job));
  to.setAttached(reply->attached);
  to.setState(wire::to_wire(reply->state));
}

// A pure read-only failure has no place in the result's schema: it is an exception of the connection's kind.
kj::Exception unanswered(const error& why) {
  return KJ_EXCEPTION(OVERLOADED, why.message().c_str());
}

class node_server final : public rpc::Node::Server {
public:
  explicit node_server(api_services& services) : services_(services) {}

protected:
  kj::Promise<void> upload(UploadContext context) override {
    auto params = context.getParams();
    auto results = context.getResults();
    if (params.getSha256().size() != 32) {
      wire::write(bad_input("sha256", "has " + std::to_string(params.getSha256().size()) + " bytes, expected 32"),
                  results.initRefused());
      return kj::READY_NOW;
    }
    auto ticket = services_.room.take(params.getBytes());
    if (!ticket) {
      wire::write(ticket.err(), results.initRefused());
      return kj::READY_NOW;
    }
    upload_server::announced what{params.getBytes(), {}};
    std::copy(params.getSha256().begin(), params.getSha256().end(), what.sha256.begin());
    results.setUpload(
      kj::heap<upload_server>(what, *std::move(ticket), services_.inputs, services_.timer, services_.upload_idle));
    return kj::READY_NOW;
  }

  kj::Promise<void> submit(SubmitContext context) override {
    auto request = wire::read(context.getParams().getRequest());
    if (request && !context.getParams().hasInput())
      request = bad_input("input", "missing; upload the bytes first");
    if (!request) {
      wire::write(request.err(), context.getResults().initRefused());
      return kj::READY_NOW;
    }
    auto input = context.getParams().getInput();
    return services_.inputs.getLocalServer(input).then(
      [this, context, request = *std::move(request)](kj::Maybe<rpc::Input::Server&> local) mutable {
        KJ_IF_MAYBE (held, local)
          return submit_input(context, std::move(request), static_cast<input_server&>(*held));
        wire::write(bad_input("input", "is not an input uploaded to this node"), context.getResults().initRefused());
        return kj::Promise<void>(kj::READY_NOW);
      });
  }

  kj::Promise<void> await(AwaitContext context) override {
    allow_cancellation(context);
    const auto limit = std::min(context.getParams().getTimeoutMs(), max_await_ms);
    const await_job question{job_id{context.getParams().getJob()}, limit};
    return services_.node.ask<job_report>(in_ms(limit) + timeouts::await_grace, question)
      .then([context](result<job_report>&& report) mutable { write_found(report, context.getResults()); });
  }

  kj::Promise<void> get(GetContext context) override {
    auto params = context.getParams();
    const get_job question{job_id{params.getJob()}, wire::text(params.getRequestId())};
    return services_.node.ask<job_report>(timeouts::query, question)
      .then([context](result<job_report>&& report) mutable { write_found(report, context.getResults()); });
  }

  kj::Promise<void> cancel(CancelContext context) override {
    auto params = context.getParams();
    const cancel_job order{job_id{params.getJob()}, wire::text(params.getBy())};
    return services_.node.ask<cancel_reply>(timeouts::cancel, order)
      .then([context](result<cancel_reply>&& reply) mutable {
        auto results = context.getResults();
        if (!reply)
          wire::write(reply.err(), results.initRefused());
        else if (!reply->result.ok)
          wire::write(reply->result.why, results.initRefused());
        else
          results.setState(wire::to_wire(reply->state));
      });
  }

  kj::Promise<void> list(ListContext context) override {
    auto params = context.getParams();
    const list_jobs question{std::min(params.getLimit(), 10'000u), job_id{params.getBefore()},
                             params.getUnfinishedOnly()};
    return services_.node.ask<job_list>(timeouts::query, question).then([context](result<job_list>&& reply) mutable {
      if (!reply)
        kj::throwFatalException(unanswered(reply.err()));
      auto results = context.getResults();
      results.setMore(reply->more);
      auto jobs = results.initJobs(static_cast<unsigned>(reply->jobs.size()));
      for (unsigned i = 0; i < jobs.size(); ++i)
        wire::write(reply->jobs[i], jobs[i]);
    });
  }

  kj::Promise<void> watch(WatchContext context) override {
    auto params = context.getParams();
    context.getResults().setSubscription(services_.events.watch(params.getSink(), job_id{params.getJob()}));
    return kj::READY_NOW;
  }

  kj::Promise<void> status(StatusContext context) override {
    return services_.node.ask<node_status>(timeouts::query * 2, node_query{})
      .then([this, context](result<node_status>&& reply) mutable {
        if (!reply)
          kj::throwFatalException(unanswered(reply.err()));
        auto results = context.getResults();
        wire::write(*reply, results);
        results.setVersion(services_.version);
      });
  }

  kj::Promise<void> preload(PreloadContext context) override {
    return services_.node
      .ask<params_reply>(timeouts::preload, preload_params{wire::text(context.getParams().getCircuit())})
      .then([context](result<params_reply>&& reply) mutable { write_key(reply, context.getResults()); });
  }

  kj::Promise<void> evict(EvictContext context) override {
    return services_.node
      .ask<params_reply>(timeouts::cancel, evict_params{wire::text(context.getParams().getCircuit())})
      .then([context](result<params_reply>&& reply) mutable { write_key(reply, context.getResults()); });
  }

  kj::Promise<void> pause(PauseContext context) override { return order(context, timeouts::cancel, pause_node{}); }
  kj::Promise<void> resume(ResumeContext context) override { return order(context, timeouts::cancel, resume_node{}); }

  kj::Promise<void> drain(DrainContext context) override {
    const auto limit = context.getParams().getLimitMs();
    const auto wait = in_ms(limit == 0 ? day_ms : std::min(limit, day_ms)) + timeouts::drain_grace;
    return order(context, wait, drain_node{limit});
  }

  kj::Promise<void> releaseLane(ReleaseLaneContext context) override {
    return order(context, timeouts::cancel, release_lane{lane_id{context.getParams().getLane()}});
  }

  kj::Promise<void> metrics(MetricsContext context) override {
    return services_.node.ask<metrics_page>(timeouts::query, metrics_query{})
      .then([context](result<metrics_page>&& page) mutable {
        if (!page)
          kj::throwFatalException(unanswered(page.err()));
        context.getResults().setPrometheus(prometheus_text(*page));
      });
  }

  kj::Promise<void> trace(TraceContext context) override {
    return services_.node.ask<trace_page>(timeouts::query, trace_query{context.getParams().getLastSeconds()})
      .then([context](result<trace_page>&& page) mutable {
        if (!page)
          kj::throwFatalException(unanswered(page.err()));
        context.getResults().setChrome(chrome_trace(*page));
      });
  }

private:
  kj::Promise<void> submit_input(SubmitContext context, submit_job request, input_server& input) {
    request.input_digest = input.digest();
    request.input_bytes = input.data()->size();
    request.payload_digest = payload_digest_of(request);
    return services_.node.ask<submit_reply>(timeouts::submit, std::move(request), input_handle{input.data()})
      .then([context](result<submit_reply>&& reply) mutable { write_submitted(reply, context.getResults()); });
  }

  template <class Context, class Order>
  kj::Promise<void> order(Context context, std::chrono::milliseconds limit, Order what) {
    return services_.node.ask<admin_reply>(limit, std::move(what)).then([context](result<admin_reply>&& reply) mutable {
      write_done(reply, context.getResults());
    });
  }

  api_services& services_;
};

class gate_server final : public rpc::Gate::Server {
public:
  gate_server(api_services& services, bool ask_token) : services_(services), ask_token_(ask_token) {}

protected:
  kj::Promise<void> hello(HelloContext context) override {
    auto params = context.getParams();
    auto results = context.getResults();
    results.setApiVersion(rpc::API_VERSION);
    results.setVersion(services_.version);
    if (params.getApiVersion() != rpc::API_VERSION)
      wire::write(error{errc::conflict,
                        "client speaks API version " + std::to_string(params.getApiVersion()) + ", this node " +
                          std::to_string(rpc::API_VERSION),
                        "apiVersion"},
                  results.initRefused());
    else if (ask_token_ && !same(services_.token, params.getToken()))
      wire::write(error{errc::unauthorized, "the token is missing or wrong", "token"}, results.initRefused());
    else
      results.setNode(kj::heap<node_server>(services_));
    return kj::READY_NOW;
  }

private:
  api_services& services_;
  bool ask_token_;
};

class closed_gate final : public rpc::Gate::Server {
public:
  closed_gate(std::string version, error why) : version_(std::move(version)), why_(std::move(why)) {}

protected:
  kj::Promise<void> hello(HelloContext context) override {
    auto results = context.getResults();
    results.setApiVersion(rpc::API_VERSION);
    results.setVersion(version_);
    wire::write(why_, results.initRefused());
    return kj::READY_NOW;
  }

private:
  std::string version_;
  error why_;
};

} // namespace

rpc::Gate::Client make_gate(api_services& services, bool ask_token) {
  return kj::heap<gate_server>(services, ask_token);
}

rpc::Gate::Client make_closed_gate(api_services& services, error why) {
  return kj::heap<closed_gate>(services.version, std::move(why));
}

} // namespace cuzk
