#include "messages/names.hpp"
#include "tests/support/catch.hpp"

#include <set>

using namespace cuzk;

namespace {

template <class Enum>
void check_distinct(Enum last) {
  std::set<std::string> seen;
  for (unsigned i = 0; i <= static_cast<unsigned>(last); ++i) {
    const std::string name = to_string(static_cast<Enum>(i));
    CHECK(name != "?");
    CHECK(seen.insert(name).second);
  }
}

} // namespace

TEST_CASE("every value of an enumeration has a name of its own") {
  check_distinct(job_class::background);
  check_distinct(job_state::cancelled);
  check_distinct(partition_state::done);
  check_distinct(partition_mark::retried);
  check_distinct(fact_type::forgotten);
  check_distinct(key_state::failed);
  check_distinct(node_phase::stopped);
  check_distinct(actor_role::telemetry);
  check_distinct(log_severity::error);
}

TEST_CASE("names are read back and others refused") {
  for (const auto c : all_job_classes) {
    job_class back{};
    REQUIRE(parse_job_class(to_string(c), back));
    CHECK(back == c);
  }
  job_state s{};
  CHECK(parse_job_state("running", s));
  CHECK(s == job_state::running);
  CHECK_FALSE(parse_job_state("Running", s));
  fact_type t{};
  CHECK_FALSE(parse_fact_type("", t));
}

TEST_CASE("a circuit's name tells its kind and class") {
  CHECK(kind_of("porep-2k") == "porep");
  CHECK(class_of("winning-32g") == job_class::winning);
  CHECK(class_of("window-2k") == job_class::window);
  CHECK(class_of("snap-2k") == job_class::bulk);
  CHECK(class_of("porep-2k") == job_class::bulk);
}

TEST_CASE("bytes for people") {
  CHECK(human_bytes(0) == "0 B");
  CHECK(human_bytes(1023) == "1023 B");
  CHECK(human_bytes(1536) == "1.5 KiB");
  CHECK(human_bytes(44ull << 30) == "44.0 GiB");
  CHECK(to_string(partition_ref{job_id{17}, 3, 1}) == "17/3#1");
}

TEST_CASE("names from outside are UTF-8 without control characters") {
  for (const auto* good : {"a", "job-17", "caf\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80"})
    CHECK(is_name(good));
  CHECK(is_name(std::string(200, 'x')));
  CHECK_FALSE(is_name(std::string(201, 'x')));
  for (const auto* bad : {"", "a\nb", "a\x01", "\x7f", "caf\xff", "\xc3", "\xc0\xaf", "\xe0\x80\x80", "\xed\xa0\x80",
                          "\xf4\x90\x80\x80", "\xc2\x80", "\x80"})
    CHECK_FALSE(is_name(bad));
}
