//! SPA 5.0 (Maxwell): every component a register of its own, conditions as predicates, branches with the stacks of SSY, PBK and PCNT.

mod emit;
mod encode;
mod forms;
mod inputs;
mod kernel;
mod lower;
mod pairs;
mod schedule;
mod spill;
mod text;
mod words;

use crate::form::{Relatives, Value};
use crate::notes::Notes;
use crate::scalar::registers::{self, PREDICATES};
use crate::scalar::{Selected, selected};
use crate::target::{Abilities, Addresses, INVOCATION, Lookup, Piece, Registers, Rows, Target, Truth};
use crate::webs::Webs;
use crate::{Encoding, Translation, coalesce, live};
use emit::Emit;
use inputs::{Inputs, Outputs};
use lower::Lowered;
use parallax_core::{Func, OutputRole, Stage, SysVal, TexMode, TexOp, TexTarget};
use parallax_lift::Layout;
use rustc_hash::FxHashMap;
use schedule::Program;
use std::sync::LazyLock;

static ROWS: LazyLock<Rows> = LazyLock::new(forms::rows);

/// SPA 5.0 texts.
pub(crate) static TARGET: Target = Target {
    name: "spa5",
    title: "SPA 5.0",
    extension: "spa5",
    isa: "spa5",
    dialect: None,
    settings: &[],
    vertex: None,
    kernel: Some(&KERNEL),
    abilities: Abilities {
        truth: Truth::Predicate,
        integers: true,
        flow: true,
        rounds: None,
        again: true,
        addresses: Addresses::Words,
        saturate: true,
        wide: true,
        system_values: PIXEL,
        workgroup: None,
        aligns: true,
        over_w: true,
        instructions: usize::MAX,
        registers: REGISTERS,
        halves: None,
        literal: |_| true,
        literals_in_constants: false,
    },
    rows: &ROWS,
    formulas: None,
    lookup,
    place: inputs::place,
    registers: Registers::Scalars(translated),
};

static ROWS_OF_KERNELS: LazyLock<Rows> = LazyLock::new(forms::rows_of_kernels);

/// Texts of kernels.
static KERNEL: Target = Target {
    kernel: None,
    abilities: Abilities { system_values: INVOCATION, ..TARGET.abilities },
    rows: &ROWS_OF_KERNELS,
    place: kernel::place,
    ..TARGET
};

/// What a pixel knows of itself.
const PIXEL: &[SysVal] = &[
    SysVal::SampleId,
    SysVal::SampleMask,
    SysVal::SampleCount,
    SysVal::SampleShading,
    SysVal::HelperLane,
    SysVal::FrontFacing,
    SysVal::QuadLane,
];

/// Registers; the last number is no register.
const REGISTERS: u32 = 255;
/// Numbers of attributes that no shader has: the position that interpolation divides by, at both locations.
const POSITION: u16 = 0x7ffe;
const CENTROID_POSITION: u16 = 0x7ffd;

