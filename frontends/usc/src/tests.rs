//! Groups there and back.

use crate::decode::{Piece, Stretch, da_of, is_operand, stretch};
use crate::fields::header;
use crate::isa::Usc;
use crate::layout::{groups, slot};
use crate::{assemble, assemble_bytes, assemble_group, list, list_labels};
use parallax_isa::{Binary, Code, Generator, Layout, RowId};

/// Bytes and their text: one group each, chosen so that every kind of part and every form of the maps occurs.
const GROUPS: &[(&str, &str)] = &[
    ("24028741000044ff", "mov ft0, r1 ; mov r4, ft0"),
    ("24021fc1a2000020", "fadd.sat ft0, r1.flr.abs.neg, r2.abs ; mov o0, ft0"),
    ("2502c0c1620043000044", "fmad ft0, r1, r2, r3 ; mov r4, ft0"),
    ("2602d41fc1620043000044ff", "fmad.lp ft0, r1.abs, r2.abs.neg, r3.flr.abs ; mov r4, ft0"),
    ("2836404084c5810885c48108408041ff", "fmul ft0, sh4, i1 ; fmul ft1, sh5, i0 ; mov r0, ft0 ; mov r1, ft1"),
    ("250283800800000040ff", "fexp r0, sh0"),
    ("24028641000040ff", "gcmp r0, r1"),
    ("2402960441000040", "gexp r0, r1"),
    ("4640fd9887c0e380100002ff", "mov ft0, r0 ; tstge.s8 ftt, p0, ft0.e2, r3.e2"),
    ("2606f140c061204244c08647", "add64 ft0, r0, r1, r2, r4, p0 ; mov r6, ft0 ; mov r7, fte"),
    ("86924013efbeadde000045ff", "mov ft0, ft1, c0, 0xdeadbeef ; mov r5, ft1"),
    ("332001000000", "uvsw.emit"),
    ("4520b002c44010c04000", "fitrp.pixel r0, drc0, cf4, cf0, 2"),
    ("4620f44e846180008880a000", "smp2d.fcnorm.replace drc0, sh4, r1, sh0, _, r0, 4"),
    ("0280eaff", "wdf drc1"),
    ("0280ee00", "nop.end"),
    ("45826705ca40004b004a", "(ignorepe) { cndsetl.b r10, r10, r11 }"),
    ("0480780409003000", "ditr.pixel r4, drc0, cf8, 3, 1, cf0"),
];

fn bytes(hex: &str) -> Vec<u8> {
    let digits: Vec<u8> = hex.bytes().filter(u8::is_ascii_hexdigit).collect();
    digits
        .as_chunks::<2>()
        .0
        .iter()
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
        .collect()
}

fn one(bytes: &[u8], exact: bool) -> String {
    let mut listing = list(bytes, exact);
    assert_eq!(listing.len(), 1, "{bytes:02x?}: {listing:?}");
    listing.remove(0).unwrap_or_else(|(text, diag)| panic!("{text}: {}", diag.message))
}

#[test]
fn known_groups() {
    for (hex, text) in GROUPS.iter().filter(|(_, text)| !text.is_empty()) {
        assert_eq!(one(&bytes(hex), false), *text);
        let (assembled, diags) = assemble_bytes(text);
        assert_eq!(assembled.as_deref(), Some(&bytes(hex)[..]), "{text}: {diags:?}");
    }
}

#[test]
fn groups_alone() {
    for (hex, text) in GROUPS.iter().filter(|(_, text)| !text.is_empty()) {
        assert_eq!(assemble_group(text, 0).ok(), Some(bytes(hex)), "{text}");
    }
    let program = "0 : mov ft0, r1\nmov r4, ft0\nstart:\n1 : nop\n2 : if(p0) { br start }\n";
    let (whole, diags) = assemble_bytes(program);
    let parts = [("mov ft0, r1\nmov r4, ft0", 0), ("nop", 0), ("if(p0) { br start }", -4)];
    let groups: Vec<u8> =
        parts.iter().flat_map(|(text, distance)| assemble_group(text, *distance).expect("a group")).collect();
    assert_eq!(whole, Some(groups), "{diags:?}");
    for wrong in ["", "nop\n2 : nop", "frobnicate", "fadd ft0, r1", "fadd ft0, r1, sh0\nmov r0, ft0"] {
        assert!(assemble_group(wrong, 0).is_err(), "{wrong}");
    }
}

