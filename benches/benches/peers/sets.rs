//! The instruction sets with words: what they decode, print, assemble and lift, and what is wanted of each.
//!
//! Mixes: `corpus` and `kernel` repeat instructions in the order somebody wrote them; `shuffled` draws every row of a table equally
//! often with random operands, so that no branch can be predicted from the one before.

use crate::Work;
use parallax_corpus::File;
use parallax_isa::{Binary, Bundles, Code, Codec, Generator, Group, Isa, Lines, Out, Stream, Style};
use parallax_lift::{Layout, Options};
use parallax_nvfp::nv40::{self, Order};
use std::hint::black_box;
use std::rc::Rc;

/// Instructions a run.
const COUNT: usize = 1 << 14;

/// Rates of decoding, and of printing in order and shuffled, wanted beside `iced`; those of assembling beside `nom`, of lifting beside
/// Cranelift's builder; and of exact listings beside plain ones.
const DECODE: f64 = 2.0;
const PRINT: f64 = 1.2;
const PRINT_SHUFFLED: f64 = 0.6;
const EXACT: f64 = 0.7;
const ASSEMBLE: f64 = 0.4;
const LIFT: f64 = 1.0;

/// USC groups as compilers make them: one to three phases, outputs, texture lookups, bitwise and control groups.
const GROUPS: &str = include_str!("groups.usc");
/// A shader of SPA 5.0 as a compiler writes it: inputs, a texture, a loop, a few functions.
const KERNEL: &str = include_str!("kernel.spa5");

