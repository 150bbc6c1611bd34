//! Subgroups of every width against their definitions: for each invocation, what those of its subgroup hold that take the same
//! branch.

use crate::kernel::{declared, decorated, kernel, run_on, validate};
use parallax_core::backend::Backend;
use parallax_core::num::Model;
use parallax_core::{Bound, Shader};
use parallax_interp::Interpreter;
use parallax_lift::Options;
use parallax_opt::{NoObserver, canonicalise, optimise};
use parallax_random::Random;
use parallax_reference::Reference;
use parallax_spirv::{assemble, lift};

/// What the invocations of a kernel hold and which of them execute.
struct Walk {
    width: usize,
    values: Vec<u32>,
    active: Vec<bool>,
}

impl Walk {
    /// The active invocations of the subgroup of one, by their numbers in it.
    fn group(&self, lane: usize) -> Vec<usize> {
        let first = lane - lane % self.width;
        (first..(first + self.width).min(self.values.len())).filter(|&other| self.active[other]).collect()
    }

    fn held(&self, lane: usize, number: usize) -> u32 {
        let other = lane - lane % self.width + number.min(self.width);
        if number < self.width && self.group(lane).contains(&other) { self.values[other] } else { 0 }
    }

    fn ballot(&self, lane: usize, holds: impl Fn(u32) -> bool) -> u128 {
        let group = self.group(lane).into_iter().filter(|&other| holds(self.values[other]));
        group.fold(0, |bits, other| bits | 1 << (other % self.width))
    }

    fn number(&self, lane: usize) -> usize {
        lane % self.width
    }

    /// Which invocations count: all, those up to one, those before it.
    fn counted(&self, lane: usize, scan: &str) -> Vec<usize> {
        let counts = |&other: &usize| match scan {
            "Reduce" => true,
            "InclusiveScan" => other <= lane,
            "ExclusiveScan" => other < lane,
            cluster => {
                let size: usize = cluster.parse().expect("a size");
                self.number(other) / size == self.number(lane) / size
            }
        };
        self.group(lane).into_iter().filter(counts).collect()
    }

    fn reduced(&self, lane: usize, scan: &str, start: u32, by: impl Fn(u32, u32) -> u32) -> u32 {
        self.counted(lane, scan).into_iter().fold(start, |sum, other| by(sum, self.values[other]))
    }

    fn float(&self, lane: usize, scan: &str, start: f32, by: impl Fn(f32, f32) -> f32) -> u32 {
        let counted = self.counted(lane, scan).into_iter();
        counted.fold(start, |sum, other| by(sum, float(self.values[other]))).to_bits()
    }
}

/// What the kernels make of a word: numbers of very different sizes.
fn float(word: u32) -> f32 {
    f32::from_bits(0x3f80_0000 ^ (word & 0x87ff_ffff) ^ (word >> 4 & 0x0200_0000))
}

fn part(mask: u128, word: u32) -> u32 {
    (mask >> (32 * word)) as u32
}

fn below(count: usize) -> u128 {
    if count >= 128 { u128::MAX } else { (1 << count) - 1 }
}

/// An instruction whose result, `%r`, has a type, and what it gives an invocation.
type Case = (&'static str, &'static str, Expected);

/// What an instruction gives an invocation.
type Expected = Box<dyn Fn(&Walk, usize) -> u32>;

fn odd(value: u32) -> bool {
    !value.is_multiple_of(3)
}

