#!/usr/bin/env bash
# Makes a key and a proof of winning-2k, and has it judged by run.sh.
# Usage: test.sh BIN_DIR SAMPLES_DIR      Exit status 77: node, npm or the registry is not to be had.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
bin=$1 input=$2/winning-2k.json
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
command -v npm >/dev/null || { echo "npm is missing: skipped"; exit 77; }
"$bin/cuzk-bench" generate-test winning-2k --seed 3 --dir "$work" --quiet >/dev/null
"$bin/cuzk-bench" prove "$input" --key "$work"/*.params --out "$work/proof" >/dev/null
"$here/run.sh" "$bin/cuzk" "$input" "$work/proof" "$work"/*.vk
