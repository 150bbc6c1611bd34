//! Surfaces, and sizes of textures.

use super::cubin::{Arg, Call, kernels, random, run, run_loaded, same};
use Arg::{Buffer, Surface};
use parallax::{LoadOptions, load};
use parallax_core::exec::{ImageFormat, ImageLayout};
use parallax_texture::{Image, Sampler, Unit};

/// Runs a kernel for all of its targets, and compares the buffers and surfaces of parameters.
fn check(name: &str, call: &Call, wanted: &[(usize, &[u32])]) {
    let all = kernels(include_str!("surfaces.txt"));
    let kernel = all.iter().find(|kernel| kernel.name == name).unwrap_or_else(|| panic!("no kernel {name}"));
    assert_eq!(kernel.targets.len(), 2);
    for target in &kernel.targets {
        let found = run(name, target, call);
        for (param, wanted) in wanted {
            same(&format!("{name} for sm_{}, parameter {param}", target.sm), &found[*param], wanted);
        }
    }
}

fn layout(format: &str, size: [u32; 3]) -> ImageLayout {
    ImageLayout { format: ImageFormat::from_name(format).expect("a format"), size, samples: 1 }
}

fn surface(format: &str, size: [u32; 3], words: Vec<u32>) -> Arg {
    let image = layout(format, size);
    assert_eq!(image.words(), Some(words.len()));
    Surface(image, words)
}

fn zeros(count: usize) -> Arg {
    Buffer(vec![0; count])
}

const WIDTH: i32 = 9;
const HEIGHT: i32 = 5;

/// The texel of a thread: two beyond every edge.
fn place(n: i32) -> (i32, i32) {
    (n % 16 - 2, n / 16 - 2)
}

fn inside((x, y): (i32, i32)) -> Option<usize> {
    let holds = (0..WIDTH).contains(&x) && (0..HEIGHT).contains(&y);
    holds.then(|| (y * WIDTH + x) as usize)
}

fn nearest((x, y): (i32, i32)) -> usize {
    (y.clamp(0, HEIGHT - 1) * WIDTH + x.clamp(0, WIDTH - 1)) as usize
}

#[test]
fn loads_beyond_the_edges() {
    let image = random(70, 45);
    let each = |n: i32| {
        let zero = inside(place(n)).map_or(0, |at| image[at]);
        [zero, image[nearest(place(n))], zero, (4 * place(n).0) as u32]
    };
    let wanted: Vec<u32> = (0..160).flat_map(each).collect();
    let args = vec![surface("r32ui", [9, 5, 1], image.clone()), zeros(4 * 160)];
    check("surface_clamps", &Call::new(5, 32, args), &[(1, &wanted)]);
    // The same bytes as half as many texels of another format.
    let args = vec![surface("rgba8", [9, 5, 1], image.clone()), zeros(4 * 160)];
    check("surface_clamps", &Call::new(5, 32, args), &[(1, &wanted)]);
}

#[test]
fn stores_beyond_the_edges() {
    let x = random(71, 160);
    let (mut ignored, mut clamped) = (vec![7; 45], vec![7; 45]);
    for n in 0..160 {
        if let Some(at) = inside(place(n)) {
            ignored[at] = x[n as usize];
        }
        clamped[nearest(place(n))] = x[n as usize];
    }
    let image = || surface("r32f", [9, 5, 1], vec![7; 45]);
    let args = vec![image(), image(), image(), Buffer(x)];
    check("surface_stores", &Call::new(5, 32, args), &[(0, &ignored), (1, &clamped), (2, &ignored)]);
}

/// Accesses of 1 to 16 bytes in lines of 64 and of 100 bytes. Those that are not wholly in a line are outside.
#[test]
fn sizes_of_accesses() {
    const LAYERS: usize = 7;
    const LINE: usize = 100;
    let words = random(72, 16 * LAYERS);
    let image: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    // Bytes of a line.
    let read = |layer: usize, x: usize, count: usize| -> [u8; 16] {
        let mut out = [0; 16];
        if layer < LAYERS && x + count <= 64 {
            out[..count].copy_from_slice(&image[64 * layer + x..][..count]);
        }
        out
    };
    let word = |bytes: [u8; 16], n: usize| u32::from_le_bytes([0, 1, 2, 3].map(|byte| bytes[4 * n + byte]));
    let (mut out, mut copy) = (Vec::new(), vec![0; LINE * 5]);
    for n in 0..128 {
        let (x, y) = (n % 16, n / 16);
        let (pair, quad, half) = (read(y, 8 * x, 8), read(y, 16 * x, 16), word(read(y, 2 * x, 2), 0));
        let single = word(read(y, 4 * x, 4), 0);
        out.extend([word(read(y, x, 1), 0), half, single, word(pair, 0), word(pair, 1), word(quad, 0), word(quad, 3)]);
        out.extend([0, word(pair, 0), word(pair, 1), single & 0xffff, single >> 16]);
        let mut write = |layer: usize, at: usize, bytes: &[u8]| {
            if at + bytes.len() <= LINE {
                copy[LINE * layer + at..][..bytes.len()].copy_from_slice(bytes);
            }
        };
        let swapped = |bytes: [u8; 16], count: usize| -> Vec<u8> {
            (0..count).rev().flat_map(|n| word(bytes, n).to_le_bytes()).collect()
        };
        write(0, x, &half.to_le_bytes()[..1]);
        write(1, 2 * x, &half.to_le_bytes()[..2]);
        write(2, 8 * x, &swapped(pair, 2));
        write(3, 16 * x, &swapped(quad, 4));
        write(4, 8 * x, &pair[..8]);
    }
    let copy: Vec<u32> = copy.as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect();
    let args = vec![
        surface("rg32ui", [8, 1, LAYERS as u32], words.clone()),
        surface("r8ui", [LINE as u32, 1, 5], vec![0; 125]),
        zeros(12 * 128),
    ];
    check("surface_sizes", &Call::new(4, 32, args), &[(1, &copy), (2, &out)]);
}