fn cases() -> Vec<Case> {
    let mut all: Vec<Case> = Vec::new();
    let mut add = |ty, text, of: Expected| all.push((ty, text, of));
    add("%bool", "OpGroupNonUniformElect %bool %scope", Box::new(|w, lane| (w.group(lane)[0] == lane).into()));
    add(
        "%bool",
        "OpGroupNonUniformAll %bool %scope %odd",
        Box::new(|w, lane| w.group(lane).iter().all(|&n| odd(w.values[n])).into()),
    );
    add(
        "%bool",
        "OpGroupNonUniformAny %bool %scope %odd",
        Box::new(|w, lane| w.group(lane).iter().any(|&n| odd(w.values[n])).into()),
    );
    add(
        "%bool",
        "OpGroupNonUniformAllEqual %bool %scope %v",
        Box::new(|w, lane| w.group(lane).iter().all(|&n| w.values[n] == w.values[w.group(lane)[0]]).into()),
    );
    for (n, text) in [
        "OpGroupNonUniformBallot %v4 %scope %odd\n%r = OpCompositeExtract %uint %t 0",
        "OpGroupNonUniformBallot %v4 %scope %odd\n%r = OpCompositeExtract %uint %t 1",
        "OpGroupNonUniformBallot %v4 %scope %odd\n%r = OpCompositeExtract %uint %t 2",
        "OpGroupNonUniformBallot %v4 %scope %odd\n%r = OpCompositeExtract %uint %t 3",
    ]
    .into_iter()
    .enumerate()
    {
        add("%uint2", text, Box::new(move |w, lane| part(w.ballot(lane, odd), n as u32)));
    }
    add(
        "%bool",
        "OpGroupNonUniformInverseBallot %bool %scope %bits",
        Box::new(|w, lane| (BITS >> w.number(lane) & 1) as u32),
    );
    add(
        "%bool",
        "OpGroupNonUniformBallotBitExtract %bool %scope %bits %low",
        Box::new(|w, lane| (BITS >> (w.values[lane] & 127) & 1) as u32),
    );
    add(
        "%uint",
        "OpGroupNonUniformBallotFindLSB %uint %scope %ballot",
        Box::new(|w, lane| match w.ballot(lane, odd) {
            0 => u32::MAX,
            bits => bits.trailing_zeros(),
        }),
    );
    add(
        "%uint",
        "OpGroupNonUniformBallotFindMSB %uint %scope %ballot",
        Box::new(|w, lane| match w.ballot(lane, odd) {
            0 => u32::MAX,
            bits => 127 - bits.leading_zeros(),
        }),
    );
    add(
        "%uint",
        "OpGroupNonUniformBallotBitCount %uint %scope Reduce %bits",
        Box::new(|w, _| (BITS & below(w.width)).count_ones()),
    );
    add(
        "%uint",
        "OpGroupNonUniformBallotBitCount %uint %scope InclusiveScan %bits",
        Box::new(|w, lane| (BITS & below(w.number(lane) + 1)).count_ones()),
    );
    add(
        "%uint",
        "OpGroupNonUniformBallotBitCount %uint %scope ExclusiveScan %bits",
        Box::new(|w, lane| (BITS & below(w.number(lane))).count_ones()),
    );
    add("%uint", "OpGroupNonUniformBroadcastFirst %uint %scope %v", Box::new(|w, lane| w.values[w.group(lane)[0]]));
    add("%uint", "OpGroupNonUniformBroadcast %uint %scope %v %c2", Box::new(|w, lane| w.held(lane, 2)));
    add(
        "%uint",
        "OpGroupNonUniformShuffle %uint %scope %v %low",
        Box::new(|w, lane| w.held(lane, (w.values[lane] & 127) as usize)),
    );
    add(
        "%uint",
        "OpGroupNonUniformShuffleXor %uint %scope %v %five",
        Box::new(|w, lane| w.held(lane, w.number(lane) ^ 5)),
    );
    add(
        "%uint",
        "OpGroupNonUniformShuffleUp %uint %scope %v %c1",
        Box::new(|w, lane| w.held(lane, w.number(lane).wrapping_sub(1))),
    );
    add(
        "%uint",
        "OpGroupNonUniformShuffleDown %uint %scope %v %c2",
        Box::new(|w, lane| w.held(lane, w.number(lane) + 2)),
    );
    // Quads hand over what they hold whether they execute or not.
    add("%uint", "OpGroupNonUniformQuadBroadcast %uint %scope %v %c2", Box::new(|w, lane| w.values[lane & !3 | 2]));
    add("%uint", "OpGroupNonUniformQuadSwap %uint %scope %v %c1", Box::new(|w, lane| w.values[lane ^ 2]));
    for scan in ["Reduce", "InclusiveScan", "ExclusiveScan", "2", "4", "8", "64"] {
        let text = |op: &str, ty: &str, value: &str| -> &'static str {
            let how = match scan.parse::<u32>() {
                Ok(size) => format!("ClusteredReduce {value} %k{size}"),
                Err(_) => format!("{scan} {value}"),
            };
            format!("OpGroupNonUniform{op} {ty} %scope {how}").leak()
        };
        add("%uint", text("IAdd", "%uint", "%v"), Box::new(move |w, l| w.reduced(l, scan, 0, u32::wrapping_add)));
        add("%uint", text("IMul", "%uint", "%v"), Box::new(move |w, l| w.reduced(l, scan, 1, u32::wrapping_mul)));
        add("%uint", text("UMin", "%uint", "%v"), Box::new(move |w, l| w.reduced(l, scan, u32::MAX, u32::min)));
        add("%uint", text("UMax", "%uint", "%v"), Box::new(move |w, l| w.reduced(l, scan, 0, u32::max)));
        let least = i32::MIN as u32;
        add(
            "%uint",
            text("SMin", "%uint", "%v"),
            Box::new(move |w, l| w.reduced(l, scan, !least, |a, b| (a as i32).min(b as i32) as u32)),
        );
        add(
            "%uint",
            text("SMax", "%uint", "%v"),
            Box::new(move |w, l| w.reduced(l, scan, least, |a, b| (a as i32).max(b as i32) as u32)),
        );
        add(
            "%uint",
            text("BitwiseAnd", "%uint", "%v"),
            Box::new(move |w, l| w.reduced(l, scan, u32::MAX, |a, b| a & b)),
        );
        add("%uint", text("BitwiseOr", "%uint", "%v"), Box::new(move |w, l| w.reduced(l, scan, 0, |a, b| a | b)));
        add("%uint", text("BitwiseXor", "%uint", "%v"), Box::new(move |w, l| w.reduced(l, scan, 0, |a, b| a ^ b)));
        let holds = |w: &Walk, l: usize| w.counted(l, scan).into_iter().map(|n| odd(w.values[n])).collect::<Vec<_>>();
        add("%bool", text("LogicalAnd", "%bool", "%odd"), Box::new(move |w, l| holds(w, l).iter().all(|&x| x).into()));
        add("%bool", text("LogicalOr", "%bool", "%odd"), Box::new(move |w, l| holds(w, l).iter().any(|&x| x).into()));
        add(
            "%bool",
            text("LogicalXor", "%bool", "%odd"),
            Box::new(move |w, l| holds(w, l).iter().fold(false, |a, &b| a ^ b).into()),
        );
        add("%float", text("FAdd", "%float", "%f"), Box::new(move |w, l| w.float(l, scan, 0.0, |a, b| a + b)));
        add("%float", text("FMul", "%float", "%f"), Box::new(move |w, l| w.float(l, scan, 1.0, |a, b| a * b)));
        add("%float", text("FMin", "%float", "%f"), Box::new(move |w, l| w.float(l, scan, f32::INFINITY, f32::min)));
        add(
            "%float",
            text("FMax", "%float", "%f"),
            Box::new(move |w, l| w.float(l, scan, f32::NEG_INFINITY, f32::max)),
        );
        // Narrow and wide integers.
        add(
            "%short",
            text("SMax", "%short", "%s"),
            Box::new(move |w, l| {
                let most = |a: u32, b: u32| (a as i16).max(b as i16) as u16 as u32;
                w.reduced(l, scan, 0x8000, most)
            }),
        );
        add(
            "%long",
            text("IAdd", "%long", "%l"),
            Box::new(move |w, l| {
                let wide = |n: usize| u64::from(w.values[n]) << 20;
                let sum = w.counted(l, scan).into_iter().map(wide).fold(0, u64::wrapping_add);
                (sum >> 32) as u32 ^ sum as u32
            }),
        );
    }
    let built_in = |name: &'static str| -> &'static str { format!("OpLoad %uint %{name}").leak() };
    add("%uint", built_in("SubgroupSize"), Box::new(|w, _| w.width as u32));
    add("%uint", built_in("SubgroupLocalInvocationId"), Box::new(|w, lane| w.number(lane) as u32));
    add("%uint", built_in("SubgroupId"), Box::new(|w, lane| (lane / w.width) as u32));
    add("%uint", built_in("NumSubgroups"), Box::new(|w, _| w.values.len().div_ceil(w.width) as u32));
    for word in 0..4 {
        let mask = |name: &str| -> &'static str {
            format!("OpLoad %v4 %Subgroup{name}Mask\n%r = OpCompositeExtract %uint %t {word}").leak()
        };
        add("%uint2", mask("Eq"), Box::new(move |w, l| part(1 << w.number(l), word)));
        add("%uint2", mask("Lt"), Box::new(move |w, l| part(below(w.number(l)), word)));
        add("%uint2", mask("Le"), Box::new(move |w, l| part(below(w.number(l) + 1), word)));
        add("%uint2", mask("Ge"), Box::new(move |w, l| part(below(w.width) & !below(w.number(l)), word)));
        add("%uint2", mask("Gt"), Box::new(move |w, l| part(below(w.width) & !below(w.number(l) + 1), word)));
    }
    all
}

