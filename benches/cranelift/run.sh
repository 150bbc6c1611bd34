#!/usr/bin/env bash
# How fast the code runs that Cranelift makes of the benchmark programs, and that of parallax on the same 960 lanes: Cranelift's
# is written to files and run from a small C program, since nothing in the workspace enters foreign code. Needs a C compiler.
set -euo pipefail
cd "$(dirname "$0")/../.."
cc=${CC:-cc}
command -v "$cc" >/dev/null || { echo "no C compiler: set CC" >&2; exit 1; }
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
CRANELIFT_CODE=$folder cargo bench -q -p parallax-benches --features cranelift --bench cranelift -- --test >/dev/null
"$cc" -O2 -o "$folder/run" benches/cranelift/run.c
"$folder/run" "$folder"/*.bin
cat "$folder/parallax"
