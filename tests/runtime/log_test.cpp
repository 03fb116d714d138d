#include "runtime/log.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temp_dir.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>

using namespace cuzk;
using cuzk::test::temp_dir;

namespace {

std::string written(const log_settings& settings, const std::function<void(logger&)>& use) {
  temp_dir dir;
  auto with_file = settings;
  with_file.file = dir / "log";
  auto log = logger::open(with_file);
  if (!log)
    FAIL(log.err().message());
  use(*log);
  log->flush();
  std::ifstream in(with_file.file);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

} // namespace

TEST_CASE("a line of text has time, level, event and pairs") {
  const auto text = written({}, [](logger& log) { log.write(log_level::warn, "job-failed", "job=17 why=\"no key\""); });
  CHECK(text.size() > 40);
  CHECK(text.substr(10, 1) == "T");
  CHECK(text.ends_with(" warn job-failed job=17 why=\"no key\"\n"));
}

TEST_CASE("a line of JSON is one document with the pairs as members") {
  const auto text = written({log_level::info, true, {}}, [](logger& log) {
    log.write(log_level::info, "GPU_TIMING",
              "job=17 ntt_ms=1.25 id=007 digest=12e4 ok=true why=\"a \\\"b\\\" c\" stray");
  });
  const auto line = nlohmann::json::parse(text);
  CHECK(line.at("level") == "info");
  CHECK(line.at("event") == "GPU_TIMING");
  CHECK(line.at("job") == 17);
  CHECK(line.at("ntt_ms") == 1.25);
  CHECK(line.at("id") == "007");
  CHECK(line.at("digest") == "12e4");
  CHECK(line.at("ok") == true);
  CHECK(line.at("why") == "a \"b\" c");
  CHECK(line.at("text") == "stray");
}

TEST_CASE("JSON stays valid whatever a value holds") {
  const std::string nasty = "a\"b\\c\nd\te\x01= f";
  const auto line = nlohmann::json::parse("{" + json_members("e\"v", pair_text("k\\", nasty)) + "}");
  CHECK(line.at("event") == "e\"v");
  CHECK(line.at("k\\") == "a\"b\\c d e = f");
  for (const auto* text : {"", "=", "a=", "a=\"", "a=\"x\\", "=b c", "a==b", "a=1 \"quoted\"", "   "})
    CHECK(nlohmann::json::accept("{" + json_members("x", text) + "}"));
}

TEST_CASE("pairs come apart as they were put together") {
  const std::pair<std::string, std::string> pairs[] = {{"job", "17"},           {"why", "two words"}, {"empty", ""},
                                                       {"quote", "say \"hi\""}, {"path", "C:\\x"},    {"eq", "a=b"}};
  std::string text;
  for (const auto& [key, value] : pairs)
    text += pair_text(key, value) + " ";
  const auto again = split_pairs(text);
  REQUIRE(again.size() == std::size(pairs));
  for (std::size_t i = 0; i < again.size(); ++i)
    CHECK(again[i] == pairs[i]);
}

TEST_CASE("lines below the level are not written, and the level can change") {
  const auto text = written({log_level::warn, false, {}}, [](logger& log) {
    log.write(log_level::info, "first", "");
    log.write(log_level::error, "second", "");
    log.set_level(log_level::debug);
    log.write(log_level::debug, "third", "");
  });
  CHECK(text.find("first") == std::string::npos);
  CHECK(text.find("error second\n") != std::string::npos);
  CHECK(text.find("debug third\n") != std::string::npos);
  CHECK(parse_log_level("warn") == log_level::warn);
}

TEST_CASE("a log file that cannot be written is an error") {
  temp_dir dir;
  std::ofstream(dir / "file") << "x";
  CHECK(logger::open({log_level::info, false, dir / "file/log"}).err().code == errc::resources);
}

TEST_CASE("a log whose file was moved away is opened anew by its name") {
  temp_dir dir;
  const auto lines_of = [](const std::string& path) {
    std::ifstream in(path);
    return std::count(std::istreambuf_iterator<char>(in), {}, '\n');
  };
  const auto log = logger::open({log_level::info, false, dir / "log"});
  REQUIRE(log);
  log->write(log_level::info, "one", "");
  std::filesystem::rename(dir / "log", dir / "log.1");
  log->write(log_level::info, "two", "");
  REQUIRE(log->reopen());
  log->write(log_level::info, "three", "");
  log->flush();
  CHECK(lines_of(dir / "log.1") == 2);
  CHECK(lines_of(dir / "log") == 1);
}