/// A ballot that is given.
const BITS: u128 = 0x1248_f00d_0000_ffff_dead_beef_7531_9a3c;

/// The built-ins that a kernel declares, with their types.
const BUILT_INS: [(&str, &str); 9] = [
    ("SubgroupSize", "%uint"),
    ("SubgroupLocalInvocationId", "%uint"),
    ("SubgroupId", "%uint"),
    ("NumSubgroups", "%uint"),
    ("SubgroupEqMask", "%v4"),
    ("SubgroupLtMask", "%v4"),
    ("SubgroupLeMask", "%v4"),
    ("SubgroupGeMask", "%v4"),
    ("SubgroupGtMask", "%v4"),
];

/// A kernel that runs instructions in the invocations whose word has its highest bit set, and stores what they give.
fn program(lanes: u32, cases: &[Case]) -> String {
    let mut decorations = decorated(0, 0, 4);
    let mut types = format!(
        "%bool = OpTypeBool\n%v4 = OpTypeVector %uint 4\n%short = OpTypeInt 16 1\n%long = OpTypeInt 64 0\n\
         %inv = OpTypePointer Input %v4\n%scope = OpConstant %uint 3\n%k3 = OpConstant %uint 3\n%five = OpConstant %uint 5\n\
         %k2 = OpConstant %uint 2\n%k4 = OpConstant %uint 4\n%k8 = OpConstant %uint 8\n%k64 = OpConstant %uint 64\n\
         %k20 = OpConstant %uint 20\n%k32 = OpConstant %uint 32\n%k127 = OpConstant %uint 127\n%k31 = OpConstant %uint 31\n\
         %one = OpConstant %uint 1065353216\n%size = OpConstant %uint 2281701375\n%shift = OpConstant %uint 33554432\n\
         %stride = OpConstant %uint {}\n%first = OpConstant %uint {lanes}\n{}",
        cases.len(),
        declared(0, "%uint")
    );
    for word in 0..4 {
        types += &format!("%b{word}b = OpConstant %uint {}\n", part(BITS, word));
    }
    types += "%bits = OpConstantComposite %v4 %b0b %b1b %b2b %b3b\n";
    for (name, ty) in BUILT_INS {
        let pointer = if ty == "%uint" { "%in" } else { "%inv" };
        types += &format!("%{name} = OpVariable {pointer} Input\n");
        decorations += &format!("OpDecorate %{name} BuiltIn {name}\n");
    }
    let mut body = "%pv = OpAccessChain %p0 %b0 %c0 %lane\n%v = OpLoad %uint %pv\n%third = OpUMod %uint %v %k3\n\
        %odd = OpINotEqual %bool %third %c0\n%low = OpBitwiseAnd %uint %v %k127\n%kept = OpBitwiseAnd %uint %v %size\n\
        %moved = OpShiftRightLogical %uint %v %k4\n%top = OpBitwiseAnd %uint %moved %shift\n\
        %x1 = OpBitwiseXor %uint %one %kept\n%x2 = OpBitwiseXor %uint %x1 %top\n%f = OpBitcast %float %x2\n\
        %s = OpSConvert %short %v\n%wide = OpUConvert %long %v\n%l = OpShiftLeftLogical %long %wide %k20\n\
        %sign = OpBitwiseAnd %uint %v %high\n%is = OpINotEqual %bool %sign %c0\n%row = OpIMul %uint %lane %stride\n\
        %base = OpIAdd %uint %row %first\nOpSelectionMerge %end None\nOpBranchConditional %is %then %end\n%then = OpLabel\n\
        %ballot = OpGroupNonUniformBallot %v4 %scope %odd\n"
        .to_string();
    types += "%high = OpConstant %uint 2147483648\n";
    for (n, (ty, text, _)) in cases.iter().enumerate() {
        let made = if text.contains("%r =") { "%t" } else { "%r" };
        let lines = format!("{made} = {text}\n").replace("%r ", &format!("%r{n} "));
        let lines = lines.replace("%t ", &format!("%t{n} "));
        types += &format!("%n{n} = OpConstant %uint {n}\n");
        let word = match *ty {
            "%bool" => format!("OpSelect %uint %r{n} %c1 %c0"),
            "%float" => format!("OpBitcast %uint %r{n}"),
            "%short" => format!("OpBitwiseAnd %uint %e{n} %k65535"),
            "%long" => format!("OpBitwiseXor %uint %d{n} %g{n}"),
            _ => format!("OpCopyObject %uint %r{n}"),
        };
        let before = match *ty {
            "%short" => format!("%e{n} = OpUConvert %uint %r{n}\n"),
            "%long" => format!(
                "%h{n} = OpShiftRightLogical %long %r{n} %k32\n%d{n} = OpUConvert %uint %h{n}\n\
                 %g{n} = OpUConvert %uint %r{n}\n"
            ),
            _ => String::new(),
        };
        body += &format!(
            "{lines}{before}%w{n} = {word}\n%i{n} = OpIAdd %uint %base %n{n}\n%o{n} = OpAccessChain %p0 %b0 %c0 %i{n}\n\
             OpStore %o{n} %w{n}\n"
        );
    }
    types += "%k65535 = OpConstant %uint 65535\n";
    body += "OpBranch %end\n%end = OpLabel\n";
    let capabilities: String = ["", "Vote", "Arithmetic", "Ballot", "Shuffle", "ShuffleRelative", "Clustered", "Quad"]
        .map(|name| format!("OpCapability GroupNonUniform{name}\n"))
        .concat();
    let text = kernel(lanes, &decorations, &types, &body);
    let text = text
        .replace("OpCapability GroupNonUniformArithmetic\n", "")
        .replace("OpCapability GroupNonUniformBallot\n", "");
    let text = text.replace("OpCapability GroupNonUniformShuffle\n", "");
    text.replacen("OpCapability Shader\n", &format!("OpCapability Shader\n{capabilities}"), 1)
}

