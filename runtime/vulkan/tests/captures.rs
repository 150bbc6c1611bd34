//! Pictures of the corpus's effects in SPIR-V as a renderer draws them: the modules as they are, two triangles, a target of bytes.
//! `identify` is tested with the recorded ones (`runtime/cli/tests/captures`).
//!
//! `PARALLAX_RECORD=FOLDER` writes them for the device at hand.

use crate::compare::assembled;
use parallax::{Capture, Draw, LoadOptions, Manifest, Stage, load};
use parallax_core::{AttrSemantic, Interface};
use parallax_vulkan::{Buffer, Device, DrawJob, TargetKind};
use std::fmt::Write;
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

/// Width and height of the pictures.
const SIDE: u32 = 64;
/// Where vertices are: a set that no effect uses.
const SET: u32 = 3;
/// Corners of the two triangles: top left, top right, bottom left, bottom right.
const CORNERS: [usize; 6] = [0, 2, 1, 1, 2, 3];

/// Folders of recorded pictures, by how names of devices and of their drivers begin.
const RECORDED: [(&str, &str, &str); 2] =
    [("lavapipe", "llvmpipe (LLVM 15", "Mesa 22.3.6"), ("swiftshader", "SwiftShader Device", "")];

/// A module that takes position and attributes of each vertex from a buffer.
fn vertices(locations: &[u32]) -> Vec<u32> {
    let outputs: String = locations.iter().map(|n| format!(" %o{n}")).collect();
    let mut out = format!(
        "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint Vertex %main \"main\" %n %position{outputs}\n\
         OpDecorate %n BuiltIn VertexIndex\nOpDecorate %position BuiltIn Position\nOpDecorate %given DescriptorSet {SET}\n\
         OpDecorate %given Binding 0\nOpDecorate %block BufferBlock\nOpMemberDecorate %block 0 Offset 0\n\
         OpDecorate %list ArrayStride 16\n"
    );
    for n in locations {
        let _ = writeln!(out, "OpDecorate %o{n} Location {n}");
    }
    out += "%void = OpTypeVoid\n%function = OpTypeFunction %void\n%int = OpTypeInt 32 1\n%float = OpTypeFloat 32\n\
            %vector = OpTypeVector %float 4\n%list = OpTypeRuntimeArray %vector\n%block = OpTypeStruct %list\n\
            %pblock = OpTypePointer Uniform %block\n%pvector = OpTypePointer Uniform %vector\n%pin = OpTypePointer Input %int\n\
            %pout = OpTypePointer Output %vector\n%given = OpVariable %pblock Uniform\n%n = OpVariable %pin Input\n\
            %position = OpVariable %pout Output\n";
    for n in locations {
        let _ = writeln!(out, "%o{n} = OpVariable %pout Output");
    }
    for n in 0..=locations.len() {
        let _ = writeln!(out, "%c{n} = OpConstant %int {n}");
    }
    let _ = write!(
        out,
        "%stride = OpConstant %int {}\n%main = OpFunction %void None %function\n%entry = OpLabel\n%number = OpLoad %int %n\n\
         %first = OpIMul %int %number %stride\n",
        locations.len() + 1
    );
    let outputs = locations.iter().map(|n| format!("%o{n}"));
    for (n, output) in std::iter::once("%position".to_string()).chain(outputs).enumerate() {
        let _ = write!(
            out,
            "%at{n} = OpIAdd %int %first %c{n}\n%p{n} = OpAccessChain %pvector %given %c0 %at{n}\n\
             %v{n} = OpLoad %vector %p{n}\nOpStore {output} %v{n}\n"
        );
    }
    assembled("vertices", &(out + "OpReturn\nOpFunctionEnd\n"))
}

/// The location of each attribute.
fn locations(iface: &Interface) -> Vec<u32> {
    let location = |semantic| match semantic {
        AttrSemantic::Generic(n) => u32::from(n),
        other => panic!("{other:?} has no location"),
    };
    iface.attrs.iter().map(|attr| location(attr.semantic)).collect()
}

