//! USC (PowerVR Rogue): instruction groups on single registers, conditions as words, branches and loops by mask counts.

mod emit;
mod encode;
mod forms;
mod lower;
mod pairs;
mod text;

use crate::form::Value;
use crate::interface::Places;
use crate::notes::Notes;
use crate::scalar::registers;
use crate::scalar::{Selected, selected};
use crate::select::Formula;
use crate::target::{Abilities, Addresses, Lookup, Piece, Registers, Rows, Target, Truth};
use crate::webs::Webs;
use crate::{Encoding, Translation, coalesce, live, prune};
use emit::{Emit, Shared};
use lower::Lowered;
use pairs::Program;
use parallax_core::{AttrSemantic, Func, Interface, Interp, Location, OutputRole, TexMode, TexOp, TexTarget};
use std::sync::LazyLock;

static ROWS: LazyLock<Rows> = LazyLock::new(forms::rows);
static FORMULAS: LazyLock<Vec<Formula>> = LazyLock::new(forms::formulas);

/// USC assembly.
pub(crate) static TARGET: Target = Target {
    name: "usc",
    title: "USC",
    extension: "usc",
    isa: "usc",
    dialect: None,
    settings: &[],
    vertex: None,
    kernel: None,
    abilities: Abilities {
        truth: Truth::Bits,
        integers: true,
        flow: true,
        rounds: None,
        again: true,
        addresses: Addresses::WordsOfAll(CONSTANTS),
        saturate: true,
        wide: false,
        system_values: &[],
        workgroup: None,
        aligns: false,
        over_w: false,
        instructions: usize::MAX,
        registers: REGISTERS,
        halves: None,
        literal: |_| true,
        literals_in_constants: false,
    },
    rows: &ROWS,
    formulas: Some(&FORMULAS),
    lookup,
    place,
    registers: Registers::Scalars(translated),
};

/// Temporaries, and those shared registers that an operand can name: by itself, and with an index register added.
const REGISTERS: u32 = 248;
const SHARED: u32 = 2048;
const INDEXED: u32 = 256;
/// Colours that the eight registers of a pixel hold, as one float each.
const COLORS: usize = 2;
/// Attributes with coefficients that an instruction can name.
const ATTRIBUTES: u16 = 32;
/// Texture units.
const UNITS: u32 = 16;
/// Constants; behind them stand the states of textures.
const CONSTANTS: u32 = (SHARED - 8 * UNITS) / 4;

fn lookup(tex: &TexOp, _: bool) -> Result<Lookup, String> {
    let target = tex.target.name();
    if !matches!(tex.mode, TexMode::Implicit | TexMode::Bias | TexMode::Level) {
        return Err(format!("lookups `{}`: what USC says of them is not known well enough", tex.mode.name()));
    }
    if !matches!(tex.target, TexTarget::D1 | TexTarget::D2 | TexTarget::D3 | TexTarget::D1Array | TexTarget::D2Array) {
        return Err(format!("textures `{target}`: not written for USC yet"));
    }
    let has_level = tex.mode != TexMode::Implicit;
    if tex.project && has_level {
        return Err("projected lookups with a level: not written for USC yet".to_string());
    }
    // Coordinates, what they are divided by, the layer, the level.
    let mut pieces: Vec<Piece> = (0..tex.target.coordinates()).map(Piece::Operand).collect();
    pieces.extend(tex.project.then_some(Piece::Operand(3)));
    pieces.extend(tex.layer().map(Piece::Operand));
    pieces.extend(has_level.then_some(Piece::Operand(3)));
    let mut operand = [Piece::Nothing; 4];
    operand.iter_mut().zip(pieces).for_each(|(to, piece)| *to = piece);
    Ok(Lookup { row: forms::form(forms::names::LOOKUP).row(), operands: vec![operand] })
}

fn place(iface: &Interface, places: &mut Places) {
    // Beside the states of textures.
    places.put_banks_in_a_row(iface, CONSTANTS, 0, "USC");
    for (index, n) in places.number_attributes(iface, ATTRIBUTES, "USC") {
        let decl = Places::declaration(iface, index);
        let why = match (decl.semantic, decl.interp, decl.location) {
            (AttrSemantic::Position | AttrSemantic::Face | AttrSemantic::PointCoord, ..) => {
                Some("positions and facings: registers of USC that hold state are not known well enough")
            }
            (AttrSemantic::Preset, ..) => Some("initial values of registers: USC has none"),
            (_, Interp::OverW, _) if index & crate::interface::UNDIVIDED == 0 => {
                Some("an attribute over w: not written for USC yet")
            }
            (_, Interp::Flat, _) => Some("flat attributes: not written for USC yet"),
            (.., Location::Centroid | Location::Sample) => {
                Some("attributes at centroids and samples: not written for USC yet")
            }
            _ => None,
        };
        if let Some(why) = why {
            places.refuse(why);
        }
        let linear = if decl.interp == Interp::Linear { ".linear" } else { "" };
        let first = coefficient(n);
        places.put_attribute(index, first.to_string(), format!("cf{first}{linear}"));
    }
    let mut colors = 0;
    for output in &iface.outputs {
        match output.role {
            OutputRole::Color(_) => colors += 1,
            OutputRole::Depth => {}
            other => places.refuse(format!("output {other:?}: not written for USC yet")),
        }
        places.outputs.push(None);
    }
    if colors > COLORS {
        places.refuse(format!("{colors} colours: the registers of a pixel hold {COLORS}"));
    }
    // The set numbers colours in the order of their registers.
    let mut numbers: Vec<u16> = Vec::new();
    for output in &iface.outputs {
        if let OutputRole::Color(n) = output.role {
            numbers.push(n);
        }
    }
    numbers.sort_unstable();
    places.carried.roles =
        (0..).zip(numbers).map(|(to, from)| (OutputRole::Color(from), OutputRole::Color(to))).collect();
}