/// Texts that stay as they are: the assembler makes groups of them that are listed the same.
const TEXTS: &[&str] = &[
    "frsq ft0, r1.abs.neg",
    "fsinc r0, p0, i0",
    "farctanc i0, i1",
    "fred.cos.partb i0, ft0, p0, 3, sh0.neg, i0",
    "fdsx ft0, r2 ; fdsx ft1, r3 ; mov r0, ft0 ; mov r1, ft1",
    "uadd8 ft0, sh1.e0, i0.e0 ; mov i0, ft0",
    "uadd8 ft0, r1.e3, r2.e1 ; mov i0, ft0",
    "imad16.sat ft0, r1.abs.neg.e1, r2.abs.e0, r3.abs.neg.e1 ; mov i0, ft0",
    "umad8 ft0, r1.e0, r2.e0, sh2.e2 ; mov i0, ft0",
    "imad8 ft0, r1.e0, r2.e0, sh2.e3 ; mov i0, ft0",
    "smadd32 ft0, r1.abs, r2.neg, sh2.abs.neg, p0 ; mov i0, ft0",
    "sadd6432 ft0, r1, r2, sh2.neg, _ ; mov i0, ft0 ; mov i1, fte",
    "umadd64 ft0, r1, r2, sh2, sh3, _ ; mov i0, ft0 ; mov i1, fte",
    "unpck.u8888.scale ft0, r1.e3 ; mov r0, ft0",
    "pck.f16f16.roundzero ft2, r1 ; mov r0, ft2",
    "(rpt4) { pck.u8888.scale ft2, r4 ; mov r0, ft2 }",
    "mov ft0, sh1 ; mov ft1, sh2 ; tstz.s32 ftt, _, sh0 ; mov i0.e0.e1.e2.e3, ft1, ftt, ft0, ft1",
    "mov ft0, sh1 ; mov ft1, r2 ; pck.u32 ft2, ft0 ; tstl.f32 ftt, p0, ft0, ft1 ; movc r0.e0.e1, r1, ftt, ft2, ft1",
    "mov ft0, r1 ; mov ft1, r2 ; pck.u32 ft2, ft1 ; tste.f32 ftt, p0, ft0, ft1",
    "mov ft0, r1 ; tstc.f32 ftt, p0 ; mov r0, ft0",
    "mov ft0, r1 ; mov ft1, r2 ; mov r0.e0.e2, ft0, ft1",
    "mov ft0, r1 ; mov r0.none, ft0, ft1 ; mov r2, ft0",
    "mov ft0, r1 ; mov r2.e0.e1.e2.e3, ft0, ft1 ; mov sh2000, ft0",
    "mov ft0, sh0 ; mov r0.e0.e1.e2.e3, ft0 ; mov r1, sh1",
    "mov ft0, r1 ; mov _, ft0 ; mov r1, ft0",
    "mov ft0, vi3 ; mov ft0.e0.e1.e2.e3, ft0 ; uvsw.write ft0, 3",
    "mov ft0, r0 ; mov r5[idx1], ft0",
    "mov ft0, ft1, c0, c0 ; mov ft2, sh1 ; cbs ft3, sh1 ; nand ft4, ft1, ft2, ft1.invert, sh0 ; asr.mtb ft5, ft4, c5 ; \
     tnz p0, ft3 ; mov i0, ft5 ; mov r1, ft3",
    "msk ft0, ft1, r0, r1 ; mov i0, ft1",
    "mov ft0, ft1, r0, 0xffff ; mov i0, ft1",
    "rev ft2, sh1 ; mov i0, ft2",
    "shfl ft2, r1, r2 ; ftb ft3, ft2 ; mov i0, ft3",
    "mov ft3, r1 ; mov i0, ft3",
    "mov ft0, ft1, r1, r2 ; mov ft2, r3 ; ftb ft3, ft2 ; mov ft4, ft1 ; mov i0, ft4",
    "smp3d.proj.fcnorm.nncoords.bias.pplod.tao.soo.sno.wrt.data.array.integer.comparison.schedswap.direct.cache2.f16 drc1, \
     sh4, r1.f16, sh0, r9, r0, 1",
    "smp1d.wrt.f16 drc0, sh4, r1, sh0, r9, r0, 2",
    "smp1d.array drc0, sh4, r1, sh0, r9, r0, 2",
    "fitr.centroid.sat r0, drc1, cf4, 16",
    "atst.ifb p0, r0, r1, sh2",
    "mov ft0, r0 ; mov ft0.e0.e1.e2.e3, ft0 ; depthf ft0",
    "ld r0, drc0, 16, r2",
    "ld.cache1 r0, drc0, r5, r2",
    "st r4, 2, drc0, 9, r2, _",
    "st.tiled r4, 2, drc1, r3, r2, r5",
    "atom.umax r0, drc0, r4",
    "idf drc1, r4",
    "uvsw.write w1, r4",
    "uvsw.emitthenendtask",
    "savmsk.mode3",
    "phas.end r0, 1, 12",
    "emitpix.freep",
    "br.allinst -12",
    "if(!p0) { brl 100 }",
    "ba.anyinst 64",
    "lapc",
    "savl r3",
    "cndlt 0, r0, p0, r0, 2",
    "cndend r0, r0, 1",
    "cndsm 3, r0, r0, c2",
    "mutex.lock 3",
    "sbo.shared 200",
    "ditr.sample.sat.schedwdf r4.f16, drc1, cf8.index1, 3, 1, cf4.index2",
    "itrsmp2d.pixel.fcnorm.schedwdf r0, 1, drc0, cf4, sh4, sh0, 4, cf0",
    "itrsmp3d.sample.sat.proj.nncoords.comparison r0.f16, 1, drc0, cf4, sh4, sh0, 1, 9, cf0",
    "itrsmp1d.centroid r0, 1, drc0, cf4.index1, sh4, sh0, 1, 9, cf0.index3",
    "(ignorepe) (end) (atom) (olchk) (rpt2) { mov ft0, r0 ; mov r1, ft0 }",
];

