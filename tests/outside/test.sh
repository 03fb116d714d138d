#!/usr/bin/env bash
# Makes keys and proofs of circuits, and has them judged by run.sh.
# Usage: test.sh BIN_DIR SAMPLES_DIR CIRCUIT...      Exit status 77: node, npm or the registry is not to be had.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
bin=$1 samples=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
command -v npm >/dev/null || { echo "npm is missing: skipped"; exit 77; }
for circuit in "$@"; do
  input=$samples/$circuit.json identity=()
  [ "$circuit" != porep-2k ] || {
    input=$samples/porep-2k-c1.json
    identity=(--prover-id 0101010101010101010101010101010101010101010101010101010101010100 --sector 7)
  }
  dir=$work/$circuit
  "$bin/cuzk-bench" generate-test "$circuit" --seed 3 --dir "$dir" --quiet >/dev/null
  "$bin/cuzk-bench" prove "$input" --key "$dir"/*.params "${identity[@]}" --out "$dir/proof" >/dev/null
  "$here/run.sh" "$bin/cuzk" "$input" "$dir/proof" "$dir"/*.vk "${identity[@]}"
  rm -r "$dir"
done