/// Red, green, blue and alpha of each pixel.
fn draw(device: &Device, text: &str, iface: &Interface, draw: &Draw) -> Vec<u8> {
    let vertex = vertices(&locations(iface));
    let fragment = assembled("effect", text);
    let mut words = Vec::new();
    for corner in CORNERS {
        let [x, y] = [corner % 2, corner / 2].map(|far| if far == 0 { -1.0f32 } else { 1.0 });
        words.extend([x, y, 0.0, 1.0].map(f32::to_bits));
        words.extend(draw.attributes.iter().flat_map(|corners| corners[corner]));
    }
    let bank = |(bank, words): (&parallax_core::BankDecl, &Vec<[u32; 4]>)| {
        let place =
            bank.name.split_once('.').and_then(|(set, binding)| Some((set.parse().ok()?, binding.parse().ok()?)));
        let (set, binding) = place.unwrap_or_else(|| panic!("bank {}", bank.name));
        Buffer::uniform(set, binding, words.iter().flatten().copied().collect())
    };
    let banks = iface.banks.iter().zip(&draw.banks).map(bank);
    let job = DrawJob {
        vertex: &vertex,
        fragment: &fragment,
        vertices: CORNERS.len() as u32,
        size: [SIDE; 2],
        targets: TargetKind::Byte,
        blend: None,
        colours: 1,
        depths: [0.0, 1.0],
        clamps_depth: false,
        buffers: banks.chain([Buffer::storage(SET, 0, words)]).collect(),
        textures: Vec::new(),
        images: Vec::new(),
    };
    let drawn = device.draw(&job).unwrap_or_else(|problem| panic!("{problem}"));
    assert!(drawn.covered.iter().all(|covered| *covered), "two triangles leave pixels out");
    drawn.colours[0].iter().flatten().map(|word| *word as u8).collect()
}

fn write(path: &Path, bytes: &[u8]) {
    let file = File::create(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut encoder = png::Encoder::new(BufWriter::new(file), SIDE, SIDE);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    encoder.write_header().and_then(|mut writer| writer.write_image_data(bytes)).expect("a picture");
}

/// Drawn again, the effects are what was recorded of this renderer.
#[test]
fn recorded_pictures_are_what_the_renderer_draws() {
    let device = match Device::open() {
        Ok(device) if device.can_draw() => device,
        Ok(device) => return eprintln!("skipped: {} does not draw", device.name()),
        Err(problem) => return eprintln!("skipped: no Vulkan device ({problem})"),
    };
    let (name, driver) = (device.name(), device.driver());
    let known = RECORDED.iter().find(|(_, of, version)| name.starts_with(of) && driver.starts_with(version));
    let record = std::env::var_os("PARALLAX_RECORD");
    if known.is_none() && record.is_none() {
        return eprintln!("skipped: nothing is recorded of {name} ({driver})");
    }
    let mut wrong = Vec::new();
    for file in parallax_corpus::shaders().filter(|file| file.path.starts_with("spirv/")) {
        let text = file.text().expect(file.path);
        let loaded = load(file.path, file.bytes, &LoadOptions::default());
        let iface = &loaded.shader.as_ref().expect(file.path).func.iface;
        // Textures are not bound here.
        if iface.stage != Stage::Fragment || !iface.units.is_empty() {
            continue;
        }
        let beside = format!("{}/{}.toml", file.folder(), file.stem());
        let manifest = parallax_corpus::get(&beside).and_then(|file| file.text()).expect(&beside);
        let manifest = Manifest::parse(&beside, manifest).unwrap_or_else(|e| panic!("{beside}: {e:?}"));
        let given = Draw::new(iface, &manifest).unwrap_or_else(|e| panic!("{beside}: {e:?}"));
        let bytes = draw(&device, text, iface, &given);
        let picture = format!("{}.png", file.stem());
        match (&record, known) {
            (Some(folder), _) => write(&Path::new(folder).join(picture), &bytes),
            (None, Some((folder, ..))) => {
                let path =
                    Path::new(env!("CARGO_MANIFEST_DIR")).join("../cli/tests/captures").join(folder).join(picture);
                let recorded = Capture::read(&path).unwrap_or_else(|problem| panic!("{}: {problem}", path.display()));
                if recorded.values != bytes.iter().map(|byte| f64::from(*byte)).collect::<Vec<_>>() {
                    wrong.push(file.path);
                }
            }
            (None, None) => unreachable!("returned above"),
        }
    }
    if record.is_some() {
        eprintln!("recorded {name} ({driver})");
    }
    assert!(wrong.is_empty(), "{name} ({driver}) draws others than recorded: {wrong:?}");
}
