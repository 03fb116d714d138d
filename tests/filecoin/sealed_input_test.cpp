#include "filecoin/fr32.hpp"
#include "filecoin/sealed_input.hpp"
#include "filecoin/shapes.hpp"
#include "runtime/base/thread_pool.hpp"
#include "tests/support/catch.hpp"

#include <nlohmann/json.hpp>

using namespace cuzk;
using namespace cuzk::filecoin;

namespace {

byte_view view(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

} // namespace

TEST_CASE("every kind of sealing gives files that load with a checked identity") {
  thread_pool pool(2);
  for (const auto api : {api_version::v1_0_0, api_version::v1_1_0, api_version::v1_2_0})
    for (const auto feature : {porep_feature::interactive, porep_feature::synthetic, porep_feature::non_interactive}) {
      sealed_request request;
      request.api = api;
      request.feature = feature;
      const auto made = make_sealed_files(request, pool);
      const bool exists = (feature == porep_feature::interactive) == (api != api_version::v1_2_0);
      REQUIRE(made.has_value() == exists);
      if (!exists) {
        CHECK(made.err().where == "feature");
        continue;
      }
      for (const auto* text : {&made->c1, &made->envelope}) {
        const auto job = load_job(view(*text), made->beside);
        REQUIRE(job);
        CHECK(job->identity == identity_state::checked);
        CHECK(job->proof.api == api);
        CHECK(job->partitions.size() == (feature == porep_feature::non_interactive ? 13 : 1));
      }
      CHECK(load_job(view(made->winning))->circuit.kind == proof_kind::winning);
      CHECK(load_job(view(made->window))->circuit.kind == proof_kind::window);
      CHECK(load_job(view(*made->snap))->circuit.kind == proof_kind::snap);
    }
}

TEST_CASE("equal requests give equal files, other seeds others") {
  thread_pool pool(2);
  sealed_request request;
  const auto once = make_sealed_files(request, pool), again = make_sealed_files(request, pool);
  request.seed = 2;
  const auto other = make_sealed_files(request, pool);
  REQUIRE((once && again && other));
  CHECK(once->c1 == again->c1);
  CHECK(once->c1 != other->c1);
  CHECK(once->comm_d != other->comm_d);
}

TEST_CASE("the user's data is sealed, with zeros after it") {
  thread_pool pool(2);
  sealed_request request;
  request.data = bytes{'c', 'u', 'z', 'k'};
  const auto made = make_sealed_files(request, pool);
  REQUIRE(made);
  bytes padded(shape_of(request.size).nodes() / 4 * 127, 0);
  std::copy(request.data->begin(), request.data->end(), padded.begin());
  const auto nodes = fr32_pad(padded);
  REQUIRE(nodes);
  const piece whole[] = {piece_of(*nodes)};
  CHECK(made->comm_d == *comm_d_of(whole, bytes_of(request.size)));

  request.data->assign(padded.size() + 1, 0);
  const auto refused = make_sealed_files(request, pool);
  REQUIRE_FALSE(refused);
  CHECK(refused.err().code == errc::bad_input);
  CHECK(refused.err().message() == "bad_input: data: 2033 bytes, the sector holds 2032");
}

TEST_CASE("sectors above 512 MiB are not sealed in memory") {
  thread_pool pool(1);
  sealed_request request;
  request.size = sector_size::g1;
  request.data = bytes{};
  const auto refused = make_sealed_files(request, pool);
  REQUIRE_FALSE(refused);
  CHECK(refused.err().code == errc::bad_input);
}

TEST_CASE("a 512 MiB sector seals, and all that is proved of it passes", "[slow]") {
  thread_pool pool;
  sealed_request request;
  request.size = sector_size::m512;
  const auto made = make_sealed_files(request, pool);
  REQUIRE(made);
  CHECK(load_job(view(made->c1), made->beside)->identity == identity_state::checked);
}
