//! Round trips and errors of the textual form.

use super::{AnyShader, print, read, read_any};
use crate::num::{self, Model};
use crate::{
    ArrayDecl, AttrDecl, BankDecl, BufferDecl, Builder, Effect, EntityRef, Func, OpKind, Operand, OutputDecl, Shader,
    SlotId, TexDecl, TexTarget, Type, ValueId, verify,
};
use proptest::prelude::*;

/// One of everything.
const SAMPLE: &str = include_str!("sample.plx");

fn codes(source: &str) -> Vec<&'static str> {
    read(source).err().unwrap_or_default().iter().map(|d| d.code).collect()
}

/// First error of a sample whose `from` is replaced by `to`.
fn error(from: &str, to: &str) -> String {
    assert!(SAMPLE.contains(from), "{from}");
    let diags = read(&SAMPLE.replacen(from, to, 1)).expect_err(to);
    let Some(first) = diags.first() else { panic!("no error for {to}") };
    assert_eq!(diags.len(), 1, "{diags:?}");
    first.message.clone()
}

#[test]
fn the_sample_is_sound_and_stays_as_it_is() {
    let shader = read(SAMPLE).unwrap();
    assert!(verify(&shader).is_ok(), "{:?}", verify(&shader).err());
    assert_eq!(print(&shader), SAMPLE);
    assert_eq!(read(&print(&shader)).unwrap(), shader);
}

/// A function with one op of a kind: operands of the types it asks for, read from a literal each.
fn one_op(mut kind: OpKind) -> Func {
    let mut func = Func::new("row", "test", crate::Stage::Fragment);
    func.iface.attrs.to_mut().push(AttrDecl {
        name: "a".into(),
        semantic: crate::AttrSemantic::Fog,
        interp: crate::Interp::Linear,
        location: crate::Location::Center,
        mediump: true,
    });
    func.iface.banks.push(BankDecl { name: "c".into(), len: 1, by_bytes: true });
    func.iface.outputs.push(OutputDecl {
        name: "o".into(),
        role: crate::OutputRole::Color(0),
        types: [Some(Type::F32), None, None, None],
    });
    func.iface.textures.push(TexDecl { unit: 0, target: TexTarget::D1 });
    func.iface.buffers.push(BufferDecl::new("b".into()));
    func.arrays.push(ArrayDecl { name: "x".into(), ty: Type::F32, len: 1 });
    if let OpKind::QuadXor { mask } = &mut kind {
        *mask = 2;
    }
    let slot = func.slot(num::Slot::plain(num::Decl::F32));
    let region = func.body;
    let mut b = Builder::at(&mut func, region);
    let ty = |asked: &Operand| asked.ty(Some(num::Decl::F32)).unwrap_or(Type::F32);
    let operand = |asked: &Operand| match ty(asked) {
        Type::Float(_) => b.float(slot, 0x3f80_0000),
        other => {
            let op = b.op(OpKind::Literal(1), None, &[], &[other]);
            b.func.ops[op].results[0]
        }
    };
    let args: Vec<ValueId> = kind.operands().iter().map(operand).collect();
    let results: Vec<Type> = kind.results().iter().map(ty).collect();
    let asks = kind.slot_use() != crate::op::SlotUse::Never;
    b.op(kind, asks.then_some(slot), &args, &results);
    b.op(OpKind::Yield, None, &[], &[]);
    func
}

#[test]
fn every_row_of_both_tables_prints_and_reads_back() {
    let words = OpKind::WORDS.iter().copied().chain(num::Op::ALL.iter().map(|row| row.name));
    for word in words {
        let kind = OpKind::from_word(word).unwrap();
        if matches!(kind.effect(), Effect::Control | Effect::Terminator) {
            continue;
        }
        let shader = Shader::new(one_op(kind));
        let text = print(&shader);
        assert!(verify(&shader).is_ok(), "{text}: {:?}", verify(&shader).err());
        assert_eq!(read(&text).as_ref(), Ok(&shader), "{text}");
        // One operand or result less, and a type that is none the row asks for.
        let mut less = shader.clone();
        let op = less.func.ops.iter().rev().nth(1).map(|(id, _)| id).unwrap();
        let lost = match kind.operands().is_empty() {
            true => less.func.ops[op].results.pop(),
            false => less.func.ops[op].args.pop(),
        };
        // A barrier has neither.
        assert!(verify(&less).is_err() || lost.is_none(), "{}", print(&less));
        for (n, asked) in kind.operands().iter().enumerate().filter(|(_, asked)| **asked != Operand::Same) {
            let mut other = shader.clone();
            let arg = other.func.ops[op].args[n];
            other.func.values[arg].ty = Type::I16;
            assert!(verify(&other).is_err(), "operand {n}, {asked:?}: {}", print(&other));
        }
    }
}

