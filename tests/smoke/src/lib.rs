//! What the fuzz targets do with their bytes, and a driver that needs no fuzzer: random changes of whole programs, for
//! some seconds or for some runs. The targets of `tests/fuzz` call the same functions under libFuzzer.

pub mod targets;

use parallax_nvfp::nv40;
use parallax_pack::{Elf, Fpo, Order, Parameter, archive, bsd_archive, code_bytes, kernel_info, module_info};
use parallax_random::Random;
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};

/// A function that takes any bytes, and whole programs to start from.
pub struct Target {
    /// Name.
    pub name: &'static str,
    run: fn(&[u8]),
    seeds: fn() -> Vec<Vec<u8>>,
}

/// All of them.
pub const TARGETS: [Target; 17] = [
    Target { name: "attila_asm", run: targets::attila_asm, seeds: || corpus("attila") },
    Target { name: "attila_decode", run: targets::attila_decode, seeds: attila_binaries },
    Target { name: "usc_asm", run: targets::usc_asm, seeds: usc_texts },
    Target { name: "usc_decode", run: targets::usc_decode, seeds: usc_binaries },
    Target { name: "container_archive", run: targets::container, seeds: archives },
    Target { name: "container_elf", run: targets::container, seeds: elf_files },
    Target { name: "container_fpo", run: targets::container, seeds: cg_binaries },
    Target { name: "ir", run: targets::ir, seeds: filetests },
    Target { name: "machine_code", run: targets::machine_code, seeds: choices },
    Target { name: "nv40_asm", run: targets::nv40_asm, seeds: nv40_listings },
    Target { name: "nv40_decode", run: targets::nv40_decode, seeds: || corpus("nv40") },
    Target { name: "nvfp_arb", run: targets::nvfp_arb, seeds: || corpus("nvfp") },
    Target { name: "nvfp_fp10", run: targets::nvfp_fp10, seeds: || corpus("nvfp") },
    Target { name: "nvfp_patent", run: targets::nvfp_patent, seeds: || corpus("nvfp") },
    Target { name: "spa5_asm", run: targets::spa5_asm, seeds: || vec![SPA5.as_bytes().to_vec()] },
    Target { name: "spa5_decode", run: targets::spa5_decode, seeds: spa5_binaries },
    Target { name: "tgsi", run: targets::tgsi, seeds: || corpus("tgsi") },
];

/// The programs of the embedded corpus for an instruction set.
fn corpus(folder: &str) -> Vec<Vec<u8>> {
    let shaders = parallax_corpus::FILES.iter().filter(|file| file.folder() == folder && file.is_shader());
    shaders.map(|file| file.bytes.to_vec()).collect()
}

fn attila_binaries() -> Vec<Vec<u8>> {
    let texts = corpus("attila");
    let programs = texts.iter().filter_map(|text| parallax_attila::assemble(&String::from_utf8_lossy(text)).0);
    programs.map(|program| program.encode_ended()).collect()
}

/// A SPA 5.0 program with one of most things.
const SPA5: &str = "\
.header kills yes
.header position w
.header generic0 perspective perspective linear constant
.header target0 rgba
IPA.PASS R0, a[0x7c], RZ &wr=0 ?yield1
MUFU.RCP R4, -|R0| &req={0} &rd=2 &wr=0 ?stall2
IPA.CENTROID R0, a[0x80], R4 &req={0,2} &wr=1 ?stall2
PIXLD.COVERED R1, P1, [R2+0x3] &wr=2 ?stall1
TEXS.LZ.NODEP.T R3, R2, R0, R1, 0x8, 2D, RGBA &req={1} &wr=2 ?stall1
SSY end ?yield1
next: FFMA.FTZ R5, R0.reuse, c[0x3][0x10], R1 ?dual
@!P1 FADD.FTZ.RZ.SAT R7.CC, |R5|, -1.5 ?stall6
XMAD.PSL.CBCC R8, R7.H1.reuse, R5, R6
LOP3.LUT R9, R8, 0xff, R7, 0xea
ISETP.GT.U32.AND P0, PT, R9, c[0x0][-0x14], !P1 ?stall13
@P0 BRA next
SYNC CC.LT
end: @P1 KIL
STL.64 [R2+-0x10], R8
SHFL.BFLY PT, R0, R1, 0x1, 0x1c03
F2F.F16.F32.RZ R2, -R1
DEPBAR.LE SB1, 0x0, {5,0}
.word 0x2c00000000070201, 0x7e6
EXIT ?stall15
";

