//! Random inputs.

use crate::{Choices, images};
use parallax_core::exec::{ImageFormat, ImageLayout, Inputs, PositionsOnly, TexQuad, Textures, standard_positions};
use parallax_core::{BufferDecl, Interface, Stage, SysVal, TexMode, TexOp};
use std::ops::Range;

/// Binary32 patterns worth trying: zeros, denormals, small and large numbers, infinities, NaN of both kinds.
pub(crate) const CORNERS: [u32; 24] = [
    0,
    0x3f80_0000,
    0xbf80_0000,
    0x4000_0000,
    0x3f00_0000,
    0x8000_0000,
    0x3eaa_aaab,
    0x4049_0fdb,
    0xc120_0000,
    0x0000_0001,
    0x807f_ffff,
    0x0080_0000,
    0x3f7f_ffff,
    0x7f7f_ffff,
    0xff7f_ffff,
    0x7f80_0000,
    0xff80_0000,
    0x7fc0_0000,
    0xffc0_1234,
    0x7f80_0001,
    0x4b80_0000,
    0x3380_0000,
    0x4770_0000,
    0x3880_0000,
];

/// What lookups give.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Texels {
    /// [`HashTextures`].
    Hashes,
    /// One of the sets of [`images`].
    Images(usize),
    /// Textures, and samples, as filetests have them: [`EchoTextures`].
    Echo,
}

/// Words of each buffer of a kernel.
const KERNEL_WORDS: usize = 64;

/// Says of each lane where it is in a workgroup of so many along x, and of all of them where that is in the grid.
fn place(sysvals: &mut [u32], lanes: usize, width: usize) {
    for lane in 0..lanes {
        let mut set = |value: SysVal, word: usize| sysvals[value as usize * lanes + lane] = word as u32;
        set(SysVal::LocalX, lane % width);
        set(SysVal::LocalY, lane / width);
        set(SysVal::LocalZ, 0);
    }
    for value in [SysVal::GroupX, SysVal::GroupY, SysVal::GroupZ, SysVal::GridX, SysVal::GridY, SysVal::GridZ] {
        let row = &mut sysvals[value as usize * lanes..][..lanes];
        row.fill(row[0]);
    }
}

/// Inputs of one batch, owned.
#[derive(Clone, Debug)]
pub struct Batch {
    pub(crate) lanes: usize,
    pub(crate) attrs: Vec<u32>,
    pub(crate) banks: Vec<Vec<[u32; 4]>>,
    pub(crate) sysvals: Vec<u32>,
    pub(crate) covered: Vec<bool>,
    pub(crate) buffers: Vec<Vec<u32>>,
    pub(crate) fuel: u32,
    textures: Texels,
}

impl Batch {
    /// Inputs of `lanes` lanes for a shader with this interface, or of a whole workgroup. Fuel is low, so that endless loops end soon and
    /// lanes run out of fuel at different times.
    pub fn new(list: &[u32], iface: &Interface, lanes: usize) -> Batch {
        let mut c = Choices::new(list);
        let is_kernel = iface.stage == Stage::Compute;
        let is_group = is_kernel && iface.workgroup != [1; 3] && c.once_in(2);
        let lanes = if is_group { iface.workgroup.iter().product::<u32>() as usize } else { lanes.next_multiple_of(4) };
        // First, as attributes take all of a short list.
        let textures = if c.once_in(2) { Texels::Images(c.below(images::COUNT)) } else { Texels::Hashes };
        let mut floats = |n: usize| (0..n).map(|_| float(&mut c)).collect::<Vec<u32>>();
        let attrs = floats(iface.attrs.len() * 4 * lanes);
        let banks = iface
            .banks
            .iter()
            .map(|bank| floats(bank.len as usize * 4).chunks_exact(4).map(|v| [v[0], v[1], v[2], v[3]]).collect())
            .collect();
        let mut sysvals: Vec<u32> = (0..SysVal::ALL.len() * lanes).map(|_| c.below(5) as u32).collect();
        if is_kernel {
            let width = c.one(&[1024, 1024, 8, 4]);
            place(&mut sysvals, lanes, if iface.workgroup == [1; 3] { width } else { iface.workgroup[0] as usize });
        }
        let covered = (0..lanes).map(|_| is_group || !c.once_in(5)).collect();
        let mut words = |count: usize| (0..count).map(|_| c.word() >> c.below(32)).collect();
        let buffer = |decl: &BufferDecl| match decl.workgroup {
            Some(count) => vec![0; count as usize],
            None => words(if is_kernel { KERNEL_WORDS } else { 4 }),
        };
        let buffers = iface.buffers.iter().map(buffer).collect();
        Batch { lanes, attrs, banks, sysvals, covered, buffers, fuel: 12, textures }
    }

