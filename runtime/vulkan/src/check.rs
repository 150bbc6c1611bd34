//! Compares a module of `parallax-spirv-out` on a device with the engine: every pixel, bit for bit.
//!
//! What the device interpolates is its own affair, so the device tells first what every pixel gets
//! ([`parallax_spirv_out::Companions`]), and the engine computes with these words. Where the device looks textures up, they are bound with
//! their largest level as binary32 numbers, and both sides take the nearest texel: filters are the device's, too. A module that looks up
//! itself gets whole images ([`crate::fetched`]).

use crate::device::{Device, Failure, Feature};
use crate::draw::{DrawJob, Drawn, TargetKind};
use crate::sides::{Bound, both_sides};
use crate::{Buffer, check_kernel, check_vertices};
use parallax::{Channel, Compiled, Draw, Geometry, attribute_as_read};
use parallax_core::exec::{Inputs, Memory, NoInterpolator, Outputs, Plane, Textures};
use parallax_core::{AttrSemantic, Interp, OpKind, OutputRole, Stage, SysVal};
use parallax_num::{Decl, Format, Op, Rule, Storage, eval};
use parallax_spirv_out::{Companions, Interface, PER_PASS, Passed, Translation};
use std::time::Duration;

/// Lanes of a batch.
const LANES: usize = 256;
/// Most fragments that are compared.
const MOST_PIXELS: u64 = 1 << 22;

/// What is compared one by one.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Compared {
    /// Pixels of a draw.
    #[default]
    Pixels,
    /// Vertices of a vertex shader.
    Vertices,
    /// Words of the buffers of a kernel.
    Words,
}

/// What a comparison found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// What was compared.
    pub of: Compared,
    /// Pixels, or what else there is, that were compared.
    pub pixels: usize,
    /// Pixels that were not, since their quads belong to several triangles, or to one in part, and the shader reads its neighbours.
    pub left_out: usize,
    /// Pixels that one side discards and the other does not.
    pub coverage: usize,
    /// What differs, in order of the outputs.
    pub differences: Vec<Difference>,
    /// Results that the module itself counted as perhaps not the model's.
    pub counted: u32,
    /// The first colour that the device drew, if it drew one.
    pub picture: Option<Picture>,
}

/// A colour as a device drew it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Columns and rows: those of the draw, in whole quads.
    pub size: [u32; 2],
    /// Of each pixel, row by row, four binary32 patterns; `None` where nothing was drawn.
    pub pixels: Vec<Option<[u32; 4]>>,
}

impl Comparison {
    /// Whether all pixels have the same bits.
    pub const fn is_equal(&self) -> bool {
        self.coverage == 0 && self.differences.is_empty()
    }
}

/// What differs in a component of an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Which one, such as `color 0.x` or `depth`.
    pub what: String,
    /// Pixels that differ, or what else is compared.
    pub pixels: usize,
    /// Column and row of the first of them; its number and 0 where there are no pixels.
    pub at: [usize; 2],
    /// What the model gives there, a binary32 pattern.
    pub expected: u32,
    /// What the device gives there.
    pub found: u32,
    /// The greatest distance in binary32 numbers; pixels where one side is NaN are left out.
    pub distance: u32,
    /// Pixels where exactly one side is NaN.
    pub nan: usize,
}

/// What the device makes of the inputs: of each pixel, row by row.
struct Told {
    /// One more than the number of its triangle; 0 where there is none.
    triangles: Vec<u32>,
    front: Vec<bool>,
    /// Of each input, four words.
    inputs: Vec<Vec<[u32; 4]>>,
}

/// Draws on the device and with the engine, and compares; a vertex shader runs for each vertex of the draw, a kernel on its
/// grid.
///
/// # Errors
/// What the driver refuses; what a device cannot do; a draw whose pixels do not leave their loops.
pub fn check(
    device: &Device,
    compiled: &Compiled,
    translation: &Translation,
    draw: &Draw,
) -> Result<Comparison, Failure> {
    promised(device, translation)?;
    match translation.interface.stage {
        Stage::Fragment => check_pixels(device, compiled, translation, draw),
        Stage::Vertex => check_vertices::check(device, compiled, translation, draw),
        Stage::Compute => check_kernel::check(device, compiled, translation, draw),
    }
}

