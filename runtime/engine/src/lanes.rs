//! One quad with registers given by name: what the machine interface and debuggers ask for.

use crate::compile::Compiled;
use crate::frame::declared_bits;
use crate::load::{LoadOptions, Loaded, load};
use crate::problem::{guarded, invalid};
use crate::run::check_textures;
use parallax_core::exec::{FUEL, Inputs, Outputs};
use parallax_core::{AttrSemantic, Interface, SysVal, Type};
use parallax_lift::Spelling;
use parallax_text::{Diag, closest};
use parallax_texture::TextureSet;

/// Registers by the source's spelling with the raw bits of up to four components; missing ones are 0.
pub type Registers = Vec<(String, Vec<u32>)>;

/// One quad: lanes 0 1 / 2 3.
#[derive(Clone, Debug, PartialEq)]
pub struct LaneCase {
    /// Values for all lanes. What is not given is 0, but for position and facing.
    pub state: Registers,
    /// What differs per lane; constants cannot.
    pub lanes: [Registers; 4],
    /// Covered lanes; the others are helpers.
    pub covered: [bool; 4],
    /// Samples of each lane's pixel.
    pub samples: LaneSamples,
    /// Textures.
    pub textures: TextureSet,
    /// Column and row of lane 0's pixel.
    pub position: [u32; 2],
    /// Back edges a lane may take.
    pub fuel: u32,
}

/// Raster samples of the quad's pixels.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct LaneSamples {
    /// Samples per pixel.
    pub count: u32,
    /// Covered samples per lane, bit 0 = sample 0. What a lane that is not covered has here counts as 0.
    pub masks: [u32; 4],
    /// Number of the sample each lane shades.
    pub index: [u32; 4],
}

impl Default for LaneSamples {
    fn default() -> Self {
        LaneSamples { count: 1, masks: [1; 4], index: [0; 4] }
    }
}

impl Default for LaneCase {
    fn default() -> Self {
        LaneCase {
            state: Registers::new(),
            lanes: Default::default(),
            covered: [true; 4],
            samples: LaneSamples::default(),
            textures: TextureSet::default(),
            position: [0; 2],
            fuel: FUEL,
        }
    }
}

/// A component of a register at the end of a program.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct LaneValue {
    /// Declared type.
    pub ty: Type,
    /// Pattern in the declared format: what the program believes the bits are.
    pub bits: u64,
}

impl LaneValue {
    /// The bits as the machine interface writes them: hexadecimal digits, as many as the format has (binary32 8, binary16
    /// 4, s12 3, predicates 1); condition codes are `LT EQ GT UN`.
    pub fn text(&self) -> String {
        let (digits, bits) = match self.ty {
            Type::Float(decl) => (decl.format().bits().div_ceil(4) as usize, decl.format().bits()),
            Type::I64 => (16, 64),
            Type::I32 => (8, 32),
            Type::I16 => (4, 16),
            Type::Pred => (1, 1),
            Type::Cc => return ["LT", "EQ", "GT", "UN"][(self.bits & 3) as usize].to_string(),
        };
        let mask = if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
        format!("{:0digits$x}", self.bits & mask)
    }
}

/// What one lane left behind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LaneResult {
    /// Outputs and watched registers in the shader's order; components that are never written are `None`.
    pub registers: Vec<(String, [Option<LaneValue>; 4])>,
    /// Whether the lane lost its coverage.
    pub killed: bool,
    /// Whether it ran out of loop fuel.
    pub out_of_fuel: bool,
}

impl LaneResult {
    /// A register by its spelling.
    pub fn register(&self, name: &str) -> Option<&[Option<LaneValue>; 4]> {
        self.registers.iter().find(|(known, _)| same(known, name)).map(|(_, value)| value)
    }
}

/// Where a register's value goes.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Place {
    Attr(usize),
    Constant { bank: usize, vector: usize },
}

