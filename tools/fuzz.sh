#!/usr/bin/env bash
# Fuzzes the doors of strangers' bytes with libFuzzer (clang). Usage: tools/fuzz.sh [TARGET|all] [SECONDS, default 600]
# Corpora grow in build-fuzz/corpus/TARGET; a finding is written to build-fuzz/findings/TARGET and ends the run with
# its status. tools/fuzz.sh --keep TARGET puts the small files of a minimised corpus into tests/data/fuzz/TARGET.
set -euo pipefail
cd "$(dirname "$0")/.."
keep=
[ "${1:-}" != --keep ] || { keep=1; shift; }
target=${1:-all} seconds=${2:-600}
names=(job bincode vk params derived matrices config toxic proof message)
[ "$target" = all ] || names=("$target")
cmake --preset fuzz >/dev/null
for name in "${names[@]}"; do
  cmake --build --preset fuzz --target "fuzz_$name" -- -j "${CUZK_JOBS:-$(nproc)}" >/dev/null
  corpus=build-fuzz/corpus/$name findings=build-fuzz/findings/$name program=build-fuzz/bin/fuzz_$name
  mkdir -p "$corpus" "$findings"
  if [ -n "$keep" ]; then
    small=build-fuzz/small/$name
    rm -rf "$small" && mkdir -p "$small" "tests/data/fuzz/$name"
    "$program" -merge=1 -max_len=2048 "$small" "$corpus" >/dev/null 2>&1
    find "$small" -type f -size -2k | sort | head -n 18 | xargs -I{} cp {} "tests/data/fuzz/$name/"
    continue
  fi
  CUZK_FUZZ_SEEDS=$corpus "$program"
  dictionary=tests/fuzz/$name.dict
  [ -f "$dictionary" ] && dictionary=-dict=$dictionary || dictionary=
  "$program" -max_total_time="$seconds" -rss_limit_mb=2048 -timeout=10 -max_len=131072 -print_final_stats=1 \
    -artifact_prefix="$findings/" $dictionary "$corpus" 2>&1 | tee "build-fuzz/$name.log" |
    grep -E 'stat::|cov:.*DONE|ERROR|SUMMARY|terminate|what' || true
  ! grep -qE 'SUMMARY|ERROR' "build-fuzz/$name.log" || { echo "$name: see $findings"; exit 1; }
done