fn folder(name: &'static str) -> impl Iterator<Item = &'static File> {
    parallax_corpus::shaders().filter(move |file| file.folder() == name)
}

fn texts(name: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    folder(name).filter_map(|file| Some((file.stem(), file.text()?)))
}

/// Words of every row, equally often, as an assembler writes them.
fn shuffled<I: Isa>(codec: &Codec<I>) -> Vec<Code> {
    let mut generator = Generator::new(1);
    let mut any = || {
        let code = generator.any(codec, false);
        codec.decode(code).map_or(code, |row| codec.canonical(row, code))
    };
    (0..COUNT).map(|_| any()).collect()
}

/// Mixes: a name, whether it is in order, codes.
type Mixes = [(&'static str, bool, Vec<Code>); 2];

fn repeated(codes: impl IntoIterator<Item = Code>) -> Vec<Code> {
    let codes: Vec<Code> = codes.into_iter().collect();
    codes.into_iter().cycle().take(COUNT).collect()
}

fn attila() -> Mixes {
    let programs = texts("attila").filter_map(|(_, text)| parallax_attila::assemble(text).0);
    let written = repeated(programs.flat_map(|program| program.instrs).map(|instr| Code::from(instr.word())));
    [("ATTILA, corpus", true, written), ("ATTILA, shuffled", false, shuffled(parallax_attila::codec()))]
}

fn spa5() -> Mixes {
    let program = parallax_spa5::assemble(KERNEL, &Layout::default()).0.expect("the kernel assembles");
    let written = repeated(program.instrs.iter().map(|instr| instr.code()));
    [("SPA5, kernel", true, written), ("SPA5, shuffled", false, shuffled(parallax_spa5::codec()))]
}

/// The fragment programs among the files of NV40.
fn nv40_files() -> impl Iterator<Item = (&'static File, Order)> {
    folder("nv40").filter_map(|file| Some((file, nv40::sniff(file.bytes)?)))
}

fn nv40_mixes() -> Mixes {
    let programs = nv40_files().map(|(file, order)| nv40::Program::decode(file.bytes, order).0);
    let written = repeated(programs.flat_map(|program| program.instrs).map(|instr| instr.code()));
    [("NV40, corpus", true, written), ("NV40, shuffled", false, shuffled(nv40::codec()))]
}

/// Operations of the groups: what other sets call an instruction.
fn operations() -> u64 {
    let all = GROUPS.bytes().filter(|b| matches!(b, b';' | b'\n')).count() as u64;
    all * (COUNT as u64 / 16)
}

/// Groups as bytes.
fn usc() -> Binary {
    let bytes = parallax_usc::assemble_bytes(GROUPS).0.expect("the groups assemble");
    Binary::new(&bytes.repeat(COUNT / 16))
}

/// The words of a program that only the last ends.
fn nv40_bytes(codes: &[Code]) -> Vec<u8> {
    let (stream, mut bytes) = (Order::Le.stream(), Vec::new());
    for (n, code) in codes.iter().enumerate() {
        let word = code.word() & !1 | u128::from(n + 1 == codes.len());
        stream.put(&Code::new(word, code.side()), &mut bytes);
    }
    bytes
}

/// SPA 5.0 in bundles.
fn bundles(codes: &[Code]) -> Vec<u8> {
    let filler = Code::new(0x50b0_0000_0007_0f00, 0x7e0);
    Bundles { filler }.encode(&codes[..COUNT / 3 * 3])
}

/// Decoding.
pub(crate) fn decode() -> Vec<Work> {
    let mut works = Vec::new();
    for (name, _, codes) in attila() {
        let bytes: Vec<u8> = codes.iter().flat_map(|code| code.word().to_le_bytes()).collect();
        let codec = parallax_attila::codec();
        let mut instrs = vec![parallax_attila::Instr::decode(codec, 0).expect("`nop`"); COUNT];
        let run = move || {
            for (slot, chunk) in instrs.iter_mut().zip(black_box(bytes.as_slice()).as_chunks::<16>().0) {
                let decoded = parallax_attila::Instr::decode(codec, u128::from_le_bytes(*chunk));
                *slot = decoded.expect("an instruction");
            }
            black_box(&instrs);
        };
        works.push(Work::new(name, COUNT as u64, run).at_least(DECODE, "iced"));
    }
    for (name, _, codes) in nv40_mixes() {
        let bytes = nv40_bytes(&codes);
        let run = move || {
            let (program, diags) = nv40::Program::decode(black_box(&bytes), Order::Le);
            assert!(diags.is_empty() && program.instrs.len() == COUNT);
        };
        works.push(Work::new(name, COUNT as u64, run).at_least(DECODE, "iced"));
    }
    for (name, _, codes) in spa5() {
        let bytes = bundles(&codes);
        let codec = parallax_spa5::codec();
        let count = COUNT / 3 * 3;
        let mut instrs = vec![parallax_spa5::Instr::decode(codec, codes[0]).expect("an instruction"); count];
        let run = move || {
            let (bundles, _) = black_box(bytes.as_slice()).as_chunks::<{ Bundles::BYTES }>();
            for (slots, bundle) in instrs.as_chunks_mut::<3>().0.iter_mut().zip(bundles) {
                for (slot, code) in slots.iter_mut().zip(Bundles::whole(bundle)) {
                    *slot = parallax_spa5::Instr::decode(codec, code).expect("an instruction");
                }
            }
            black_box(&instrs);
        };
        works.push(Work::new(name, count as u64, run).at_least(DECODE, "iced"));
    }
    let binary = usc();
    let run = move || {
        let (groups, mut group, mut at) = (parallax_usc::groups(), Group::default(), 0);
        while let Some(Ok(())) = groups.decode_into(black_box(&binary), at, &mut group) {
            at += usize::from(group.len);
            black_box(group.parts());
        }
        assert_eq!(at, binary.len());
    };
    works.push(Work::new("USC, groups", operations(), run).at_least(DECODE, "iced"));
    works
}

/// Decodes and prints codes again and again; `add` decodes a code and adds it to the lines.
fn listing<I: Isa>(
    codec: &'static Codec<I>,
    name: &str,
    in_order: bool,
    codes: &[Code],
    add: impl Fn(&Code, &mut Lines<'_, I>) + Copy + 'static,
) -> [Work; 2] {
    let codes: Rc<[Code]> = codes.into();
    let work = |style: Style| {
        let (codes, mut out) = (codes.clone(), Out::with_capacity(COUNT * 128));
        move || {
            out.clear();
            codec.lines(style, &mut out, |lines| {
                for code in black_box(&*codes) {
                    add(code, lines);
                }
            });
            black_box(out.len());
        }
    };
    let wanted = if in_order { PRINT } else { PRINT_SHUFFLED };
    let plain = Work::new(name, COUNT as u64, work(Style::Vendor)).at_least(wanted, "iced");
    let exact = Work::new(format!("{name}, exact"), COUNT as u64, work(Style::Exact)).at_least(EXACT, name);
    [plain, exact]
}

/// Decoding and printing.
pub(crate) fn print() -> Vec<Work> {
    let mut works = Vec::new();
    for (name, in_order, codes) in attila() {
        let codec = parallax_attila::codec();
        works.extend(listing(codec, name, in_order, &codes, |code, lines| {
            lines.add(codec.decode(*code).expect("an instruction"), code)
        }));
    }
    for (name, in_order, codes) in nv40_mixes() {
        let codec = nv40::codec();
        works.extend(listing(codec, name, in_order, &codes, |code, lines| {
            lines.add(codec.decode(*code).expect("an instruction"), code)
        }));
    }
    for (name, in_order, codes) in spa5() {
        let codec = parallax_spa5::codec();
        works.extend(listing(codec, name, in_order, &codes, |code, lines| {
            let instr = parallax_spa5::Instr::decode(codec, *code).expect("an instruction");
            // With the place that branches lead to.
            lines.add(instr.row_id(), &instr.code_at(8));
        }));
    }
    let (binary, mut out) = (usc(), Out::with_capacity(COUNT * 256));
    let run = move || {
        out.clear();
        parallax_usc::list_into(black_box(&binary), &mut out);
        black_box(out.len());
    };
    works.push(Work::new("USC, groups", operations(), run).at_least(PRINT, "iced"));
    works
}

/// The exact listing of ATTILA's programs, which `nom` reads, too.
pub(crate) fn attila_text() -> String {
    listed(parallax_attila::codec(), &attila()[0].2)
}

fn listed<I: Isa>(codec: &Codec<I>, codes: &[Code]) -> String {
    codes
        .iter()
        .map(|code| codec.text(codec.decode(*code).expect("an instruction"), *code, Style::Exact) + "\n")
        .collect()
}

/// Assembling.
pub(crate) fn assemble() -> Vec<Work> {
    let work = |name: &str, text: String, assemble: fn(&str) -> bool| {
        assert!(assemble(&text), "{name} assembles");
        let run = move || assert!(assemble(black_box(&text)));
        (name.to_string(), run)
    };
    let mut works = Vec::new();
    let mut add = |name: &str, text: String, assemble: fn(&str) -> bool| {
        let amount = text.len() as u64;
        let (name, run) = work(name, text, assemble);
        works.push(Work::new(name, amount, run).at_least(ASSEMBLE, "nom"));
    };
    for (name, _, codes) in attila() {
        add(name, listed(parallax_attila::codec(), &codes), |text| parallax_attila::assemble(text).0.is_some());
    }
    for (name, _, codes) in nv40_mixes() {
        add(name, listed(nv40::codec(), &codes), |text| nv40::assemble_bytes(text, Order::Le, false).0.is_some());
    }
    for (name, _, codes) in spa5() {
        let lines = parallax_spa5::list(&bundles(&codes), &Layout::default(), Style::Exact);
        let text = lines.into_iter().map(|line| line.unwrap_or_else(|(text, _)| text) + "\n").collect();
        add(name, text, |text| parallax_spa5::assemble_bytes(text, &Layout::default()).0.is_some());
    }
    add("USC, groups", GROUPS.repeat(COUNT / 16), |text| parallax_usc::assemble(text).0.is_some());
    // Programs as somebody wrote them, with comments and labels.
    let mut add = |name: &str, all: Vec<&'static str>, assemble: fn(&str) -> bool| {
        assert!(all.iter().all(|text| assemble(text)), "{name} assembles");
        let amount = all.iter().map(|text| text.len() as u64).sum();
        let run = move || all.iter().for_each(|text| assert!(assemble(black_box(text))));
        works.push(Work::new(name, amount, run).at_least(ASSEMBLE, "nom"));
    };
    add("ATTILA, as written", texts("attila").map(|(_, text)| text).collect(), |text| {
        parallax_attila::assemble(text).0.is_some()
    });
    add("SPA5, as written", texts("spa5").map(|(_, text)| text).collect(), |text| {
        parallax_spa5::assemble(text, &Layout::default()).0.is_some()
    });
    add("USC, as written", texts("usc").map(|(_, text)| text).collect(), |text| {
        parallax_usc::assemble(text).0.is_some()
    });
    works
}

/// Decoding and lifting every program of the corpus that has words.
pub(crate) fn lift() -> Vec<Work> {
    let mut works = Vec::new();
    let mut add = |set: &str, name: &str, mut run: Box<dyn FnMut() -> usize>| {
        let ops = run() as u64;
        let run = move || {
            black_box(run());
        };
        works.push(Work::new(format!("{set}, {name}"), ops, run).at_least(LIFT, "Cranelift's builder"));
    };
    for (name, text) in texts("attila") {
        let bytes = parallax_attila::assemble(text).0.expect("a program").encode_ended();
        let options = Options::default();
        add(
            "ATTILA",
            name,
            Box::new(move || {
                let program = parallax_attila::Program::decode(black_box(&bytes)).0;
                parallax_attila::lift(&program, &options).expect("it lifts").func.live_ops()
            }),
        );
    }
    for (file, order) in nv40_files() {
        let options = Options::default();
        add(
            "NV40",
            file.stem(),
            Box::new(move || {
                let tree = nv40::Program::decode(black_box(file.bytes), order).0.tree(&[]).0.expect("a program");
                parallax_nvfp::lift(&tree, "", &options).expect("it lifts").func.live_ops()
            }),
        );
    }
    for (name, text) in texts("spa5") {
        let layout = Layout::default();
        let program = parallax_spa5::assemble(text, &layout).0.expect("a program");
        let bytes = program.encode();
        let options = Options::default();
        if parallax_spa5::lift(&parallax_spa5::Program::decode(&bytes, &layout).0, &options).is_err() {
            // Kernels say in their text what the words do not.
            continue;
        }
        add(
            "SPA5",
            name,
            Box::new(move || {
                let program = parallax_spa5::Program::decode(black_box(&bytes), &layout).0;
                parallax_spa5::lift(&program, &options).expect("it lifts").func.live_ops()
            }),
        );
    }
    for (name, text) in texts("usc") {
        let Some(bytes) = parallax_usc::assemble_bytes(text).0 else { continue };
        let options = Options::default();
        add(
            "USC",
            name,
            Box::new(move || {
                let program = parallax_usc::Program::decode(black_box(&bytes)).0;
                parallax_usc::lift(&program, &options).expect("it lifts").func.live_ops()
            }),
        );
    }
    works
}
