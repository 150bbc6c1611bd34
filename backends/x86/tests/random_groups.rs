//! Random kernels of whole workgroups whose lanes go the same way: shared memory, barriers, loops, and addresses that are sums of where
//! an invocation is, so that blocks are interleaved. Machine code is compared with the reference executor.

use parallax_core::exec::{AlignedWords, FUEL, Inputs, Memory, NoInterpolator, NoTextures, Outputs};
use parallax_core::num::Model;
use parallax_core::text::read;
use parallax_core::{SysVal, verify};
use parallax_step::Programs;
use parallax_x86::{Level, compile};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Words of each buffer.
const WORDS: usize = 300;

/// Numbers that seem random (Numerical Recipes, section 7.1, the quick generator).
struct Random(u32);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        ((u64::from(self.0) * count as u64) >> 32) as usize
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}

/// A kernel under way. Values 0 and 1 are where the invocation is, 2 its number times four, 3 and 4 the places times four, 5 what a row
/// has in bytes times the row.
struct Kernel {
    random: Random,
    text: String,
    next: usize,
    /// Integers that may differ from lane to lane.
    values: Vec<usize>,
    /// Counters of the loops around.
    counters: Vec<usize>,
    row: usize,
}

impl Kernel {
    fn new(seed: u32, [x, y]: [usize; 2]) -> Kernel {
        let mut text = format!(
            "shader \"kernel\" stage(compute) from(\"test\") {{\n  workgroup {x} {y} 1\n  buffer 0 \"DATA\"\n  buffer 1 \"A\" \
             workgroup({WORDS})\n  buffer 2 \"B\" workgroup({WORDS})\n  slot p0 = fp32\n  %0: i32 = sys local_x\n  %1: i32 = sys local_y\n"
        );
        let _ = writeln!(text, "  %10: i32 = lit 2\n  %11: i32 = lit {}", 4 * x);
        text.push_str(
            "  %3: i32 = shl %0, %10\n  %4: i32 = shl %1, %10\n  %5: i32 = imul %1, %11\n  %2: i32 = iadd %3, %5\n  \
             %12: i32 = buffer.load b0[%2]\n",
        );
        Kernel { random: Random(seed), text, next: 13, values: vec![0, 1, 12], counters: Vec::new(), row: 4 * x }
    }

    /// An op with one result, whose number it gives.
    fn op(&mut self, ty: &str, op: impl std::fmt::Display) -> usize {
        let number = self.next;
        let _ = writeln!(self.text, "  %{number}: {ty} = {op}");
        self.next += 1;
        number
    }

    fn value(&mut self) -> usize {
        let values = self.values.clone();
        self.random.one(&values)
    }

    /// An address: a sum of some of what is above, of a counter, and of a number.
    fn address(&mut self) -> usize {
        let mut address = self.random.one(&[2, 2, 3, 4, 5]);
        for _ in 0..self.random.below(3) {
            let more = match self.random.below(4) {
                0 => self.random.one(&[3, 4, 5]),
                1 if !self.counters.is_empty() => {
                    let counters = self.counters.clone();
                    let (counter, bytes) = (self.random.one(&counters), self.random.one(&[4, 4, self.row, 12]));
                    let bytes = self.op("i32", format_args!("lit {bytes}"));
                    self.op("i32", format_args!("imul %{counter}, %{bytes}"))
                }
                // Some of them lead outside.
                _ => {
                    let bytes = self.random.one(&[0, 4, 64, self.row, 2 * self.row, 1000]);
                    self.op("i32", format_args!("lit {bytes}"))
                }
            };
            address = self.op("i32", format_args!("iadd %{address}, %{more}"));
        }
        address
    }

    fn arithmetic(&mut self) -> usize {
        let (a, b) = (self.value(), self.value());
        match self.random.below(6) {
            0 => {
                let [a, b] = [a, b].map(|value| self.op("p0", format_args!("bits.to %{value}")));
                let product = self.op("p0", format_args!("fma %{a}, %{b}, %{a}"));
                self.op("i32", format_args!("bits.of %{product} under p0"))
            }
            n => self.op("i32", format_args!("{} %{a}, %{b}", ["iadd", "imul", "ixor", "isub", "iadd"][n - 1])),
        }
    }

    /// What stands between two barriers.
    fn statements(&mut self, depth: usize) {
        for _ in 0..1 + self.random.below(4) {
            match self.random.below(8) {
                0 | 1 => {
                    let buffer = self.random.one(&[0, 1, 2]);
                    let address = self.address();
                    let found = self.op("i32", format_args!("buffer.load b{buffer}[%{address}]"));
                    self.values.push(found);
                }
                2 if depth < 2 => self.repeat(depth),
                3 if depth == 0 => {
                    let (buffer, value) = (self.random.one(&[1, 2]), self.value());
                    let _ = writeln!(self.text, "  barrier\n  buffer.store b{buffer}[%2], %{value}\n  barrier");
                }
                _ => {
                    let found = self.arithmetic();
                    self.values.push(found);
                }
            }
        }
    }