/// Runs a kernel, whose subgroups are as wide as the model says, on the row interpreter and the reference executor.
fn run(bound: &Shader<Bound>, words: &[u32]) -> Vec<u32> {
    let after = |backend: &dyn Backend| run_on(backend, bound, vec![words.to_vec()]).remove(0);
    let found = after(&Interpreter);
    assert_eq!(found, after(&Reference));
    found
}

#[test]
fn subgroups_of_every_width_are_their_definitions() {
    let cases = cases();
    let mut random = Random::new(21);
    // Whole quads, since these hand over what nobody holds, but not whole subgroups.
    for lanes in [128, 72, 8] {
        let text = program(lanes, &cases);
        let (module, diags) = assemble(&text).module();
        assert!(diags.is_empty(), "{diags:?}\n{text}");
        validate(&module.words, &text);
        let shader = lift(&module, &Options::default()).unwrap_or_else(|diags| panic!("{diags:?}\n{text}"));
        for width in [4, 8, 16, 32, 64, 128] {
            let model = Model::parse(&format!("ieee[subgroup={width}]")).expect("a model");
            let bound = shader.bind(&model);
            assert_eq!(bound.state.subgroup, width);
            for density in [u64::MAX, 2, 5] {
                let values: Vec<u32> = (0..lanes)
                    .map(|_| {
                        let is_active = density == u64::MAX || random.below(density) != 0;
                        random.word() as u32 & 0x7fff_ffff | u32::from(is_active) << 31
                    })
                    .collect();
                let mut words = values.clone();
                words.resize(values.len() * (1 + cases.len()), 7);
                let walk =
                    Walk { width: width as usize, active: values.iter().map(|v| v >> 31 == 1).collect(), values };
                let found = run(&bound, &words);
                let optimised = optimise(canonicalise(shader.clone()).bind(&model), &mut NoObserver);
                assert_eq!(run(&optimised, &words), found, "optimised, {width}");
                for (lane, found) in found[lanes as usize..].chunks(cases.len()).enumerate() {
                    for ((_, text, of), &found) in cases.iter().zip(found) {
                        let expected = if walk.active[lane] { of(&walk, lane) } else { 7 };
                        assert_eq!(found, expected, "{text} of invocation {lane} of {lanes}, width {width}");
                    }
                }
            }
        }
    }
}

