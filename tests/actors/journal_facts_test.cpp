#include "actors/journal_facts.hpp"
#include "actors/payload.hpp"
#include "actors/spec_codec.hpp"
#include "tests/support/catch.hpp"

using namespace cuzk;

namespace {

job_spec full_spec() {
  job_spec s;
  s.kind = "porep";
  s.circuit = "porep-2k";
  s.cls = job_class::background;
  s.background = true;
  s.priority = -5;
  s.deadline_wall_ms = 1'700'000'000'123;
  s.identity.given = true;
  s.identity.prover_id[0] = 0xe8;
  s.identity.has_sector = true;
  s.identity.sector = 1ull << 60;
  s.r = {{}, {}};
  s.r[1][31] = 7;
  s.s = s.r;
  s.only_partition = 3;
  s.flags = R"({"randomness":"ab"})";
  return s;
}

} // namespace

TEST_CASE("a spec comes back as it was, and equal specs give equal text") {
  const auto spec = full_spec();
  const auto text = encode_spec(spec);
  const auto back = decode_spec(text);
  REQUIRE(back);
  CHECK(encode_spec(*back) == text);
  CHECK(back->identity.sector == spec.identity.sector);
  CHECK(back->r == spec.r);
  CHECK(back->priority == -5);
  CHECK(back->cls == job_class::background);
  CHECK(encode_spec(job_spec{}) != text);
  CHECK(decode_spec(encode_spec(job_spec{})).has_value());
}

TEST_CASE("damaged and unknown specs are errors") {
  CHECK(decode_spec("").err().code == errc::internal);
  CHECK(decode_spec("[]").err().code == errc::internal);
  CHECK(decode_spec("{}").err().text.find("damaged") != std::string::npos);
  auto other = encode_spec(full_spec());
  other.replace(other.find("\"v\":1"), 5, "\"v\":9");
  CHECK(decode_spec(other).err().text.find("version 9") != std::string::npos);
  auto cls = encode_spec(full_spec());
  cls.replace(cls.find("background"), 10, "foreground");
  CHECK_FALSE(decode_spec(cls));
  auto scalar = encode_spec(full_spec());
  scalar.replace(scalar.find("\"r\":[\"00"), 8, "\"r\":[\"");
  CHECK_FALSE(decode_spec(scalar));
}

TEST_CASE("facts become rows and come back as facts") {
  journal_fact a;
  a.type = fact_type::accepted;
  a.job = job_id{7};
  a.wall_ms = 5;
  a.request_id = "r";
  a.payload_digest[0] = 1;
  a.input_digest[0] = 2;
  a.input_bytes = 51'000'000;
  a.spec = full_spec();
  store::stored_job stored;
  stored.job = std::get<store::accepted>(to_store(a, {std::make_shared<const bytes>(3)}));
  CHECK(stored.job.input->size() == 3);
  CHECK(stored.job.deadline_unix_ms == a.spec.deadline_wall_ms);
  journal_fact p;
  p.type = fact_type::prepared;
  p.job = job_id{7};
  p.partitions = 2;
  p.identity = "checked";
  stored.shape = std::get<store::prepared>(to_store(p, {}));
  journal_fact d;
  d.type = fact_type::partition_done;
  d.job = job_id{7};
  d.partition = 1;
  d.attempt = 3;
  d.proof[191] = 9;
  d.device = "cpu";
  d.test_key = true;
  stored.partitions.push_back(std::get<store::partition_done>(to_store(d, {})));
  journal_fact f;
  f.type = fact_type::finished;
  f.job = job_id{7};
  f.state = job_state::cancelled;
  f.failure = {errc::cancelled, "by me", "here"};
  stored.over = std::get<store::finished>(to_store(f, {}));
  const auto back = from_store(stored);
  REQUIRE(back);
  REQUIRE(back->size() == 4);
  CHECK((*back)[0].input_bytes == 51'000'000);
  CHECK((*back)[0].spec.flags == a.spec.flags);
  CHECK((*back)[1].partitions == 2);
  CHECK((*back)[2].proof == d.proof);
  CHECK((*back)[2].attempt == 3);
  CHECK((*back)[3].state == job_state::cancelled);
  CHECK((*back)[3].failure.where == "here");
  stored.partitions[0].proof.pop_back();
  CHECK_FALSE(from_store(stored));
  stored.partitions.clear();
  stored.job.request = bytes{'x'};
  CHECK_FALSE(from_store(stored));
}

TEST_CASE("a payload is the input and what is to be proved of it, not when it is wanted") {
  submit_job first;
  first.input_digest[0] = 7;
  first.spec.circuit = "porep-2k";
  auto again = first;
  again.spec.deadline_wall_ms = 1'700'000'000'000;
  again.spec.priority = 3;
  again.spec.background = true;
  CHECK(payload_digest_of(again) == payload_digest_of(first));
  again.spec.only_partition = 0;
  CHECK(payload_digest_of(again) != payload_digest_of(first));
  again = first;
  again.input_digest[0] = 8;
  CHECK(payload_digest_of(again) != payload_digest_of(first));
}