#[test]
fn known_texts() {
    for text in TEXTS {
        let (assembled, diags) = assemble_bytes(text);
        let assembled = assembled.unwrap_or_else(|| panic!("{text}: {diags:?}"));
        assert_eq!(one(&assembled, false), *text, "{assembled:02x?}");
        assert_eq!(one(&assembled, true), format!("0    : {text}"), "{assembled:02x?}");
    }
}

/// Exact lines were read as one group when they were joined.
#[test]
fn exact_lines_assemble_when_they_are_joined() {
    let texts: Vec<&str> = TEXTS.iter().filter(|text| !text.contains("(end)")).copied().collect();
    let source: Vec<String> = texts.iter().enumerate().map(|(n, text)| format!("{n} : {text}")).collect();
    let (assembled, diags) = assemble_bytes(&source.join("\n"));
    let assembled = assembled.unwrap_or_else(|| panic!("{diags:?}"));
    let lines: Vec<String> = list(&assembled, true).into_iter().map(|line| line.expect("a group")).collect();
    assert_eq!(assemble_bytes(&lines.join("\n")).0, Some(assembled));
}

/// Operations without an encoding are read and refused where bytes are wanted.
#[test]
fn texts_without_an_encoding() {
    for text in [
        "fsqrt r0, r1.abs",
        "frcp r0, r1.f16.e1",
        "sop r0.joutj, sh4, i3, add, sh8, 0.oneminus\n: sop r1.koutk, sh5, i1, add, i0, 0.oneminus",
        "sop r0.e0.jouta, sh4.e0, i3.neg, rsub, sh8.u8.e3, 0\nsop r0.e1.koutd, sh5, i1, max, i0, i1\nsopmov r1, r2",
        "f16sop.mad r0.f16.e0, r0.f16.e1, r1.f16.e0, r1.f16.e1, r1, r2, r3, r4, r5, r6, r1, r2, r3, r4, r5, r6",
        "sop.u8.zabs.zclamp r0.u8.e0.joutjc, r0.u8.e1.koutkc, r1, r1, r2, add, r3, r4, r5, r6, sub, r1, r2, r3",
        "f16sop.u8mad r0, r0, r0, r0, r1, r1, r2, r3, r4, r5, r6, r1, r2, r3, r4, r5, r6, r0",
        "sopmov.u8 r0, r1, r3",
        "sopu8madmov r1, r0",
        "convertfromf64.f32 ft0, r0, r2",
        "converttof64.s32 ft0, ft2, r0",
        "gta.array r0, r1, p0, r3, r0, r1, r4, r5",
        "f64mul r0, r1, r2",
        "f64rsq r0, r1",
        "fadd.sat ft2, ft0.abs.neg, r2",
        "mov ft0, r0\ntstmin.u32 ftt, p0, ft0, r1",
        "tstmax ftt, _, r0, r0",
        "tessw.write w0, 3",
        "st.texelmode r0, r1, drc0",
        "bpret",
        "ftb_shi ft3, r2\nmov r6, ft3",
        "mov ft2, r1\nftb_msb ft3, ft2",
    ] {
        let (program, diags) = assemble(text);
        assert!(program.is_some(), "{text}: {diags:?}");
        let (assembled, diags) = assemble_bytes(text);
        assert!(assembled.is_none() && diags.iter().all(|d| d.code == "usc-no-encoding"), "{text}: {diags:?}");
    }
}