    /// The quads one by one, as batches of their own.
    pub fn quads(&self) -> impl Iterator<Item = Batch> + '_ {
        (0..self.lanes / 4).map(move |quad| self.part(quad * 4..quad * 4 + 4))
    }

    /// Some lanes, whole quads, as a batch of their own.
    pub(crate) fn part(&self, lanes: Range<usize>) -> Batch {
        let rows = |words: &[u32]| -> Vec<u32> {
            words.chunks_exact(self.lanes).flat_map(|row| &row[lanes.clone()]).copied().collect()
        };
        Batch {
            lanes: lanes.len(),
            attrs: rows(&self.attrs),
            banks: self.banks.clone(),
            sysvals: rows(&self.sysvals),
            covered: self.covered[lanes.clone()].to_vec(),
            buffers: self.buffers.clone(),
            fuel: self.fuel,
            textures: self.textures,
        }
    }

    /// The same with the textures and samples of filetests: lookups give their operands back, the first lane says how many
    /// samples there are.
    #[must_use]
    pub fn as_filetest(self) -> Batch {
        Batch { textures: Texels::Echo, ..self }
    }

    /// Another amount of fuel.
    #[must_use]
    pub fn with_fuel(self, fuel: u32) -> Batch {
        Batch { fuel, ..self }
    }

    /// The buffers before the run.
    pub fn buffers(&self) -> Vec<Vec<u32>> {
        self.buffers.clone()
    }

    /// Calls `run` with the inputs as engines take them.
    pub fn with<R>(&self, run: impl FnOnce(&Inputs<'_>) -> R) -> R {
        let banks: Vec<&[[u32; 4]]> = self.banks.iter().map(Vec::as_slice).collect();
        let samples = match self.textures {
            Texels::Echo => self.sysvals[SysVal::SampleCount as usize * self.lanes],
            _ => 4,
        };
        run(&Inputs {
            lanes: self.lanes,
            attrs: &self.attrs,
            banks: &banks,
            sysvals: &self.sysvals,
            covered: &self.covered,
            textures: match self.textures {
                Texels::Hashes => &HashTextures,
                Texels::Images(number) => images::set(number),
                Texels::Echo => &EchoTextures,
            },
            interpolator: &PositionsOnly(standard_positions(samples).unwrap_or_default()),
            fuel: self.fuel,
        })
    }
}

/// A binary32 pattern: mostly a number of moderate size, sometimes a corner, sometimes anything.
fn float(c: &mut Choices<'_>) -> u32 {
    match c.below(8) {
        0..4 => (c.below(2001) as f32 / 250.0 - 4.0).to_bits(),
        4..6 => 0x3f00_0000 + c.word() % 0x0180_0000,
        6 => c.one(&CORNERS),
        _ => c.word(),
    }
}

/// Textures whose texels are a hash of everything a lookup may depend on: implicit lookups see all four lanes. As with other
/// textures the bits of a NaN count for cubes alone.
#[derive(Copy, Clone, Debug)]
pub struct HashTextures;

impl Textures for HashTextures {
    fn sample(&self, op: &TexOp, quad: &TexQuad) -> [[u32; 4]; 4] {
        let mut common = mix(u64::from(op.unit) << 16 | op.target as u64 | (op.mode as u64) << 8);
        common = mix(common
            ^ u64::from(op.project)
            ^ u64::from(u32::from_be_bytes([0, op.offset[0] as u8, op.offset[1] as u8, op.offset[2] as u8])));
        let any_nan = |w: u32| if w & 0x7fff_ffff > 0x7f80_0000 && !op.target.is_cube() { 0x7fc0_0000 } else { w };
        let add = |hash: u64, &w: &u32| mix(hash ^ u64::from(any_nan(w)));
        if op.mode.reads_neighbours() {
            common = quad.coords.iter().flatten().fold(common, add);
        }
        std::array::from_fn(|lane| {
            let more = [quad.layer[lane], quad.reference[lane]];
            let mut hash = quad.coords[lane].iter().chain(&more).fold(common, add);
            if op.mode == TexMode::Grad {
                hash = quad.grads[lane].iter().fold(hash, add);
            }
            hash = quad.offsets[lane].iter().chain([&quad.least_level[lane]]).fold(hash, add);
            std::array::from_fn(|n| {
                let word = mix(hash ^ n as u64) as u32;
                if word.is_multiple_of(11) {
                    CORNERS[word as usize / 11 % CORNERS.len()]
                } else {
                    0x3f00_0000 | word >> 8
                }
            })
        })
    }

    fn image(&self, buffer: u16) -> Option<ImageLayout> {
        EchoTextures.image(buffer)
    }
}

/// Textures that give back what they are asked with: s, t, r, q, the layer and the reference value of shapes that have them in
/// place of r and q. The image in buffer 0 is of two by one by two texels of rgba8_snorm, others are of r16ui; the size of a unit's
/// image is its number, the level, the sum of both, and 7.
#[derive(Copy, Clone, Debug)]
pub struct EchoTextures;

impl Textures for EchoTextures {
    fn sample(&self, op: &TexOp, quad: &TexQuad) -> [[u32; 4]; 4] {
        std::array::from_fn(|lane| {
            let [s, t, r, q] = quad.coords[lane];
            let layer = if op.target.is_array() { quad.layer[lane] } else { r };
            let reference = if op.target.is_shadow() { quad.reference[lane] } else { q };
            [s, t, layer, reference]
        })
    }

    fn size(&self, unit: u16, level: u32) -> [u32; 4] {
        [u32::from(unit), level, u32::from(unit).wrapping_add(level), 7]
    }

    fn image(&self, buffer: u16) -> Option<ImageLayout> {
        let name = if buffer == 0 { "rgba8_snorm" } else { "r16ui" };
        Some(ImageLayout { format: ImageFormat::from_name(name)?, size: [2, 1, 2], samples: 1 })
    }
}

fn mix(z: u64) -> u64 {
    parallax_random::Random::new(z).word()
}