/// The register of the first coefficient of an attribute: sets of four are components, and the first set is that of 1/w.
const fn coefficient(attribute: u16) -> u32 {
    4 + 16 * attribute as u32
}

/// Makes a program.
fn translated(func: &Func, target: &Target, encoding: Encoding, notes: &mut Notes) -> Option<Translation> {
    // Literals that stay in registers for several readers may take too many. Lowering takes the statements: they are selected again then.
    let mut found = None;
    for keeps in [true, false] {
        let mut selected = selected(func, target, notes, |_| false)?;
        let lowered = lower::lower(func, &mut selected, keeps, notes);
        let made = made(func, lowered, &selected.ends, &selected.places, encoding);
        let fits = made.words <= REGISTERS;
        found = Some((made, selected));
        if fits {
            break;
        }
    }
    let (made, Selected { places, .. }) = found?;
    if made.too_deep {
        notes.refuse("jumps out of more than 29 conditionals: no constant of USC counts them", None);
    }
    if made.words > REGISTERS {
        let missing = made.words - REGISTERS;
        notes
            .refuse(format!("{} registers: {} has {REGISTERS}; {missing} are missing", made.words, target.title), None);
    }
    let (text, binary) = match made.program {
        Program::Text(text) => (text, None),
        Program::Words(Ok(bytes)) => (String::new(), Some(bytes)),
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
        instructions: made.groups,
        registers: made.words,
        inexact: Vec::new(),
        literals: None,
    })
}

/// A program that has been written.
struct Made {
    program: Program,
    groups: usize,
    words: u32,
    too_deep: bool,
}

/// Registers and words or text for a program. `ends`: the value that is component `comp` of output `index`.
fn made(func: &Func, lowered: Lowered, ends: &[((u16, u8), Value)], places: &Places, encoding: Encoding) -> Made {
    let Lowered { mut body, values, groups, drops } = lowered;
    let kept: Vec<Value> = ends.iter().map(|&(_, value)| value).collect();
    if drops || cfg!(debug_assertions) {
        // Comparisons that choices made themselves. Registers that go with others stay, read or not.
        let together = groups.iter().flatten().chain(&kept).copied().collect::<Vec<_>>();
        let before = body.len();
        prune::prune(&mut body, values, &together);
        debug_assert!(drops || body.len() == before, "values that nobody reads");
    }
    let mut webs = Webs::new(values, Vec::new());
    for group in groups.iter().filter(|group| group.len() > 1) {
        for (comp, &value) in (0..).zip(group) {
            webs.fix(value, comp);
            webs.join(group[0], value);
        }
    }
    let ranges = live::ranges(&body, webs.len(), &kept);
    let ranges = coalesce::coalesce(&body, &mut webs, ranges);
    let found = registers::allocate(&webs, &ranges, &vec![false; webs.len()]);
    let role = |index: u16| func.iface.outputs.get(usize::from(index)).map(|output| output.role);
    let mut colors: Vec<(u32, Value)> = Vec::new();
    let mut depth = None;
    for &((index, comp), value) in ends {
        match role(index) {
            Some(color @ OutputRole::Color(_)) => {
                let OutputRole::Color(number) = places.carried.role(color) else { continue };
                colors.push((u32::from(number) * 4 + u32::from(comp), value));
            }
            Some(OutputRole::Depth) => depth = Some(value),
            _ => {}
        }
    }
    colors.sort_unstable();
    let coefficients = |index: u16| places.attribute(index).parse().unwrap_or(4);
    let shared = Shared { inputs: places, states: (places.first_literal * 4).next_multiple_of(8) };
    let mut emit = Emit::new(&found, shared, &coefficients, &body, encoding);
    emit.block(&body, false);
    let (words, too_deep) = (emit.words, emit.too_deep);
    let (program, groups) = emit.finish(&colors, depth);
    Made { program, groups, words, too_deep }
}
