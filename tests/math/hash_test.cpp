// SHA-256, BLAKE2 and ChaCha against other implementations (Python's hashlib) and the RFCs.
#include "math/hash/blake2.hpp"
#include "math/hash/chacha.hpp"
#include "math/hash/sha256.hpp"
#include "runtime/base/hex.hpp"
#include "tests/support/catch.hpp"

#include <string>
#include <vector>

using namespace cuzk;

namespace {

/// byte i = 7 i + n, i < n
std::vector<std::uint8_t> message(std::size_t n) {
  std::vector<std::uint8_t> out(n);
  for (std::size_t i = 0; i < n; ++i)
    out[i] = static_cast<std::uint8_t>(7 * i + n);
  return out;
}

struct known_answer {
  std::size_t length;
  const char* sha256;
  const char* blake2b_head; ///< first 16 bytes of the 64-byte digest
  const char* blake2s_head; ///< first 16 bytes of the 32-byte digest
  const char* keyed_head;   ///< BLAKE2b-256 under the synthetic PoRep key, first 16 bytes
};
const known_answer answers[] = {
  {0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "786a02f742015903c6c6fd852552d272",
   "69217a3079908094e11121d042354a7c", "0364e533861079b5fcfa8c364d75dfed"},
  {3, "6ab0dba1f4f1dfbb37b4f9eeb092c09fca4900ad32bdcd147d8dde35d6c87c35", "76ce7e90c577d436a65b691e51f0a1ad",
   "ca943acca89a34cf4040cf8ea24147dd", "997be82111d487fc392b2fa2219a8490"},
  {55, "81afe5b788dc2ce138ff83d9b20164db75a94d75d2b2432eea4a0ef605088c72", "0a3e3193c4287c8d1c7ddf5742c5f8a9",
   "33b54c603747b84225b794f8cb3c7265", "3e245ac5061ffe9288048e11b7196802"},
  {56, "2aba54f0ac632420a2b502431408866e40e1d5e430df4cd822642c78ab2eb9c1", "8e4231483d14a3f0bc1f35e6d917066a",
   "30f3511b34eedf4abf7a5785e7206284", "b0cbb4ffa3423405fe69c741949f16d0"},
  {63, "733d3d4ee79ee67145bf73da13588f6f235d37414fc64b14a2f00f1762792f5e", "a9242e15943a948c5a7d55a24604a353",
   "5c9eb3e5acf93799a68777f27cdde8e9", "ad0c5b558ec3bbb131fd39172e42800b"},
  {64, "79322907b3e9d013d7dc2c2f256674dbf733045cde01df3539271c6f5605feb8", "04b017780b3cb020ebb61a0f3310f074",
   "85de17b4e2581889b98b948346a970b5", "522a02272f677038a8257a02a8b6c897"},
  {65, "d85c007c6eb440f085afa2b84f6f2bce4658b240e9f62cb1364bf0485a57e720", "557e1af4fadfaa30a0839f54ebcb6d05",
   "1c1a9619a26d7cd550199567e5c316eb", "06066dd83c67db4e622603904bdaf75f"},
  {119, "6c87eedf096b345de205b702e5223b73b447a3207791ded3ea007ba15ed6736e", "1e423608fb6eb2351cc5a61d63bf88d2",
   "cb4c2e2795279ce5153f05dd9408e229", "4775f2b53e052595b8b30e1c4017cc0e"},
  {120, "42500cf6a1e3936d6b9e0bcfe296d654b63255e525487d3634d0b15fde591c4d", "518e624c843b48a41a04405821f837fe",
   "53499d910fa9a2933a569e3cc9ad0056", "4494411fd9fa3780433f885270a9539e"},
  {127, "68f6ff710276900c0ffbbc57426f67e00c2e01f0750c7edc25ac06b8ce7a8095", "a9369c8a2827275c57528cb4720695b4",
   "440d16085a6e3685c5cbc450b56cb4cb", "d747d2ce332164066a2198c134e8cd49"},
  {128, "489d55fea9a73af36b6dd0be7b4117d8e5683386d39544e8a44c99a87f368707", "a7b57dba995e20f757a9793ebc8e7cba",
   "46bf7abf397f8c8f86566279cba2505c", "adbb6e96389a1f19683f3d9347692d27"},
  {129, "4e1556b2e9a50a3cc9478f3254727b01065f9ac5d2c3a8b4cd538ae7240bb87d", "19d0ad91b99eaac8253dc6b6bc3dce6b",
   "030e44da1226be0765e3ff31a849aca3", "0f2f7a9f9cc41f6bd9ee4f3cc06118e7"},
  {200, "8e3f3819b4f1b1f71c011c6b854c43601f132c3c88b8982b20733d2b1695c593", "edb2c2bf0b3f2bca2a2ab7b4b2bda8a7",
   "6b7b1be88a9b638f2cc3333bd6c6e70e", "04b571f093b823de7ad14a9bc3cd3cac"},
};

std::string head(std::span<const std::uint8_t> digest) {
  return to_hex(digest.first(16));
}

constexpr char synthetic_key[] = "filecoin.io|PoRep|1|Synthetic|1|Generation";

} // namespace

