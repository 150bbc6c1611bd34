#!/bin/sh
# The benchmark shaders on llvmpipe and on parallax, in turns, one thread each, 1024 x 1024, a binary32 target.
#
#     benches/llvmpipe/run.sh [MODEL [ENGINE]]
#
# Needs Mesa's llvmpipe with EGL, a C compiler and the headers of EGL and OpenGL (Debian: libegl1 libgl1-mesa-dri libegl-dev
# libgl-dev gcc). Prints a row per shader: million fragments per second, the best median of three turns, and the ratio.
set -eu
cd "$(dirname "$0")/../.."
model=${1:-ieee}
engine=${2:-auto}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
command -v cc >/dev/null || { echo "run.sh: no C compiler" >&2; exit 77; }
cc -O2 -o "$work/quad" benches/llvmpipe/quad.c -lEGL -lGL || { echo "run.sh: no headers of EGL and OpenGL" >&2; exit 77; }
cargo build --release --locked --quiet
export EGL_PLATFORM=surfaceless LIBGL_ALWAYS_SOFTWARE=1 GALLIUM_DRIVER=llvmpipe LP_NUM_THREADS=0 MESA_SHADER_CACHE_DISABLE=true

# The same operations one for one, in the spelling of ARB_fragment_program.
translate() {
    printf '!!ARBfp1.0\nPARAM c[16] = { program.local[0..15] };\nTEMP t0, t1, t2, t3, t4, t5, t6, t7;\n'
    grep '^ *[0-9]*: ' "$1" | sed -E \
        -e 's/^ *[0-9]+: //' -e 's/^KILL_IF/KIL/' \
        -e 's/SAMP\[([0-9]+)\]/texture[\1]/g' -e 's/CONST\[0\]\[([0-9]+)\]/c[\1]/g' -e 's/TEMP\[([0-9]+)\]/t\1/g' \
        -e 's/OUT\[0\]/result.color/g' -e 's/IN\[([0-9]+)\]/fragment.texcoord[\1]/g' \
        -e 's/\.xxxx/.x/g' -e 's/\.yyyy/.y/g' -e 's/\.zzzz/.z/g' -e 's/\.wwww/.w/g' -e '/^END$/!s/$/;/'
}

printf '%-16s %10s %10s %8s   %s, %s\n' shader llvmpipe parallax ratio "$model" "$engine"
for shader in blend phong mad_chain transcendental four_textures parallax_kill; do
    translate "benches/shaders/$shader.tgsi" > "$work/$shader.arbfp"
    best_theirs=0 best_ours=0
    for turn in 1 2 3; do
        theirs=$("$work/quad" "$work/$shader.arbfp" 1024 40 | cut -f2)
        ours=$("${CARGO_TARGET_DIR:-target}/release/parallax" bench "benches/shaders/$shader.tgsi" --models "$model" --engine "$engine" \
            --target fp32 --threads 1 --size 1024x1024 --runs 25 --json 2>/dev/null | sed -E 's/.*"mfrag_per_s":([0-9.]+).*/\1/')
        best_theirs=$(printf '%s\n%s\n' "$theirs" "$best_theirs" | sort -g | tail -1)
        best_ours=$(printf '%s\n%s\n' "$ours" "$best_ours" | sort -g | tail -1)
    done
    awk -v s="$shader" -v t="$best_theirs" -v o="$best_ours" 'BEGIN { printf "%-16s %10.1f %10.1f %8.2f\n", s, t, o, o / t }'
done