#[test]
fn volumes_and_lists_of_images() {
    let volume = random(73, 512);
    let at = |x: i32, y: i32, z: i32| {
        let [x, y, z] = [x, y, z].map(|side| side.clamp(0, 7) as usize);
        volume[(z * 8 + y) * 8 + x]
    };
    let each = |n: i32| {
        let (x, y, z) = (n % 8, n / 8 % 8, n / 64);
        let before = if x == 0 { 0 } else { at(x - 1, y, z) };
        [at(x, y, z - 1), at(x, y, z + 1), at(x, y + 1, z), before].into_iter().fold(0, u32::wrapping_add)
    };
    let wanted: Vec<u32> = (0..512).map(each).collect();
    let args = vec![surface("r32i", [8; 3], volume.clone()), surface("r32ui", [8; 3], vec![0; 512])];
    check("surface_volume", &Call::new(4, 128, args), &[(1, &wanted)]);
}

/// A number as a normalised byte: rounded to nearest, NaN as 0.
fn byte(bits: u32) -> u32 {
    let value = f64::from(f32::from_bits(bits));
    (if value.is_nan() { 0.0 } else { value.clamp(0.0, 1.0) * 255.0 }).round_ties_even() as u32
}

#[test]
fn formats_of_texels() {
    let mut x: Vec<u32> = random(74, 4 * 64).iter().map(|&word| (word as i32 as f32 / 1.5e9).to_bits()).collect();
    x[..4].copy_from_slice(&[f32::NAN, f32::INFINITY, -0.0, 0.5].map(f32::to_bits));
    let texels: Vec<[u32; 4]> = x.as_chunks::<4>().0.to_vec();
    let bytes = |texel: &[u32]| texel.iter().rev().fold(0, |word, &bits| word << 8 | byte(bits));
    let whole: Vec<u32> = texels.iter().map(|texel| bytes(texel)).collect();
    // What is not given is 0.
    let part: Vec<u32> = texels.iter().flat_map(|&[r, g, ..]| [r, g, 0, 0]).collect();
    let args = vec![
        surface("rgba8", [16, 4, 1], vec![0; 64]),
        surface("rgba32f", [16, 4, 1], vec![9; 256]),
        Buffer(x.clone()),
    ];
    check("surface_formats", &Call::new(2, 32, args), &[(0, &whole), (1, &part)]);
    let pairs: Vec<u32> = texels.chunks(2).map(|two| bytes(&two[0][..2]) | bytes(&two[1][..2]) << 16).collect();
    let reds: Vec<u32> = texels.iter().map(|texel| texel[0]).collect();
    let args =
        vec![surface("r32f", [16, 4, 1], vec![0; 64]), surface("rg8", [16, 4, 1], vec![0; 32]), Buffer(x.clone())];
    check("surface_formats", &Call::new(2, 32, args), &[(0, &reds), (1, &pairs)]);
}

#[test]
fn reductions() {
    const THREADS: usize = 70;
    let x = random(75, 2 * THREADS);
    let start = random(76, 40);
    let (mut words, mut pairs) = (start.clone(), [1u64, 2, 3, 4]);
    // Rows of four; warps one after the other.
    for warp in x.chunks(64) {
        let lanes = || warp.as_chunks::<2>().0.iter().map(|&[value, column]| (value, (column & 3) as usize));
        for (value, column) in lanes() {
            let mut change = |row: usize, change: &dyn Fn(u32) -> u32| {
                words[4 * row + column] = change(words[4 * row + column]);
            };
            change(0, &|old| old.wrapping_add(value));
            change(1, &|old| old.min(value));
            change(2, &|old| old.max(value));
            change(3, &|old| (old as i32).min(value as i32) as u32);
            change(4, &|old| (old as i32).max(value as i32) as u32);
            change(5, &|old| old & value);
            change(9, &|old| old | value);
            change(7, &|old| old.wrapping_add(value));
            change(8, &|old| old | value);
        }
        for (value, column) in lanes() {
            words[36 + column] = words[36 + column].wrapping_add(value);
        }
        for &[low, high] in warp.as_chunks::<2>().0 {
            let sum = &mut pairs[(high & 3) as usize];
            *sum = sum.wrapping_add(u64::from(low) | u64::from(high) << 32);
        }
    }
    let pairs = super::cubin::words(pairs);
    let args = vec![
        surface("r32ui", [4, 10, 1], start),
        surface("rg32ui", [4, 1, 1], super::cubin::words([1, 2, 3, 4])),
        Buffer(x),
    ];
    check("surface_reductions", &Call::new(1, THREADS as u32, args), &[(0, &words), (1, &pairs)]);
}