/// Whether a device has what a module assumes.
fn promised(device: &Device, translation: &Translation) -> Result<(), Failure> {
    let assume = translation.host.assume;
    let promises = [
        (assume.rte, Feature::NearestEven32, "shaderRoundingModeRTEFloat32"),
        (assume.denorm_preserve, Feature::Denormals32, "shaderDenormPreserveFloat32"),
        (assume.any(), Feature::Nans32, "shaderSignedZeroInfNanPreserveFloat32"),
    ];
    let missing = promises.into_iter().find(|&(is_assumed, feature, _)| is_assumed && !device.has(feature));
    if let Some((.., name)) = missing {
        return Err(Failure::new(format!("it does not promise what the module assumes: `{name}` is missing")));
    }
    Ok(())
}

fn check_pixels(
    device: &Device,
    compiled: &Compiled,
    translation: &Translation,
    draw: &Draw,
) -> Result<Comparison, Failure> {
    let interface = &translation.interface;
    let (mut is_away, func) = (false, &compiled.shader.func);
    func.walk(|_, op| is_away |= matches!(func.ops[op].kind, OpKind::AttrOffset { .. }));
    if is_away {
        return Err(Failure::new(
            "attributes away from the centre of a pixel are the device's, which does not tell them".into(),
        ));
    }
    if interface.outputs.iter().any(|output| output.role == OutputRole::Stencil) {
        return Err(Failure::new("stencils that shaders write: the stencil says here what was drawn".into()));
    }
    if interface.counter.is_some() && !device.has(Feature::FragmentStores) {
        return Err(Failure::new("its fragment shaders cannot count: `fragmentStoresAndAtomics` is missing".into()));
    }
    // Whole quads.
    let size = [draw.width.next_multiple_of(2), draw.height.next_multiple_of(2)];
    if u64::from(size[0]) * u64::from(size[1]) > MOST_PIXELS {
        return Err(Failure::new(format!("{}x{} pixels are too many to compare", size[0], size[1])));
    }
    let companions = Companions(interface);
    let vertex = companions.vertices();
    let mut job = job(&companions, &vertex, draw);
    let told = tell(device, &companions, &mut job)?;
    let textures = both_sides(interface, &draw.textures)?;
    let (ours, left_out) = engine(compiled, interface, draw, &told, &*textures.ours, size)?;

    bind(&mut job, translation, draw, textures);
    let drawn = device.draw(&job)?;
    let mut found = compare(&ours, &drawn, &left_out, size);
    found.picture = drawn.colours.first().map(|plane| {
        let pixels = plane.iter().zip(&drawn.covered).map(|(words, &covered)| covered.then_some(*words));
        Picture { size, pixels: pixels.collect() }
    });
    found.counted = if interface.counter.is_some() { drawn.buffers.last().map_or(0, |words| words[0]) } else { 0 };
    Ok(found)
}

/// How long the device takes to draw a module: the quickest of several draws, after which the shader has been compiled.
///
/// # Errors
/// What the driver refuses.
pub fn speed(device: &Device, translation: &Translation, draw: &Draw, times: u32) -> Result<Duration, Failure> {
    let companions = Companions(&translation.interface);
    let vertex = companions.vertices();
    let mut job = job(&companions, &vertex, draw);
    let textures = both_sides(&translation.interface, &draw.textures)?;
    bind(&mut job, translation, draw, textures);
    Ok(device.draw_again(&job, times)?.1)
}

/// A draw of whole quads without a fragment module.
fn job<'a>(companions: &Companions<'_>, vertex: &'a [u32], draw: &Draw) -> DrawJob<'a> {
    let (words, vertices) = vertices(companions, draw);
    let (near, far) = (draw.depths.near as f32, draw.depths.far as f32);
    let (set, binding) = Companions::VERTICES;
    DrawJob {
        vertex,
        fragment: &[],
        vertices,
        size: [draw.width, draw.height].map(|side| side.next_multiple_of(2)),
        targets: TargetKind::Word,
        colours: 0,
        depths: [near.clamp(0.0, 1.0), far.clamp(0.0, 1.0)],
        clamps_depth: !draw.depths.clips,
        buffers: vec![Buffer::storage(set, binding, words)],
        textures: Vec::new(),
        images: Vec::new(),
        blend: None,
    }
}

/// Adds the module and what it reads.
fn bind<'a>(job: &mut DrawJob<'a>, translation: &'a Translation, draw: &Draw, textures: Bound) {
    let interface = &translation.interface;
    job.buffers.extend(buffers(interface, draw));
    let last = interface.outputs.iter().filter_map(|output| output.location).max();
    (job.targets, job.colours) = (TargetKind::Float, last.map_or(0, |last| last + 1));
    (job.fragment, job.textures, job.images) = (&translation.words, textures.textures, textures.images);
}

