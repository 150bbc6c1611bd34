//! Texts of WGSL drawn by a browser's WebGPU: the bits of the model in every pixel. Needs Chromium (Debian package `chromium`), whose
//! software device is SwiftShader; skipped by name without it.
#![allow(clippy::print_stdout, reason = "figures, shown with --nocapture")]

use crate::effect::{Effect, Picture, difference, module, picture};
use parallax::{Draw, Geometry};
use parallax_core::analysis::Tree;
use parallax_core::{AttrSemantic, Interp, OpKind, OutputRole};
use parallax_num::Model;
use parallax_spirv_out::{Interface, Language, Text, text};
use parallax_step::Programs;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Pixels of a side. Rows of a texture are copied in multiples of 256 bytes, 16 pixels.
const SIDE: usize = 32;
/// How long a browser may take to start, and to draw once it runs.
const PATIENCE: Duration = Duration::from_secs(120);

/// What a page draws: `job` is written before it.
const PAGE: &str = "
const send = (path, body) => fetch(path, { method: 'POST', body });
(async () => {
    for (const job of jobs) {
        // Long modules end the process that draws; the next one gets another.
        const adapter = await navigator.gpu?.requestAdapter();
        if (!adapter) return send('/nothing', '');
        const device = await adapter.requestDevice();
        device.pushErrorScope('validation');
        const buffer = (words, usage) => {
            const data = new Uint32Array(words);
            const made = device.createBuffer({ size: Math.max(16, data.byteLength), usage: usage | GPUBufferUsage.COPY_DST });
            device.queue.writeBuffer(made, 0, data);
            return made;
        };
        const stage = (code) => device.createShaderModule({ code });
        const format = 'rgba32float';
        const pipeline = await device.createRenderPipelineAsync({
            layout: 'auto',
            vertex: { module: stage(job.vertex), entryPoint: 'vertex' },
            fragment: { module: stage(job.fragment), entryPoint: job.entry, targets: [{ format }] },
            primitive: { topology: 'point-list' },
        }).catch((error) => error);
        if (pipeline instanceof Error) {
            await send(String(pipeline).includes('Instance') ? '/gone' : '/error', String(pipeline));
            continue;
        }
        const size = [job.side, job.side];
        const target = device.createTexture({ size, format, usage: GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.COPY_SRC });
        const bytes = job.side * job.side * 16;
        const read = device.createBuffer({ size: bytes, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ });
        const encoder = device.createCommandEncoder();
        // What nothing is written to keeps a colour that no pixel has.
        const pass = encoder.beginRenderPass({ colorAttachments: [{ view: target.createView(), loadOp: 'clear', clearValue: [9e9, 0, 0, 0], storeOp: 'store' }] });
        pass.setPipeline(pipeline);
        for (const [group, entries] of Object.entries(job.groups)) {
            pass.setBindGroup(Number(group), device.createBindGroup({
                layout: pipeline.getBindGroupLayout(Number(group)),
                entries: entries.map(({ binding, words, storage }) => ({
                    binding,
                    resource: { buffer: buffer(words, storage ? GPUBufferUsage.STORAGE : GPUBufferUsage.UNIFORM) },
                })),
            }));
        }
        pass.draw(job.side * job.side);
        pass.end();
        encoder.copyTextureToBuffer({ texture: target }, { buffer: read, bytesPerRow: job.side * 16 }, size);
        device.queue.submit([encoder.finish()]);
        const error = await device.popErrorScope();
        if (error) { await send('/error', error.message); continue; }
        await read.mapAsync(GPUMapMode.READ);
        await send('/words', read.getMappedRange().slice(0));
    }
})().catch((error) => send('/error', String(error)));
";

/// The group of the vertices.
const VERTICES: u32 = 3;

/// A browser with a folder of its own, stopped when it is dropped.
struct Browser {
    child: Child,
    _profile: tempfile::TempDir,
}

impl Browser {
    /// Opens a page; `None` where no browser is installed.
    fn open(url: &str) -> Option<Browser> {
        let profile = tempfile::tempdir().expect("a folder");
        ["chromium", "chromium-browser", "google-chrome"]
            .into_iter()
            .find_map(|name| {
                let mut command = Command::new(name);
                command.args(["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--enable-unsafe-webgpu"]);
                command.args([
                    "--use-webgpu-adapter=swiftshader",
                    "--enable-features=Vulkan",
                    "--ignore-gpu-blocklist",
                ]);
                command.arg(format!("--user-data-dir={}", profile.path().display())).arg(url);
                command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()
            })
            .map(|child| Browser { child, _profile: profile })
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A request: its path and its body.
fn request(stream: &TcpStream) -> (String, Vec<u8>) {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    reader.read_line(&mut head).expect("a request");
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).expect("a header");
        if line.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().expect("a length");
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).expect("a body");
    (head.split(' ').nth(1).unwrap_or("").to_string(), body)
}

