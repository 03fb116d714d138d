// The services of a real node on the smallest circuits, with a test key made here.
#include "actors/production_inputs.hpp"
#include "actors/production_keys.hpp"
#include "actors/services_production.hpp"
#include "filecoin/parameters.hpp"
#include "groth16/setup.hpp"
#include "math/field_bytes.hpp"
#include "math/hash/sha256.hpp"
#include "runtime/disk.hpp"
#include "tests/filecoin/vanilla_cases.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temp_dir.hpp"

#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <mutex>

using namespace cuzk;
using cuzk::test::temp_dir;
using cuzk::test::vanilla_case;

namespace {

template <class T>
T must(result<T> r) {
  if (!r)
    FAIL(r.err().message());
  return *std::move(r);
}

/// Waits for the one answer of a backend.
class answer final : public groth16::prove_listener {
public:
  void stage_done(groth16::stage, double) override {}
  void proved(const groth16::raw_proof& proof, const groth16::prove_timings& t) override {
    derived = t.derived;
    set(proof);
  }
  void failed(error why) override { set(std::move(why)); }
  result<groth16::raw_proof> get() {
    std::unique_lock lock(mutex_);
    there_.wait(lock, [this] { return value_.has_value(); });
    return *value_;
  }
  bool derived = false;

private:
  void set(result<groth16::raw_proof> value) {
    std::lock_guard lock(mutex_);
    value_ = std::move(value);
    there_.notify_all();
  }
  std::mutex mutex_;
  std::condition_variable there_;
  std::optional<result<groth16::raw_proof>> value_;
};

constexpr filecoin::circuit_name winning_2k{filecoin::proof_kind::winning, filecoin::sector_size::k2};

bytes text_bytes(const std::string& text) {
  return {text.begin(), text.end()};
}

/// A key folder with a test key of winning-2k, made once for all cases because it takes seconds.
struct world {
  temp_dir dir;
  thread_pool pool{2};
  production_config config;
  std::string key_path;

  world() {
    config.params_dir = dir.path();
    config.cache_dir = dir / "cache";
    config.state_dir = dir.path();
    config.allow_test_keys = true;
    config.test_seed = 7;
    const auto circuit = must(circuits::find_circuit(winning_2k));
    const auto of = must(groth16::read_circuit(*circuit));
    const auto stem = dir / filecoin::test_parameter_stem(winning_2k, "7");
    key_path = stem + ".params";
    must(
      groth16::generate_key(*of, groth16::toxic_of_seed(7), {key_path, stem + ".vk", key_path + ".derived"}, {pool}));
  }
  static world& get() {
    static world w;
    return w;
  }
  prover_services services() { return must(production_services(config, pool)); }
  /// The services of the same folder under other rules.
  prover_services with(const std::function<void(production_config&)>& change) {
    auto other = config;
    change(other);
    return must(production_services(other, pool));
  }
};

bytes winning_job() {
  const vanilla_case c("winning-2k");
  return text_bytes(c.document(c.proofs()).dump());
}

} // namespace

TEST_CASE("a winning job goes through all services to a verified proof") {
  auto& w = world::get();
  const auto services = w.services();
  const auto input = winning_job();
  const auto seen = services.inspect({}, input);
  INFO(seen.result.why.message());
  REQUIRE(seen.result.ok);
  CHECK(seen.kind == "winning");
  CHECK(seen.circuit == "winning-2k");
  CHECK(seen.need.witness.host > 1000);
  CHECK(seen.need.prove.host > 1000);

  const auto prepared = must(services.prepare({}, input));
  CHECK(prepared.partitions == 1);
  CHECK(prepared.identity == "in input");

  const std::atomic<bool> go{false};
  const auto made = must(services.synthesize(*prepared.input, 0, go));
  const auto opened = must(services.open_key("winning-2k"));
  CHECK(opened.test_key);
  CHECK(opened.path == w.key_path);

  prove_partition order;
  order.circuit = "winning-2k";
  auto request = must(services.to_request(order, {made.witness, made.statement, opened.key}));
  const auto listener = std::make_shared<answer>();
  services.lanes.at(0).backend->prove(std::move(request), listener);
  auto proof = must(services.encode(must(listener->get())));
  CHECK(listener->derived);
  const statement_handle statement{made.statement, opened.key};
  CHECK(services.verify(proof, statement));

  const std::atomic<bool> stop{true};
  CHECK(services.synthesize(*prepared.input, 0, stop).err().code == errc::cancelled);
  CHECK(services.synthesize(*prepared.input, 1, go).err().code == errc::internal);

  proof[60] ^= 1;
  const auto bad = services.verify(proof, statement);
  REQUIRE_FALSE(bad);
  CHECK(bad.err().code == errc::self_check_failed);
}

