#include "filecoin/names.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>

namespace cuzk::filecoin {
namespace {

struct size_spelling {
  const char* name;
  const char* iec;
};
constexpr size_spelling sizes[] = {{"2k", "2kib"},   {"4k", "4kib"},   {"16k", "16kib"},   {"32k", "32kib"},
                                   {"8m", "8mib"},   {"16m", "16mib"}, {"512m", "512mib"}, {"1g", "1gib"},
                                   {"32g", "32gib"}, {"64g", "64gib"}};

struct kind_spelling {
  const char* name;
  proof_kind kind;
};
// The first spelling of a kind is the one printed.
constexpr kind_spelling kinds[] = {{"porep", proof_kind::porep},       {"winning", proof_kind::winning},
                                   {"window", proof_kind::window},     {"snap", proof_kind::snap},
                                   {"update", proof_kind::snap},       {"winning-post", proof_kind::winning},
                                   {"window-post", proof_kind::window}};

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

error unknown(const char* what, std::string_view text, const char* expected) {
  return bad_input(what, quoted(text) + " is not known; expected " + expected);
}

} // namespace

const char* to_string(proof_kind kind) noexcept {
  return kinds[static_cast<unsigned>(kind)].name;
}

const char* to_string(sector_size size) noexcept {
  return sizes[static_cast<unsigned>(size)].name;
}

std::string to_string(circuit_name name) {
  return std::string(to_string(name.kind)) + "-" + to_string(name.size);
}

result<proof_kind> parse_proof_kind(std::string_view text) {
  for (const auto& k : kinds)
    if (text == k.name)
      return k.kind;
  return unknown("kind", text, "porep, winning, window or snap");
}

result<sector_size> parse_sector_size(std::string_view text) {
  const auto want = lower(text);
  for (std::size_t i = 0; i < std::size(sizes); ++i)
    if (want == sizes[i].name || want == sizes[i].iec)
      return static_cast<sector_size>(i);
  return unknown("sector size", text, "2k, 4k, 16k, 32k, 8m, 16m, 512m, 1g, 32g or 64g");
}

result<circuit_name> parse_circuit_name(std::string_view text) {
  const auto dash = text.rfind('-');
  if (dash == std::string_view::npos)
    return unknown("circuit", text, "KIND-SIZE as in porep-2k");
  CUZK_TRY(kind, parse_proof_kind(text.substr(0, dash)));
  CUZK_TRY(size, parse_sector_size(text.substr(dash + 1)));
  if (kind == proof_kind::snap && size == sector_size::g1)
    return bad_input("circuit", "there is no snap circuit of 1 GiB");
  return circuit_name{kind, size};
}

result<sector_size> sector_size_of_bytes(std::uint64_t count) {
  for (const auto size : all_sector_sizes)
    if (bytes_of(size) == count)
      return size;
  return bad_input("sector size", std::to_string(count) + " bytes is not a sector size; expected 2 KiB to 64 GiB");
}

} // namespace cuzk::filecoin
