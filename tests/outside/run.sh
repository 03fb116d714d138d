#!/usr/bin/env bash
# Judges a proof with @noble/curves and checks that ten damaged copies are refused.
# Usage: run.sh CUZK INPUT PROOF VK [IDENTITY...]      Exit status 77: node, npm or the registry is not to be had.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cuzk=$1 input=$2 proof=$3 vk=$4
shift 4
command -v node >/dev/null && command -v npm >/dev/null || { echo "node or npm is missing: skipped"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here/package.json" "$here/verify.mjs" "$work"
(cd "$work" && npm install --no-audit --no-fund --loglevel=error >/dev/null) || { echo "npm install failed: skipped"; exit 77; }
"$cuzk" export snarkjs "$input" "$proof" "$@" --vk "$vk" --dir "$work/case"
node "$work/verify.mjs" "$work/case" --damage 10
