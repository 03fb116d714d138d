#pragma once
// Services without circuits, keys or devices: scripted, and recording what they were asked.
#include "actors/services.hpp"
#include "circuits/core/compact_witness.hpp"
#include "tests/actors/memory_store.hpp"

#include <cstring>
#include <deque>
#include <stdexcept>

namespace cuzk::test {

/// What a proof of the fakes says: which job's input, which partition of it.
struct fake_marks {
  std::uint64_t input = 0;
  std::uint64_t partition = 0;
};

/// A backend that proves when the test says so.
class scripted_backend final : public groth16::backend {
public:
  struct run {
    fake_marks marks;
    groth16::cancel_token cancel;
    std::shared_ptr<groth16::prove_listener> listener;
  };
  std::deque<run> runs;
  std::vector<fake_marks> order; ///< of all runs
  unsigned likes = 1;
  int throws = 0; ///< so many calls of prove throw
  std::vector<groth16::cancel_token> tokens;

  std::string name() const override { return "scripted"; }
  unsigned credits() const override { return likes; }
  groth16::memory_need need(const groth16::circuit&, groth16::derived_use) const override { return {}; }
  void prepare(std::shared_ptr<const groth16::proving_key>, std::shared_ptr<const groth16::circuit>,
               std::function<void(status)> done) override {
    done(ok());
  }
  void release(const groth16::proving_key&) override {}
  void prove(groth16::prove_request request, std::shared_ptr<groth16::prove_listener> listener) override {
    if (throws > 0) {
      --throws;
      throw std::runtime_error("the device is on fire");
    }
    fake_marks marks;
    std::memcpy(static_cast<void*>(&marks), &request.r, sizeof marks);
    order.push_back(marks);
    tokens.push_back(request.cancel);
    runs.push_back({marks, request.cancel, std::move(listener)});
  }

  /// Ends the first run: well, or as cancelled when it was.
  void finish() {
    const auto r = runs.front();
    runs.pop_front();
    if (r.cancel.cancelled())
      return r.listener->failed({errc::cancelled, "stopped"});
    groth16::prove_timings t;
    for (const auto s : groth16::all_stages) {
      r.listener->stage_done(s, 0.25);
      t[s] = 0.25;
    }
    t.total = 1.75;
    groth16::raw_proof proof{};
    std::memcpy(static_cast<void*>(&proof), &r.marks, sizeof r.marks);
    r.listener->proved(proof, t);
  }
  void fail(error why) {
    const auto r = runs.front();
    runs.pop_front();
    r.listener->failed(std::move(why));
  }
};

struct fake_prepared : prepared_input {
  std::uint64_t input = 0;
};
struct fake_witness : partition_witness {
  fake_marks marks;
};
struct fake_statement : partition_statement {
  fake_marks marks;
};
struct fake_loaded_key : loaded_key {};

/// The world of a node under test. An input's first byte is its mark, its second the number of its partitions.
struct fake_world {
  std::shared_ptr<memory_store> store = std::make_shared<memory_store>();
  std::vector<std::shared_ptr<scripted_backend>> backends;
  std::vector<log_line> log;
  std::int64_t wall_ms = 1'700'000'000'000;
  int bad_verdicts = 0;    ///< so many proofs do not verify
  int compute_throws = 0;  ///< so many calls of compute throw, which ends the actor that called
  int key_size_throws = 0; ///< the same for param_store
  int keys_opened = 0;
  bool hold = false; ///< computations wait
  std::deque<std::function<void()>> held_back;

