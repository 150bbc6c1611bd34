//! One quad with registers given by name: what the machine interface and debuggers ask for.

use crate::bound_memory::{NamedWords, bind_words};
use crate::compile::Compiled;
use crate::frame::declared_bits;
use crate::lane_planes::{LanePlaces, LanePlanes};
use crate::problem::{Problems, guarded_shader, invalid};
use crate::run::check_textures;
use parallax_core::exec::{FUEL, Inputs, Memory, Outputs, Plane};
use parallax_core::{AttrSemantic, Interface, SysVal, Type};
use parallax_lift::{Input, InputNames, Spelling};
use parallax_text::{Diag, closest};
use parallax_texture::TextureSet;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Registers by the source's spelling with the raw bits of up to four components; missing ones are 0.
pub type Registers = Vec<(String, Vec<u32>)>;

/// One quad: lanes 0 1 / 2 3.
#[derive(Clone, Debug, PartialEq)]
pub struct LaneCase {
    /// Values for all lanes. What is not given is 0, but for position and facing.
    pub state: Registers,
    /// What differs per lane; constants cannot.
    pub lanes: [Registers; 4],
    /// Attributes that differ by where they are evaluated; those of `state` and `lanes` are the same at all places.
    pub planes: LanePlanes,
    /// Covered lanes; the others are helpers.
    pub covered: [bool; 4],
    /// Samples of each lane's pixel.
    pub samples: LaneSamples,
    /// Textures.
    pub textures: TextureSet,
    /// Buffers and whole banks of constants by name. Buffers that are not named are empty.
    pub words: NamedWords,
    /// Column and row of lane 0's pixel.
    pub position: [u32; 2],
    /// Fuel of each lane ([`crate::fuel_of_budget`]).
    pub fuel: u32,
}

/// Raster samples of the quad's pixels.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct LaneSamples {
    /// Samples per pixel.
    pub count: u32,
    /// Covered samples per lane, bit 0 = sample 0. What a lane that is not covered has here counts as 0.
    pub masks: [u32; 4],
    /// Whether the lanes shade samples.
    pub per_sample: bool,
    /// Number of the sample each lane shades; without `per_sample` it counts as 0.
    pub index: [u32; 4],
}

impl Default for LaneSamples {
    fn default() -> Self {
        LaneSamples { count: 1, masks: [1; 4], per_sample: false, index: [0; 4] }
    }
}

