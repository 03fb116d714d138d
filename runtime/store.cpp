// The journal over SQLite. One table a fact; a fact said twice changes nothing.
#include "runtime/store.hpp"

#include "runtime/disk.hpp"
#include "runtime/input_files.hpp"
#include "runtime/sqlite.hpp"
#include "runtime/units.hpp"

#include <algorithm>
#include <map>

namespace cuzk::store {
namespace {

constexpr const char* layout = R"sql(
CREATE TABLE about (schema INTEGER NOT NULL, next_job INTEGER NOT NULL) STRICT;
INSERT INTO about VALUES (1, 1);
CREATE TABLE job (
  job INTEGER PRIMARY KEY,
  request_id TEXT NOT NULL UNIQUE,
  payload_digest BLOB NOT NULL,
  input_digest BLOB NOT NULL,
  request BLOB NOT NULL,
  accepted_unix_ms INTEGER NOT NULL,
  deadline_unix_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX job_by_input ON job (input_digest);
CREATE TABLE prepared (
  job INTEGER PRIMARY KEY REFERENCES job ON DELETE CASCADE,
  partitions INTEGER NOT NULL,
  identity TEXT NOT NULL
) STRICT;
CREATE TABLE partition (
  job INTEGER NOT NULL REFERENCES job ON DELETE CASCADE,
  partition INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  proof BLOB NOT NULL,
  device TEXT NOT NULL,
  test_key INTEGER NOT NULL,
  done_unix_ms INTEGER NOT NULL,
  PRIMARY KEY (job, partition)
) STRICT, WITHOUT ROWID;
CREATE TABLE finished (
  job INTEGER PRIMARY KEY REFERENCES job ON DELETE CASCADE,
  how INTEGER NOT NULL,
  code INTEGER NOT NULL,
  text TEXT NOT NULL,
  place TEXT NOT NULL,
  retry_after_ms INTEGER NOT NULL,
  finished_unix_ms INTEGER NOT NULL
) STRICT;
)sql";

constexpr const char* settings = "PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 5000;";
// FULL: a commit is on the platter when it returns. The write-ahead log keeps that to one fsync a group.
constexpr const char* durability = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;";

std::int64_t signed_of(std::uint64_t value) {
  return static_cast<std::int64_t>(value);
}

digest to_digest(const bytes& data) {
  digest out{};
  std::copy_n(data.begin(), std::min(data.size(), out.size()), out.begin());
  return out;
}

template <class E>
E narrow(std::int64_t value, E largest) {
  const auto top = static_cast<std::int64_t>(largest);
  return static_cast<E>(value < 1 || value > top ? top : value);
}

/// The statements of a journal, prepared once.
struct statements {
  sql_statement add_job, count_job, add_prepared, add_partition, add_finished, forget, input_of, input_wanted;
  sql_statement all_jobs, all_prepared, all_partitions, all_finished, next_job, wanted_inputs;

  static result<statements> prepare(sql_connection& db) {
    statements s;
    const std::pair<sql_statement*, const char*> list[] = {
      {&s.add_job, "INSERT INTO job VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)"},
      {&s.count_job, "UPDATE about SET next_job = max(next_job, ?1 + 1)"},
      {&s.add_prepared, "INSERT OR REPLACE INTO prepared SELECT job, ?2, ?3 FROM job WHERE job = ?1"},
      {&s.add_partition, "INSERT OR IGNORE INTO partition SELECT job, ?2, ?3, ?4, ?5, ?6, ?7 FROM job WHERE job = ?1"},
      {&s.add_finished, "INSERT OR IGNORE INTO finished SELECT job, ?2, ?3, ?4, ?5, ?6, ?7 FROM job WHERE job = ?1"},
      {&s.forget, "DELETE FROM job WHERE job = ?1"},
      {&s.input_of, "SELECT input_digest FROM job WHERE job = ?1"},
      {&s.input_wanted, "SELECT 1 FROM job WHERE input_digest = ?1 AND job NOT IN (SELECT job FROM finished) LIMIT 1"},
      {&s.all_jobs, "SELECT * FROM job ORDER BY job"},
      {&s.all_prepared, "SELECT * FROM prepared"},
      {&s.all_partitions, "SELECT * FROM partition ORDER BY job, partition"},
      {&s.all_finished, "SELECT * FROM finished"},
      {&s.next_job, "SELECT next_job FROM about"},
      {&s.wanted_inputs, "SELECT DISTINCT input_digest FROM job WHERE job NOT IN (SELECT job FROM finished)"},
    };
    for (const auto& [statement, sql] : list) {
      CUZK_TRY(prepared_statement, db.prepare(sql));
      *statement = std::move(prepared_statement);
    }
    return s;
  }
};

class sqlite_journal final : public journal_store {
  using index = std::map<std::int64_t, stored_job*>;

public:
  sqlite_journal(sql_connection db, statements sql, input_files inputs, store_options options)
    : db_(std::move(db)), sql_(std::move(sql)), inputs_(std::move(inputs)), options_(std::move(options)) {}