fn spa5_binaries() -> Vec<Vec<u8>> {
    let assemble = |text: &str| parallax_spa5::assemble_bytes(text, &parallax_lift::Layout::default()).0;
    let bare = SPA5.lines().filter(|line| !line.starts_with('.')).collect::<Vec<_>>().join("\n");
    [SPA5, &bare].into_iter().filter_map(assemble).collect()
}

fn usc_texts() -> Vec<Vec<u8>> {
    const GROUPS: &[&str] = &[
        "0 : fmul ft0, sh4, i1\n    fmad.sat ft1, r1.neg, r2, c64.abs\n    mov r0, ft0\n    mov r1, ft1\n",
        "if(p0) { mov ft0, sh1 ; mov ft1, r2 ; tstl.s16 ftt, p0, ft0.e1, ft1.e1 ; movc r0.e0, r1, ftt, ft0, ft1 }\n",
        "mov ft0, ft1, r1, 0xffff ; rev ft2, r2 ; ftb ft3, ft2 ; xor ft4, ft1, ft2, _, r3 ; asr.ftb ft5, ft4, r4 ; tz p0, ft5 ; \
         mov r0, ft5\n",
        "smp2d.proj.replace.array.f16 drc0, sh4, r1, sh0, r9, r0, 4\n1 : wdf drc0\n2 : (ignorepe) { cndst 1, r10, r10, 1 }\n",
        "a: uadd8.sat ft0, r1.e1, r2.e0 ; mov r0[idx0], ft0 ; 1 : br a 2 : nop.end .bytes 01 02 cd cd",
    ];
    corpus("usc").into_iter().chain(GROUPS.iter().map(|text| text.as_bytes().to_vec())).collect()
}

fn usc_binaries() -> Vec<Vec<u8>> {
    usc_texts().iter().filter_map(|text| parallax_usc::assemble_bytes(&String::from_utf8_lossy(text)).0).collect()
}

/// `MOV H0, constant` and the constant, twice.
fn microcode() -> Vec<[u32; 4]> {
    let mov = |end: u32| [0x0100_1e80 | end, 0x1c9d_c802, 0x0001_c800, 0x0001_c800];
    vec![mov(0), [1, 2, 3, 4], mov(1), [5, 6, 7, 8]]
}

/// Cg binaries in both byte orders, and microcode behind a control word.
fn cg_binaries() -> Vec<Vec<u8>> {
    let parameters = vec![
        Parameter::vector("tint", Some([1.0, 2.0, 3.0, 4.0]), &[16]),
        Parameter::vector("shade", None, &[48]),
        Parameter { kind: 1066, ..Parameter::vector("image", None, &[]) },
    ];
    let binary = |order| Fpo::new(order, parameters.clone(), microcode()).write();
    let words = [&0x0200_0040u32.to_be_bytes(), code_bytes(Order::Big, &microcode()).as_slice()].concat();
    vec![binary(Order::Big), binary(Order::Little), words]
}

/// Lists of numbers that random shaders are made from.
fn choices() -> Vec<Vec<u8>> {
    let list = |seed: u64| parallax_gen::choices(seed, 40 + 50 * seed as usize);
    (0..8).map(|seed| list(seed).into_iter().flat_map(u32::to_le_bytes).collect()).collect()
}

/// A cubin of two kernels, and ELF files of every width and byte order.
fn elf_files() -> Vec<Vec<u8>> {
    let cubin = Elf::cubin(50)
        .section(".nv.info", &module_info(&[(5, 12, 0), (6, 8, 64)]))
        .section(".nv.info.first", &kernel_info(0x140, 24))
        .section(".nv.constant2.first", &[1, 2, 3, 4])
        .section(".nv.constant3", &[5; 8])
        .kernel("first", 5, 12, &[0xaa; 64])
        .kernel("second", 6, 8, &[0xbb; 32]);
    let text = b"!!FP1.0\nMOVR o[COLR], 1;\nEND\n";
    let plain = |(wide, big)| Elf::plain(wide, big).section(".text.a", text).section(".text.b", &text[..20]).write();
    let forms = [(false, false), (false, true), (true, false), (true, true)];
    std::iter::once(cubin.write()).chain(forms.map(plain)).collect()
}

