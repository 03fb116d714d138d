#!/bin/bash
# Builds the programs of tests/gpu without CMake, all files at once: for a bare machine with nvcc and many cores.
# Usage: tests/gpu/build.sh OUTPUT_FOLDER [ARCHITECTURE, default sm_90]
set -e
root=$(cd "$(dirname "$0")/../.." && pwd)
out=$1
arch=${2:-sm_90}
mkdir -p "$out"
cd "$root"
flags="-std=c++17 -O3 -arch=$arch --expt-relaxed-constexpr -lineinfo -I. -DCUZK_CUDA_ARCHITECTURES=\"$arch\""
rooms=$(ls cuda/*/*.cu)
programs=$(ls tests/gpu/*.cu tests/gpu/*.cpp)
host=$(find runtime/base math circuits filecoin groth16 cuda -name '*.cpp' ! -name without_cuda.cpp)
name() { echo "$out/$(echo "$1" | tr / _).o"; }
for f in $rooms $(ls tests/gpu/*.cu); do nvcc $flags -c "$f" -o "$(name "$f")" & done
for f in $host $(ls tests/gpu/*.cpp); do g++ -std=c++20 -O2 -Wno-psabi -I. -c "$f" -o "$(name "$f")" & done
for job in $(jobs -p); do wait "$job"; done
objects=$(for f in $rooms $host; do name "$f"; done)
for p in $programs; do nvcc -arch=$arch "$(name "$p")" $objects -o "$out/$(basename "${p%.*}")" & done
for job in $(jobs -p); do wait "$job"; done