/// Loads a program so that the registers in `state` can be given and those in `watch` are reported: what is no input,
/// constant or output of the program becomes a preset or watched register.
pub fn load_for_lanes<'a>(
    name: &str,
    bytes: &[u8],
    options: &LoadOptions,
    state: impl IntoIterator<Item = &'a str>,
    watch: impl IntoIterator<Item = &'a str>,
) -> Loaded {
    let first = load(name, bytes, options);
    let Some(shader) = &first.shader else { return first };
    let iface = &shader.func.iface;
    let mut options = options.clone();
    for register in state {
        let known = options.lift.preset.iter().any(|p| same(p, register));
        if find(iface, register).is_none() && !known {
            options.lift.preset.push(register.to_string());
        }
    }
    for register in watch {
        let known = options.lift.watch.iter().any(|w| same(w, register));
        if !known && !iface.outputs.iter().any(|out| same(&out.name, register)) {
            options.lift.watch.push(register.to_string());
        }
    }
    if options.lift.preset.is_empty() && options.lift.watch.is_empty() {
        return first;
    }
    load(name, bytes, &options)
}

/// Runs one quad.
///
/// # Errors
/// Registers the program does not have, constants that differ per lane, too many components, missing textures.
pub fn run_lanes(compiled: &Compiled, case: &LaneCase) -> Result<[LaneResult; 4], Vec<Diag>> {
    guarded(|| quad(compiled, case)).unwrap_or_else(|diag| Err(vec![diag]))
}

fn quad(compiled: &Compiled, case: &LaneCase) -> Result<[LaneResult; 4], Vec<Diag>> {
    let func = &compiled.shader.func;
    let iface = &func.iface;
    let mut diags = check_textures(func, &case.textures);
    let mut attrs = vec![0u32; iface.attrs.len() * 16];
    let mut banks: Vec<Vec<[u32; 4]>> =
        iface.banks.iter().map(|b| vec![[0; 4]; b.len.min(crate::MAX_BANK) as usize]).collect();
    for (index, attr) in iface.attrs.iter().enumerate() {
        for lane in 0..4 {
            let centre = |axis: usize, step: u32| (case.position[axis] as f32 + 0.5 + step as f32).to_bits();
            let words = match attr.semantic {
                AttrSemantic::Position => [centre(0, lane & 1), centre(1, lane >> 1), 0, 1f32.to_bits()],
                AttrSemantic::Face => [1f32.to_bits(), 0, 0, 1f32.to_bits()],
                _ => [0; 4],
            };
            set_attr(&mut attrs, index, lane as usize, &words);
        }
    }
    for (name, words) in &case.state {
        match place(iface, name, words, &mut diags) {
            Some(Place::Attr(index)) => (0..4).for_each(|lane| set_attr(&mut attrs, index, lane, words)),
            // A vector beyond the bank is one the program does not read.
            Some(Place::Constant { bank, vector }) => {
                if let Some(vector) = banks[bank].get_mut(vector) {
                    vector.iter_mut().zip(words).for_each(|(to, from)| *to = *from);
                }
            }
            None => {}
        }
    }
    for (lane, registers) in case.lanes.iter().enumerate() {
        for (name, words) in registers {
            match place(iface, name, words, &mut diags) {
                Some(Place::Attr(index)) => set_attr(&mut attrs, index, lane, words),
                Some(Place::Constant { .. }) => {
                    let diag = invalid("lanes-constant", format!("`{name}` is a constant: the same in all lanes"));
                    diags.push(diag.with_help("set it in `state`"));
                }
                None => {}
            }
        }
    }
    if !diags.is_empty() {
        return Err(diags);
    }

    let mut sysvals = vec![0; (SysVal::QuadLane as usize + 1) * 4];
    for lane in 0..4 {
        sysvals[SysVal::FrontFacing as usize * 4 + lane] = u32::MAX;
        sysvals[SysVal::SampleCount as usize * 4 + lane] = case.samples.count;
        sysvals[SysVal::SampleId as usize * 4 + lane] = case.samples.index[lane];
        sysvals[SysVal::SampleMask as usize * 4 + lane] = if case.covered[lane] { case.samples.masks[lane] } else { 0 };
        sysvals[SysVal::VertexId as usize * 4 + lane] = lane as u32;
    }
    let banks: Vec<&[[u32; 4]]> = banks.iter().map(Vec::as_slice).collect();
    let inputs = Inputs {
        lanes: 4,
        attrs: &attrs,
        banks: &banks,
        sysvals: &sysvals,
        covered: &case.covered,
        textures: &case.textures,
        fuel: case.fuel,
    };
    let mut outputs = Outputs::default();
    compiled.program.run(&inputs, &mut outputs);
    let registers = registers(compiled, &outputs, 4);
    let mut lane = 0;
    Ok(registers.map(|registers| {
        let result = LaneResult {
            registers,
            killed: case.covered[lane] && !outputs.covered[lane],
            out_of_fuel: outputs.out_of_fuel[lane],
        };
        lane += 1;
        result
    }))
}

