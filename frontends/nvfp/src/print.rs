//! Prints a program in its own dialect. Reading the result gives the same program.

use crate::ast::{
    Array, Base, CcTest, Clamp, ConstValue, Dst, Image, Instr, NameKind, Out, ParamFile, ParamItem, Precision, Program,
    Size, Src, StmtKind, Suffix, Swizzle,
};
use crate::dialect::{
    ATTRIBUTES, Dialect, Features, NV_VERTEX_ATTRIBUTES, NV_VERTEX_RESULTS, VERTEX_ATTRIBUTES, VERTEX_RESULTS,
};
use crate::table::Shape;
use std::fmt::Write;

/// The program as text, with header and terminator.
pub fn print(program: &Program) -> String {
    let mut out = String::new();
    match program.dialect {
        // The patent has no header of its own; texts without one read as its dialect.
        Dialect::Patent => {}
        dialect => {
            out.push_str(dialect.header());
            out.push('\n');
        }
    }
    for option in &program.options {
        let _ = writeln!(out, "OPTION {option};");
    }
    for stmt in &program.body {
        match &stmt.kind {
            StmtKind::Label(name) => {
                let _ = writeln!(out, "{name}:");
            }
            StmtKind::Declare(names) => {
                declaration(program, names, &mut out);
                out.push('\n');
            }
            kind => {
                for instr in kind.instrs() {
                    out.push_str(&instruction(program, instr));
                    out.push('\n');
                }
            }
        }
    }
    if program.dialect != Dialect::Patent {
        out.push_str("END\n");
    }
    out
}

fn declaration(program: &Program, names: &[crate::ast::NameId], out: &mut String) {
    let Some(first) = names.first() else { return };
    let name = &program.names[first.0];
    let size = |size: Size| match size {
        Size::Default => "",
        Size::Short => "SHORT ",
        Size::Long => "LONG ",
    };
    let _ = match &name.kind {
        NameKind::Temp(s) => {
            let list: Vec<&str> = names.iter().map(|id| program.names[id.0].text.as_str()).collect();
            write!(out, "{}TEMP {};", size(*s), list.join(", "))
        }
        NameKind::Address => {
            let list: Vec<&str> = names.iter().map(|id| program.names[id.0].text.as_str()).collect();
            write!(out, "ADDRESS {};", list.join(", "))
        }
        NameKind::Define(value) => write!(out, "DEFINE {} = {};", name.text, constant(*value)),
        NameKind::Declare(None) => write!(out, "DECLARE {};", name.text),
        NameKind::Declare(Some(value)) => write!(out, "DECLARE {} = {};", name.text, constant(*value)),
        NameKind::Param { items, array: None } => write!(out, "PARAM {} = {};", name.text, item(&items[0])),
        NameKind::Param { items, array: Some(size) } => {
            let size = size.map_or(String::new(), |n| n.to_string());
            let items: Vec<String> = items.iter().map(item).collect();
            write!(out, "PARAM {}[{size}] = {{ {} }};", name.text, items.join(", "))
        }
        NameKind::Attrib(base) => write!(out, "ATTRIB {} = {};", name.text, self::base(program, base)),
        NameKind::Output(to, s) => {
            write!(out, "{}OUTPUT {} = {};", size(*s), name.text, base(program, &Base::Out(*to)))
        }
        NameKind::Alias { of, .. } => write!(out, "ALIAS {} = {};", name.text, program.names[of.0].text),
    };
}

fn item(item: &ParamItem) -> String {
    let file = |f: &ParamFile| if *f == ParamFile::Env { "env" } else { "local" };
    match item {
        ParamItem::Const(value) => constant(*value),
        ParamItem::Param(f, n) => parameter(Dialect::Arb, *f, *n),
        ParamItem::Range(f, a, b) => format!("program.{}[{a}..{b}]", file(f)),
        ParamItem::State(text) => text.clone(),
    }
}

fn constant(value: ConstValue) -> String {
    match value {
        ConstValue::Scalar(v) => number(v),
        ConstValue::Vector(v, n) => {
            let parts: Vec<String> = v[..usize::from(n)].iter().map(|v| number(*v)).collect();
            format!("{{{}}}", parts.join(", "))
        }
    }
}

/// Shortest decimal that reads back to the same bits. Literals are never infinite or NaN unless they overflowed.
fn number(value: f32) -> String {
    if value.is_infinite() {
        return if value > 0.0 { "1e99".into() } else { "-1e99".into() };
    }
    format!("{value:?}")
}