TEST_CASE("given r and s are used, and must be scalars") {
  auto& w = world::get();
  const auto services = w.services();
  prove_partition order;
  order.fixed_rs = true;
  order.r[0] = 5;
  order.s[1] = 1;
  auto witness = std::make_shared<real_witness>();
  auto key = std::make_shared<real_key>();
  const auto request = must(services.to_request(order, {witness, nullptr, key}));
  CHECK(request.r == *from_le_bytes<fr>(order.r));
  CHECK(request.s == *from_le_bytes<fr>(order.s));
  order.r.fill(0xff);
  CHECK(services.to_request(order, {witness, nullptr, key}).err().code == errc::bad_input);
  order.fixed_rs = false;
  CHECK_FALSE(must(services.to_request(order, {witness, nullptr, key})).r ==
              must(services.to_request(order, {witness, nullptr, key})).r);
  CHECK(services.to_request(order, {}).err().code == errc::internal);
}

TEST_CASE("what contradicts the input is refused before the job is accepted") {
  const auto services = world::get().services();
  const auto input = winning_job();
  struct refusal {
    std::function<void(job_spec&)> change;
    const char* where;
  };
  const bytes32 too_large = [] {
    bytes32 b;
    b.fill(0xff);
    return b;
  }();
  const refusal cases[] = {
    {[](job_spec& s) { s.circuit = "porep-2k"; }, "circuit"},
    {[](job_spec& s) { s.circuit = "porep-3k"; }, ""},
    {[](job_spec& s) { s.only_partition = 1; }, "partition"},
    {[](job_spec& s) { s.r.resize(2); }, "r"},
    {[](job_spec& s) { s.s.resize(3); }, "s"},
    {[&](job_spec& s) { s.r = {too_large}; }, "r[0]"},
    {[](job_spec& s) { s.kind = "nonsense"; }, ""},
    {[](job_spec& s) { s.flags = "{\"randomness\": \"12\"}"; }, "fields/randomness"},
    {[](job_spec& s) { s.flags = "not json"; }, "fields"},
  };
  for (const auto& c : cases) {
    job_spec spec;
    c.change(spec);
    const auto seen = services.inspect(spec, input);
    INFO(seen.result.why.message());
    CHECK_FALSE(seen.result.ok);
    CHECK(seen.result.why.code == errc::bad_input);
    CHECK(seen.result.why.where.starts_with(c.where));
  }
  job_spec right;
  right.circuit = "winning-2KiB";
  right.only_partition = 0;
  right.r.resize(1);
  right.s.resize(1);
  CHECK(services.inspect(right, input).result.ok);
  CHECK(services.inspect({}, text_bytes("{")).result.why.code == errc::bad_input);
}

TEST_CASE("a bare array of proofs takes its fields from flags") {
  const auto services = world::get().services();
  const vanilla_case c("winning-2k");
  auto fields = c.document(c.proofs());
  const auto array = text_bytes(fields["proofs"].dump());
  fields.erase("proofs");
  job_spec spec;
  spec.flags = fields.dump();
  const auto prepared = must(services.prepare(spec, array));
  CHECK(prepared.partitions == 1);
  CHECK(prepared.identity == "checked");
  fields["randomness"] = std::string(64, '1');
  spec.flags = fields.dump();
  CHECK(services.prepare(spec, array).err().code == errc::bad_input);
  CHECK(services.inspect({}, array).result.why.code == errc::bad_input);
}

TEST_CASE("without a key of its circuit a job is refused as params, naming the file") {
  const auto services = world::get().services();
  const vanilla_case c("porep-2k-v1_1");
  const auto seen = services.inspect({}, c.file("c1.json"));
  REQUIRE_FALSE(seen.result.ok);
  CHECK(seen.result.why.code == errc::params);
  CHECK(seen.result.why.where.ends_with(
    filecoin::params_file_name({filecoin::proof_kind::porep, filecoin::sector_size::k2})));
}