fn answer(mut stream: &TcpStream, content: &str) {
    let length = content.len();
    // A browser that has gone does not listen.
    let _ = write!(
        stream,
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{content}"
    );
}

/// Lets a browser draw jobs, and hands over the words of the pixels of each, `None` if its driver crashed. Gives `None` where there is no
/// browser or no WebGPU.
fn draw(jobs: &[String], mut take: impl FnMut(usize, Option<Vec<u32>>)) -> Option<()> {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.set_nonblocking(true).expect("a listener");
    let address = listener.local_addr().expect("an address");
    let page = format!("<!doctype html><title>WebGPU</title><script>const jobs = [{}];{PAGE}</script>", jobs.join(","));
    let Some(browser) = Browser::open(&format!("http://{address}/")) else {
        println!("skipped: Chromium is not on PATH");
        return None;
    };
    let (mut taken, mut last) = (0, Instant::now());
    while taken < jobs.len() {
        let Ok((stream, _)) = listener.accept() else {
            if last.elapsed() > PATIENCE {
                println!("skipped: the browser gives no answer");
                return None;
            }
            std::thread::sleep(Duration::from_millis(20));
            continue;
        };
        stream.set_nonblocking(false).expect("a stream");
        last = Instant::now();
        let (path, body) = request(&stream);
        match path.as_str() {
            "/words" => {
                let words = body.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().expect("four bytes")));
                take(taken, Some(words.collect()));
                taken += 1;
            }
            "/gone" => {
                take(taken, None);
                taken += 1;
            }
            "/error" => panic!("{}", String::from_utf8_lossy(&body)),
            "/nothing" => {
                println!("skipped: the browser has no WebGPU");
                return None;
            }
            "/" => {
                answer(&stream, &page);
                continue;
            }
            _ => {}
        }
        answer(&stream, "");
    }
    drop(browser);
    Some(())
}

/// The value of an input in a pixel of a quad, if it is exact in binary32 as everything on the way to it is.
fn exact(draw: &Draw, attr: usize, [x, y]: [usize; 2]) -> Option<[u32; 4]> {
    let corners = &draw.attributes[attr];
    let at = |corner: usize, n: usize| f64::from(f32::from_bits(corners[corner][n]));
    let part = |v: usize| (v as f64 + 0.5) / SIDE as f64;
    let mut value = [0; 4];
    for (n, word) in value.iter_mut().enumerate() {
        let [a, b, c, d] = [0, 1, 2, 3].map(|corner| at(corner, n));
        let v = a + (b - a) * part(x) + (c - a) * part(y);
        if a + d != b + c || f64::from(v as f32) != v {
            return None;
        }
        *word = (v as f32).to_bits();
    }
    Some(value)
}

/// The vertex stage: a point for each pixel, whose inputs are the same everywhere in it.
fn vertex_stage(interface: &Interface) -> String {
    let mut fields = String::new();
    let mut reads = String::new();
    let inputs: Vec<_> = interface.inputs.iter().filter(|input| input.location.is_some()).collect();
    for (n, input) in inputs.iter().enumerate() {
        let how = match input.interp {
            Interp::Perspective | Interp::Color => "",
            Interp::Flat => "@interpolate(flat) ",
            Interp::Linear | Interp::OverW => "@interpolate(linear) ",
        };
        let location = input.location.unwrap_or(0);
        writeln!(fields, "    @location({location}) {how}value{n}: vec4f,").expect("a string");
        writeln!(reads, "    made.value{n} = vertices[number * {}u + {}u];", inputs.len() + 1, n + 1)
            .expect("a string");
    }
    format!(
        "struct Made {{\n    @builtin(position) position: vec4f,\n{fields}}}\n\
         @group({VERTICES}) @binding(0) var<storage, read> vertices: array<vec4f>;\n\
         @vertex fn vertex(@builtin(vertex_index) number: u32) -> Made {{\n    var made: Made;\n\
             made.position = vertices[number * {}u];\n{reads}    return made;\n}}\n",
        inputs.len() + 1
    )
}