fn lookup(tex: &TexOp, is_largest: bool) -> Result<Lookup, String> {
    let target = tex.target.name();
    let (coordinates, gathered) = (tex.target.coordinates(), tex.mode.gathered());
    if tex.target.is_array() && tex.mode == TexMode::Fetch {
        return Err(format!("texels of textures `{target}`: not written for SPA 5.0 yet"));
    }
    if matches!(tex.target, TexTarget::Rect | TexTarget::ShadowRect | TexTarget::D2Samples | TexTarget::D2SamplesArray)
    {
        return Err(format!("textures `{target}`: SPA 5.0 has no such shape"));
    }
    // The layer stands first.
    let mut first = [Piece::Nothing; 4];
    let pieces = tex.layer().into_iter().chain(0..coordinates).map(Piece::Operand);
    first.iter_mut().zip(pieces).for_each(|(to, piece)| *to = piece);
    if tex.project && (tex.mode != TexMode::Implicit || tex.target.is_array()) {
        return Err("projected lookups with a level or a layer: not written for SPA 5.0 yet".to_string());
    }
    let mut second: Vec<Piece> = Vec::new();
    let name = match tex.mode {
        TexMode::Implicit => "TEX",
        TexMode::Bias => "TEX.LB",
        TexMode::Level if is_largest => "TEX.LZ",
        TexMode::Level => "TEX.LL",
        TexMode::Fetch if is_largest => "TLD.LZ",
        TexMode::Fetch => "TLD.LL",
        TexMode::Grad if coordinates <= 2 && !tex.target.is_shadow() && !tex.target.is_array() => "TXD",
        TexMode::Grad => return Err(format!("lookups with gradients in textures `{target}`: SPA 5.0 has none")),
        TexMode::Detail => return Err("queries of the level of detail: not written for SPA 5.0 yet".to_string()),
        _ => ["TLD4.R", "TLD4.G", "TLD4.B", "TLD4.A"][gathered.unwrap_or(0) & 3],
    };
    match tex.mode {
        TexMode::Bias | TexMode::Level | TexMode::Fetch if !is_largest => second.push(Piece::Operand(3)),
        TexMode::Grad => {
            let from = tex.gradients().unwrap_or(0);
            for n in 0..coordinates {
                second.extend([Piece::Operand(from + n), Piece::Operand(from + 3 + n)]);
            }
        }
        _ => {}
    }
    second.extend(tex.reference().map(Piece::Operand));
    let mut operands = vec![first];
    if !second.is_empty() {
        let mut pieces = [Piece::Nothing; 4];
        pieces.iter_mut().zip(second).for_each(|(to, piece)| *to = piece);
        operands.push(pieces);
    }
    if tex.project {
        // What coordinates and reference are divided by; no instruction has it.
        operands.push([Piece::Operand(3), Piece::Nothing, Piece::Nothing, Piece::Nothing]);
    }
    Ok(Lookup { row: forms::form(name).row(), operands })
}

/// Makes a program.
fn translated(func: &Func, target: &Target, encoding: Encoding, notes: &mut Notes) -> Option<Translation> {
    let leaves_predicate = |row: &_| forms::form_of(row).leaves == forms::Leaves::Predicate;
    // Lowering takes the statements: another try selects them again.
    let lowered = |keeps: bool, in_words: bool, notes: &mut Notes| {
        let mut selected = selected(func, target, notes, leaves_predicate)?;
        if func.iface.stage == Stage::Compute {
            kernel::move_banks(&mut selected.body);
            selected.relatives.move_banks();
        }
        let lowered = lower::lower(func, &mut selected, keeps, notes);
        Some((selected, if in_words { words::in_words(lowered) } else { lowered }))
    };
    // Constants that stay in registers for several readers may take too many, and conditions too many predicates.
    let mut found = None;
    for (keeps, in_words) in [(true, false), (true, true), (false, false), (false, true)] {
        let (selected, lowered) = lowered(keeps, in_words, notes)?;
        let made = made(func, lowered, &selected.relatives, &selected.ends, encoding);
        let fits = made.fits();
        found = Some((made, selected));
        if fits {
            break;
        }
    }
    let (mut made, Selected { places, .. }) = found?;
    if !made.fits() {
        for in_words in [false, true] {
            let (selected, lowered) = lowered(false, in_words, notes)?;
            if let Some(spilled) = with_spills(func, &lowered, &selected.relatives, &selected.ends, encoding) {
                made = spilled;
                break;
            }
        }
    }
    if let Some(count) = made.predicates {
        let most = PREDICATES;
        notes.refuse(
            format!("{count} conditions that one instruction reads: {} has {most} predicates", target.title),
            None,
        );
    }
    if made.words > REGISTERS {
        let missing = made.words - REGISTERS;
        notes
            .refuse(format!("{} registers: {} has {REGISTERS}; {missing} are missing", made.words, target.title), None);
    }
    let (text, binary) = match made.program {
        Program::Text(mut text) => {
            text.insert_str(0, &made.header);
            (text, None)
        }
        Program::Words(Ok(words)) => (String::new(), Some(file(&made.header, &words))),
        Program::Words(Err(why)) => {
            // Registers that do not exist are refused already.
            if !notes.is_refused() {
                notes.refuse(why, None);
            }
            return None;
        }
    };
    Some(Translation {
        text,
        binary,
        carried: places.carried.clone(),
        instructions: made.instructions,
        registers: made.words,
        inexact: Vec::new(),
        literals: None,
    })
}