/// Archives of all that, as GNU and BSD tools write them.
fn archives() -> Vec<Vec<u8>> {
    let mut files = [elf_files(), cg_binaries(), corpus("nvfp")].concat();
    files.truncate(10);
    let names: Vec<String> = (0..files.len()).map(|n| format!("{}{n}.bin", "name".repeat(n))).collect();
    let members: Vec<(&str, &[u8])> = names.iter().zip(&files).map(|(name, file)| (name.as_str(), &file[..])).collect();
    vec![archive(&members), bsd_archive(&members), archive(&members[..1])]
}

/// Listings of the embedded microcode.
fn nv40_listings() -> Vec<Vec<u8>> {
    let listing = |bytes: Vec<u8>| {
        let order = nv40::sniff(&bytes).unwrap_or_default();
        let lines = nv40::list_labels(&bytes, order).into_iter().flat_map(|entry| {
            let label = entry.label.map(|label| label + ":\n");
            label.into_iter().chain(entry.line.ok().map(|line| line + "\n"))
        });
        lines.collect::<String>().into_bytes()
    };
    corpus("nv40").into_iter().map(listing).collect()
}

/// The IR of the filetests.
fn filetests() -> Vec<Vec<u8>> {
    let mut files: Vec<PathBuf> = Vec::new();
    for folder in ["parse", "run", "opt"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../filetests").join(folder);
        files.extend(std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()));
    }
    // Folders list their files in any order.
    files.sort();
    files.iter().filter(|file| file.extension().is_some_and(|e| e == "plx")).flat_map(std::fs::read).collect()
}

/// Bytes that broke a promise.
#[derive(Debug)]
pub struct Finding {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Number of the run, from 0.
    pub run: u64,
}

impl Target {
    /// Runs the programs as they are, then changed ones, as long as `go_on` says so of the number of runs done. Gives that
    /// number.
    ///
    /// # Errors
    /// What made the target panic.
    pub fn drive(&self, seed: u64, go_on: impl Fn(u64) -> bool) -> Result<u64, Finding> {
        let seeds = (self.seeds)();
        assert!(!seeds.is_empty(), "{}: nothing to start from", self.name);
        let mut random = Random::new(seed);
        let mut run = 0;
        while go_on(run) {
            let bytes = match seeds.get(run as usize) {
                Some(whole) => whole.clone(),
                None => changed(&seeds, &mut random),
            };
            if std::panic::catch_unwind(AssertUnwindSafe(|| (self.run)(&bytes))).is_err() {
                return Err(Finding { bytes, run });
            }
            run += 1;
        }
        Ok(run)
    }
}

/// A program with a few changes: bits, bytes, cuts, repetitions, pieces of others.
fn changed(seeds: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let pick = |random: &mut Random| &seeds[random.below(seeds.len() as u64) as usize];
    // A piece of at most 40 bytes.
    let piece = |of: &[u8], random: &mut Random| {
        let start = random.below(of.len() as u64) as usize;
        start..of.len().min(start + 1 + random.below(40) as usize)
    };
    let mut bytes = pick(random).clone();
    for _ in 0..1 + random.below(4) {
        if bytes.is_empty() {
            break;
        }
        let at = random.below(bytes.len() as u64) as usize;
        match random.below(6) {
            0 => bytes[at] ^= 1 << random.below(8),
            1 => bytes[at] = random.pick(b"0123456789 \n,;.-+[](){}<>|!_%:=\0\xffxyzwRe"),
            2 => drop(bytes.drain(piece(&bytes, random))),
            3 => {
                let copy = bytes[piece(&bytes, random)].to_vec();
                bytes.splice(at..at, copy);
            }
            4 => {
                let other = pick(random);
                bytes.splice(at..at, other[piece(other, random)].iter().copied());
            }
            _ => {
                let other = pick(random);
                bytes.truncate(at);
                bytes.extend_from_slice(&other[at.min(other.len())..]);
            }
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_keep_their_promises_on_a_few_changed_programs() {
        for target in &TARGETS {
            let whole = (target.seeds)().len() as u64;
            if let Err(Finding { bytes, run }) = target.drive(1, |run| run < whole + 100) {
                panic!("{}: run {run} on {:?}", target.name, String::from_utf8_lossy(&bytes));
            }
        }
    }

    #[test]
    fn a_broken_promise_is_found() {
        let target = Target { name: "none", run: |bytes| assert!(bytes.len() > 3), seeds: || vec![b"abcdef".to_vec()] };
        let found = target.drive(1, |run| run < 10_000).expect_err("a short one");
        assert!(found.run > 0 && found.bytes.len() <= 3);
    }
}
