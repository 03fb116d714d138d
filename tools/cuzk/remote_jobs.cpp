// prove, submit, await, cancel: jobs of a running node.
#include "messages/names.hpp"
#include "tools/cuzk/arguments.hpp"
#include "tools/cuzk/commands.hpp"

#include <chrono>
#include <memory>
#include <thread>

namespace cuzk::client {

namespace {

constexpr int exit_still_running = 124; // as timeout(1): the job goes on, the wait is over

/// Flags of prove and submit.
struct job_flags {
  std::string input, output, request_id, kind, circuit, miner, prover_id, fields, r, s, deadline;
  std::uint64_t sector = 0;
  CLI::Option* sector_given = nullptr;
  bool background = false;
  int priority = 0, partition = -1;
  unsigned wait_seconds = 0, reconnect_seconds = 60;
};

void declare(CLI::App& cmd, job_flags& f) {
  cmd.add_option("INPUT", f.input, "C1 output (raw JSON or lotus envelope), PoSt or SnapDeals job file")->required();
  cmd.add_option("--request-id", f.request_id, "Name of the request: the same again attaches to the same job")
    ->default_str("random");
  cmd.add_option("--kind", f.kind, "porep, winning, window or snap; read from the input when it says so");
  cmd.add_option("--circuit", f.circuit, "Such as porep-32g; read from the input when it says so");
  cmd.add_option("--miner", f.miner,
                 "Miner of a PoRep, such as t01000: replica id, challenges and parents are checked");
  cmd.add_option("--prover-id", f.prover_id, "The same as 64 hex digits");
  f.sector_given =
    cmd.add_option("--sector", f.sector, "Sector number; default: that of the input")->check(whole_number());
  cmd.add_option("--fields", f.fields, "JSON object of fields that go with a bare array of proofs");
  cmd.add_option("--partition", f.partition, "Prove this partition alone")->check(whole_number(65535));
  cmd.add_option("--r", f.r, "Blinding scalars for tests, 32-byte little-endian hex, comma list by partition");
  cmd.add_option("--s", f.s, "Likewise");
  cmd.add_option("--deadline", f.deadline, "When the proof is worthless: 90s, 30m, or 2026-12-01T08:00:00Z");
  cmd.add_option("--priority", f.priority, "Within the class; higher goes first");
  cmd.add_flag("--background", f.background, "Behind everything else");
}

result<submit_job> to_request(const job_flags& f) {
  submit_job out;
  out.request_id = f.request_id.empty() ? random_request_id() : f.request_id;
  out.spec.kind = f.kind;
  out.spec.circuit = f.circuit;
  out.spec.background = f.background;
  out.spec.priority = f.priority;
  out.spec.only_partition = f.partition;
  out.spec.flags = f.fields;
  CUZK_TRY(prover, parse_prover(f.miner, f.prover_id));
  if (prover)
    out.spec.identity = {true, *prover, f.sector_given->count() != 0, f.sector};
  else if (f.sector_given->count() != 0)
    return bad_input("--sector", "needs --miner or --prover-id beside it");
  CUZK_TRY(r, parse_scalars(f.r, "--r"));
  CUZK_TRY(s, parse_scalars(f.s, "--s"));
  if (r.size() != s.size())
    return bad_input("--s", "has " + std::to_string(s.size()) + " scalars, --r has " + std::to_string(r.size()));
  out.spec.r = std::move(r);
  out.spec.s = std::move(s);
  if (!f.deadline.empty()) {
    CUZK_TRY(at, parse_deadline(f.deadline, now_ms()));
    out.spec.deadline_wall_ms = at;
  }
  return out;
}

std::string stage_of(const job_report& r) {
  if (!r.waits_for.empty())
    return "waits for " + r.waits_for;
  for (const auto& p : r.parts)
    if (p.state == partition_state::proving || p.state == partition_state::synthesizing ||
        p.state == partition_state::finalizing) {
      std::string out = "partition " + std::to_string(p.partition) + ": " + to_string(p.state);
      return p.stage.empty() ? out : out + " " + p.stage;
    }
  return to_string(r.state);
}

std::string eta_of(const job_report& r) {
  return r.eta_ms == 0 ? "" : ", about " + std::to_string((r.eta_ms + 999) / 1000) + " s left";
}

/// Waits until the job is final, over lost connections too: the node may be restarted meanwhile, the job is not lost.
class waiter {
public:
  waiter(context& ctx, unsigned reconnect_seconds) : ctx_(ctx), reconnect_ms_(1000ll * reconnect_seconds) {}

  result<job_report> run(session& node, job_id job, std::int64_t until_ms) {
    for (;;) {
      const std::int64_t left = until_ms == 0 ? poll_ms : std::min<std::int64_t>(poll_ms, until_ms - now_ms());
      auto report = node.await(job, static_cast<std::uint32_t>(std::max<std::int64_t>(left, 0)));
      if (!report && report.err().code == errc::unavailable) {
        CUZK_CHECK(reconnect(node, report.err()));
        continue;
      }
      if (!report || is_final(report->state) || (until_ms != 0 && now_ms() >= until_ms))
        return report;
      ctx_.out.progress(report->percent, stage_of(*report) + eta_of(*report));
    }
  }

private:
  static constexpr std::int64_t poll_ms = 500;