#[test]
fn sizes_of_textures_and_surfaces() {
    let image = Image::rgba8(5, 3, vec![[0; 4]; 15]).expect("an image").with_mipmaps(false);
    let column = random(77, 24);
    // Levels have half the sides of the one before; those that do not exist have none.
    let levels = [[5, 3], [2, 1], [1, 1], [0, 0]];
    let each = |n: usize| {
        let [width, height] = levels[n.min(3)];
        [5, 3, 1, width, height, 6, 4, if n < 4 { column[6 * n] } else { 0 }]
    };
    let wanted: Vec<u32> = (0..6).flat_map(each).collect();
    let args = vec![
        Arg::Texture(Unit::Image { image: image.into(), sampler: Sampler::default() }),
        surface("r32ui", [6, 4, 1], column.clone()),
        zeros(48),
    ];
    check("sizes", &Call::new(1, 6, args), &[(2, &wanted)]);
}

/// What no PTX makes: loads of texels in their format, and atomics that give what was there. Of four threads, the last is outside
/// of the first surface.
#[test]
fn formatted_loads_and_atomics() {
    let text = ".kernel\n.block 4\n.param 0x140, 8\n.param 0x148, 8\n.param 0x150, 8\nS2R R0, SR_TID.X\nMOV R1, RZ\n\
        SULD.P.2D.IGN R4, [R0], 0x50\nSULD.P.2D.GA.IGN R8, [R0], 0x50\nMOV32I R3, 0xa\nMOV32I R14, 0x10\nMOV32I R15, 0x63\n\
        SUATOM.D.2D.ADD.TRAP R10, [R0], R3, 0x52\nSUATOM.D.2D.CAS.TRAP R11, [R0], R14, 0x52\nSHL R2, R0, 0x5\n\
        IADD R12.CC, R2, c[0x0][0x150]\nIADD.X R13, RZ, c[0x0][0x154]\nSTG.E.128 [R12], R4\nSTG.E.128 [R12+0x10], R8\nEXIT\n";
    let loaded = load("k.spa5", text.as_bytes(), &LoadOptions { isa: Some("spa5".into()), ..LoadOptions::default() });
    let texels = [0x80ff_0040, 0x0102_0304, 0xfffe_fdfc];
    let args =
        vec![surface("rgba8", [3, 1, 1], texels.to_vec()), surface("r32ui", [4, 1, 1], vec![5, 6, 7, 8]), zeros(32)];
    let found = run_loaded("formatted", &loaded, &Call::new(1, 4, args));
    let each = |n: usize| {
        let bytes = texels.get(n).map_or([0; 4], |texel| texel.to_le_bytes());
        let [r, g, b, a] = bytes.map(|byte| (f32::from(byte) / 255.0).to_bits());
        [r, g, b, a, g, a, 5 + n as u32, 15 + n as u32]
    };
    same("texels and old words", &found[2], &(0..4).flat_map(each).collect::<Vec<u32>>());
    same("the second surface", &found[1], &[15, 99, 17, 18]);
    same("the first surface", &found[0], &texels);
}

/// Words in a surface of bytes: rows that begin between words have none.
#[test]
fn words_between_words_are_outside() {
    let text = ".kernel\n.block 2\n.param 0x140, 8\n.param 0x148, 8\nMOV R0, RZ\nS2R R1, SR_TID.X\nMOV32I R3, 0x7\n\
        SULD.D.BA.2D.IGN R4, [R0], 0x50\nSURED.D.2D.ADD.IGN [R0], R3, 0x50\nSHL R2, R1, 0x2\n\
        IADD R12.CC, R2, c[0x0][0x148]\nIADD.X R13, RZ, c[0x0][0x14c]\nSTG.E [R12], R4\nEXIT\n";
    let loaded = load("k.spa5", text.as_bytes(), &LoadOptions { isa: Some("spa5".into()), ..LoadOptions::default() });
    let args = vec![surface("r8ui", [6, 2, 1], vec![1, 2, 3]), zeros(2)];
    let found = run_loaded("rows of six bytes", &loaded, &Call::new(1, 2, args));
    same("what is read", &found[1], &[1, 0]);
    same("what is written", &found[0], &[8, 2, 3]);
}
