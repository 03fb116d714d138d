#!/usr/bin/env bash
# Installs what is missing (Debian 12/13, Ubuntu 24.04) and builds everything into build/.
# Usage: tools/build.sh [PRESET]      PRESET = release (default), debug, asan, tsan
set -euo pipefail
cd "$(dirname "$0")/.."
preset=${1:-release}

packages=(cmake ninja-build g++ pkg-config python3 ccache libcaf-dev capnproto libcapnp-dev libspdlog-dev catch2
          libsqlite3-dev libtomlplusplus-dev libcli11-dev nlohmann-json3-dev libssl-dev)

missing=()
for p in "${packages[@]}"; do
  dpkg-query -W -f='${Status}' "$p" 2>/dev/null | grep -q 'ok installed' || missing+=("$p")
done
if ((${#missing[@]})); then
  echo "installing: ${missing[*]}"
  sudo=()
  [ "$(id -u)" = 0 ] || sudo=(sudo)
  "${sudo[@]}" apt-get update -qq
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

cmake --preset "$preset" | grep -E '^-- (CUDA|CUZK)|warning' || true
read -ra targets <<<"${CUZK_TARGETS:-all}"
cmake --build --preset "$preset" --target "${targets[@]}" -- -j "${CUZK_JOBS:-$(nproc)}"
