#!/usr/bin/env bash
# From a bare machine to verified proofs: installs, builds, makes insecure test keys, starts a node on the CPU, proves a
# real WinningPoSt, WindowPoSt, PoRep and SnapDeals update of 2 KiB sectors through the Cap'n Proto client, verifies
# them, and stops the node.
# Usage: tools/demo.sh [--keep]      --keep leaves keys and proofs in build/demo
set -euo pipefail
cd "$(dirname "$0")/.."
say() { printf '\n== %s\n' "$*"; }

say "build"
CUZK_TARGETS="cuzk cuzkd" tools/build.sh release
bin=$PWD/build/bin
work=$PWD/build/demo
samples=$PWD/tests/data/samples
mkdir -p "$work"
export CUZK_NODE=unix:$work/cuzk.sock

say "insecure test keys (they go to build/demo; a real node uses the published parameters)"
declare -A vk
for circuit in winning-2k window-2k porep-2k snap-2k; do
  made=$("$bin/cuzk" params generate-test $circuit --seed 1 --dir "$work" | sed -nE 's/^(written|kept) +//p')
  vk[$circuit]=${made%.params}.vk
  echo "$circuit  ${made##*/}"
done

say "a node on the CPU"
"$bin/cuzkd" --api.socket "$work/cuzk.sock" --node.state_dir "$work/state" --params.dir "$work" \
  --params.allow_test_keys >"$work/cuzkd.log" 2>&1 &
node=$!
cleanup() {
  kill "$node" 2>/dev/null && wait "$node" 2>/dev/null || true
  [ "${1:-}" = --keep ] || rm -rf "$work"
}
trap 'cleanup "${keep:-}"' EXIT
keep=${1:-}
for _ in $(seq 100); do
  "$bin/cuzk" status >/dev/null 2>&1 && break
  kill -0 "$node" 2>/dev/null || { cat "$work/cuzkd.log"; exit 1; }
  sleep 0.1
done

have_npm=$(command -v npm || true)
# prove_and_verify CIRCUIT INPUT [IDENTITY...]
prove_and_verify() {
  local circuit=$1 input=$samples/$2.json proof=$work/$1.proof
  shift 2
  "$bin/cuzk" prove "$input" "$@" -o "$proof"
  "$bin/cuzk" verify "$input" "$proof" "$@" --vk "${vk[$circuit]}"
  [ -z "$have_npm" ] || tests/outside/run.sh "$bin/cuzk" "$input" "$proof" "${vk[$circuit]}" "$@" ||
    { local status=$?; [ $status = 77 ] || exit $status; }
}
[ -z "$have_npm" ] || say "npm is here: @noble/curves, a judge nobody here wrote, looks at every proof as well"

say "WinningPoSt"
prove_and_verify winning-2k winning-2k
say "WindowPoSt: five sectors, three partitions"
prove_and_verify window-2k window-2k
say "PoRep: replica id, challenges and parents are recomputed from the prover's id"
prove_and_verify porep-2k porep-2k-c1 \
  --prover-id 0101010101010101010101010101010101010101010101010101010101010100 --sector 7
say "SnapDeals"
prove_and_verify snap-2k snap-2k

say "jobs and timings"
"$bin/cuzk" jobs
grep -E 'GPU_TIMING|FIN_TIMING' "$work/cuzkd.log"

say "stop"
kill -TERM "$node"
wait "$node" || true
tail -n 2 "$work/cuzkd.log"
echo
echo "done: all four proofs verify."