  status reconnect(session& node, error lost) {
    ctx_.out.note("connection lost; trying again");
    const auto give_up = now_ms() + reconnect_ms_;
    while (now_ms() < give_up) {
      std::this_thread::sleep_for(std::chrono::milliseconds(500));
      auto again = ctx_.connect();
      if (again) {
        node = *std::move(again);
        return ok();
      }
      lost = again.err();
    }
    return lost;
  }

  context& ctx_;
  std::int64_t reconnect_ms_;
};

int finish(context& ctx, const job_report& report, const std::string& output) {
  ctx.out.end_progress();
  if (report.state == job_state::done && !output.empty()) {
    auto written = write_file(output, report.proof);
    if (!written)
      return ctx.out.fail(written.err());
  }
  ctx.out.show(to_json(report), to_text(report));
  if (report.state == job_state::done)
    return 0;
  return is_final(report.state) ? exit_status(report.failure.code) : exit_still_running;
}

result<submit_reply> send(context& ctx, session& node, const submit_job& request, const bytes& input) {
  return node.submit(request, input, [&](std::uint64_t sent) {
    if (sent != input.size())
      ctx.out.progress(static_cast<unsigned>(sent * 100 / input.size()), "uploading");
  });
}

int submit(context& ctx, const job_flags& f, bool wait) {
  auto request = to_request(f);
  if (!request)
    return ctx.out.fail(request.err());
  auto input = read_file(f.input);
  if (!input)
    return ctx.out.fail(input.err());
  auto node = ctx.connect();
  if (!node)
    return ctx.out.fail(node.err());
  auto reply = send(ctx, *node, *request, *input);
  ctx.out.end_progress();
  if (!reply)
    return ctx.out.fail(reply.err());
  const std::string text = "job " + std::to_string(number(reply->job)) + (reply->attached ? " (known request)" : "");
  if (!wait) {
    ctx.out.show({{"job", number(reply->job)},
                  {"request_id", request->request_id},
                  {"attached", reply->attached},
                  {"state", to_string(reply->state)}},
                 text);
    return 0;
  }
  ctx.out.note(text + ", request id " + request->request_id);
  auto report = waiter(ctx, f.reconnect_seconds).run(*node, reply->job, 0);
  return report ? finish(ctx, *report, f.output) : (ctx.out.end_progress(), ctx.out.fail(report.err()));
}

int await(context& ctx, job_id job, const job_flags& f) {
  auto node = ctx.connect();
  if (!node)
    return ctx.out.fail(node.err());
  const std::int64_t until = f.wait_seconds == 0 ? 0 : now_ms() + 1000ll * f.wait_seconds;
  auto report = waiter(ctx, f.reconnect_seconds).run(*node, job, until);
  return report ? finish(ctx, *report, f.output) : (ctx.out.end_progress(), ctx.out.fail(report.err()));
}

int cancel(context& ctx, job_id job, const std::string& by) {
  auto node = ctx.connect();
  if (!node)
    return ctx.out.fail(node.err());
  auto state = node->cancel(job, by);
  if (!state)
    return ctx.out.fail(state.err());
  ctx.out.show({{"job", number(job)}, {"state", to_string(*state)}},
               "job " + std::to_string(number(job)) + " " + to_string(*state));
  return 0;
}

} // namespace

void add_job_commands(CLI::App& app, context& ctx) {
  auto flags = std::make_shared<job_flags>();
  auto* prove = app.add_subcommand("prove", "Submit a job, wait for its proof and print it");
  declare(*prove, *flags);
  prove->add_option("-o,--output", flags->output, "File for the raw proof bytes (192 a partition)");
  prove->add_option("--reconnect", flags->reconnect_seconds, "Seconds to look for a node that went away")
    ->check(whole_number(4294967));
  prove->callback([&ctx, flags] { ctx.run = [&ctx, flags] { return submit(ctx, *flags, true); }; });

  auto sent = std::make_shared<job_flags>();
  auto* submit_cmd = app.add_subcommand("submit", "Submit a job and print its number");
  declare(*submit_cmd, *sent);
  submit_cmd->callback([&ctx, sent] { ctx.run = [&ctx, sent] { return submit(ctx, *sent, false); }; });

  auto waited = std::make_shared<job_flags>();
  auto job = std::make_shared<std::uint64_t>(0);
  auto* await_cmd = app.add_subcommand("await", "Wait for a job; exit status 124 when the time is over before it ends");
  await_cmd->add_option("JOB", *job, "Number of the job")->check(whole_number())->required();
  await_cmd->add_option("-o,--output", waited->output, "File for the raw proof bytes");
  await_cmd->add_option("--timeout", waited->wait_seconds, "Seconds to wait; 0: as long as it takes")
    ->check(whole_number(4294967));
  await_cmd->add_option("--reconnect", waited->reconnect_seconds, "Seconds to look for a node that went away")
    ->check(whole_number(4294967));
  await_cmd->callback(
    [&ctx, waited, job] { ctx.run = [&ctx, waited, job] { return await(ctx, job_id{*job}, *waited); }; });

  auto doomed = std::make_shared<std::uint64_t>(0);
  auto by = std::make_shared<std::string>("cuzk cancel");
  auto* cancel_cmd = app.add_subcommand("cancel", "Cancel a job");
  cancel_cmd->add_option("JOB", *doomed, "Number of the job")->check(whole_number())->required();
  cancel_cmd->add_option("--by", *by, "Who cancels, for the record");
  cancel_cmd->callback(
    [&ctx, doomed, by] { ctx.run = [&ctx, doomed, by] { return cancel(ctx, job_id{*doomed}, *by); }; });
}

} // namespace cuzk::client