  /// @param lanes how many devices.
  prover_services services(std::size_t lanes = 1) {
    prover_services s;
    s.need_of = [](const std::string&) -> result<work_need> {
      return work_need{{10, 0, 0}, {50, 0, 0}, {5, 0, 0}, {20, 0, 0}, {100, 0, 0}};
    };
    s.key_size_of = [this](const std::string& c) -> result<byte_counts> {
      if (key_size_throws > 0) {
        --key_size_throws;
        throw std::runtime_error("test");
      }
      if (c == "porep-64g")
        return error{errc::params, "no key of porep-64g"};
      return byte_counts{100, 0, 0};
    };
    s.wall_ms = [this] { return wall_ms; };
    s.log = [this](const log_line& line) { log.push_back(line); };
    s.compute = [this](std::function<void()> f) {
      if (compute_throws > 0) {
        --compute_throws;
        throw std::runtime_error("test");
      }
      if (hold)
        held_back.push_back(std::move(f));
      else
        f();
    };
    s.inspect = [](const job_spec& spec, byte_view input) {
      input_inspected fact;
      if (input.size() < 2)
        fact.result = refused(bad_input("", "2 bytes expected, found " + std::to_string(input.size())));
      fact.circuit = spec.circuit.empty() ? "porep-2k" : spec.circuit;
      fact.kind = fact.circuit.substr(0, fact.circuit.find('-'));
      fact.need = {{10, 0, 0}, {50, 0, 0}, {5, 0, 0}, {20, 0, 0}, {100, 0, 0}};
      return fact;
    };
    s.read_input = [this](const bytes32& digest) -> result<std::shared_ptr<const bytes>> {
      CUZK_TRY(data, store->input(digest));
      return std::make_shared<const bytes>(data);
    };
    s.prepare = [](const job_spec&, const bytes& input) -> result<prepared_job> {
      if (input[0] == 0xff)
        return bad_input("/proofs/0", "a path does not lead to the root");
      auto parsed = std::make_shared<fake_prepared>();
      parsed->input = input[0];
      return prepared_job{parsed, input[1], "unchecked"};
    };
    s.synthesize = [](const prepared_input& in, std::uint32_t k, const std::atomic<bool>&) -> result<made_witness> {
      auto w = std::make_shared<fake_witness>();
      auto st = std::make_shared<fake_statement>();
      w->marks = st->marks = {static_cast<const fake_prepared&>(in).input, k};
      return made_witness{w, st};
    };
    s.verify = [this](const proof_bytes& proof, const statement_handle& h) -> status {
      const auto& want = static_cast<const fake_statement&>(*h.statement).marks;
      if (bad_verdicts > 0) {
        --bad_verdicts;
        return error{errc::self_check_failed, "the pairing does not hold"};
      }
      if (proof[0] != want.input || proof[1] != want.partition)
        return error{errc::self_check_failed, "another partition's proof"};
      return ok();
    };
    s.open_key = [this](const std::string& c) -> result<opened_key> {
      ++keys_opened;
      auto key = std::make_shared<fake_loaded_key>();
      key->test_key = true;
      return opened_key{key, {100, 0, 0}, true, c + ".params"};
    };
    s.to_request = [](const prove_partition&, const witness_handle& w) -> result<groth16::prove_request> {
      groth16::prove_request r;
      std::memcpy(static_cast<void*>(&r.r), &static_cast<const fake_witness&>(*w.witness).marks, sizeof(fake_marks));
      return r;
    };
    s.encode = [](const groth16::raw_proof& p) -> result<proof_bytes> {
      fake_marks marks;
      std::memcpy(static_cast<void*>(&marks), &p, sizeof marks);
      proof_bytes out{};
      out[0] = static_cast<std::uint8_t>(marks.input);
      out[1] = static_cast<std::uint8_t>(marks.partition);
      return out;
    };
    s.journal = store;
    backends.clear();
    for (std::size_t i = 0; i < lanes; ++i) {
      backends.push_back(std::make_shared<scripted_backend>());
      lane_device d;
      d.info.lane = lane_id{static_cast<std::uint32_t>(i)};
      d.info.name = "lane" + std::to_string(i);
      d.info.device = "scripted";
      d.backend = backends.back();
      s.lanes.push_back(std::move(d));
    }
    return s;
  }

  bool logged(const std::string& event) const {
    return std::any_of(log.begin(), log.end(), [&](const log_line& l) { return l.event == event; });
  }
};

} // namespace cuzk::test