/// Offsets and the least level are operands of lookups that filter.
#[test]
fn lookups_say_which_operands_they_have() {
    use crate::{TexMode, TexOp, TexTarget};
    let plain = TexOp::plain(0, TexTarget::D1, TexMode::Grad);
    for (op, words) in [
        (TexOp { moved: true, ..plain }, "unit(0) moved %"),
        (TexOp { least_level: true, offset: [1, -1, 0], ..plain }, "offset(1, -1, 0) least %"),
        (TexOp { moved: true, least_level: true, ..plain }, "unit(0) moved least %"),
    ] {
        let shader = Shader::new(one_op(OpKind::Tex(op)));
        let text = print(&shader);
        assert!(text.contains(words), "{text}");
        assert_eq!(read(&text).as_ref(), Ok(&shader), "{text}");
    }
    let fetch = print(&Shader::new(one_op(OpKind::Tex(TexOp { mode: TexMode::Fetch, ..plain }))));
    for word in ["moved", "least"] {
        assert!(read(&fetch.replace("unit(0)", &format!("unit(0) {word}"))).is_err(), "{word}");
    }
}

#[test]
fn bound_text_reads_by_binding_anew() {
    let models = |name: &str| Model::builtin(name);
    let shader = read(SAMPLE).unwrap().bind(&Model::builtin("nv40").unwrap());
    let text = print(&shader);
    assert!(text.contains("  bind \"nv40\"\n"));
    let AnyShader::Bound(again) = read_any(&text, &models).unwrap() else { panic!("not bound") };
    assert_eq!(print(&again), text);
    assert_eq!(again, shader);
    assert_eq!(read(&text).unwrap_err()[0].code, "ir-bound");
    assert_eq!(read_any(&text, &|_| None).unwrap_err()[0].code, "ir-model");
    // A literal keeps its bits.
    let other = text.replacen("lit 0x3fc00000", "lit 0x3fc00001", 1);
    let AnyShader::Bound(changed) = read_any(&other, &models).unwrap() else { panic!("not bound") };
    assert_eq!(print(&changed), other);
}

#[test]
fn literals_have_several_spellings() {
    let literal = |ty: &str, text: &str| {
        let source = format!(
            "shader \"\" stage(fragment) from(\"\") {{ slot p0 = {ty} %0: p0 = lit {text} %1: p0 = lit {text} yield }}"
        );
        read(&source).map(|s| {
            let crate::OpKind::Literal(bits) = s.func.ops[crate::OpId::new(1)].kind else { panic!() };
            bits
        })
    };
    let fp32 = |text| literal("fp32", text).ok();
    assert_eq!(fp32("0.1"), Some(0x3dcc_cccd));
    assert_eq!(fp32("1"), Some(0x3f80_0000));
    assert_eq!(fp32("-2.5e0"), Some(0xc020_0000));
    assert_eq!(fp32("-0x1.8p1"), Some(0xc040_0000));
    assert_eq!(fp32("0x3f800000"), Some(0x3f80_0000));
    assert_eq!(fp32("-inf"), Some(0xff80_0000));
    assert_eq!(fp32("nan:0xffc00001"), Some(0xffc0_0001));
    assert_eq!(fp32("nan:0x3f800000"), None);
    assert_eq!(fp32("0x1.0000001p0"), None);
    assert_eq!(literal("half", "0x1.8p0").ok(), Some(0x3e00));
    assert_eq!(literal("half", "0.1").ok(), None);
    assert_eq!(literal("half.sat", "nan:0x7e01").ok(), Some(0x7e01));
    assert_eq!(literal("fx12", "-2").ok(), Some(0xffff_f800));
    assert_eq!(literal("fx12", "2").ok(), None);
    assert_eq!(literal("fp64", "0.1").ok(), Some(0.1f64.to_bits()));
    assert_eq!(literal("fp32.rtz.ftz+.d8", "1").ok(), Some(0x3f80_0000));
    assert!(literal("fp32", "fast").unwrap_err()[0].message.starts_with("expected a float"));
}

