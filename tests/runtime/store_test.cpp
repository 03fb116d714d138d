#include "math/hash/sha256.hpp"
#include "runtime/sqlite.hpp"
#include "runtime/store.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temp_dir.hpp"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace cuzk;
using namespace cuzk::store;
using cuzk::test::temp_dir;

namespace {

bytes text_bytes(const std::string& text) {
  return {text.begin(), text.end()};
}

accepted job(std::uint64_t number, const std::string& input = "input") {
  accepted a;
  a.job = number;
  a.request_id = "request-" + std::to_string(number);
  a.input = std::make_shared<const bytes>(text_bytes(input));
  a.input_digest = sha256_of(*a.input);
  a.payload_digest = sha256_of(text_bytes("payload of " + a.request_id));
  a.request = text_bytes("{}");
  a.accepted_unix_ms = 1000 + static_cast<std::int64_t>(number);
  a.deadline_unix_ms = 99;
  return a;
}

partition_done proof(std::uint64_t number, std::uint32_t partition, std::uint8_t byte) {
  return {number, partition, 1, bytes(192, byte), "cpu", true, 5};
}

std::unique_ptr<journal_store> open(const temp_dir& dir) {
  auto journal = open_journal({dir.path(), 0});
  if (!journal)
    FAIL(journal.err().message());
  return *std::move(journal);
}

status append(journal_store& journal, std::vector<fact> facts) {
  return journal.append(facts);
}

std::vector<stored_job> load(journal_store& journal) {
  auto jobs = journal.load();
  if (!jobs)
    FAIL(jobs.err().message());
  return *std::move(jobs);
}

std::size_t files_in(const std::string& folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

} // namespace

TEST_CASE("what was appended is there after closing and opening again") {
  temp_dir dir;
  {
    auto journal = open(dir);
    error why{errc::bad_input, "31 bytes instead of 32", "/proofs/0", 7};
    REQUIRE(append(*journal, {job(1), job(2, "other"), prepared{1, 2, "checked"}, proof(1, 1, 7), proof(1, 0, 8),
                              finished{1, end::done, {}, 77}, finished{2, end::failed, why, 78}}));
  }
  auto journal = open(dir);
  const auto jobs = load(*journal);
  REQUIRE(jobs.size() == 2);
  const auto& a = jobs[0];
  CHECK(a.job.request_id == "request-1");
  CHECK(a.job.payload_digest == job(1).payload_digest);
  CHECK(a.job.input_digest == job(1).input_digest);
  CHECK(a.job.request == text_bytes("{}"));
  CHECK(a.job.accepted_unix_ms == 1001);
  CHECK(a.job.deadline_unix_ms == 99);
  REQUIRE(a.shape);
  CHECK(a.shape->partitions == 2);
  CHECK(a.shape->identity == "checked");
  REQUIRE(a.partitions.size() == 2);
  CHECK(a.partitions[0].proof == bytes(192, 8));
  CHECK(a.partitions[1].proof == bytes(192, 7));
  CHECK(a.partitions[1].device == "cpu");
  CHECK(a.partitions[1].test_key);
  REQUIRE(a.over);
  CHECK(a.over->how == end::done);
  CHECK(a.over->finished_unix_ms == 77);
  REQUIRE(jobs[1].over);
  CHECK(jobs[1].over->how == end::failed);
  CHECK(jobs[1].over->failure.message() == "bad_input: /proofs/0: 31 bytes instead of 32");
  CHECK(jobs[1].over->failure.retry_after_ms == 7);
}

TEST_CASE("a fact said twice changes nothing") {
  temp_dir dir;
  auto journal = open(dir);
  REQUIRE(append(*journal, {job(1), prepared{1, 1, ""}, proof(1, 0, 1), finished{1, end::done, {}, 1}}));
  REQUIRE(append(*journal, {proof(1, 0, 2), finished{1, end::cancelled, {errc::cancelled, "late"}, 2}}));
  const auto jobs = load(*journal);
  REQUIRE(jobs.size() == 1);
  REQUIRE(jobs[0].partitions.size() == 1);
  CHECK(jobs[0].partitions[0].proof == bytes(192, 1));
  CHECK(jobs[0].over->how == end::done);
}

TEST_CASE("facts about forgotten jobs are ignored") {
  temp_dir dir;
  auto journal = open(dir);
  REQUIRE(append(*journal, {job(1), proof(1, 0, 1), forgotten{1}}));
  REQUIRE(append(*journal, {prepared{1, 1, ""}, proof(1, 0, 1), finished{1, end::done, {}, 1}, forgotten{1}}));
  CHECK(load(*journal).empty());
}

TEST_CASE("a group of facts is there as a whole or not at all") {
  temp_dir dir;
  auto journal = open(dir);
  REQUIRE(append(*journal, {job(1)}));
  auto same_name = job(3);
  same_name.request_id = "request-1";
  const auto refused = append(*journal, {job(2), finished{1, end::done, {}, 1}, same_name});
  REQUIRE_FALSE(refused);
  CHECK(refused.err().code == errc::conflict);
  const auto jobs = load(*journal);
  REQUIRE(jobs.size() == 1);
  CHECK_FALSE(jobs[0].over);
  REQUIRE(append(*journal, {job(2)}));
}

TEST_CASE("job numbers are never given twice, also when all jobs are forgotten") {
  temp_dir dir;
  {
    auto journal = open(dir);
    CHECK(*journal->next_job() == 1);
    REQUIRE(append(*journal, {job(1), job(5), forgotten{5}, forgotten{1}}));
  }
  CHECK(*open(dir)->next_job() == 6);
}

TEST_CASE("inputs live as long as an unfinished job names them") {
  temp_dir dir;
  auto journal = open(dir);
  const auto name = job(1).input_digest;
  REQUIRE(append(*journal, {job(1), job(2)}));
  CHECK(files_in(dir / "inputs") == 1);
  CHECK(*journal->input(name) == text_bytes("input"));
  REQUIRE(append(*journal, {finished{1, end::done, {}, 1}}));
  CHECK(*read_input(dir.path(), name) == text_bytes("input"));
  auto again = job(3);
  again.input = nullptr; // the store has it
  REQUIRE(append(*journal, {finished{2, end::done, {}, 1}, again}));
  CHECK(journal->input(name));
  REQUIRE(append(*journal, {finished{3, end::cancelled, {}, 1}}));
  CHECK(journal->input(name).err().code == errc::not_found);
  again.job = 4;
  again.request_id = "request-4";
  CHECK(append(*journal, {again}).err().code == errc::not_found);
}

TEST_CASE("opening removes inputs that nobody needs and half-written ones") {
  temp_dir dir;
  open(dir);
  for (const auto* name : {"inputs/00ff", "inputs/1234.part"})
    std::ofstream(dir / name) << "left over";
  auto journal = open(dir);
  CHECK(files_in(dir / "inputs") == 0);
  REQUIRE(append(*journal, {job(1)}));
  journal = open(dir);
  CHECK(files_in(dir / "inputs") == 1);
}

TEST_CASE("an input that changed on disk is not given out") {
  temp_dir dir;
  auto journal = open(dir);
  const auto name = job(1).input_digest;
  REQUIRE(append(*journal, {job(1)}));
  std::ofstream(dir / ("inputs/" + to_hex(name))) << "jnput";
  CHECK(journal->input(name).err().code == errc::internal);
}

TEST_CASE("a new job is refused while the disk is nearly full, other facts are not") {
  temp_dir dir;
  REQUIRE(append(*open(dir), {job(1)}));
  auto journal = *open_journal({dir.path(), 1ull << 62});
  const auto refused = append(*journal, {job(2)});
  REQUIRE_FALSE(refused);
  CHECK(refused.err().code == errc::resources);
  CHECK(append(*journal, {finished{1, end::done, {}, 1}}));
}

TEST_CASE("a journal of another layout or a foreign database is refused with both numbers") {
  temp_dir dir;
  open(dir);
  {
    auto db = *sql_connection::open(dir / "journal.sqlite");
    REQUIRE(db.execute("UPDATE about SET schema = 99"));
  }
  const auto other = open_journal({dir.path(), 0});
  REQUIRE_FALSE(other);
  CHECK(other.err().code == errc::conflict);
  CHECK(other.err().text == "the journal has layout 99, this program reads layout 1");

  temp_dir foreign;
  {
    auto db = *sql_connection::open(foreign / "journal.sqlite");
    REQUIRE(db.execute("CREATE TABLE songs (title TEXT)"));
  }
  CHECK(open_journal({foreign.path(), 0}).err().code == errc::conflict);
}

TEST_CASE("a damaged journal and an unusable folder are errors, not crashes") {
  temp_dir dir;
  std::ofstream(dir / "journal.sqlite") << std::string(4096, 'x');
  CHECK(open_journal({dir.path(), 0}).err().code == errc::internal);
  std::ofstream(dir / "file") << "x";
  CHECK(open_journal({dir / "file", 0}).err().code == errc::resources);
  CHECK(open_journal({dir / "file/below", 0}).err().code == errc::resources);
}

TEST_CASE("a job whose append returned survives kill -9") {
  temp_dir dir;
  int pipe_ends[2];
  REQUIRE(::pipe(pipe_ends) == 0);
  const auto child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    auto journal = open_journal({dir.path(), 0});
    for (std::uint64_t n = 1; journal; ++n) {
      const std::vector<fact> facts = {job(n), prepared{n, 1, ""}, proof(n, 0, 1)};
      if (!(*journal)->append(facts))
        break;
      if (::write(pipe_ends[1], &n, sizeof n) != sizeof n)
        break;
    }
    ::_exit(1);
  }
  ::close(pipe_ends[1]);
  std::uint64_t known = 0;
  while (known < 20 && ::read(pipe_ends[0], &known, sizeof known) == sizeof known)
    ;
  ::kill(child, SIGKILL);
  while (::read(pipe_ends[0], &known, sizeof known) == sizeof known)
    ;
  ::close(pipe_ends[0]);
  ::waitpid(child, nullptr, 0);
  REQUIRE(known >= 20);