/// An instruction with its `;`, without line end.
pub(crate) fn instruction(program: &Program, instr: &Instr) -> String {
    let mut out = String::from(instr.row.name);
    suffix(program.dialect, instr.suffix, &mut out);
    let mut operands: Vec<String> = Vec::new();
    if let Some(dst) = &instr.dst {
        operands.push(destination(program, dst));
    }
    if let Some(label) = &instr.label {
        operands.push(label.to_string());
    }
    let scalar_from = match instr.row.shape {
        Shape::S | Shape::SS => 0,
        Shape::Load if !program.features.contains(Features::VP2) => 0,
        Shape::VS => 1,
        _ => usize::MAX,
    };
    for (i, src) in instr.srcs.iter().enumerate() {
        operands.push(source(program, src, i >= scalar_from));
    }
    if let Some(selectors) = instr.selectors {
        for s in selectors {
            let sign = if s.negate { "-" } else { "" };
            operands.push(format!("{sign}{}", ["x", "y", "z", "w", "0", "1"][usize::from(s.source)]));
        }
    }
    if let Some(image) = instr.image {
        operands.push(image_operand(program.dialect, image));
    }
    if !operands.is_empty() {
        out.push(' ');
        out.push_str(&operands.join(", "));
    }
    if let Some(test) = instr.test {
        // IF and KIL take a bare test, BRK, CAL and RET a parenthesised one.
        let text = cc_test(test);
        let _ = match instr.row.shape {
            Shape::Kil | Shape::Test => write!(out, " {text}"),
            _ => write!(out, " ({text})"),
        };
    }
    out.push(';');
    out
}

fn suffix(dialect: Dialect, suffix: Suffix, out: &mut String) {
    match suffix.precision {
        None => {}
        Some(Precision::Fp32) => out.push('R'),
        Some(Precision::Fp16) => out.push('H'),
        Some(Precision::Fixed) => out.push('X'),
        Some(Precision::Fixed9) => out.push('B'),
    }
    if suffix.cc {
        out.push(if dialect == Dialect::Patent { 'c' } else { 'C' });
        if suffix.code == 1 {
            out.push('1');
        }
    }
    out.push_str(match suffix.clamp {
        Clamp::None => "",
        Clamp::Sat => "_SAT",
        Clamp::SSat => "_SSAT",
    });
}

fn letters(components: &[u8]) -> String {
    components.iter().map(|&c| char::from(b"xyzw"[usize::from(c)])).collect()
}

fn swizzle(swizzle: Swizzle, scalar: bool) -> String {
    match swizzle.single() {
        Some(c) => format!(".{}", letters(&[c])),
        None if swizzle.is_identity() && !scalar => String::new(),
        None => format!(".{}", letters(&swizzle.0)),
    }
}

fn cc_test(test: CcTest) -> String {
    let code = if test.code == 1 { "1" } else { "" };
    format!("{}{code}{}", test.cond.name(), swizzle(test.swizzle, false))
}

fn destination(program: &Program, dst: &Dst) -> String {
    let mut out = base(program, &dst.base);
    if dst.mask != 15 {
        out.push('.');
        let set: Vec<u8> = (0..4).filter(|c| dst.mask >> c & 1 == 1).collect();
        out.push_str(&letters(&set));
    }
    if let Some(test) = dst.test {
        let _ = write!(out, "({})", cc_test(test));
    }
    out
}

fn source(program: &Program, src: &Src, scalar: bool) -> String {
    let sign = |on: bool| if on { "-" } else { "" };
    let mut inner = base(program, &src.base);
    // Scalar literals and scalar names used as scalar operands select nothing; ARB programs always select.
    let plain = scalar
        && !program.dialect.is_arb()
        && match &src.base {
            Base::Const(ConstValue::Scalar(_)) => true,
            Base::Name(id, None) => matches!(
                program.resolve(*id).kind,
                NameKind::Define(ConstValue::Scalar(_)) | NameKind::Declare(None | Some(ConstValue::Scalar(_)))
            ),
            _ => false,
        }
        && src.swizzle.single() == Some(0);
    let plain = plain || matches!(src.base, Base::Const(ConstValue::Scalar(_))) && src.swizzle.is_identity();
    if !plain {
        inner.push_str(&swizzle(src.swizzle, scalar));
    }
    if src.abs {
        format!("{}|{}{inner}|", sign(src.negate), sign(src.inner_negate))
    } else {
        format!("{}{inner}", sign(src.negate))
    }
}