/// Both names of a format, and modifiers of an operation that has no encoding.
#[test]
fn other_names_and_modifiers() {
    let bytes = |format| assemble_bytes(&format!("mov ft0, r1 ; pck.{format} ft2, ft0 ; mov r0, ft2")).0;
    assert!(bytes("cov").is_some() && bytes("cov") == bytes("coveragemask"));
    let (program, diags) = assemble("fsqrt r0, r1.abs");
    let program = program.unwrap_or_else(|| panic!("{diags:?}"));
    assert!(program.groups[0].operations[0].modifiers(0).absolute);
}

/// Random bytes of a group: a header, random words of random rows in every part.
fn random_group(random: &mut Generator) -> Option<Vec<u8>> {
    let groups = groups();
    let mut first = random.bits() & 0xff_ffff;
    // Control groups and third bytes of main groups are rare by chance.
    match random.below(4) {
        0 => first &= !0x8000,
        1 => first = first & !0x60_0000 | 0x8000,
        2 => first = first & !0x60_0000 | 0x40_8000,
        _ => first |= 0x60_8000,
    }
    let mut pieces: Vec<Piece> = Vec::new();
    let mut out = Vec::new();
    let slots = Usc::parts(first, random.below(2) as usize)?;
    let mut beside = 0;
    for &slot in slots {
        let codec = groups.codec(slot);
        let rows = codec.rows().count() as u64;
        let mut again = true;
        while std::mem::take(&mut again) {
            let (row, mut word) = loop {
                let row = RowId(random.below(rows) as u16);
                if codec.row(row).pattern.width == 128 {
                    continue;
                }
                if let Some(code) = random.word(codec, row, false) {
                    break (row, code.word());
                }
            };
            match slot {
                slot::HEADER => word = u128::from(first & 0xffff),
                slot::EXTENSION | slot::CONTROL => {
                    word = word & !0x7f | u128::from(first >> 16 & 0x7f);
                    if slot == slot::CONTROL {
                        // The opcode is that of the row.
                        word = codec.row(row).pattern.base() | word & codec.row(row).pattern.free;
                        if word >> 1 & 15 == 3 && !slots.contains(&slot::LOWER) {
                            return None;
                        }
                    }
                }
                _ => {}
            }
            let data = &Usc::slots()[usize::from(slot)];
            pieces.push(Piece::new(slot, row, word));
            if data.overlay {
                beside |= word;
                continue;
            }
            word |= std::mem::take(&mut beside);
            let len = codec.row(row).pattern.width as usize / 8;
            out.extend_from_slice(&word.to_le_bytes()[..len]);
            again = data.again.iter().any(|pattern| pattern.matches(word));
            if pieces.len() > 12 {
                return None;
            }
        }
    }
    Usc::pad(&mut out, 0);
    if random.below(8) == 0 {
        out.extend([0xf1, 0xff]);
        Usc::pad(&mut out, 0);
    }
    let mut head = Code::from(u128::from(out[0]));
    header::DA.put(&mut head, da_of(&pieces, pieces.iter().any(|piece| is_operand(piece.view.slot))));
    out[0] = head.word() as u8;
    (out.len() <= 32).then_some(out)
}