/// Outputs of each of the first `N` lanes.
fn registers<const N: usize>(
    compiled: &Compiled,
    outputs: &Outputs,
    lanes: usize,
) -> [Vec<(String, [Option<LaneValue>; 4])>; N] {
    let iface = &compiled.shader.func.iface;
    let planes = compiled.program.planes();
    let columns: Vec<Option<(Type, Vec<u64>)>> = planes
        .iter()
        .zip(&outputs.planes)
        .map(|(ty, plane)| {
            let ty = (*ty)?;
            let bits = match (ty.ty.decl(), ty.storage) {
                (Some(decl), Some(storage)) => declared_bits(decl, storage, &plane.bits),
                _ => plane.bits.clone(),
            };
            Some((ty.ty, bits))
        })
        .collect();
    std::array::from_fn(|lane| {
        debug_assert!(lane < lanes);
        let value = |plane: usize| columns[plane].as_ref().map(|(ty, bits)| LaneValue { ty: *ty, bits: bits[lane] });
        let named = iface.outputs.iter().enumerate();
        named.map(|(n, out)| (out.name.clone(), std::array::from_fn(|comp| value(n * 4 + comp)))).collect()
    })
}

fn set_attr(attrs: &mut [u32], index: usize, lane: usize, words: &[u32]) {
    for (comp, word) in words.iter().take(4).enumerate() {
        attrs[(index * 4 + comp) * 4 + lane] = *word;
    }
}

fn place(iface: &Interface, name: &str, words: &[u32], diags: &mut Vec<Diag>) -> Option<Place> {
    if words.len() > 4 {
        let found = words.len();
        diags.push(invalid("lanes-width", format!("`{name}` has at most 4 components, {found} are given")));
        return None;
    }
    let found = find(iface, name);
    if found.is_none() {
        let diag = invalid("lanes-register", format!("the program has no input `{name}`"));
        let known = iface.attrs.iter().map(|a| a.name.as_str());
        diags.push(match closest(name, known) {
            Some(near) => diag.with_help(format!("did you mean `{near}`?")),
            None => diag,
        });
    }
    found
}

/// What a spelling stands for: an attribute or preset register, or a vector of a constant bank. A bank `c` holds `c[5]`
/// and `c5`, a bank `CONST[0]` holds `CONST[0][5]` and `CONST[5]`; a bank with exactly this name and no index in it is its
/// vector 0.
fn find(iface: &Interface, name: &str) -> Option<Place> {
    if let Some(index) = iface.attrs.iter().position(|attr| same(&attr.name, name)) {
        return Some(Place::Attr(index));
    }
    // A bank that is named like a vector, `CONST[1]`, is reached through its vectors only.
    let scalar = |bank: &parallax_core::BankDecl| !bank.name.ends_with(']') && same(&bank.name, name);
    if let Some(bank) = iface.banks.iter().position(scalar) {
        return Some(Place::Constant { bank, vector: 0 });
    }
    let spelling = Spelling::parse(name)?;
    let (last, outer) = spelling.indices.split_last()?;
    let vector = parallax_text::parse_u64(last).and_then(|n| usize::try_from(n).ok())?;
    let mut prefix = spelling.file.to_string();
    outer.iter().for_each(|index| prefix.push_str(&format!("[{index}]")));
    let first = format!("{prefix}[0]");
    let bank = iface.banks.iter().position(|bank| bank.name == prefix || outer.is_empty() && bank.name == first)?;
    Some(Place::Constant { bank, vector })
}

