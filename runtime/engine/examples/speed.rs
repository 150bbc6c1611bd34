use parallax::*;
use parallax_core::num::Model;
use std::time::Instant;
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let model = std::env::args().nth(2).unwrap_or("ieee".into());
    let threads: usize = std::env::args().nth(3).and_then(|v| v.parse().ok()).unwrap_or(1);
    let bytes = std::fs::read(&path).unwrap();
    let loaded = load(&path, &bytes, &LoadOptions::default());
    let Some(shader) = &loaded.shader else { panic!("{:?}", loaded.diags) };
    let c = compile(shader, &Model::builtin(&model).unwrap(), Optimise::Yes).unwrap();
    println!("{:?} {:?} insts {}", loaded.times, c.times, c.program.len());
    let mut draw = Draw::defaults(&c.shader.func.iface).unwrap();
    draw.width = 512;
    draw.height = 512;
    let workers = Workers::new(threads).unwrap();
    let mut best = 0.0f64;
    for _ in 0..40 {
        let t = Instant::now();
        let f = run_draw(&c, &draw, &workers, Control::default()).unwrap();
        let r = f.fragments as f64 / t.elapsed().as_secs_f64() / 1e6;
        best = best.max(r);
    }
    println!("{path} {model} {best:.2} Mfrag/s");
}