  auto journal = open(dir);
  const auto jobs = load(*journal);
  CHECK(jobs.size() >= known);
  for (const auto& j : jobs)
    CHECK((j.shape.has_value() && j.partitions.size() == 1));
  CHECK(journal->input(job(1).input_digest));
}

TEST_CASE("a full disk is a typed refusal and what was there stays") {
  temp_dir dir;
  REQUIRE(append(*open(dir), {job(1)}));
  const auto child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) { // in a process of its own: the limit is the process's
    ::signal(SIGXFSZ, SIG_IGN);
    auto journal = open_journal({dir.path(), 0});
    const rlimit limit{64 << 10, 64 << 10};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    for (std::uint64_t n = 2; journal && n < 1000; ++n) {
      const std::vector<fact> facts = {job(n), proof(n, 0, 1)};
      if (const auto written = (*journal)->append(facts); !written)
        ::_exit(written.err().code == errc::resources ? 0 : 2);
    }
    ::_exit(3);
  }
  int how = 0;
  ::waitpid(child, &how, 0);
  CHECK(WIFEXITED(how));
  CHECK(WEXITSTATUS(how) == 0);
  auto journal = open(dir);
  CHECK(load(*journal).size() >= 1);
  CHECK(append(*journal, {job(5000)}));
}
