#!/bin/sh
# Kernels in C and on parallax, in turns, one thread each, model ieee.
#
#     benches/kernels/run.sh [TURNS]
#
# Needs a C compiler: gcc, or what CC names. Prints a row per kernel: milliseconds of the fastest run in all turns (eight, short ones, since other load slows some of them), and how many
# times as fast as the C code parallax is. Fails if the two compute different results. CFLAGS takes the place of the flags below: the
# first two let the compiler do its best, the others make it round as the kernels do and leave errno alone, or no root becomes a vector.
set -eu
cd "$(dirname "$0")/../.."
turns=${1:-8}
cc=${CC:-gcc}
flags=${CFLAGS:--O3 -march=native -ffp-contract=off -fno-math-errno}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
command -v "$cc" >/dev/null || { echo "run.sh: no C compiler: set CC" >&2; exit 77; }
# shellcheck disable=SC2086
"$cc" $flags -o "$work/kernels" benches/kernels/kernels.c -lm
cargo bench --quiet --locked -p parallax-benches --bench kernels --no-run
turn=0
while [ "$turn" -lt "$turns" ]; do
    turn=$((turn + 1))
    "$work/kernels" > "$work/c.$turn"
    KERNEL_TIMES="$work/parallax.$turn" cargo bench --quiet --locked -p parallax-benches --bench kernels -- --test >/dev/null
done

"$cc" --version | head -1
echo "$flags"
sed 's/\t/\tc\t/' "$work"/c.* | cat - "$work"/parallax.* | awk -F '\t' '
    {
        if (!(($1, $2) in least) || $3 < least[$1, $2]) least[$1, $2] = $3
        if (($1, $2) in sums && sums[$1, $2] != $4) { print "run.sh: " $1 " by " $2 " differs between turns" > "/dev/stderr"; bad = 1 }
        sums[$1, $2] = $4
        if (!seen[$1]++) names[++count] = $1
    }
    function cell(name, engine) { return (name, engine) in least ? sprintf("%.3f", least[name, engine]) : "-" }
    function ratio(name, engine) {
        if (!((name, "c") in least) || !((name, engine) in least)) return "-"
        return sprintf("%.3f", least[name, "c"] / least[name, engine])
    }
    function barriers(engine, twice, apart) {
        if (!(("prefix_sum", engine) in least)) return
        twice = least["prefix_sum, barriers twice", engine] / least["prefix_sum", engine] - 1
        apart = 1 - least["prefix_sum, apart, no barriers", engine] / least["prefix_sum, apart", engine]
        printf "barriers of prefix_sum, %s: %.0f %% more time with all of them twice, %.0f %% less without\n", engine, \
            100 * twice, 100 * apart
    }
    function compare(name, engine) {
        if (!((name, "c") in sums) || !((name, engine) in sums) || sums[name, "c"] == sums[name, engine]) return
        print "run.sh: " name ": C computes " sums[name, "c"] ", " engine " " sums[name, engine] > "/dev/stderr"
        bad = 1
    }
    END {
        wide = "jit-avx512"; narrow = "jit-avx2"
        printf "%-31s %9s %9s %9s %10s %10s\n", "kernel", "C", "AVX-512", "AVX2", "C/AVX-512", "C/AVX2"
        for (n = 1; n <= count; n++) {
            name = names[n]
            printf "%-31s %9s %9s %9s %10s %10s\n", name, cell(name, "c"), cell(name, wide), cell(name, narrow), \
                ratio(name, wide), ratio(name, narrow)
            compare(name, wide); compare(name, narrow)
        }
        barriers(wide); barriers(narrow)
        exit bad
    }'