TEST_CASE("a test key is used only where test keys are allowed, whatever its name") {
  auto& w = world::get();
  const auto forbidden = w.with([](production_config& c) { c.allow_test_keys = false; });
  CHECK(forbidden.open_key("winning-2k").err().code == errc::params);
  CHECK(forbidden.key_size_of("winning-2k").err().code == errc::params);
  temp_dir renamed;
  std::filesystem::create_symlink(w.key_path, renamed / filecoin::params_file_name(winning_2k));
  const auto disguised = w.with([&](production_config& c) {
    c.allow_test_keys = false;
    c.params_dir = renamed.path();
  });
  const auto opened = disguised.open_key("winning-2k");
  REQUIRE_FALSE(opened);
  CHECK(opened.err().code == errc::params);
  CHECK(opened.err().text.find("not a published key") != std::string::npos);
  CHECK(w.with([](production_config& c) { c.test_seed = 8; }).open_key("winning-2k").err().code == errc::params);
}

TEST_CASE("the derived key is used, left, or required as configured") {
  auto& w = world::get();
  const auto derived_of = [](const opened_key& k) {
    return dynamic_cast<const real_key&>(*k.key).key->derived() != nullptr;
  };
  CHECK(derived_of(must(w.services().open_key("winning-2k"))));
  const auto off = w.with([](production_config& c) { c.derived = groth16::derived_use::off; });
  CHECK_FALSE(derived_of(must(off.open_key("winning-2k"))));
  temp_dir alone;
  std::filesystem::create_symlink(w.key_path, alone / std::filesystem::path(w.key_path).filename().string());
  const auto required = w.with([&](production_config& c) {
    c.params_dir = alone.path();
    c.derived = groth16::derived_use::required;
  });
  CHECK(required.open_key("winning-2k").err().code == errc::params);
}

TEST_CASE("keys are found by name, and what is asked for and missing is said") {
  auto& w = world::get();
  const auto all = must(find_keys(w.config, {}));
  REQUIRE(all.size() == 1);
  CHECK(all[0].circuit == "winning-2k");
  CHECK(all[0].test_key);
  CHECK(all[0].bytes == std::filesystem::file_size(w.key_path));
  const auto asked = must(find_keys(w.config, {"winning-2k", "porep-32g"}));
  REQUIRE(asked.size() == 2);
  CHECK(asked[0].present);
  CHECK_FALSE(asked[1].present);
  CHECK(find_keys(w.config, {"porep-3g"}).err().code == errc::bad_input);
}

TEST_CASE("the needs of the largest circuits come from arithmetic and stay within the design's bounds") {
  const auto services = world::get().services();
  const auto porep = must(services.need_of("porep-32g"));
  CHECK(porep.witness.host <= 300ull << 20);
  CHECK(porep.key.host <= 6ull << 30);
  CHECK(must(services.need_of("window-32g")).witness.host <= 4ull << 30);
  CHECK(services.need_of("porep-1t").err().code == errc::bad_input);
}

TEST_CASE("an accepted input is read back by its digest") {
  auto& w = world::get();
  const auto services = w.services();
  std::filesystem::create_directories(w.dir / "inputs");
  const auto data = text_bytes("an input");
  REQUIRE(write_durably(w.dir / ("inputs/" + to_hex(sha256_of(data))), ".part", data));
  CHECK(*must(services.read_input(sha256_of(data))) == data);
  CHECK(services.read_input({}).err().code == errc::not_found);
}

TEST_CASE("a device that is not here is refused with what is here; one device is one lane") {
  auto& w = world::get();
  CHECK(w.with([](production_config& c) { c.devices = {"cpu", "cpu"}; }).lanes.size() == 1);
  for (const auto* name : {"cuda:77", "GPU-00000000", "gpu", ""}) {
    auto config = w.config;
    config.devices = {"cpu", name};
    const auto refused = production_services(config, w.pool);
    REQUIRE_FALSE(refused);
    CHECK(refused.err().code == errc::bad_input);
    CHECK(refused.err().where == "device");
  }
}