impl Default for LaneCase {
    fn default() -> Self {
        LaneCase {
            state: Registers::new(),
            lanes: Default::default(),
            planes: LanePlanes::default(),
            covered: [true; 4],
            samples: LaneSamples::default(),
            textures: TextureSet::default(),
            words: NamedWords::new(),
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
    /// Places in `values` by canonical spelling: the first of the name, and the last.
    names: Arc<FxHashMap<String, (usize, usize)>>,
    /// Outputs and watched registers in the shader's order; components that are never written are `None`.
    values: Vec<[Option<LaneValue>; 4]>,
    /// Whether the lane lost its coverage.
    pub killed: bool,
    /// Whether it ran out of loop fuel.
    pub out_of_fuel: bool,
}

impl LaneResult {
    /// An output or a watched register by its spelling; the output where there are both.
    pub fn register(&self, name: &str) -> Option<&[Option<LaneValue>; 4]> {
        self.values.get(self.names.get(&Spelling::canonical(name))?.0)
    }

    /// An output or a watched register by its spelling; the watched register where there are both.
    pub fn watched(&self, name: &str) -> Option<&[Option<LaneValue>; 4]> {
        self.values.get(self.names.get(&Spelling::canonical(name))?.1)
    }
}

/// Runs one quad.
///
/// # Errors
/// Registers the program does not have, constants that differ per lane, too many components, missing textures.
pub fn run_lanes(compiled: &Compiled, case: &LaneCase) -> Result<[LaneResult; 4], Problems> {
    run_lanes_in(compiled, case, &mut [])
}

/// Runs one quad on buffers, which then hold what it wrote. What lies outside of them reads as 0.
///
/// # Errors
/// Those of [`run_lanes`].
pub fn run_lanes_in(
    compiled: &Compiled,
    case: &LaneCase,
    buffers: &mut [Vec<u32>],
) -> Result<[LaneResult; 4], Problems> {
    guarded_shader(&compiled.shader.func.name, || quad(compiled, case, buffers))
}

fn quad(compiled: &Compiled, case: &LaneCase, buffers: &mut [Vec<u32>]) -> Result<[LaneResult; 4], Vec<Diag>> {
    let func = &compiled.shader.func;
    let iface = &func.iface;
    let mut diags = check_textures(func, &case.textures);
    let mut attrs = vec![0u32; iface.attrs.len() * 16];
    let mut banks: Vec<Vec<[u32; 4]>> =
        iface.banks.iter().map(|b| vec![[0; 4]; b.len.min(crate::MAX_BANK) as usize]).collect();
    iface.set_defaults(&mut banks);
    if !case.words.is_empty() {
        let bound = bind_words(iface, &case.words, &mut banks, &mut diags);
        buffers.iter_mut().zip(bound).for_each(|(to, from)| *to = from.to_vec());
    }
    let mut is_set = vec![false; iface.attrs.len()];
    for index in (0..iface.attrs.len()).filter(|index| iface.attrs[*index].semantic == AttrSemantic::Face) {
        (0..4).for_each(|lane| set_attr(&mut attrs, index, lane, &[1f32.to_bits(), 0, 0, 1f32.to_bits()]));
    }
    let names = InputNames::of(iface);
    let mut given = FxHashMap::default();
    for (name, words) in &case.state {
        match place(iface, &names, name, words, &mut given, &mut diags) {
            Some(Input::Attr(index)) => {
                is_set[index] = true;
                (0..4).for_each(|lane| set_attr(&mut attrs, index, lane, words));
            }
            // A vector beyond the bank is one the program does not read.
            Some(Input::Constant { bank, vector, comp }) => {
                let places = banks[bank].iter_mut().skip(vector).flatten().skip(comp);
                places.zip(words).for_each(|(to, from)| *to = *from);
            }
            None => {}
        }
    }
    for (lane, registers) in case.lanes.iter().enumerate() {
        let mut given = FxHashMap::default();
        for (name, words) in registers {
            match place(iface, &names, name, words, &mut given, &mut diags) {
                Some(Input::Attr(index)) => {
                    is_set[index] = true;
                    set_attr(&mut attrs, index, lane, words);
                }
                Some(Input::Constant { .. }) => {
                    let diag =
                        invalid("lanes-constant", format!("`{name}` is a constant, so it cannot differ between lanes"));
                    diags.push(diag.with_help("set it in `state`"));
                }
                None => {}
            }
        }
    }
    let places = LanePlaces::new(case, &iface.attrs, &is_set, &mut diags);
    if !diags.is_empty() {
        return Err(diags);
    }
    for (index, attr) in iface.attrs.iter().enumerate() {
        for (comp, lane) in (0..16).map(|n| (n / 4, n % 4)) {
            if let Some(word) = places.declared(index, comp, attr.location, lane) {
                attrs[(index * 4 + comp) * 4 + lane] = word;
            }
        }
    }

    let mut sysvals = vec![0; (SysVal::QuadLane as usize + 1) * 4];
    for lane in 0..4 {
        sysvals[SysVal::FrontFacing as usize * 4 + lane] = u32::MAX;
        sysvals[SysVal::SampleCount as usize * 4 + lane] = case.samples.count;
        if case.samples.per_sample {
            sysvals[SysVal::SampleShading as usize * 4 + lane] = u32::MAX;
            sysvals[SysVal::SampleId as usize * 4 + lane] = case.samples.index[lane];
        }
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
        interpolator: &places,
        fuel: case.fuel,
    };
    let mut outputs = Outputs::default();
    let writes = compiled.program.writes_memory();
    let memory = if writes { Memory::Exclusive(buffers) } else { Memory::Shared(buffers) };
    compiled.program.runner().run(&inputs, memory, &mut outputs);
    // An output stands before a watched register of its name.
    let mut names = FxHashMap::default();
    for (index, out) in iface.outputs.iter().enumerate() {
        names.entry(Spelling::canonical(&out.name)).or_insert((index, index)).1 = index;
    }
    for alias in &iface.aliases {
        if let Some(&found) = names.get(&Spelling::canonical(&alias.of)) {
            names.entry(Spelling::canonical(&alias.name)).or_insert(found);
        }
    }
    let names = Arc::new(names);
    let columns = columns(compiled, &outputs);
    Ok(std::array::from_fn(|lane| {
        let value = |column: &Option<(Type, Plane)>| {
            column.as_ref().map(|(ty, bits)| LaneValue { ty: *ty, bits: bits.get(lane) })
        };
        LaneResult {
            names: names.clone(),
            values: columns.chunks_exact(4).map(|comps| std::array::from_fn(|comp| value(&comps[comp]))).collect(),
            killed: case.covered[lane] && !outputs.covered[lane],
            out_of_fuel: outputs.out_of_fuel[lane],
        }
    }))
}

/// Type and declared bits of every output component that is written, four components an output.
fn columns(compiled: &Compiled, outputs: &Outputs) -> Vec<Option<(Type, Plane)>> {
    let types = compiled.program.planes();
    let planes = types.iter().zip(&outputs.planes);
    planes
        .map(|(ty, plane)| {
            let ty = (*ty)?;
            Some((ty.ty, declared_bits(ty, plane)))
        })
        .collect()
}

fn set_attr(attrs: &mut [u32], index: usize, lane: usize, words: &[u32]) {
    for (comp, word) in words.iter().take(4).enumerate() {
        attrs[(index * 4 + comp) * 4 + lane] = *word;
    }
}

/// Where the value of a register goes. `given` holds the names seen so far.
fn place<'a>(
    iface: &Interface,
    names: &InputNames,
    name: &'a str,
    words: &[u32],
    given: &mut FxHashMap<Input, &'a str>,
    diags: &mut Vec<Diag>,
) -> Option<Input> {
    /// Unknown names that get a suggestion: it takes a look at all names each time.
    const SUGGESTIONS: usize = 20;
    if words.len() > 4 {
        let found = words.len();
        diags.push(invalid("lanes-width", format!("`{name}` has at most 4 components, found {found}")));
        return None;
    }
    let Some(found) = names.find(name) else {
        let diag = invalid("lanes-register", format!("the program has no input `{name}`"));
        let known = iface.attrs.iter().map(|a| a.name.as_str());
        let near = if diags.len() < SUGGESTIONS { closest(name, known) } else { None };
        diags.push(match near {
            Some(near) => diag.with_help(format!("did you mean `{near}`?")),
            None => diag,
        });
        return None;
    };
    if let Some(other) = given.insert(found, name) {
        diags.push(invalid("lanes-twice", format!("`{name}` and `{other}` are the same register: set it once")));
        return None;
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Engine, LoadOptions, Optimise, compile, load};
    use parallax_core::num::{Decl, Model};

    fn run(text: &str, watch: &[&str], case: &LaneCase) -> Result<[LaneResult; 4], Problems> {
        let mut options = LoadOptions::default();
        options.lift.preset = case.state.iter().chain(case.lanes.iter().flatten()).map(|(n, _)| n.clone()).collect();
        options.lift.watch = watch.iter().map(|name| name.to_string()).collect();
        let loaded = load("t", text.as_bytes(), &options);
        let model = Model::builtin(loaded.model).expect("the frontend's own model");
        run_lanes(&compile(loaded.runnable()?, &model, Optimise::Yes, Engine::Interp)?, case)
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
    fn declared_constants_have_their_values_and_can_be_set_and_watched() {
        let text = "!!FP1.0\nDECLARE s = 9;\nDECLARE v = {1, 2};\nDECLARE z;\nADDR R0, s, f[COL0];\nADDR R1, v, f[COL0];\n\
                    ADDR o[COLR], R0, R1;\nEND\n";
        let lanes = run(text, &["s", "v", "z"], &LaneCase::default()).unwrap();
        assert_eq!(texts(&lanes[0], "s"), ["41100000"; 4]);
        assert_eq!(texts(&lanes[0], "v"), ["3f800000", "40000000", "00000000", "3f800000"]);
        assert_eq!(texts(&lanes[0], "z"), ["00000000"; 4]);
        assert_eq!(texts(&lanes[0], "o[COLR]"), ["41200000", "41300000", "41100000", "41200000"]);
        let case = LaneCase { state: vec![("s".into(), vec![0x3f80_0000; 4])], ..LaneCase::default() };
        let lanes = run(text, &["s"], &case).unwrap();
        assert_eq!(texts(&lanes[3], "s"), ["3f800000"; 4]);
        assert_eq!(texts(&lanes[3], "o[COLR]"), ["40000000", "40400000", "3f800000", "40000000"]);
        let arb = "!!ARBfp1.0\nPARAM p = program.env[3];\nPARAM s = state.fog.color;\nADD result.color, p, s;\nEND\n";
        let one = |name: &str| (name.to_string(), vec![0x3f80_0000; 4]);
        let case = LaneCase { state: vec![one("p"), one("s")], ..LaneCase::default() };
        assert_eq!(texts(&run(arb, &[], &case).unwrap()[0], "result.color"), ["40000000"; 4]);
        let loaded = load("t", text.as_bytes(), &LoadOptions::default());
        let draw = crate::Draw::defaults(&loaded.shader.unwrap().func.iface).unwrap();
        assert_eq!(draw.banks[2][0], [0x4110_0000; 4]);
    }

    #[test]
    fn narrow_registers_are_set_and_watched_in_their_own_bits() {
        let cases = [
            ("!!FP1.0\nMOVR R1, H0;\nMOVR o[COLR], R1;\nEND\n", "separate", "H0", 0x3c00, "3c00"),
            ("!!FP1.0\nMOVR R1, H0;\nMOVR o[COLR], R1;\nEND\n", "bits", "H0", 0x3c00, "3c00"),
            ("MOV R1,I6;\n", "dialect", "I6", 0x400, "400"),
            (
                "!!ARBfp1.0\nOPTION NV_fragment_program;\nSHORT TEMP s;\nTEMP R1;\nMOV R1, s;\nMOV result.color, R1;\nEND\n",
                "dialect",
                "s",
                0x3c00,
                "3c00",
            ),
        ];
        for (text, alias, name, word, seen) in cases {
            let mut options = LoadOptions { isa: Some("nvfp".into()), ..LoadOptions::default() };
            options.lift.settings.insert("alias".into(), alias.into());
            options.lift.preset = vec![name.into()];
            options.lift.watch = vec![name.into(), "R1".into()];
            let loaded = load("t", text.as_bytes(), &options);
            let shader = loaded.shader.expect(text);
            let model = Model::builtin(loaded.model).expect("the frontend's own model");
            let case = LaneCase { state: vec![(name.into(), vec![word; 4])], ..LaneCase::default() };
            let lanes = run_lanes(&compile(&shader, &model, Optimise::Yes, Engine::Interp).unwrap(), &case).unwrap();
            assert_eq!(
                (texts(&lanes[1], name), texts(&lanes[1], "R1")),
                (vec![seen.to_string(); 4], vec!["3f800000".to_string(); 4]),
                "{text}"
            );
        }
    }

    #[test]
    fn planes_have_values_at_every_place() {
        let text = "IPA.PASS R0, a[0x84], RZ\nIPA.PASS.CENTROID R1, a[0x84], RZ\nIPA.PASS.OFFSET R2, a[0x84], RZ, R4\n\
                    IPA.PASS R3, a[0x7c], RZ\nIPA.CONSTANT R5, a[0x84], RZ\nIPA.SC R6, a[0x84], RZ\n\
                    IPA.PASS.CENTROID R7, a[0x70], RZ\nEXIT\n";
        let plane = |numbers: [f32; 3]| numbers.map(f32::to_bits);
        let mut case = LaneCase {
            // A quarter of a pixel to the right, half a pixel up.
            state: vec![("R4".into(), vec![0xf800_0400])],
            planes: LanePlanes {
                inverse_w: Some(plane([0.5, 0.0, 0.0])),
                attributes: vec![("a[0x80]".into(), vec![[0; 3], plane([1.0, 0.5, 2.0])])],
            },
            samples: LaneSamples { count: 4, masks: [0xf, 0b1000, 0b0010, 0], ..LaneSamples::default() },
            position: [10, 20],
            ..LaneCase::default()
        };
        let values = |case: &LaneCase, name: &str| {
            let lanes = run(text, &["R1", "R2", "R3", "R5", "R6", "R7"], case).unwrap();
            lanes.map(|lane| f32::from_bits(lane.watched(name).unwrap()[0].unwrap().bits as u32))
        };
        assert_eq!(values(&case, "R1"), [47.25, 48.5625, 49.1875, 49.75]);
        assert_eq!(values(&case, "R2"), [46.375, 46.875, 48.375, 48.875]);
        assert_eq!([values(&case, "R3"), values(&case, "R5")], [[0.5; 4], [1.0; 4]]);
        assert_eq!(values(&case, "R6"), [94.5, 95.5, 98.5, 99.5]);
        assert_eq!(values(&case, "R7"), [10.5, 11.625, 10.875, 11.5]);
        // At the centroid, a lane that shades a sample is there.
        case.samples = LaneSamples { per_sample: true, index: [1; 4], ..case.samples };
        assert_eq!(values(&case, "R1"), [47.1875, 47.6875, 49.1875, 49.6875]);
        let codes =
            |case: &LaneCase| run(text, &[], case).unwrap_err().diags.iter().map(|d| d.code).collect::<Vec<_>>();
        case.planes.attributes.push(("a[0x80]".into(), vec![]));
        assert_eq!(codes(&case)[0], "lanes-twice");
        case.planes.attributes[1] = ("a[0x90]".into(), vec![[0; 3]; 5]);
        assert_eq!(codes(&case), ["lanes-plane", "lanes-width"]);
    }

    #[test]
    fn mistakes_have_codes() {
        let text = "!!FP1.0\nADDR R0, f[COL0], p[1];\nTEX o[COLR], R0, TEX2, 2D;\nEND\n";
        let codes =
            |case: &LaneCase| run(text, &[], case).unwrap_err().diags.iter().map(|d| d.code).collect::<Vec<_>>();
        let texture = LaneCase::default();
        assert_eq!(codes(&texture), ["draw-texture"]);
        let mut case = LaneCase::default();
        case.textures.set(2, parallax_texture::Unit::Constant([0; 4]));
        case.lanes[2] = vec![("p[1]".into(), vec![1])];
        assert_eq!(codes(&case), ["lanes-constant"]);
        case.lanes[2] = vec![("f[COL1]".into(), vec![1; 5])];
        assert_eq!(codes(&case), ["lanes-width"]);
        case.lanes[2] = vec![("f[TEX0]".into(), vec![1]), ("f[TEX0]".into(), vec![2])];
        assert_eq!(codes(&case), ["lanes-twice"]);
        case.lanes[2].clear();
        case.state = vec![("p[1]".into(), vec![1]), ("p[0x1]".into(), vec![1])];
        assert_eq!(codes(&case), ["lanes-twice"]);
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
