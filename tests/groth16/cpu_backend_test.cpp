// The CPU as an engine: asynchronous, in order, one answer each.
#include "groth16/cpu_backend.hpp"
#include "groth16/verify.hpp"
#include "tests/groth16/made_key.hpp"
#include "tests/support/catch.hpp"

#include <condition_variable>
#include <filesystem>
#include <mutex>

using namespace cuzk;
using namespace cuzk::groth16;
using namespace cuzk::test;

namespace {

/// What listeners were told, in order; the test waits for a number of answers.
class diary {
public:
  void note(const std::string& what, bool answer) {
    std::lock_guard lock(mutex_);
    lines_.push_back(what);
    answers_ += answer ? 1 : 0;
    told_.notify_all();
  }
  std::vector<std::string> wait_for(int answers) {
    std::unique_lock lock(mutex_);
    told_.wait(lock, [&] { return answers_ >= answers; });
    return lines_;
  }

private:
  std::mutex mutex_;
  std::condition_variable told_;
  std::vector<std::string> lines_;
  int answers_ = 0;
};

class listener final : public prove_listener {
public:
  listener(std::string name, diary& to, std::function<void(stage)> on_stage = {})
    : name_(std::move(name)), to_(to), on_stage_(std::move(on_stage)) {}
  void stage_done(stage which, double seconds) override {
    to_.note(name_ + " " + std::string(to_string(which)) + (seconds < 0 ? " in the past" : ""), false);
    if (on_stage_)
      on_stage_(which);
  }
  void proved(const raw_proof& proof, const prove_timings&) override {
    to_.note(name_ + " " + to_hex(encode_proof(proof)), true);
  }
  void failed(error why) override { to_.note(name_ + " " + to_string(why.code), true); }

private:
  std::string name_;
  diary& to_;
  std::function<void(stage)> on_stage_;
};

} // namespace

TEST_CASE("requests are proved in order, each with its stages and one answer") {
  made_key key("cube");
  const auto backend = std::make_shared<cpu_backend>(key.pool);
  const auto opened = key.open();
  diary told;
  std::vector<std::string> expected;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto name = std::to_string(i);
    backend->prove(key.request(i, 0, opened), std::make_shared<listener>(name, told));
    for (const char* s : {"eval", "ntt", "msm_h", "bits", "tail"})
      expected.push_back(name + " " + s);
    expected.push_back(name + " " + key.vectors["cases"][i]["proofs"][0]["proof"].get<std::string>());
  }
  CHECK(told.wait_for(3) == expected);
  CHECK(backend->name() == "cpu");
}

TEST_CASE("a cancelled request ends as cancelled and the next one is proved") {
  made_key key("window-2k");
  const auto backend = std::make_shared<cpu_backend>(key.pool);
  const auto opened = key.open();
  diary told;
  auto first = key.request(0, 0, opened);
  auto token = first.cancel;
  backend->prove(first, std::make_shared<listener>("first", told, [&token](stage s) {
                   if (s == stage::ntt)
                     token.cancel(); // while the request runs
                 }));
  auto second = key.request(0, 0, opened);
  second.cancel.cancel(); // while it waits
  backend->prove(second, std::make_shared<listener>("second", told));
  backend->prove(key.request(0, 0, opened), std::make_shared<listener>("third", told));
  const auto lines = told.wait_for(3);
  CHECK(std::count(lines.begin(), lines.end(), "first cancelled") == 1);
  CHECK(std::count(lines.begin(), lines.end(), "first msm_h") == 0);
  CHECK(std::count(lines.begin(), lines.end(), "second cancelled") == 1);
  CHECK(lines.back() == "third " + key.vectors["cases"][0]["proofs"][0]["proof"].get<std::string>());
}

TEST_CASE("a request that cannot be proved fails with its reason") {
  made_key key("cube");
  const auto backend = std::make_shared<cpu_backend>(key.pool);
  diary told;
  auto request = key.request(0, 0, key.open({"", false}));
  request.derived = derived_use::required;
  backend->prove(request, std::make_shared<listener>("x", told));
  CHECK(told.wait_for(1) == std::vector<std::string>{"x params"});
}

TEST_CASE("preparing answers once, and need counts the arrays of the domain") {
  made_key key("cube");
  const auto backend = std::make_shared<cpu_backend>(key.pool);
  diary told;
  backend->prepare(key.open(), key.circuit.shape, [&told](status outcome) { told.note(outcome ? "ok" : "no", true); });
  CHECK(told.wait_for(1) == std::vector<std::string>{"ok"});
  CHECK(backend->need(*key.circuit.shape, derived_use::automatic).host_bytes >= 3 * 8 * sizeof(fr));
  backend->release(*key.open());
}

TEST_CASE("a key file that shrank after it was loaded fails the proof, not the process") {
  const made_key key("cube");
  const auto loaded = key.open();
  REQUIRE(loaded->unchanged());
  std::filesystem::resize_file(key.path, 1000);
  const auto why = loaded->unchanged();
  REQUIRE_FALSE(why);
  CHECK(why.err().code == errc::params);
  CHECK(why.err().where == key.path);
}
