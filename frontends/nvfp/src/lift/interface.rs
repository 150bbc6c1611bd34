//! What a program asks of its caller: attributes, banks of constants, parameters by name.

use crate::ast::{Array, Base, NameKind, ParamFile, ParamItem, Program, Src};
use crate::dialect::{ATTRIBUTES, Dialect, Features, VERTEX_ATTRIBUTES};
use crate::print;
use parallax_core::{AliasDecl, AttrDecl, AttrSemantic, BankDecl, ConstDecl, Func, Interp, Location};
use parallax_lift::Options;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::sync::LazyLock;

/// Bank of numbered (`c[]`, `p[]`) or local parameters.
pub(super) const BANK_LOCAL: u16 = 0;
/// Bank of `program.env[]`.
pub(super) const BANK_ENV: u16 = 1;
/// Bank of named parameters: `DECLARE` without number and `state.*`, in order of first use.
pub(super) const BANK_NAMED: u16 = 2;

/// Attributes in their fixed order.
fn attributes(dialect: Dialect) -> Vec<AttrDecl> {
    let one = |(n, name): (usize, &&str)| {
        let (semantic, interp) = match n {
            0 => (AttrSemantic::Position, Interp::Linear),
            1 | 2 => (AttrSemantic::Color(n as u16 - 1), Interp::Color),
            3 => (AttrSemantic::Fog, Interp::Perspective),
            14 => (AttrSemantic::Face, Interp::Flat),
            _ => (AttrSemantic::TexCoord(n as u16 - 4), Interp::Perspective),
        };
        let name = match dialect {
            Dialect::Patent => format!("p[{n}]"),
            Dialect::Fp10 | Dialect::Nv40 => format!("f[{name}]"),
            _ => print::arb_attribute(n as u8),
        };
        AttrDecl { name, semantic, interp, location: Location::Center, mediump: false }
    };
    ATTRIBUTES.iter().enumerate().map(one).collect()
}

/// Attributes of a vertex program, by the names that it reads them by.
fn vertex_attributes(program: &Program) -> Vec<AttrDecl> {
    let count = VERTEX_ATTRIBUTES.len() as u8;
    let declared = program.names.iter().filter_map(|name| match &name.kind {
        NameKind::Attrib(base) => Some(base),
        _ => None,
    });
    let bases = declared.chain(program.instrs().flat_map(|instr| &instr.srcs).map(|src| &src.base));
    let by_number: Vec<u8> = bases.filter_map(|base| if let Base::Attr(n) = base { Some(*n) } else { None }).collect();
    let one = |n: u8| AttrDecl {
        name: match program.dialect {
            Dialect::ArbVertex => print::vertex_attribute(if by_number.contains(&(n + count)) { n + count } else { n }),
            _ => print::nv_vertex_attribute(n),
        },
        semantic: AttrSemantic::Generic(u16::from(n)),
        interp: Interp::Flat,
        location: Location::Center,
        mediump: false,
    };
    (0..count).map(one).collect()
}

/// Sources that may name parameters: words of fragment programs name none.
fn sources(program: &Program) -> impl Iterator<Item = &Src> {
    let body = if program.dialect == Dialect::Nv40 { &[][..] } else { &program.body[..] };
    body.iter().flat_map(|stmt| stmt.kind.instrs()).flat_map(|instr| &instr.srcs)
}