/// Whether two spellings name the same register.
fn same(a: &str, b: &str) -> bool {
    a == b || Spelling::parse(a).is_some_and(|a| Spelling::parse(b) == Some(a))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Optimise, compile};
    use parallax_core::num::{Decl, Model};

    fn run(text: &str, watch: &[&str], case: &LaneCase) -> Result<[LaneResult; 4], Vec<Diag>> {
        let names = case.state.iter().chain(case.lanes.iter().flatten()).map(|(name, _)| name.as_str());
        let loaded = load_for_lanes("t", text.as_bytes(), &LoadOptions::default(), names, watch.iter().copied());
        let Some(shader) = &loaded.shader else { return Err(loaded.diags) };
        let model = Model::builtin(loaded.model).expect("the frontend's own model");
        run_lanes(&compile(shader, &model, Optimise::Yes)?, case)
    }

    fn texts(result: &LaneResult, name: &str) -> Vec<String> {
        result.register(name).expect(name).iter().flatten().map(LaneValue::text).collect()
    }

    #[test]
    fn registers_are_set_and_watched_by_name() {
        let text = "!!FP1.0\nADDR R0, f[COL0], p[1];\nADDH H4.xy, R0, R2;\nMOVR o[COLR], R0;\nEND\n";
        let case = LaneCase {
            state: vec![
                ("p[1]".into(), vec![0x3f80_0000; 4]),
                ("p[9]".into(), vec![7]),
                ("R2".into(), vec![0x4000_0000; 4]),
            ],
            lanes: [vec![("f[COL0]".into(), vec![0x3f80_0000])], vec![], vec![], vec![]],
            ..LaneCase::default()
        };
        let lanes = run(text, &["R0", "H4"], &case).unwrap();
        assert_eq!(texts(&lanes[0], "R0"), ["40000000", "3f800000", "3f800000", "3f800000"]);
        assert_eq!(texts(&lanes[1], "R0"), ["3f800000"; 4]);
        assert_eq!(texts(&lanes[0], "H4")[..2], ["4400", "4200"]);
        assert_eq!(texts(&lanes[3], "o[COLR]"), ["3f800000"; 4]);
        assert!(!lanes[0].killed && !lanes[0].out_of_fuel);
    }

    #[test]
    fn mistakes_have_codes() {
        let text = "!!FP1.0\nADDR R0, f[COL0], p[1];\nTEX o[COLR], R0, TEX2, 2D;\nEND\n";
        let codes = |case: &LaneCase| run(text, &[], case).unwrap_err().iter().map(|d| d.code).collect::<Vec<_>>();
        let texture = LaneCase::default();
        assert_eq!(codes(&texture), ["draw-texture"]);
        let mut case = LaneCase::default();
        case.textures.set(2, parallax_texture::Unit::Constant([0; 4]));
        case.lanes[2] = vec![("p[1]".into(), vec![1])];
        assert_eq!(codes(&case), ["lanes-constant"]);
        case.lanes[2] = vec![("f[COL1]".into(), vec![1; 5])];
        assert_eq!(codes(&case), ["lanes-width"]);
    }

    #[test]
    fn spellings_of_banks() {
        let mut iface = Interface::new(parallax_core::Stage::Fragment);
        let bank = |name: &str| parallax_core::BankDecl { name: name.into(), len: 4 };
        iface.banks = vec![bank("CONST[0]"), bank("CONST[1]"), bank("c"), bank("LIGHT")];
        let at = |name| find(&iface, name);
        assert_eq!(at("CONST[3]"), Some(Place::Constant { bank: 0, vector: 3 }));
        assert_eq!(at("CONST[1]"), Some(Place::Constant { bank: 0, vector: 1 }));
        assert_eq!(at("CONST[1][2]"), Some(Place::Constant { bank: 1, vector: 2 }));
        assert_eq!(at("c5"), Some(Place::Constant { bank: 2, vector: 5 }));
        assert_eq!(at("c[0x10]"), Some(Place::Constant { bank: 2, vector: 16 }));
        assert_eq!(at("LIGHT"), Some(Place::Constant { bank: 3, vector: 0 }));
        assert_eq!((at("TEMP[0]"), at("c"), at("")), (None, Some(Place::Constant { bank: 2, vector: 0 }), None));
    }

    #[test]
    fn values_print_with_the_width_of_their_format() {
        let text = |ty, bits| LaneValue { ty, bits }.text();
        assert_eq!(text(Type::F32, 1), "00000001");
        assert_eq!(text(Type::F16, 0x3c00), "3c00");
        assert_eq!(text(Type::Float(Decl::Fx12), 0xffff_f800), "800");
        assert_eq!((text(Type::Pred, 1), text(Type::Cc, 3)), ("1".to_string(), "UN".to_string()));
    }
}