  status append(std::span<const fact> facts) override {
    CUZK_CHECK(store_inputs(facts));
    CUZK_CHECK(db_.execute("BEGIN IMMEDIATE"));
    maybe_unused_.clear();
    for (const auto& f : facts)
      if (auto done = std::visit([this](const auto& x) { return write(x); }, f); !done) {
        roll_back();
        return done;
      }
    if (auto done = db_.execute("COMMIT"); !done) {
      roll_back();
      return done;
    }
    // The facts are on disk whatever comes now; a file left over goes at the next start.
    static_cast<void>(drop_unused_inputs());
    return ok();
  }

  result<std::vector<stored_job>> load() override {
    std::vector<stored_job> jobs;
    CUZK_CHECK(load_jobs(jobs));
    index by_number;
    for (auto& j : jobs)
      by_number[signed_of(j.job.job)] = &j;
    CUZK_CHECK(load_prepared(by_number));
    CUZK_CHECK(load_partitions(by_number));
    CUZK_CHECK(load_finished(by_number));
    return jobs;
  }

  result<std::uint64_t> next_job() override {
    CUZK_TRY(row, sql_.next_job.next());
    const auto number = row ? sql_.next_job.integer(0) : 1;
    sql_.next_job.reset();
    return static_cast<std::uint64_t>(number);
  }

  result<bytes> input(const digest& name) override { return read_input(options_.folder, name); }

  /// Inputs left over by a run that was killed between a commit and the removal of its inputs, or before a commit.
  status sweep_inputs() {
    std::set<digest> wanted;
    for (;;) {
      CUZK_TRY(row, sql_.wanted_inputs.next());
      if (!row)
        break;
      wanted.insert(to_digest(sql_.wanted_inputs.blob(0)));
    }
    inputs_.keep_only(wanted);
    return ok();
  }

private:
  status store_inputs(std::span<const fact> facts) {
    for (const auto& f : facts) {
      const auto* job = std::get_if<accepted>(&f);
      if (!job)
        continue;
      const std::uint64_t size = job->input ? job->input->size() : 0;
      if (const auto free = inputs_.free_bytes(); free < options_.min_free_bytes + size)
        return error{errc::resources,
                     "the disk of the state folder has " + about_size(free) + " free, " +
                       about_size(options_.min_free_bytes + size) + " are needed",
                     options_.folder};
      if (job->input)
        CUZK_CHECK(inputs_.put(job->input_digest, *job->input));
      else if (!inputs_.has(job->input_digest))
        return error{errc::not_found, "input " + to_hex(job->input_digest) + " is not in the store"};
    }
    return ok();
  }

  status write(const accepted& f) {
    sql_.add_job.bind(1, signed_of(f.job)).bind(2, f.request_id).bind(3, f.payload_digest).bind(4, f.input_digest);
    sql_.add_job.bind(5, f.request).bind(6, f.accepted_unix_ms).bind(7, f.deadline_unix_ms);
    CUZK_CHECK(done(sql_.add_job.run()));
    return done(sql_.count_job.bind(1, signed_of(f.job)).run());
  }

  status write(const prepared& f) {
    return done(sql_.add_prepared.bind(1, signed_of(f.job)).bind(2, f.partitions).bind(3, f.identity).run());
  }

  status write(const partition_done& f) {
    auto& s = sql_.add_partition.bind(1, signed_of(f.job)).bind(2, f.partition).bind(3, f.attempt).bind(4, f.proof);
    return done(s.bind(5, f.device).bind(6, std::int64_t{f.test_key}).bind(7, f.done_unix_ms).run());
  }

  status write(const finished& f) {
    CUZK_CHECK(note_input(f.job));
    auto& s = sql_.add_finished.bind(1, signed_of(f.job)).bind(2, static_cast<std::int64_t>(f.how));
    s.bind(3, static_cast<std::int64_t>(f.failure.code)).bind(4, f.failure.text).bind(5, f.failure.where);
    return done(s.bind(6, f.failure.retry_after_ms).bind(7, f.finished_unix_ms).run());
  }

  status write(const forgotten& f) {
    CUZK_CHECK(note_input(f.job));
    return done(sql_.forget.bind(1, signed_of(f.job)).run());
  }

  static status done(const result<int>& changed) {
    if (!changed)
      return changed.err();
    return ok();
  }

  status note_input(std::uint64_t job) {
    CUZK_TRY(row, sql_.input_of.bind(1, signed_of(job)).next());
    if (row)
      maybe_unused_.insert(to_digest(sql_.input_of.blob(0)));
    sql_.input_of.reset();
    return ok();
  }