/// Bytes to text to bytes, and the text of canonical bytes to itself.
#[test]
fn random_groups_round_trip() {
    let mut random = Generator::new(7);
    let (mut legal, mut annotated, mut refused) = (0, 0, 0);
    for _ in 0..40_000 {
        let Some(bytes) = random_group(&mut random) else { continue };
        let binary = Binary::new(&bytes);
        let Some(Stretch::Group(_)) = stretch(&binary, 0) else { continue };
        legal += 1;
        let exact = one(&bytes, true);
        annotated += usize::from(exact.contains("(bytes "));
        let (assembled, diags) = assemble_bytes(&exact);
        assert_eq!(assembled.as_deref(), Some(&bytes[..]), "{exact}: {diags:?}");
        let listing = list_labels(&bytes);
        let lines = listing[0].line.as_ref().unwrap();
        assert_eq!(assemble_bytes(lines).0.as_deref(), Some(&bytes[..]), "{lines}");
        // What the assembler makes of the plain text is listed alike.
        let plain = one(&bytes, false);
        let (shortest, diags) = assemble_bytes(&plain);
        // What no bytes tell, and registers that found their places in another order than the assembler tries.
        if diags
            .iter()
            .any(|diag| matches!(diag.code, "usc-ambiguous" | "usc-source-limit" | "set-twice" | "usc-operands"))
        {
            refused += 1;
            continue;
        }
        let Some(shortest) = shortest else { panic!("{plain}: {diags:?}") };
        assert_eq!(one(&shortest, false), plain, "{bytes:02x?} {shortest:02x?}");
    }
    assert!(legal > 3000 && annotated < legal && refused * 5 < legal, "{legal} {annotated} {refused}");
}

/// Whatever the bytes are, all of them are listed, and the listing assembles to them.
#[test]
fn random_bytes_are_listed_whole() {
    let mut random = Generator::new(11);
    for _ in 0..3000 {
        let len = random.below(80) as usize;
        let mut bytes: Vec<u8> = (0..len).map(|_| random.bits() as u8).collect();
        // Short groups, so that some are legal.
        bytes.iter_mut().step_by(2).for_each(|b| *b = if random.below(2) == 0 { *b & 7 } else { *b });
        let listing = list_labels(&bytes);
        assert_eq!(listing.iter().map(|entry| entry.bytes.len()).sum::<usize>(), len);
        let text: String =
            listing.iter().map(|e| e.line.as_ref().unwrap_or_else(|(text, _)| text).clone() + "\n").collect();
        if len > 0 {
            let (assembled, diags) = assemble_bytes(&text);
            assert_eq!(assembled.as_deref(), Some(&bytes[..]), "{text}: {diags:?}");
        }
    }
}

/// Damaged texts give located problems and nothing else.
#[test]
fn damaged_texts() {
    let mut random = Generator::new(13);
    for text in TEXTS.iter().chain(GROUPS.iter().map(|(_, text)| text)) {
        for _ in 0..20 {
            let mut damaged = text.as_bytes().to_vec();
            if damaged.is_empty() {
                continue;
            }
            for _ in 0..1 + random.below(3) {
                let at = random.below(damaged.len() as u64) as usize;
                match random.below(3) {
                    0 => damaged[at] = b" ,.;:(){}[]0123abcxyz#\n_-"[random.below(25) as usize],
                    1 => {
                        damaged.remove(at);
                    }
                    _ => damaged.insert(at, b" ,.;:(){}[]0123abcxyz#\n_-"[random.below(25) as usize]),
                }
                if damaged.is_empty() {
                    damaged.push(b'x');
                }
            }
            let damaged = String::from_utf8(damaged).unwrap();
            let (_, diags) = assemble_bytes(&damaged);
            for diag in diags {
                let span = diag.span.unwrap_or_default();
                assert!(span.end as usize <= damaged.len() && span.start <= span.end, "{damaged}: {diag:?}");
            }
        }
    }
}

#[test]
fn rows_have_places_among_the_roles() {
    for slot in 0..=crate::layout::slot::BITWISE_OUTPUTS {
        assert!(groups().codec(slot).rows().count() < 256, "{slot}");
    }
}