/// Rotation inside of subgroups and clusters, which the validator of 2023 does not know.
#[test]
fn values_rotate_in_subgroups_and_clusters() {
    let types = format!(
        "%scope = OpConstant %uint 3\n%k3 = OpConstant %uint 3\n%k8 = OpConstant %uint 8\n%many = OpConstant %uint 64\n{}",
        declared(0, "%uint")
    );
    let body = "%a = OpGroupNonUniformRotateKHR %uint %scope %lane %k3\n\
                %b = OpGroupNonUniformRotateKHR %uint %scope %lane %k3 %k8\n%pa = OpAccessChain %p0 %b0 %c0 %lane\n\
                OpStore %pa %a\n%next = OpIAdd %uint %lane %many\n%pb = OpAccessChain %p0 %b0 %c0 %next\nOpStore %pb %b\n";
    let text = kernel(64, &decorated(0, 0, 4), &types, body).replacen(
        "OpCapability Shader\n",
        "OpCapability Shader\nOpCapability GroupNonUniformRotateKHR\n",
        1,
    );
    let (module, diags) = assemble(&text).module();
    assert!(diags.is_empty(), "{diags:?}");
    let shader = lift(&module, &Options::default()).unwrap_or_else(|diags| panic!("{diags:?}"));
    for width in [8, 32] {
        let bound = shader.bind(&Model::parse(&format!("ieee[subgroup={width}]")).expect("a model"));
        let turned = |lane: u32, size: u32| lane & !(size - 1) | (lane + 3) & (size - 1);
        let expected: Vec<u32> = (0..64).map(|n| turned(n, width)).chain((0..64).map(|n| turned(n, 8))).collect();
        assert_eq!(run(&bound, &[0; 128]), expected);
    }
}