#[test]
fn errors_say_what_was_expected() {
    assert_eq!(error("stage(fragment)", "stage(fragmnt)"), "expected a stage, found `fragmnt`");
    assert_eq!(error("slot p1", "slot p3"), "expected `p1`, found `p3`: declarations stand in order");
    assert_eq!(error("half.sat", "half.fast"), "`half.fast` is not a slot");
    assert_eq!(error("generic(0)", "generic(70000)"), "the number is too large");
    assert_eq!(error("= mul %0", "= mull %0"), "expected an op, found `mull`");
    assert_eq!(error("mul %0, %1", "mul %0, %99"), "%99 is not defined above");
    assert_eq!(error("mul %0, %1", "mul %0, %6"), "%6 is not defined above");
    assert_eq!(error("%9: pred", "%2: pred"), "%2 is defined twice");
    assert_eq!(error("break ^1", "break ^7"), "^7 is not defined above");
    assert_eq!(error("c0[3].x", "c0[3].q"), "expected `x`, `y`, `z` or `w`, found `q`");
    assert_eq!(error("mul %0, %1 @1", "mul %0, %1 @77"), "source @77 is not declared");
    assert_eq!(error("\"MUL", "\"\\MUL"), "a backslash that starts no `\\u{..}`");
}

#[test]
fn all_errors_of_a_text_are_reported_and_bad_values_only_once() {
    let source = "shader \"x\" stage(fragment) from(\"t\") {
  slot p0 = fp32
  slot p9 = fp32
  %0: p0 = lit 1.0
  %1: p0 = addd %0, %0
  %2: p0 = add %1, %1
  %3: p0 = add %2, %0
  %4: pred = fgt %0, %0 undr p0
  %5: fp32 = if %4 {
    yield %3
  } else {
    yield %77
  }
  out o0.x, %5
  yield
}
";
    let diags = read(source).unwrap_err();
    let messages: Vec<&str> = diags.iter().map(|d| d.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "expected `p1`, found `p9`: declarations stand in order",
            "expected an op, found `addd`",
            "expected an op, found `undr`",
            "%77 is not defined above"
        ]
    );
    assert_eq!(diags[1].help, ["did you mean `add`?"]);
}

#[test]
fn cut_off_texts_end_in_an_error() {
    assert_eq!(codes(""), ["ir-syntax"]);
    assert_eq!(codes("shader \"x\" stage(vertex) from(\"\") {"), ["ir-syntax"]);
    assert_eq!(codes("shader \"x\" stage(vertex) from(\"\") { yield } }"), ["ir-syntax"]);
    for end in 0..SAMPLE.len() - 1 {
        if let Some(part) = SAMPLE.get(..end) {
            assert!(read(part).is_err(), "{part}");
        }
    }
}

#[test]
fn deep_nesting_is_refused() {
    let mut source = String::from("shader \"x\" stage(vertex) from(\"\") {\n");
    for n in 0..100_000 {
        source.push_str(&format!("block ^{n} {{\n"));
    }
    assert_eq!(codes(&source)[0], "ir-depth");
}

#[test]
fn broken_functions_print() {
    let mut shader: Shader<crate::Symbolic> = read(SAMPLE).unwrap();
    let ops: Vec<_> = shader.func.ops.keys().collect();
    let regions: Vec<_> = shader.func.regions.keys().collect();
    for op in ops {
        let data = &mut shader.func.ops[op];
        data.args.iter_mut().for_each(|arg| *arg = ValueId::new(arg.index() + 1000));
        data.slot = Some(SlotId::new(1000));
        if let Some(region) = data.regions.first_mut() {
            *region = regions[0];
        }
    }
    assert!(print(&shader).contains("%1000?"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    /// Any change to a sound text gives a shader or errors, and a shader that verifies prints and reads back.
    #[test]
    fn changed_texts_never_panic(edits in prop::collection::vec((any::<prop::sample::Index>(), 0usize..40, any::<u8>()), 1..4)) {
        const PIECES: [&str; 12] =
            ["%", "^0", "p1", "}", "{", "if %1 {", "lit", "\"", "0x1p-3", "under p1", "[%2 - 1]", "loop ^9 (%77: i32 = %3)"];
        let mut text: Vec<char> = SAMPLE.chars().collect();
        for (place, drop, piece) in edits {
            let at = place.index(text.len());
            let end = (at + drop).min(text.len());
            let with = PIECES[usize::from(piece) % PIECES.len()].chars();
            text.splice(at..end, with);
        }
        let text: String = text.into_iter().collect();
        if let Ok(shader) = read(&text) {
            let printed = print(&shader);
            if verify(&shader).is_ok() {
                prop_assert_eq!(print(&read(&printed).unwrap()), printed);
            }
        }
    }

    #[test]
    fn any_characters_never_panic(text in ".{0,200}") {
        let _ = read(&text);
    }
}