/// The group of a text as text.
fn printed(text: &str) -> String {
    let (program, diags) = assemble(text);
    let program = program.unwrap_or_else(|| panic!("{text}: {diags:?}"));
    crate::print::text(&program.groups[0])
}

#[test]
fn groups_without_encoding_are_printed_whole() {
    for text in [
        "sop.mad w0.e0, w0.e1, w1.e0.clamp, w1.e1, r0.e0.neg, r1.f16.e1.oneminus, r2, r3, r4, r5, sh6, r7, 0, i0, i1, c64",
        "sop.u8.zabs w0.e0.joutjc, w0.e1.koutkc, w1, r0.u8.e0.neg, r1.u8.e1, add, r2, r3, r4, r5, sub, r6, r7, r8",
        "sop.u8mad w0.e0, w0.e1, w0.e2, w0.e3, w1, r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12",
        "sopmov.u8.zclamp w0, w1, r3",
        "gta.array i0, i1, p0, sh4, sh5, sh6, r0, r1",
        "convertfromf64.f32 ft0, r0, r2",
        "converttof64.f32 ft0, ft2, r3",
        "f64mad r0, r2, r4, r6",
        "tessw.op3 w0, 12",
        "st.texelmode r2, w1, drc0",
        "if(p0) { (rpt2) { f64add r0, _, r4[idx1] } }",
        "fsqrt r0, r1.f16.e1",
        "sop r0.e0.joutj, sh4, i3, add, sh8, 0.oneminus ; sop r0.e1.koutk, sh5.e1, i1.clamp, add, i0.u8.e2, 0.oneminus",
        "fmul ft0, r0, r1 ; fadd.sat ft2, ft0.abs, r2 ; mov r3, ft2",
        "ftb_shi ft3, r2 ; mov r6, ft3",
    ] {
        // Attributes share braces.
        let text = &text.replace("{ (rpt2) {", "(rpt2) {").replace(" } }", " }");
        assert_eq!(printed(text), *text);
    }
    assert_eq!(printed("f64mul  R0 ,,r2"), "f64mul r0, _, r2");
    for (text, column) in [("gta r0, q1", 8), ("f64byp r0.e9", 7), ("sop.mad r0, r1, sh99999", 16)] {
        let (program, diags) = assemble(text);
        let at = diags.first().and_then(|diag| diag.span).map(|span| span.start);
        assert!(program.is_none() && at == Some(column), "{text}: {diags:?}");
    }
}

/// A group that was read from a text is printed as its bytes are.
#[test]
fn groups_are_printed_alike_from_bytes_and_from_text() {
    let mut random = Generator::new(17);
    let mut compared = 0;
    for _ in 0..10_000 {
        let Some(bytes) = random_group(&mut random) else { continue };
        let line = match list(&bytes, false).pop() {
            Some(Ok(line)) if !line.starts_with(".bytes") => line,
            _ => continue,
        };
        // Without those whose operands the text does not place.
        if let (Some(program), _) = assemble(&line) {
            assert_eq!(crate::print::text(&program.groups[0]), line, "{bytes:02x?}");
            compared += 1;
        }
    }
    assert!(compared > 1000, "{compared}");
}

/// The lines that groups are said to stand in are those they start in, whatever stands between them.
#[test]
fn groups_know_their_lines() {
    let text = "# a comment\r\n\n0 : fadd ft0, r0, r1\n   : mov r2, ft0 // end\n\n(bytes 25028781040000008404) {\n mov ft0, \
                vi1\n ; mov vi4, ft0\n}\nif(p0)\n{\n fmul ft0, r0, r1 ;\n mov r3, ft0\n}\n5:\nnop 6 : nop\n.bytes cd cd cd cd\n\
                nop.end";
    let (program, diags) = assemble(text);
    let (program, lines): (_, Vec<u32>) = match program {
        Some(program) => (program.clone(), program.places.iter().map(|place| place.line).collect()),
        None => panic!("{diags:#?}"),
    };
    let start_of = |place: &crate::Place| text[..place.span.start as usize].matches('\n').count() as u32 + 1;
    assert_eq!(lines, program.places.iter().map(start_of).collect::<Vec<_>>());
    assert_eq!(lines, [3, 6, 10, 15, 16, 18]);
}