  status drop_unused_inputs() {
    for (const auto& name : maybe_unused_) {
      CUZK_TRY(wanted, sql_.input_wanted.bind(1, name).next());
      sql_.input_wanted.reset();
      if (!wanted)
        inputs_.remove(name);
    }
    return ok();
  }

  void roll_back() {
    // SQLite itself rolls back after some errors (disk full), then there is nothing left to roll back.
    static_cast<void>(db_.execute("ROLLBACK"));
  }

  status load_jobs(std::vector<stored_job>& jobs) {
    auto& s = sql_.all_jobs;
    for (;;) {
      CUZK_TRY(row, s.next());
      if (!row)
        return ok();
      stored_job j;
      j.job.job = static_cast<std::uint64_t>(s.integer(0));
      j.job.request_id = s.text(1);
      j.job.payload_digest = to_digest(s.blob(2));
      j.job.input_digest = to_digest(s.blob(3));
      j.job.request = s.blob(4);
      j.job.accepted_unix_ms = s.integer(5);
      j.job.deadline_unix_ms = s.integer(6);
      jobs.push_back(std::move(j));
    }
  }

  static stored_job* at(const index& jobs, std::int64_t number) {
    const auto found = jobs.find(number);
    return found == jobs.end() ? nullptr : found->second;
  }

  status load_prepared(index& jobs) {
    auto& s = sql_.all_prepared;
    for (;;) {
      CUZK_TRY(row, s.next());
      if (!row)
        return ok();
      if (auto* j = at(jobs, s.integer(0)))
        j->shape = prepared{j->job.job, static_cast<std::uint32_t>(s.integer(1)), s.text(2)};
    }
  }

  status load_partitions(index& jobs) {
    auto& s = sql_.all_partitions;
    for (;;) {
      CUZK_TRY(row, s.next());
      if (!row)
        return ok();
      if (auto* j = at(jobs, s.integer(0)))
        j->partitions.push_back({j->job.job, static_cast<std::uint32_t>(s.integer(1)),
                                 static_cast<std::uint32_t>(s.integer(2)), s.blob(3), s.text(4), s.integer(5) != 0,
                                 s.integer(6)});
    }
  }

  status load_finished(index& jobs) {
    auto& s = sql_.all_finished;
    for (;;) {
      CUZK_TRY(row, s.next());
      if (!row)
        return ok();
      error failure{narrow(s.integer(2), errc::internal), s.text(3), s.text(4),
                    static_cast<std::uint32_t>(s.integer(5))};
      if (auto* j = at(jobs, s.integer(0)))
        j->over = finished{j->job.job, narrow(s.integer(1), end::cancelled), std::move(failure), s.integer(6)};
    }
  }

  sql_connection db_;
  statements sql_;
  input_files inputs_;
  store_options options_;
  std::set<digest> maybe_unused_;
};

/// 0 for a new file. Errors: conflict when it is a journal of another layout, or no journal.
result<std::int64_t> schema_of(sql_connection& db) {
  CUZK_TRY(tables, db.prepare("SELECT count(*), sum(name = 'about') FROM sqlite_schema WHERE type = 'table'"));
  CUZK_CHECK(tables.next());
  if (tables.integer(0) == 0)
    return std::int64_t{0};
  if (tables.integer(1) == 0)
    return std::int64_t{-1};
  CUZK_TRY(version, db.prepare("SELECT schema FROM about"));
  CUZK_TRY(row, version.next());
  return row ? version.integer(0) : std::int64_t{-1};
}

status check_layout(sql_connection& db, const std::string& path) {
  CUZK_TRY(schema, schema_of(db));
  if (schema == journal_schema)
    return ok();
  if (schema == 0) {
    CUZK_CHECK(db.execute("BEGIN IMMEDIATE"));
    CUZK_CHECK(db.execute(layout));
    return db.execute("COMMIT");
  }
  if (schema < 0)
    return error{errc::conflict, "a database, but no journal of this program", path};
  return error{errc::conflict,
               "the journal has layout " + std::to_string(schema) + ", this program reads layout " +
                 std::to_string(journal_schema),
               path};
}

} // namespace

result<std::unique_ptr<journal_store>> open_journal(const store_options& options) {
  CUZK_CHECK(make_private_folder(options.folder));
  CUZK_TRY(inputs, input_files::open(options.folder));
  const auto path = options.folder + "/journal.sqlite";
  CUZK_TRY(db, sql_connection::open(path));
  CUZK_CHECK(db.execute(settings));
  CUZK_CHECK(db.execute(durability));
  CUZK_CHECK(check_layout(db, path));
  CUZK_TRY(sql, statements::prepare(db));
  auto journal = std::make_unique<sqlite_journal>(std::move(db), std::move(sql), std::move(inputs), options);
  CUZK_CHECK(journal->sweep_inputs());
  return std::unique_ptr<journal_store>(std::move(journal));
}

} // namespace cuzk::store
