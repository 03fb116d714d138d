// jobs, status, watch, preload, evict, pause, resume, drain, release, trace, metrics: the node as a whole.
#include "messages/names.hpp"
#include "runtime/units.hpp"
#include "tools/cuzk/arguments.hpp"
#include "tools/cuzk/commands.hpp"

#include <memory>

namespace cuzk::client {

namespace {

// Connects and runs `body`; prints whatever error comes out.
template <class F>
int with_node(context& ctx, F&& body) {
  auto node = ctx.connect();
  if (!node)
    return ctx.out.fail(node.err());
  status done = body(*node);
  return done ? 0 : ctx.out.fail(done.err());
}

void command(CLI::App& app, context& ctx, const char* name, const char* what,
             const std::function<status(session&)>& body) {
  app.add_subcommand(name, what)->callback([&ctx, body] { ctx.run = [&ctx, body] { return with_node(ctx, body); }; });
}

void said(context& ctx, const char* what) {
  ctx.out.show({{"done", what}}, what);
}

void add_jobs(CLI::App& app, context& ctx) {
  auto what = std::make_shared<list_jobs>();
  auto before = std::make_shared<std::uint64_t>(0);
  auto* cmd = app.add_subcommand("jobs", "List jobs, newest first");
  cmd->add_option("--limit", what->limit, "How many at most")->check(whole_number(4294967))->default_val(100);
  cmd->add_option("--before", *before, "Only jobs with a smaller number")->check(whole_number());
  cmd->add_flag("--unfinished", what->unfinished_only, "Only jobs that are not final");
  cmd->callback([&ctx, what, before] {
    ctx.run = [&ctx, what, before] {
      return with_node(ctx, [&](session& node) -> status {
        what->before = job_id{*before};
        CUZK_TRY(list, node.list(*what));
        json out = {{"jobs", json::array()}, {"more", list.more}};
        for (const auto& job : list.jobs)
          out["jobs"].push_back(to_json(job));
        ctx.out.show(out, to_text(list));
        return ok();
      });
    };
  });
}

void add_status(CLI::App& app, context& ctx) {
  auto job = std::make_shared<std::uint64_t>(0);
  auto* cmd = app.add_subcommand("status", "The node, or one job");
  cmd->add_option("JOB", *job, "Number of a job")->check(whole_number());
  cmd->callback([&ctx, job, cmd] {
    ctx.run = [&ctx, job, cmd] {
      return with_node(ctx, [&](session& node) -> status {
        if (cmd->count("JOB") != 0) {
          CUZK_TRY(report, node.get(job_id{*job}, ""));
          ctx.out.show(to_json(report), to_text(report));
          return ok();
        }
        CUZK_TRY(whole, node.node());
        auto document = to_json(whole);
        document["version"] = node.node_version();
        ctx.out.show(document, to_text(whole) + "\nversion " + node.node_version());
        return ok();
      });
    };
  });
}

void add_watch(CLI::App& app, context& ctx) {
  auto job = std::make_shared<std::uint64_t>(0);
  auto count = std::make_shared<std::uint64_t>(0);
  auto* cmd = app.add_subcommand(
    "watch", "Print events as they come, one document a line with --json; of one job until it ends, or of all");
  cmd->add_option("JOB", *job, "Number of a job; without it: every job")->check(whole_number());
  cmd->add_option("--count", *count, "End after so many events")->check(whole_number());
  cmd->callback([&ctx, job, count] {
    ctx.run = [&ctx, job, count] {
      return with_node(ctx, [&](session& node) -> status {
        if (*job != 0) { // one that is over brings no events
          CUZK_TRY(report, node.get(job_id{*job}, ""));
          if (is_final(report.state)) {
            ctx.out.show(to_json(report), to_text(report));
            return ok();
          }
        }
        std::uint64_t seen = 0;
        return node.watch(job_id{*job}, [&](const job_event& event) {
          ctx.out.show(to_json(event), to_text(event));
          return !(*job != 0 && is_final(event.state)) && ++seen != *count;
        });
      });
    };
  });
}

void add_keys(CLI::App& app, context& ctx) {
  using call = result<loaded_params> (session::*)(const std::string&);
  const auto add = [&](const char* name, const char* what, call method) {
    auto circuit = std::make_shared<std::string>();
    auto* cmd = app.add_subcommand(name, what);
    cmd->add_option("CIRCUIT", *circuit, "Such as porep-32g")->required();
    cmd->callback([&ctx, circuit, method] {
      ctx.run = [&ctx, circuit, method] {
        return with_node(ctx, [&](session& node) -> status {
          CUZK_TRY(facts, (node.*method)(*circuit));
          ctx.out.show({{"circuit", *circuit}, {"bytes", facts.bytes}, {"took_ms", facts.took_ms}},
                       *circuit + ": " + human_bytes(facts.bytes) + ", " + std::to_string(facts.took_ms) + " ms");
          return ok();
        });
      };
    });
  };
  add("preload", "Load a proving key and keep it", &session::preload);
  add("evict", "Let a loaded proving key go", &session::evict);
}

void add_orders(CLI::App& app, context& ctx) {
  command(app, ctx, "pause", "Accept jobs but start nothing", [&ctx](session& node) -> status {
    CUZK_CHECK(node.pause());
    said(ctx, "paused");
    return ok();
  });
  command(app, ctx, "resume", "Start work again after pause", [&ctx](session& node) -> status {
    CUZK_CHECK(node.resume());
    said(ctx, "resumed");
    return ok();
  });
  auto limit = std::make_shared<std::string>("0s");
  auto* drain = app.add_subcommand("drain", "Refuse new jobs and finish what is accepted");
  drain->add_option("--limit", *limit, "How long at most, such as 5m; 0s: as long as it takes")->default_str("0s");
  drain->callback([&ctx, limit] {
    ctx.run = [&ctx, limit] {
      return with_node(ctx, [&](session& node) -> status {
        CUZK_TRY(span, parse_duration(*limit));
        CUZK_CHECK(node.drain(static_cast<std::uint32_t>(span.count())));
        said(ctx, "drained");
        return ok();
      });
    };
  });
  auto lane = std::make_shared<std::uint32_t>(0);
  auto* release = app.add_subcommand("release", "Take a lane out of quarantine");
  release->add_option("LANE", *lane, "Number of the lane, from `cuzk status`")
    ->check(whole_number(4294967295))
    ->required();
  release->callback([&ctx, lane] {
    ctx.run = [&ctx, lane] {
      return with_node(ctx, [&](session& node) -> status {
        CUZK_CHECK(node.release_lane(lane_id{*lane}));
        said(ctx, "released");
        return ok();
      });
    };
  });
}

void add_pages(CLI::App& app, context& ctx) {
  auto seconds = std::make_shared<std::uint32_t>(60);
  auto output = std::make_shared<std::string>();
  auto* trace = app.add_subcommand("trace", "Timelines as Chrome trace JSON, for Perfetto or chrome://tracing");
  trace->add_option("--last", *seconds, "How many seconds back")->check(whole_number(4294967))->default_val(60);
  trace->add_option("-o,--output", *output, "File; default: standard output");
  trace->callback([&ctx, seconds, output] {
    ctx.run = [&ctx, seconds, output] {
      return with_node(ctx, [&](session& node) -> status {
        CUZK_TRY(page, node.trace(*seconds));
        if (!output->empty()) {
          CUZK_CHECK(write_file(*output, byte_view(reinterpret_cast<const std::uint8_t*>(page.data()), page.size())));
          ctx.out.show({{"file", *output}, {"bytes", page.size()}}, "written " + *output);
          return ok();
        }
        std::fwrite(page.data(), 1, page.size(), stdout);
        return ok();
      });
    };
  });
  command(app, ctx, "metrics", "Counters in Prometheus text form, with --json too", [](session& node) -> status {
    CUZK_TRY(page, node.metrics());
    std::fwrite(page.data(), 1, page.size(), stdout);
    return ok();
  });
}

} // namespace

void add_node_commands(CLI::App& app, context& ctx) {
  add_jobs(app, ctx);
  add_status(app, ctx);
  add_watch(app, ctx);
  add_keys(app, ctx);
  add_orders(app, ctx);
  add_pages(app, ctx);
}

} // namespace cuzk::client