fn image_operand(dialect: Dialect, image: Image) -> String {
    let unit = match dialect {
        Dialect::Patent => image.unit.to_string(),
        Dialect::Fp10 | Dialect::Nv40 | Dialect::Nv40Vertex => format!("TEX{}", image.unit),
        _ => format!("texture[{}]", image.unit),
    };
    match image.target {
        Some(target) => format!("{unit}, {}", target.name()),
        None => unit,
    }
}

fn base(program: &Program, base: &Base) -> String {
    let dialect = program.dialect;
    match base {
        Base::Temp(file, n) => format!("{}{n}", file.letter()),
        Base::Cc(_) if dialect.is_vertex() => "CC".into(),
        Base::Cc(file) => format!("{}C", file.letter()),
        Base::Attr(n) => match dialect {
            Dialect::Patent => format!("p[{n}]"),
            Dialect::Fp10 | Dialect::Nv40 => format!("f[{}]", ATTRIBUTES[usize::from(*n)]),
            Dialect::Arb => arb_attribute(*n),
            Dialect::ArbVertex => vertex_attribute(*n),
            _ => nv_vertex_attribute(*n),
        },
        Base::AttrIndexed(0) => "fragment.texcoord[A0.x]".into(),
        Base::AttrIndexed(n) => format!("fragment.texcoord[A0.x+{n}]"),
        Base::Param(file, n) => parameter(dialect, *file, *n),
        Base::Out(out) => output(dialect, *out),
        Base::Name(id, None) => program.names[id.0].text.clone(),
        Base::Name(id, Some(n)) => format!("{}[{n}]", program.names[id.0].text),
        Base::Relative { array, address, comp, offset } => {
            let address = format!("{}.{}", program.names[address.0].text, letters(&[*comp]));
            let array = match array {
                Array::Name(id) => program.names[id.0].text.as_str(),
                Array::Parameters => "c",
                Array::Attributes if dialect == Dialect::ArbVertex => "vertex.attrib",
                Array::Attributes => "v",
                Array::TexCoords => "vertex.texcoord",
                Array::Results => "result.texcoord",
            };
            match offset {
                0 => format!("{array}[{address}]"),
                _ => format!("{array}[{address}{offset:+}]"),
            }
        }
        Base::Const(value) => constant(*value),
        Base::State(text) => text.to_string(),
    }
}

/// The spelling of a numbered parameter.
pub(crate) fn parameter(dialect: Dialect, file: ParamFile, n: u16) -> String {
    match file {
        ParamFile::Numbered if dialect == Dialect::Patent || dialect.is_vertex() => format!("c[{n}]"),
        ParamFile::Numbered => format!("p[{n}]"),
        ParamFile::Local => format!("program.local[{n}]"),
        ParamFile::Env => format!("program.env[{n}]"),
    }
}

pub(crate) fn output(dialect: Dialect, out: Out) -> String {
    match (dialect, out) {
        (_, Out::Target(n)) => format!("result.color[{n}]"),
        (Dialect::ArbVertex, Out::Vertex(n)) => VERTEX_RESULTS[usize::from(n)].into(),
        (_, Out::Vertex(n)) => format!("o[{}]", NV_VERTEX_RESULTS[usize::from(n)]),
        (Dialect::Arb, Out::Depr) => "result.depth".into(),
        (Dialect::Arb, _) => "result.color".into(),
        (_, Out::Colr) => "o[COLR]".into(),
        (_, Out::Colh) => "o[COLH]".into(),
        (_, Out::Depr) => "o[DEPR]".into(),
    }
}

/// The spelling of an attribute of vertex programs: by its own name below 16, else by number.
pub(crate) fn vertex_attribute(n: u8) -> String {
    match VERTEX_ATTRIBUTES.get(usize::from(n)).copied().flatten() {
        Some(name) => format!("vertex.{name}"),
        None => format!("vertex.attrib[{}]", usize::from(n) % VERTEX_ATTRIBUTES.len()),
    }
}

/// The spelling of an attribute in NV_vertex_program and in microcode.
pub(crate) fn nv_vertex_attribute(n: u8) -> String {
    format!("v[{}]", NV_VERTEX_ATTRIBUTES[usize::from(n) % NV_VERTEX_ATTRIBUTES.len()])
}

pub(crate) fn arb_attribute(n: u8) -> String {
    match n {
        0 => "fragment.position".into(),
        1 => "fragment.color.primary".into(),
        2 => "fragment.color.secondary".into(),
        3 => "fragment.fogcoord".into(),
        14 => "fragment.facing".into(),
        n => format!("fragment.texcoord[{}]", n - 4),
    }
}
