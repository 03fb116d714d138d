// The only file that knows spdlog.
#include "runtime/log.hpp"

#include <spdlog/sinks/basic_file_sink.h>
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

} // namespace

struct logger::output {
  spdlog::logger lines;
  bool json;
};

log_level parse_log_level(std::string_view name) noexcept {
  if (name == "debug")
    return log_level::debug;
  if (name == "warn")
    return log_level::warn;
  return name == "error" ? log_level::error : log_level::info;
}

result<logger> logger::open(const log_settings& settings) {
  spdlog::sink_ptr sink;
  try {
    if (settings.file.empty())
      sink = std::make_shared<spdlog::sinks::stderr_sink_mt>();
    else
      sink = std::make_shared<spdlog::sinks::basic_file_sink_mt>(settings.file);
  } catch (const spdlog::spdlog_ex& e) {
    return error{errc::resources, e.what(), settings.file};
  }
  logger log;
  log.output_ = std::make_shared<output>(output{spdlog::logger("cuzk", sink), settings.json});
  auto& lines = log.output_->lines;
  lines.set_pattern(settings.json ? json_pattern : text_pattern);
  lines.set_level(spdlog_level(settings.level));
  lines.flush_on(spdlog::level::info);
  return log;
}

void logger::write(log_level level, std::string_view event, std::string_view pairs) const {
  auto& lines = output_->lines;
  if (!lines.should_log(spdlog_level(level)))
    return;
  if (output_->json)
    lines.log(spdlog_level(level), std::string("\"level\":\"") + name_of(level) + "\"," + json_members(event, pairs));
  else
    lines.log(spdlog_level(level),
              std::string(name_of(level)) + " " + std::string(event) + (pairs.empty() ? "" : " ") + std::string(pairs));
}

void logger::set_level(log_level level) const {
  output_->lines.set_level(spdlog_level(level));
}

void logger::flush() const {
  output_->lines.flush();
}

} // namespace cuzk
