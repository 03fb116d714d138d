#!/usr/bin/env bash
# Builds and runs the tests. Usage: tools/test.sh [--slow | --asan | --tsan | --tidy | --arm64]
#   (nothing)   the usual suite
#   --slow      also the heavy cases (label slow): big circuits, long random runs
#   --asan      the usual suite under AddressSanitizer and UBSan (build-asan/)
#   --tsan      thread pool, atomic list and state classes under ThreadSanitizer (build-tsan/)
#   --tidy      clang-tidy over the sources (allow-list in .clang-tidy)
#   --arm64     cross-compiles the rooms that need no package for aarch64 (build-arm64/)
set -euo pipefail
cd "$(dirname "$0")/.."
export CTEST_OUTPUT_ON_FAILURE=1
jobs=${CUZK_JOBS:-$(nproc)}

case "${1:-}" in
  "")
    tools/build.sh release
    ctest --test-dir build -LE 'slow|gpu' -j "$jobs"
    ;;
  --slow)
    tools/build.sh release
    ctest --test-dir build -LE gpu -j "$jobs"
    ;;
  --asan)
    tools/build.sh asan
    UBSAN_OPTIONS="suppressions=$PWD/tests/support/ubsan.supp:print_stacktrace=1" \
      ctest --test-dir build-asan -L unit -LE 'slow|gpu|e2e' -E '^check/' -j "$jobs"
    ;;
  --tsan)
    tools/build.sh tsan
    ctest --test-dir build-tsan -E '^check/' -j "$jobs"
    ;;
  --arm64)
    command -v aarch64-linux-gnu-g++ >/dev/null || {
      sudo=(); [ "$(id -u)" = 0 ] || sudo=(sudo)
      "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends g++-aarch64-linux-gnu >/dev/null
    }
    cmake --preset arm64 >/dev/null
    cmake --build --preset arm64 -- -j "$jobs"
    ;;
  --tidy)
    tools/build.sh release
    git ls-files '*.cpp' | grep -v '^tests/' | xargs -P "$jobs" -n 4 clang-tidy -p build --quiet
    ;;
  *)
    sed -n '2,9p' "$0"
    exit 2
    ;;
esac