/// What the page draws, as JSON; `None` where the page cannot: textures, values of neighbours, inputs that are not exact.
fn job(interface: &Interface, text: &Text, draw: &Draw) -> Option<String> {
    let inputs: Vec<_> = interface.inputs.iter().filter(|input| input.location.is_some()).collect();
    let plain = interface.textures.is_empty()
        && interface.counter.is_none()
        && matches!(draw.geometry, Geometry::Quad)
        && interface.outputs.len() == 1
        && interface.outputs[0].location == Some(0)
        && interface.inputs.iter().all(|input| input.location.is_some() && input.semantic != AttrSemantic::Position);
    if !plain {
        return None;
    }
    let mut words: Vec<u32> = Vec::new();
    for y in 0..SIDE {
        for x in 0..SIDE {
            let centre = |v: usize| (2.0 * v as f32 + 1.0) / SIDE as f32 - 1.0;
            words.extend([centre(x), -centre(y), 0.0, 1.0].map(f32::to_bits));
            for input in &inputs {
                words.extend(exact(draw, input.attr, [x, y])?);
            }
        }
    }
    let bank = |bank: &parallax_spirv_out::Bank| {
        let vectors = draw.banks[bank.bank].iter().copied().chain(std::iter::repeat([0; 4]));
        let words: Vec<u32> = vectors.take(bank.vectors as usize).flatten().collect();
        let entry = serde_json::json!({ "binding": bank.binding, "words": words, "storage": bank.in_storage });
        (bank.set.to_string(), entry)
    };
    let mut groups = serde_json::Map::new();
    let vertices = serde_json::json!({ "binding": 0, "words": words, "storage": true });
    for (group, entry) in text.interface.banks.iter().map(bank).chain([(VERTICES.to_string(), vertices)]) {
        let entries = groups.entry(group).or_insert_with(|| serde_json::json!([]));
        entries.as_array_mut().expect("a list").push(entry);
    }
    let job = serde_json::json!({
        "vertex": vertex_stage(interface),
        "fragment": text.text,
        "entry": text.entry,
        "side": SIDE,
        "groups": groups,
    });
    // Inside a script no tag may end it.
    Some(job.to_string().replace("</", "<\\/"))
}

/// The words of a target as a picture: what was cleared is not covered.
fn of_words(words: &[u32]) -> Picture {
    let cleared = [9e9f32, 0.0, 0.0, 0.0].map(f32::to_bits);
    let pixels: Vec<&[u32]> = words.chunks_exact(4).collect();
    let planes = (0..4).map(|n| (format!("0.{n}"), pixels.iter().map(|pixel| pixel[n]).collect())).collect();
    Picture { planes, covered: pixels.iter().map(|pixel| **pixel != cleared).collect() }
}

/// Draws programs, each under one of the models by turns, as far as they are short enough and the page can; gives how many are equal.
fn check(paths: &[&str], models: &[&str], most_words: usize) -> Option<usize> {
    let mut programs = Programs::default();
    let (mut jobs, mut wanted) = (Vec::new(), Vec::new());
    for (number, effect) in paths.iter().flat_map(|path| Effect::all(path)).enumerate() {
        let name = models[number % models.len()];
        let model = Model::builtin(name).expect("built in");
        let compiled = effect.under(&model);
        let func = &compiled.shader.func;
        let mut reads_neighbours = !Tree::new(func).neighbour_reads().is_empty();
        func.walk(|_, op| reads_neighbours |= matches!(func.ops[op].kind, OpKind::QuadAny | OpKind::QuadAll));
        let colours = func.iface.outputs.iter().all(|output| matches!(output.role, OutputRole::Color(0)));
        let Ok(made) = module(&compiled, &mut programs, false) else { continue };
        if reads_neighbours || !colours || made.words.len() > most_words {
            continue;
        }
        let draw = effect.draw(&compiled, &model, SIDE as u32);
        let text = text(&made, Language::Wgsl).expect("a text");
        let Some(job) = job(&made.interface, &text, &draw) else { continue };
        jobs.push(job);
        wanted.push((format!("{} under {name}, {} words", effect.path, made.words.len()), picture(&compiled, &draw)));
    }
    let start = Instant::now();
    let (mut equal, mut crashed) = (0, 0);
    draw(&jobs, |number, found| {
        let (whose, wanted) = &wanted[number];
        let Some(words) = found else {
            println!("{whose}: the driver crashes");
            crashed += 1;
            return;
        };
        assert_eq!(difference(wanted, &of_words(&words)), None, "{whose}");
        println!("{whose}: equal");
        equal += 1;
    })?;
    println!("{equal} of {} modules equal, {crashed} crash the driver, {:?}", jobs.len(), start.elapsed());
    Some(equal)
}

#[test]
fn texts_drawn_by_webgpu_have_the_bits() {
    let Some(count) = check(&["tgsi/blend", "nv40/blend", "usc/blend"], &["ieee"], 6_000) else {
        return;
    };
    assert!(count >= 2, "{count}");
}

/// `cargo test --release -p parallax-spirv-out --features read-texts --test all webgpu -- --ignored --nocapture`.
#[test]
#[ignore = "long"]
fn the_corpus_drawn_by_webgpu_has_the_bits() {
    let Some(count) = check(&[""], &Model::group("default").expect("a group"), 12_000) else { return };
    assert!(count > 10, "{count}");
}