/// A header and bundles.
fn file(header: &str, words: &[u64]) -> Vec<u8> {
    let (program, _) = parallax_spa5::assemble(header, &Layout::default());
    let header = program.and_then(|program| program.header).map(|header| header.bytes());
    let header = header.as_ref().map_or(&[][..], |bytes| bytes);
    let mut bytes = Vec::with_capacity(header.len() + size_of_val(words));
    bytes.extend_from_slice(header);
    words.iter().for_each(|word| bytes.extend_from_slice(&word.to_le_bytes()));
    bytes
}

/// A program that has been written.
struct Made {
    /// The directives in front of it.
    header: String,
    program: Program,
    instructions: usize,
    words: u32,
    /// How many predicates it would need, if there are not so many.
    predicates: Option<usize>,
}

impl Made {
    fn fits(&self) -> bool {
        self.words <= REGISTERS && self.predicates.is_none()
    }
}

/// A program that fits because values wait in memory, if there is one. What is alive at once is counted before registers are shared and
/// found for vectors, so fewer are tried until the program fits.
fn with_spills(
    func: &Func,
    lowered: &Lowered,
    relatives: &Relatives,
    ends: &[((u16, u8), Value)],
    encoding: Encoding,
) -> Option<Made> {
    const LEAST: u32 = 32;
    let outputs: Vec<Value> = ends.iter().map(|&(_, value)| value).collect();
    let mut most = REGISTERS - 8;
    while most >= LEAST {
        let spilled = spill::spill(lowered, &outputs, most as usize)?;
        let made = made(func, spilled, relatives, ends, encoding);
        if made.fits() {
            return Some(made);
        }
        most = most.checked_sub(made.words.saturating_sub(REGISTERS).max(8))?;
    }
    None
}

/// Registers and words or text for a program. `ends`: the value that is component `comp` of output `index`.
fn made(func: &Func, lowered: Lowered, relatives: &Relatives, ends: &[((u16, u8), Value)], encoding: Encoding) -> Made {
    let Lowered { body, predicates, groups, local, reads } = lowered;
    let mut outputs = Outputs::default();
    for &((index, comp), _) in ends {
        match func.iface.outputs.get(usize::from(index)).map(|output| output.role) {
            Some(OutputRole::Color(n)) => *outputs.targets.entry(n).or_insert(0) |= 1 << comp,
            Some(OutputRole::SampleMask) => outputs.sample_mask = true,
            Some(OutputRole::Depth) => outputs.depth = true,
            _ => {}
        }
    }
    // Every target that is written has four registers, the mask and the depth two behind them.
    let place = |index: u16, comp: u8| match func.iface.outputs.get(usize::from(index)).map(|output| output.role) {
        Some(OutputRole::Color(n)) => (outputs.targets.range(..n).count() as u16, comp),
        Some(OutputRole::Depth) => (outputs.targets.len() as u16, 1),
        _ => (outputs.targets.len() as u16, 0),
    };
    let finals: Vec<(u16, u8, Value)> = ends
        .iter()
        .map(|&((index, comp), value)| {
            let (group, comp) = place(index, comp);
            (group, comp, value)
        })
        .collect();
    let kept: Vec<Value> = finals.iter().map(|&(.., value)| value).collect();
    let mut webs = Webs::new(predicates.len() as u32, Vec::new());
    for group in groups.iter().filter(|group| group.len() > 1) {
        for (comp, &value) in (0..).zip(group) {
            webs.fix(value, comp);
            webs.join(group[0], value);
        }
    }
    let mut first_of: FxHashMap<u16, Value> = FxHashMap::default();
    for &(group, comp, value) in &finals {
        webs.fix(value, comp);
        let first = *first_of.entry(group).or_insert(value);
        webs.join(first, value);
    }
    let ranges = live::ranges(&body, webs.len(), &kept);
    let ranges = coalesce::coalesce(&body, &mut webs, ranges);
    for &(group, _, value) in &finals {
        webs.make_output(value, group);
    }
    let found = registers::allocate(&webs, &ranges, &predicates);
    let inputs = Inputs::new(&func.iface, &reads);
    let mut emit = Emit::new(&found, &inputs, relatives, body.len(), encoding);
    emit.block(&body, false);
    let (kills, words) = (emit.kills, emit.words);
    let (program, instructions) = emit.exit(&kept);
    let header = match func.iface.stage {
        Stage::Compute => kernel::header(&func.iface, local),
        _ => inputs::header(&func.iface, &reads, &outputs, kills, local),
    };
    Made { header, program, instructions, words, predicates: found.missing }
}