    /// A loop whose number of iterations all lanes know.
    fn repeat(&mut self, depth: usize) {
        let [zero, one] = [0, 1].map(|number| self.op("i32", format_args!("lit {number}")));
        let most = self.random.one(&[1, 2, 3, 5, 16]);
        let most = self.op("i32", format_args!("lit {most}"));
        let first = self.value();
        let [result, counter, sum] = [0, 1, 2].map(|more| self.next + more);
        self.next += 3;
        let _ = writeln!(
            self.text,
            "  %{result}: i32 = loop ^{result} (%{counter}: i32 = %{zero}, %{sum}: i32 = %{first}) initial(%{zero}) {{"
        );
        let visible = self.values.len();
        self.counters.push(counter);
        self.values.extend([sum, counter]);
        self.statements(depth + 1);
        let last = self.value();
        let total = self.op("i32", format_args!("iadd %{sum}, %{last}"));
        let next = self.op("i32", format_args!("iadd %{counter}, %{one}"));
        let goes_on = self.op("pred", format_args!("ilt %{next}, %{most}"));
        let _ = writeln!(
            self.text,
            "  if %{goes_on} {{\n  yield\n  }} else {{\n  break ^{result} %{total}\n  }}\n  continue ^{result} %{next}, %{total}\n  }}"
        );
        self.counters.pop();
        self.values.truncate(visible);
        self.values.push(result);
    }

    fn finish(mut self) -> String {
        self.statements(0);
        for _ in 0..self.random.below(4) {
            let (buffer, value) = (self.random.one(&[1, 2]), self.value());
            let _ = writeln!(self.text, "  buffer.store b{buffer}[%2], %{value}\n  barrier");
            self.statements(0);
        }
        // All that was found, so that nothing is left out.
        let mut sum = self.values[0];
        for value in self.values.clone() {
            sum = self.op("i32", format_args!("ixor %{sum}, %{value}"));
        }
        let _ = writeln!(self.text, "  buffer.store b0[%2], %{sum}\n  yield\n}}");
        self.text
    }
}

const SIZES: [[usize; 2]; 9] = [[16, 16], [16, 4], [64, 1], [32, 4], [128, 2], [64, 4], [8, 8], [32, 2], [256, 1]];

/// Runs kernels from a seed on; how many of them have so many blocks interleaved.
fn run(first: u32, count: u32) -> BTreeMap<usize, usize> {
    let levels: Vec<Level> = Level::ALL.into_iter().filter(|level| level.is_supported()).collect();
    let (mut programs, mut found) = (Programs::default(), BTreeMap::new());
    for seed in first..first + count {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9));
        let [x, y] = random.one(&SIZES);
        let text = Kernel::new(random.0, [x, y]).finish();
        let symbolic = read(&text).unwrap_or_else(|diags| panic!("{diags:#?}\n{text}"));
        let shader = symbolic.bind(&Model::builtin(random.one(&["ieee", "nv-patent"])).expect("built in"));
        let verified = verify(&shader).unwrap_or_else(|diags| panic!("{diags:#?}\n{text}"));
        let lanes = x * y;
        let mut sysvals = vec![0; SysVal::ALL.len() * lanes];
        for lane in 0..lanes {
            sysvals[SysVal::LocalX as usize * lanes + lane] = (lane % x) as u32;
            sysvals[SysVal::LocalY as usize * lanes + lane] = (lane / x) as u32;
        }
        let inputs = Inputs {
            lanes,
            attrs: &[],
            banks: &[],
            sysvals: &sysvals,
            covered: &vec![true; lanes],
            textures: &NoTextures,
            interpolator: &NoInterpolator,
            fuel: random.one(&[FUEL, FUEL, 7, 20]),
        };
        let data: Vec<u32> = (0..WORDS).map(|_| random.one(&[0x3f80_0000, 0x4000_0000, 0xc080_0000, 3, 77])).collect();
        let shared = vec![0; WORDS];
        let mut wanted = [&data[..], &shared, &shared].map(AlignedWords::from);
        let mut outputs = Outputs::default();
        parallax_reference::run(verified, &inputs, Memory::Aligned(&mut wanted), &mut outputs);
        for &level in &levels {
            let program = compile(verified, level, &mut programs).expect("compiles");
            *found.entry(program.blocks()).or_default() += 1;
            // From a cache line on, and from anywhere.
            let mut aligned = [&data[..], &shared, &shared].map(AlignedWords::from);
            let mut words = [data.clone(), shared.clone(), shared.clone()];
            for memory in [Memory::Aligned(&mut aligned), Memory::Exclusive(&mut words)] {
                let mut made = Outputs::default();
                program.run(&inputs, memory, &mut made);
                assert_eq!(made.out_of_fuel, outputs.out_of_fuel, "seed {seed}, {level}\n{text}");
            }
            assert!(
                aligned == wanted && words == wanted.clone().map(|words| words.to_vec()),
                "seed {seed}, {level}\n{text}"
            );
        }
    }
    found
}

#[test]
fn random_workgroups() {
    let found = run(0, 250);
    let is_wide = Level::Avx512.is_supported();
    assert!(
        found.get(&2).is_some_and(|&count| count > 20) && (!is_wide || found.get(&4).is_some_and(|&count| count > 20))
    );
}

/// `cargo test -p parallax-x86 --release --test all many_workgroups -- --ignored --nocapture`; `COUNT` says how many.
#[test]
#[ignore = "long"]
#[allow(clippy::print_stdout, reason = "it says what it ran")]
fn many_workgroups() {
    let count = std::env::var("COUNT").ok().and_then(|count| count.parse().ok()).unwrap_or(20_000);
    println!("programs by interleaved blocks: {:?}", run(1000, count));
}
