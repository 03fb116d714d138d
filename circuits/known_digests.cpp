#include "circuits/known_digests.hpp"

#include "runtime/base/hex.hpp"

#include <algorithm>
#include <string_view>

namespace cuzk::circuits {
namespace {

struct entry {
  std::string_view name, hex;
};
constexpr entry entries[] = {
  {"porep-2k", "2c120b1125bd531d5a62b11932b2ae0e0cb47f455cea582994f97534e296bb42"},
  {"porep-4k", "d5a90de3471d6cb4e52b8c98d4b87433e1d9f5dbf44a0afea62d4a4287097029"},
  {"porep-16k", "6825ed63d62c7afbb8b1fb2d25691c057e124fd150b78ffca3eeb6f3b12eda6a"},
  {"porep-32k", "98076e135128c2457e7463f283a92ccc597eaddac7dc439a5532d1f4fcb4009b"},
  {"porep-8m", "b1fe5a4629fb8fc6684d6c90d6f8d6d32e5bccf6bc9439e4e8a9758e579328db"},
  {"porep-16m", "3f9771852d0d19d49761c876199520f0204ff8ff07281ef38247ad1e63fba34f"},
  {"porep-512m", "c7ade8c93707968e967cce4507669258eab20ff010e6dc1827d55544ee671cbb"},
  {"porep-1g", "adf871d80ddc70fe9f406e12394fb8559a13fd95ff78eb351516c02929016588"},
  {"porep-32g", "a790207ea0435359e7d5f286563586e3f9a3a286c97af2440f65a4a18063d9cb"},
  {"porep-64g", "7686117961498d7849ede7429233254b20e3b149011eca8674ca8e9ab0655af6"},
  {"winning-2k", "ce8079a9875ac8fafc46902e0e2368fa997e7f2ffb2065d2666ef92bc3ca2f67"},
  {"winning-4k", "99c86f50417ffd8739082ed4e96d3c5d646eaa3606dbe12f62064930e7825dfc"},
  {"winning-16k", "bbcd05c49637e40d00663680b64fcfd48c41c42e3f2925e5ea175006d90c2daa"},
  {"winning-32k", "28a7a8c594184b93609dadbd879c8771634ee56a4683b597ec5364c910de0a6a"},
  {"winning-8m", "f76fd7ab1915553c8dbffbd06ef73bc77119d7b4e2e129534256b9abd952d38e"},
  {"winning-16m", "eb2fa2c64119ed32fb9ba8fee98b9942f278bf76f510623b841b3beb48255868"},
  {"winning-512m", "1edcd1f497a9d12871d3f692ec90c670d9f837b3e37c31958dbf2ea239c021df"},
  {"winning-1g", "8025545c76dc920fd2aa522dfb2589d031d1a9162786446f30a90f7e08da369a"},
  {"winning-32g", "f65cddbca7106bac1a8b92148badb4d96f488d56c233bd59b0d0a6919445cf4f"},
  {"winning-64g", "280879cc466ac3a629e7369617c7f774b28b9e39d39bcf56b896ff72d2481107"},
  {"window-2k", "14279e1c38053fa35eab6f56dbf1c5ef337b533f2c42fd3d7b4e7a116796b331"},
  {"window-4k", "5b7fa4aca3b7ea9abd3c67ccb313ad3a79fe423ec5eabfb2731ee671f6d4fa46"},
  {"window-16k", "f107e04651b668b96f7337f7867f43c94e1e795cdc5f4eb586600f6a987abbab"},
  {"window-32k", "a5355fd4db825440d37d7290f1c3242934a1dc30ff6035b1e2929333a17ce90b"},
  {"window-8m", "ee6185d4d0e58fb6f56f11ebc105ec7a08829c99bbf18b91634e40d07abaee6f"},
  {"window-16m", "5d36865b303139eae5c25b0e7c357bb603cd0466353d171d0f1df04d6b7d55ae"},
  {"window-512m", "24ea17320d86130abde49b4eff2f6df38d8806b99018c5c2ac68930d951325c6"},
  {"window-1g", "32284a17f9e7b7af306c147f57c5066c4a537da9cea4cb613885f39815dbea48"},
  {"window-32g", "1036a47757014fa295aee4d8539d43c45adaf71c80a4b17c1dba6eca41b0d54f"},
  {"window-64g", "c0067486fdc1ab0885e045ae7e61190ec4cdc979f939d08d67c3d06fc3c6f42c"},
  {"snap-2k", "c787aea9329f4525b3bcde14533b9b775654f6a9afe0a7c671783c8bd4f1f7a5"},
  {"snap-4k", "ec26a8b7d5c248e9f958fdf76a30fed2c27802e1786e6e9bc8fe02796e6a98f3"},
  {"snap-16k", "95a1d46c7000ac6634072da5fa76d2c6faf4f399e8e2b25bd2c2266913c1ddaa"},
  {"snap-32k", "6a4de18617ff15850d2f183cfd81a8ff7b06a84855cd425e1f85ff838ac6a215"},
  {"snap-8m", "ee2b98435ff8e35305acee8e08f1428bf5d19dd1164174a356e150c11df28ae4"},
  {"snap-16m", "ab5a6323b917d1d7d733b642b8489517cf22136a4c7b74f1730a61d768aad0bf"},
  {"snap-512m", "d9f9e8c5646d12ad5a07ce7967df4e19fd998a0439a3eb1585baf51559b24751"},
  {"snap-32g", "ed11b3af5ba3ae6e1e9e56122c31c51507edb6516c97baf1893a97da69517634"},
  {"snap-64g", "8854cef703f930ed25d91a7e818524f3e4c67bb2393ba3c70fbfb0b1572c96af"},
};

} // namespace

std::optional<digest> known_digest(const filecoin::circuit_name& name) {
  const auto text = to_string(name);
  for (const auto& e : entries)
    if (e.name == text) {
      const auto raw = from_hex(e.hex);
      digest out;
      std::copy_n(raw->begin(), out.size(), out.begin());
      return out;
    }
  return std::nullopt;
}

} // namespace cuzk::circuits