/// The buffers of a module: banks of constants, the shader's own, and last the counter.
pub(crate) fn buffers(interface: &Interface, draw: &Draw) -> Vec<Buffer> {
    let bank = |bank: &parallax_spirv_out::Bank| {
        let given = draw.banks.get(bank.bank).map_or(&[][..], Vec::as_slice);
        let vectors = given.iter().copied().chain(std::iter::repeat([0; 4])).take(bank.vectors as usize);
        let words = vectors.flatten().collect();
        Buffer { set: bank.set, binding: bank.binding, is_uniform: !bank.in_storage, words }
    };
    let counter = interface.counter.map(|(set, binding)| Buffer::storage(set, binding, vec![0]));
    let own = interface.buffers.iter().map(|buffer| {
        let words = draw.buffers.get(buffer.buffer).cloned().unwrap_or_default();
        Buffer::storage(buffer.set, buffer.binding, words)
    });
    interface.banks.iter().map(bank).chain(own).chain(counter).collect()
}

/// The vertices of a draw as the vertex stage reads them, and how many there are.
fn vertices(companions: &Companions<'_>, draw: &Draw) -> (Vec<u32>, u32) {
    let Interface { inputs, .. } = companions.0;
    let located = companions.located();
    let value = |input: usize, vertex: usize| {
        let values = draw.attributes.get(inputs[input].attr).and_then(|values| values.get(vertex));
        values.copied().unwrap_or_default()
    };
    let mut words = Vec::new();
    let mut count = 0;
    let mut vertex = |position: [f32; 4], value: &dyn Fn(usize) -> [u32; 4]| {
        count += 1;
        let [x, y, z, w] = position;
        // Up is down, and depths begin at 0.
        words.extend([x, -y, (z + w) / 2.0, w].map(f32::to_bits));
        for &input in &located {
            let over_w = inputs[input].interp == Interp::OverW && w != 1.0;
            words.extend(value(input).map(|word| if over_w { (f32::from_bits(word) / w).to_bits() } else { word }));
        }
    };
    match &draw.geometry {
        Geometry::Triangles(positions) => {
            positions.iter().enumerate().for_each(|(n, &position)| vertex(position, &|input| value(input, n)));
        }
        Geometry::Quad => {
            // One triangle beyond the viewport where all is linear, so that no quad is divided.
            let float = |input, corner| value(input, corner).map(f32::from_bits);
            let is_linear = |input: &usize| {
                let [a, b, c, d] = [0, 1, 2, 3].map(|corner| float(*input, corner));
                inputs[*input].interp == Interp::Flat || (0..4).all(|n| b[n] + c[n] == a[n] + d[n])
            };
            let at = |x: f32, y: f32| [x, y, 0.0, 1.0];
            if located.iter().all(is_linear) {
                let beyond = |input: usize, corner: usize| {
                    let (a, b) = (float(input, 0), float(input, corner));
                    if inputs[input].interp == Interp::Flat || corner == 0 {
                        return value(input, 0);
                    }
                    std::array::from_fn(|n| (b[n] + (b[n] - a[n])).to_bits())
                };
                for (position, corner) in [(at(-1.0, 1.0), 0), (at(-1.0, -3.0), 2), (at(3.0, 1.0), 1)] {
                    vertex(position, &|input| beyond(input, corner));
                }
            } else {
                let corners = [at(-1.0, 1.0), at(1.0, 1.0), at(-1.0, -1.0), at(1.0, -1.0)];
                for corner in [0, 2, 1, 1, 2, 3] {
                    vertex(corners[corner], &|input| value(input, corner));
                }
            }
        }
    }
    (words, count)
}

/// Lets the device tell what the module will get.
fn tell(device: &Device, companions: &Companions<'_>, job: &mut DrawJob<'_>) -> Result<Told, Failure> {
    let pixels = job.size[0] as usize * job.size[1] as usize;
    let inputs = vec![vec![[0; 4]; pixels]; companions.0.inputs.len()];
    let mut told = Told { triangles: vec![0; pixels], front: vec![false; pixels], inputs };
    for pass in companions.passes() {
        let fragment = companions.telling(&pass);
        let job = DrawJob { fragment: &fragment, colours: PER_PASS as u32 + 1, ..job.clone() };
        let drawn = device.draw(&job)?;
        for (passed, plane) in pass.iter().zip(drawn.colours) {
            match *passed {
                Passed::Triangle => {
                    told.triangles = plane.iter().map(|words| words[0]).collect();
                    told.front = plane.iter().map(|words| words[1] != 0).collect();
                }
                Passed::Input(input) => told.inputs[input] = plane,
            }
        }
    }
    Ok(told)
}