TEST_CASE("digests of lengths around the block edges are those of hashlib") {
  const std::string key = synthetic_key;
  const std::span key_bytes(reinterpret_cast<const std::uint8_t*>(key.data()), key.size());
  for (const auto& a : answers) {
    INFO(a.length);
    const auto m = message(a.length);
    CHECK(to_hex(sha256_of(m)) == a.sha256);
    CHECK(head(blake2b_512(m)) == a.blake2b_head);
    CHECK(head(blake2s_256(m)) == a.blake2s_head);
    CHECK(head(blake2b_256_keyed(key_bytes, m)) == a.keyed_head);
  }
}

TEST_CASE("a message fed in pieces has the digest of the whole") {
  const auto m = message(700);
  for (const std::size_t piece : {1u, 3u, 63u, 64u, 65u, 127u, 128u, 129u, 350u}) {
    INFO(piece);
    sha256 s;
    blake2b b(64);
    blake2s c(32);
    for (std::size_t at = 0; at < m.size(); at += piece) {
      const auto part = std::span(m).subspan(at, std::min(piece, m.size() - at));
      s.update(part);
      b.update(part);
      c.update(part);
    }
    std::array<std::uint8_t, 64> b_out;
    b.finish(b_out);
    digest c_out;
    c.finish(c_out);
    CHECK(s.finish() == sha256_of(m));
    CHECK(b_out == blake2b_512(m));
    CHECK(c_out == blake2s_256(m));
  }
}

TEST_CASE("a short digest under a key is that of hashlib") {
  const std::vector<std::uint8_t> key(32, 'k');
  std::vector<std::uint8_t> m(300);
  for (std::size_t i = 0; i < m.size(); ++i)
    m[i] = static_cast<std::uint8_t>(13 * i);
  std::array<std::uint8_t, 20> out;
  blake2s(20, key).update(m).finish(out);
  CHECK(to_hex(out) == "058b7f43b524b98f90022586fdc14e4787fe2e4c");
}

TEST_CASE("the SHA instructions and the portable compression agree") {
  const auto m = message(64 * 5);
  for (std::size_t blocks = 0; blocks <= 5; ++blocks) {
    sha256_state a = sha256_iv, b = sha256_iv;
    sha256_compress(a, m.data(), blocks);
    sha256_compress_portable(b, m.data(), blocks);
    CHECK(a == b);
  }
}

TEST_CASE("a node of tree D is the trimmed digest of its children") {
  digest left{}, right{};
  left[0] = 1;
  right[5] = 0xff;
  std::vector<std::uint8_t> both(left.begin(), left.end());
  both.insert(both.end(), right.begin(), right.end());
  CHECK(sha256_node(left, right) == trimmed(sha256_of(both)));
}

TEST_CASE("the SHA-256 tree over zeros has the roots of empty pieces") {
  digest node{};
  const auto grow = [&node](int levels) {
    for (int i = 0; i < levels; ++i)
      node = sha256_node(node, node);
  };
  grow(2);
  CHECK(to_hex(node) == "3731bb99ac689f66eef5973e4a94da188f4ddcae580724fc6f3fd60dfd488333");
  grow(4);
  CHECK(to_hex(node) == "fc7e928296e516faade986b28f92d44a4f24b935485223376a799027bc18f833");
  grow(24);
  CHECK(to_hex(node) == "077e5fde35c50a9303a55009e3498a4ebedff39c42b710b730d8ec7ac7afa63e");
}

TEST_CASE("ChaCha20 gives the key stream of RFC 8439, 2.4.2") {
  digest key;
  for (std::size_t i = 0; i < 32; ++i)
    key[i] = static_cast<std::uint8_t>(i);
  const std::array<std::uint8_t, 12> nonce = {0, 0, 0, 0, 0, 0, 0, 0x4a};
  std::array<std::uint8_t, 70> out;
  chacha20_keystream(key, nonce, 64, out); // the RFC starts at block 1
  CHECK(to_hex(std::span(out).first(16)) == "224f51f3401bd9e12fde276fb8631ded");
  CHECK(to_hex(std::span(out).subspan(64, 6)) == "69a6749f3f63");
  std::array<std::uint8_t, 6> tail;
  chacha20_keystream(key, nonce, 128, tail);
  CHECK(to_hex(tail) == "69a6749f3f63");
  std::array<std::uint8_t, 10> middle;
  chacha20_keystream(key, nonce, 124, middle);
  CHECK(std::equal(middle.begin(), middle.end(), out.begin() + 60));
}

TEST_CASE("ChaCha8 gives the key stream of the zero key") {
  chacha8_rng rng(digest{});
  CHECK(rng.next_u64() == 0xd6405f892fef003e);
  CHECK(rng.next_u64() == 0xa1a5091fe8b85b7f);
  for (int i = 2; i < 7; ++i)
    rng.next_u64();
  CHECK(rng.next_u64() == 0x42fe0c0eb8fd7b38);
}
