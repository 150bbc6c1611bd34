//! Kernels that compute in floats. Whatever they fuse is fused here.

use super::{Kernel, numbers};

fn bits(floats: &[f32]) -> Vec<u32> {
    floats.iter().map(|f| f.to_bits()).collect()
}

pub(super) fn matrix_product() -> Kernel {
    const SIDE: usize = 256;
    let matrix = |first| -> Vec<f32> {
        numbers(first, 1 << 16).into_iter().map(|n| (n >> 8) as f32 / 65536.0 - 128.0).collect()
    };
    let (a, b) = (matrix(0), matrix(1 << 16));
    let product = |at: usize| {
        let (row, column) = (at / SIDE, at % SIDE);
        (0..SIDE).fold(0f32, |sum, n| a[row * SIDE + n].mul_add(b[n * SIDE + column], sum)).to_bits()
    };
    Kernel {
        name: "matrix_product_256",
        text: include_str!("../../shaders/matrix_product.plx"),
        grid: [16, 16, 1],
        buffer: 2,
        wanted: (0..SIDE * SIDE).map(product).collect(),
        count: (SIDE * SIDE * SIDE) as u64,
        words: vec![("a".into(), bits(&a)), ("b".into(), bits(&b)), ("c".into(), vec![0; SIDE * SIDE])],
    }
}

pub(super) fn n_body() -> Kernel {
    const BODIES: u32 = 256;
    let bodies: Vec<f32> =
        numbers(0, BODIES * 4).into_iter().map(|n| (n >> 8) as f32 / (1 << 23) as f32 - 1.0).collect();
    let acceleration = |own: &[f32]| {
        let mut sum = [0f32; 4];
        for other in bodies.chunks(4) {
            let [x, y, z] = [0, 1, 2].map(|n| other[n] - own[n]);
            let squares = x.mul_add(x, y.mul_add(y, z.mul_add(z, 1.0 / 128.0)));
            let inverse = 1.0 / squares.sqrt();
            let scale = other[3] * (inverse * (inverse * inverse));
            sum = [x.mul_add(scale, sum[0]), y.mul_add(scale, sum[1]), z.mul_add(scale, sum[2]), 0.0];
        }
        sum.map(f32::to_bits)
    };
    Kernel {
        name: "n_body_256",
        text: include_str!("../../shaders/n_body.plx"),
        grid: [1, 1, 1],
        buffer: 1,
        wanted: bodies.chunks(4).flat_map(acceleration).collect(),
        count: u64::from(BODIES * BODIES),
        words: vec![("bodies".into(), bits(&bodies)), ("accelerations".into(), vec![0; bodies.len()])],
    }
}

pub(super) fn mandelbrot() -> Kernel {
    const SIDE: u32 = 128;
    const MOST: u32 = 200;
    let steps = |at: u32| {
        let c = [at % SIDE, at / SIDE].map(f64::from);
        let (re, im) = (c[0].mul_add(3.0 / 128.0, -2.25), c[1].mul_add(3.0 / 128.0, -1.5));
        let (mut x, mut y, mut n) = (0f64, 0f64, 0);
        while x * x + y * y <= 4.0 && n < MOST {
            (x, y) = (x * x - y * y + re, (x + x).mul_add(y, im));
            n += 1;
        }
        n
    };
    Kernel {
        name: "mandelbrot_128",
        text: include_str!("../../shaders/mandelbrot.plx"),
        grid: [8, 8, 1],
        buffer: 0,
        wanted: (0..SIDE * SIDE).map(steps).collect(),
        count: u64::from(SIDE * SIDE),
        words: vec![("steps".into(), vec![0; (SIDE * SIDE) as usize])],
    }
}