/// What the engine gives: planes of binary32 patterns, and which pixels are covered.
struct Ours {
    planes: Vec<(OutputRole, u8, Vec<u32>)>,
    covered: Vec<bool>,
}

/// The place of a lane in the frame: quads follow each other, row by row.
fn pixel(lane: usize, width: usize) -> usize {
    let (quad, in_quad) = (lane / 4, lane % 4);
    let quads = width / 2;
    (quad / quads * 2 + in_quad / 2) * width + quad % quads * 2 + in_quad % 2
}

/// Runs the shader with what the device told; the second list are the pixels that cannot be compared.
fn engine(
    compiled: &Compiled,
    interface: &Interface,
    draw: &Draw,
    told: &Told,
    textures: &dyn Textures,
    [width, height]: [u32; 2],
) -> Result<(Ours, Vec<bool>), Failure> {
    let func = &compiled.shader.func;
    let looks_up = interface.textures.iter().any(|texture| texture.faithful.is_some());
    let mut reads_neighbours = false;
    func.walk(|_, op| {
        reads_neighbours |= match func.ops[op].kind {
            OpKind::Deriv { .. } | OpKind::QuadXor { .. } | OpKind::QuadShuffle | OpKind::QuadAny | OpKind::QuadAll => {
                true
            }
            OpKind::Tex(tex) => looks_up && tex.mode.reads_neighbours(),
            _ => false,
        };
    });
    let (width, pixels) = (width as usize, width as usize * height as usize);
    let places: Vec<usize> = (0..pixels).map(|lane| pixel(lane, width)).collect();
    let mut left_out = vec![false; pixels];
    for quad in places.chunks_exact(4) {
        let triangle = told.triangles[quad[0]];
        if reads_neighbours && quad.iter().any(|&at| told.triangles[at] != triangle) {
            quad.iter().for_each(|&at| left_out[at] = told.triangles[at] != 0);
        }
    }
    let types = compiled.program.planes();
    let banks: Vec<&[[u32; 4]]> = draw.banks.iter().map(Vec::as_slice).collect();
    let mut runner = compiled.program.runner();
    let mut outputs = Outputs::default();
    let mut words: Vec<Vec<u64>> = vec![vec![0; pixels]; types.len()];
    let mut covered = vec![false; pixels];
    for batch in places.chunks(LANES) {
        let lanes = batch.len();
        let mut attrs = vec![0; func.iface.attrs.len() * 4 * lanes];
        let mut set = |attr: usize, lane: usize, value: [u32; 4]| {
            for (comp, word) in value.into_iter().enumerate() {
                attrs[(attr * 4 + comp) * lanes + lane] = word;
            }
        };
        let mut sysvals = vec![0; (SysVal::QuadLane as usize + 1) * lanes];
        for (lane, &at) in batch.iter().enumerate() {
            for (input, plane) in interface.inputs.iter().zip(&told.inputs) {
                set(input.attr, lane, plane[at].map(|word| attribute_as_read(&compiled.shader, input.attr, word)));
            }
            let (facing, zero, one) = (if told.front[at] { 1f32 } else { -1.0 }, 0, 1f32.to_bits());
            for (attr, _) in func.iface.attrs.iter().enumerate().filter(|(_, a)| a.semantic == AttrSemantic::Face) {
                set(attr, lane, [facing.to_bits(), zero, zero, one]);
            }
            let is_helper = told.triangles[at] == 0;
            sysvals[SysVal::HelperLane as usize * lanes + lane] = if is_helper { u32::MAX } else { 0 };
            sysvals[SysVal::SampleMask as usize * lanes + lane] = u32::from(!is_helper);
            sysvals[SysVal::SampleCount as usize * lanes + lane] = 1;
            sysvals[SysVal::FrontFacing as usize * lanes + lane] = if told.front[at] { u32::MAX } else { 0 };
        }
        let shown: Vec<bool> = batch.iter().map(|&at| told.triangles[at] != 0 && !left_out[at]).collect();
        let inputs = Inputs {
            lanes,
            attrs: &attrs,
            banks: &banks,
            sysvals: &sysvals,
            covered: &shown,
            textures,
            interpolator: &NoInterpolator,
            fuel: draw.fuel,
        };
        runner.run(&inputs, Memory::Shared(&draw.buffers), &mut outputs);
        if shown.iter().zip(&outputs.out_of_fuel).any(|(&shown, &endless)| shown && endless) {
            let message =
                format!("some pixels do not leave their loops within {} iterations; a device may never", draw.fuel);
            return Err(Failure::new(message));
        }
        for (lane, &at) in batch.iter().enumerate() {
            covered[at] = outputs.covered[lane];
            for (plane, words) in outputs.planes.iter().zip(&mut words).filter(|(plane, _)| !plane.is_empty()) {
                words[at] = plane.get(lane);
            }
        }
    }
    let mut planes = Vec::new();
    for (plane, ty) in types.iter().enumerate() {
        let (Some(ty), output) = (ty, &func.iface.outputs[plane / 4]) else { continue };
        if !matches!(output.role, OutputRole::Color(_) | OutputRole::Depth) {
            continue;
        }
        let channel = Channel {
            output: output.name.clone(),
            role: output.role,
            comp: (plane % 4) as u8,
            ty: ty.ty,
            storage: ty.storage,
            words: Plane::from_words(ty.bits(), &words[plane]),
            stored: None,
        };
        planes.push((output.role, channel.comp, single(&channel.declared_bits(), ty.ty.decl())));
    }
    Ok((Ours { planes, covered }, left_out))
}

