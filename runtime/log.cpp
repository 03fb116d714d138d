// The only file that knows spdlog.
#include "runtime/log.hpp"

#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/dist_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

namespace cuzk {
namespace {

// ISO 8601 with the zone, so that lines of several hosts can be merged.
constexpr const char* text_pattern = "%Y-%m-%dT%H:%M:%S.%e%z %v";
constexpr const char* json_pattern = R"({"time":"%Y-%m-%dT%H:%M:%S.%e%z",%v})";

spdlog::level::level_enum spdlog_level(log_level level) {
  switch (level) {
  case log_level::debug: return spdlog::level::debug;
  case log_level::info: return spdlog::level::info;
  case log_level::warn: return spdlog::level::warn;
  case log_level::error: return spdlog::level::err;
  }
  return spdlog::level::info;
}

const char* name_of(log_level level) {
  switch (level) {
  case log_level::debug: return "debug";
  case log_level::info: return "info";
  case log_level::warn: return "warn";
  case log_level::error: return "error";
  }
  return "info";
}

result<spdlog::sink_ptr> open_target(const log_settings& settings) {
  try {
    spdlog::sink_ptr out;
    if (settings.file.empty())
      out = std::make_shared<spdlog::sinks::stderr_sink_mt>();
    else
      out = std::make_shared<spdlog::sinks::basic_file_sink_mt>(settings.file);
    out->set_pattern(settings.json ? json_pattern : text_pattern);
    return out;
  } catch (const spdlog::spdlog_ex& e) {
    return error{errc::resources, e.what(), settings.file};
  }
}

} // namespace

struct logger::output {
  log_settings settings;
  std::shared_ptr<spdlog::sinks::dist_sink_mt> sink; ///< changes its only child while others write
  spdlog::logger lines;
};

log_level parse_log_level(std::string_view name) noexcept {
  if (name == "debug")
    return log_level::debug;
  if (name == "warn")
    return log_level::warn;
  return name == "error" ? log_level::error : log_level::info;
}

result<logger> logger::open(const log_settings& settings) {
  CUZK_TRY(target, open_target(settings));
  logger log;
  const auto sink = std::make_shared<spdlog::sinks::dist_sink_mt>();
  log.output_ = std::make_shared<output>(output{settings, sink, spdlog::logger("cuzk", sink)});
  auto& lines = log.output_->lines;
  sink->set_sinks({target});
  lines.set_level(spdlog_level(settings.level));
  lines.flush_on(spdlog::level::info);
  return log;
}

void logger::write(log_level level, std::string_view event, std::string_view pairs) const {
  auto& lines = output_->lines;
  if (!lines.should_log(spdlog_level(level)))
    return;
  if (output_->settings.json)
    lines.log(spdlog_level(level), std::string("\"level\":\"") + name_of(level) + "\"," + json_members(event, pairs));
  else
    lines.log(spdlog_level(level),
              std::string(name_of(level)) + " " + std::string(event) + (pairs.empty() ? "" : " ") + std::string(pairs));
}

status logger::reopen() const {
  if (output_->settings.file.empty())
    return ok();
  CUZK_TRY(target, open_target(output_->settings));
  output_->sink->set_sinks({target});
  return ok();
}

void logger::set_level(log_level level) const {
  output_->lines.set_level(spdlog_level(level));
}

void logger::flush() const {
  output_->lines.flush();
}

} // namespace cuzk