/// What invocations of a subgroup see of each other, and atomics that are taken in turn: those of a subgroup go in step, those of
/// different ones do not.
#[test]
fn subgroups_go_in_step() {
    let types = format!(
        "%scope = OpConstant %uint 3\n%long = OpTypeInt 64 0\n%first = OpConstant %uint 2\n%bool = OpTypeBool\n\
         %pl = OpTypePointer StorageBuffer %long\n%sl = OpTypeStruct %long\n%ql = OpTypePointer StorageBuffer %sl\n\
         %total = OpVariable %ql StorageBuffer\n{}",
        declared(0, "%uint")
    );
    let decorations = "OpDecorate %total DescriptorSet 0\nOpDecorate %total Binding 0\nOpDecorate %sl Block\n\
                       OpMemberDecorate %sl 0 Offset 0\n";
    let body = "%pt = OpAccessChain %pl %total %c0\n%wide = OpUConvert %long %lane\n\
                %old = OpAtomicIAdd %long %pt %c1 %c0 %wide\n%fresh = OpLoad %long %pt\n%seen = OpUConvert %uint %fresh\n\
                %elected = OpGroupNonUniformElect %bool %scope\n%place = OpIAdd %uint %lane %first\n\
                %to = OpAccessChain %p0 %b0 %c0 %place\nOpStore %to %seen\n";
    let text = kernel(32, &(decorations.to_string() + &decorated(0, 0, 4)), &types, body).replacen(
        "OpCapability Shader\n",
        "OpCapability Shader\nOpCapability GroupNonUniform\n",
        1,
    );
    let (module, diags) = assemble(&text).module();
    assert!(diags.is_empty(), "{diags:?}");
    validate(&module.words, &text);
    let shader = lift(&module, &Options::default()).unwrap_or_else(|diags| panic!("{diags:?}"));
    for width in [4, 16, 32] {
        let bound = shader.bind(&Model::parse(&format!("ieee[subgroup={width}]")).expect("a model"));
        let found = run(&bound, &[0; 34]);
        // Each sees the sum of its subgroup and of those before.
        let expected: Vec<u32> = (0..32).map(|lane: u32| (0..lane - lane % width + width).sum()).collect();
        assert_eq!((found[0], &found[2..]), (496, &expected[..]));
    }
}