/// Patterns of a format as binary32.
pub(crate) fn single(words: &Plane, decl: Option<Decl>) -> Vec<u32> {
    let storage = decl.map_or(Storage::F32, |decl| decl.format().storage());
    let rule = Rule { source: storage, ..Rule::ieee(Decl::F32, Format::F32) };
    let convert = |word: u64| if storage == Storage::F32 { word as u32 } else { eval(Op::Cvt, &rule, &[word]) as u32 };
    words.to_words().into_iter().map(convert).collect()
}

fn compare(ours: &Ours, drawn: &Drawn, left_out: &[bool], [width, _]: [u32; 2]) -> Comparison {
    let compared: Vec<usize> = (0..ours.covered.len()).filter(|&at| !left_out[at]).collect();
    let mut found = Comparison {
        pixels: compared.iter().filter(|&&at| ours.covered[at]).count(),
        left_out: left_out.iter().filter(|&&out| out).count(),
        coverage: compared.iter().filter(|&&at| ours.covered[at] != drawn.covered[at]).count(),
        ..Comparison::default()
    };
    for (role, comp, words) in &ours.planes {
        let (what, theirs): (String, Box<dyn Fn(usize) -> u32>) = match *role {
            OutputRole::Color(n) => {
                let Some(plane) = drawn.colours.get(usize::from(n)) else { continue };
                let letter = ["x", "y", "z", "w"][usize::from(comp & 3)];
                (format!("color {n}.{letter}"), Box::new(move |at| plane[at][usize::from(*comp)]))
            }
            _ => ("depth".into(), Box::new(|at| drawn.depth[at])),
        };
        let mut difference: Option<Difference> = None;
        for &at in compared.iter().filter(|&&at| ours.covered[at] && drawn.covered[at]) {
            let (mut expected, got) = (words[at], theirs(at));
            if *role == OutputRole::Depth {
                // A depth buffer holds numbers from 0 to 1; what it makes of NaN is not said.
                let depth = f32::from_bits(expected);
                if depth.is_nan() {
                    continue;
                }
                expected = depth.clamp(0.0, 1.0).abs().to_bits();
            }
            if expected == got {
                continue;
            }
            let width = width as usize;
            Difference::add(&mut difference, &what, [at % width, at / width], [expected, got]);
        }
        found.differences.extend(difference);
    }
    found
}

impl Difference {
    /// Counts words that differ: what is expected and what was found.
    pub(crate) fn add(all: &mut Option<Difference>, what: &str, at: [usize; 2], [expected, found]: [u32; 2]) {
        let new = || Difference { what: what.to_string(), pixels: 0, at, expected, found, distance: 0, nan: 0 };
        let difference = all.get_or_insert_with(new);
        difference.pixels += 1;
        match [expected, found].map(|word| f32::from_bits(word).is_nan()) {
            [false, false] => {
                difference.distance = difference.distance.max(place_of(expected).abs_diff(place_of(found)))
            }
            [true, true] => {}
            _ => difference.nan += 1,
        }
    }
}

/// The place of a binary32 number among all of them.
const fn place_of(word: u32) -> i32 {
    let magnitude = (word & 0x7fff_ffff) as i32;
    if word >> 31 == 0 { magnitude } else { -magnitude }
}