/// Attributes, and the constant banks.
pub(super) fn declare(program: &Program, func: &mut Func) {
    // The same for all microcode.
    static MICROCODE: LazyLock<Vec<AttrDecl>> = LazyLock::new(|| attributes(Dialect::Nv40));
    func.iface.attrs = match program.dialect {
        Dialect::Nv40 => Cow::Borrowed(&MICROCODE),
        dialect if dialect.is_vertex() => vertex_attributes(program).into(),
        dialect => attributes(dialect).into(),
    };
    let (local, env) = match program.dialect {
        Dialect::Arb | Dialect::ArbVertex => ("program.local", "program.env"),
        Dialect::Fp10 | Dialect::Nv40 => ("p", "-"),
        _ => ("c", "-"),
    };
    if program.dialect.is_vertex() && program.dialect != Dialect::ArbVertex {
        // Attributes have numbers, too.
        let named = (0u8..).zip(func.iface.attrs.iter()).map(|(n, attr)| (format!("v[{n}]"), attr.name.clone()));
        func.iface.aliases.extend(named.filter(|(n, of)| n != of).map(|(name, of)| AliasDecl { name, of }));
    }
    let mut lens = [0u32; 2];
    let mut see = |file: ParamFile, n: u16| {
        let len = &mut lens[usize::from(bank(file))];
        *len = (*len).max(u32::from(n) + 1);
    };
    for name in &program.names {
        let NameKind::Param { items, .. } = &name.kind else { continue };
        for item in items {
            match item {
                ParamItem::Param(file, n) | ParamItem::Range(file, _, n) => see(*file, *n),
                ParamItem::Const(_) | ParamItem::State(_) => {}
            }
        }
    }
    for src in sources(program) {
        match src.base {
            Base::Param(file, n) => see(file, n),
            Base::Relative { array: Array::Parameters, .. } => {
                see(ParamFile::Numbered, parameters(program.dialect) as u16 - 1);
            }
            _ => {}
        }
    }
    let [local_len, env_len] = lens;
    func.iface.banks = vec![
        BankDecl { name: local.into(), len: local_len, by_bytes: false },
        BankDecl { name: env.into(), len: env_len, by_bytes: false },
        BankDecl { name: "named".into(), len: 0, by_bytes: false },
    ];
}

/// Numbered constants of microcode with the names and the values that a container gives them.
pub(super) fn embedded(program: &Program, options: &Options, constants: &mut Vec<ConstDecl>) {
    if program.dialect != Dialect::Nv40Vertex {
        return;
    }
    for constant in &options.embedded {
        let number = constant.places.first().map_or(0, |place| place / crate::nv40vp::BYTES);
        if let Ok(number) = u32::try_from(number) {
            constants.push(ConstDecl::new(constant.name.clone(), BANK_LOCAL, number, Some(constant.value)));
        }
    }
}

/// Numbers of the parameters that have a name instead of a number, in the third bank. Those and the names of numbered
/// ones are told to the caller, declared values with them.
pub(super) fn named_parameters(program: &Program, func: &mut Func) -> FxHashMap<String, u32> {
    let mut numbers: FxHashMap<String, u32> = FxHashMap::default();
    let mut see = |name: &str, default| {
        let next = numbers.len() as u32;
        if !numbers.contains_key(name) {
            numbers.insert(name.to_string(), next);
            func.iface.constants.push(ConstDecl::new(name.to_string(), BANK_NAMED, next, default));
        }
    };
    for name in &program.names {
        match &name.kind {
            NameKind::Declare(value) => see(&name.text, value.map(|value| value.components().map(f32::to_bits))),
            NameKind::Param { items, .. } => {
                for item in items {
                    if let ParamItem::State(text) = item {
                        see(text, None);
                    }
                }
            }
            _ => {}
        }
    }
    for src in sources(program) {
        if let Base::State(text) = &src.base {
            see(text, None);
        }
    }
    if program.features.contains(Features::POSITION_INVARIANT) {
        POSITION_ROWS.iter().for_each(|row| see(row, None));
    }
    func.iface.banks[usize::from(BANK_NAMED)].len = numbers.len() as u32;
    for name in &program.names {
        let NameKind::Param { items, array: None } = &program.kind(name) else { continue };
        let (bank, index) = match &items[..] {
            [ParamItem::Param(file, n)] => (bank(*file), u32::from(*n)),
            [ParamItem::State(text)] => (BANK_NAMED, numbers.get(text).copied().unwrap_or(0)),
            _ => continue,
        };
        func.iface.constants.push(ConstDecl::new(name.text.clone(), bank, index, None));
    }
    numbers
}

/// The rows of the matrix that takes vertices to clip space.
pub(super) const POSITION_ROWS: [&str; 4] =
    ["state.matrix.mvp.row[0]", "state.matrix.mvp.row[1]", "state.matrix.mvp.row[2]", "state.matrix.mvp.row[3]"];

/// Numbered parameters of a vertex program (NV_vertex_program, section 2.14.1.2; NV_vertex_program2, section 2.14.1.2; RPCS3's
/// count of the constants of RSX).
pub(super) const fn parameters(dialect: Dialect) -> u32 {
    match dialect {
        Dialect::Vp20 => 256,
        Dialect::Nv40Vertex => 512,
        _ => 96,
    }
}

/// Bank of a file of numbered parameters.
pub(super) fn bank(file: ParamFile) -> u16 {
    if file == ParamFile::Env { BANK_ENV } else { BANK_LOCAL }
}
