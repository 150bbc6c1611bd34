//! Vertex programs in front of fragment programs: what they compute is what is drawn, under each model as it computes it.

use parallax::{
    Control, Draw, Engine, Geometry, LoadOptions, Manifest, Optimise, Problems, Shader, Symbolic, Workers, compile,
    load, run_draw,
};
use parallax_core::OutputRole;
use parallax_core::num::Model;

const PASS: &str = "!!ARBvp1.0\nMOV result.position, vertex.position;\nMOV result.texcoord[0], vertex.texcoord[0];\n\
                    MOV result.color, vertex.color;\nMUL result.fogcoord.x, vertex.texcoord[0].x, program.local[0].x;\nEND\n";

fn shader(name: &str, text: &str) -> Shader<Symbolic> {
    let loaded = load(name, text.as_bytes(), &LoadOptions::default());
    loaded.shader.unwrap_or_else(|| panic!("{:#?}", loaded.diags))
}

fn fragment(colour: &str) -> Shader<Symbolic> {
    shader("a.fp", &format!("!!ARBfp1.0\nMOV result.color, {colour};\nEND\n"))
}

fn model(name: &str) -> Model {
    Model::parse(name).expect("a model")
}

fn draw(shader: &Shader<Symbolic>, vertex: &str, manifest: &str) -> Result<Draw, Problems> {
    let mut manifest = Manifest::parse("m.toml", manifest)?;
    assert_eq!(manifest.vertex_program(), Some("a.vp"));
    manifest.give_vertex_program(vertex.as_bytes());
    Draw::new(&shader.func.iface, &manifest)
}

/// The colour of each pixel, `None` where nothing is drawn.
fn picture(colour: &str, vertex: &str, manifest: &str, under: &str) -> Vec<Option<[f64; 4]>> {
    let shader = fragment(colour);
    let draw = draw(&shader, vertex, manifest).unwrap_or_else(|p| panic!("{p}"));
    let model = model(under);
    let draw = draw.with_vertices(&shader.func.iface, &model, Engine::Interp).unwrap_or_else(|p| panic!("{p}"));
    let compiled = compile(&shader, &model, Optimise::Yes, Engine::Interp).expect("a valid shader");
    let frame = run_draw(&compiled, &draw, &Workers::serial(), Control::default()).unwrap_or_else(|p| panic!("{p}"));
    let comps = [0, 1, 2, 3].map(|comp| frame.channel(OutputRole::Color(0), comp).expect("a colour").values());
    let pixel = |at: usize| frame.covered[at].then(|| [0, 1, 2, 3].map(|comp: usize| comps[comp][at]));
    (0..frame.pixels()).map(pixel).collect()
}

const RECTANGLE: &str = "size = [4, 4]\n[vertex]\nprogram = \"a.vp\"\n[[vertex.attributes]]\nsemantic = \"vertex.position\"\n\
                         values = [[-1, 1], [0, 1], [-1, -1], [0, -1]]\n[[vertex.attributes]]\nsemantic = \"vertex.texcoord[0]\"\n\
                         values = [[0, 0, 5, 7], [1, 0, 5, 7], [0, 1, 5, 7], [1, 1, 5, 7]]\n\
                         [[vertex.attributes]]\nsemantic = \"vertex.color.primary\"\nvalues = [[0.25, 2, -1, 0.5]]\n\
                         [vertex.constants]\n\"program.local[0]\" = [8, 0, 0, 0]\n";

#[test]
fn results_of_the_vertex_program_are_interpolated() {
    let texture = picture("fragment.texcoord[0]", PASS, RECTANGLE, "ieee");
    for (at, pixel) in texture.iter().enumerate() {
        let (x, y) = (at % 4, at / 4);
        let expected = (x < 2).then_some([0.25 + 0.5 * x as f64, 0.125 + 0.25 * y as f64, 5.0, 7.0]);
        assert_eq!(*pixel, expected, "{x},{y}");
    }
    // One value is that of every vertex; colours are clamped before they are interpolated.
    let colour = picture("fragment.color", PASS, RECTANGLE, "ieee");
    assert_eq!(colour[0], Some([0.25, 1.0, 0.0, 0.5]));
    let unclamped = RECTANGLE.replace("[vertex]\n", "[vertex]\nclamp_colors = false\n");
    assert_eq!(picture("fragment.color", PASS, &unclamped, "ieee")[0], Some([0.25, 2.0, -1.0, 0.5]));
    // Constants of the vertex program are its own; fog has one component.
    assert_eq!(picture("fragment.fogcoord", PASS, RECTANGLE, "ieee")[1], Some([6.0, 0.0, 0.0, 1.0]));
    // What the vertex program does not write is (0, 0, 0, 1).
    assert_eq!(picture("fragment.texcoord[3]", PASS, RECTANGLE, "ieee")[0], Some([0.0, 0.0, 0.0, 1.0]));
}

#[test]
fn vertices_follow_the_model() {
    // A third of the width and a bit: the product is cut or rounded.
    let vertex =
        "!!ARBvp1.0\nMOV result.position, vertex.position;\nMUL result.texcoord[0], vertex.texcoord[0], 0.1;\nEND\n";
    let shader = fragment("fragment.texcoord[0]");
    let manifest = "[vertex]\nprogram = \"a.vp\"\n[[vertex.attributes]]\nsemantic = \"vertex.texcoord[0]\"\nvalues = [[0.7, 0.7, 0.7, 0.7]]\n";
    let draw = draw(&shader, vertex, manifest).unwrap_or_else(|p| panic!("{p}"));
    let texture =
        shader.func.iface.attrs.iter().position(|attr| attr.name == "fragment.texcoord[0]").expect("an input");
    let value = |under: &str| {
        let drawn =
            draw.with_vertices(&shader.func.iface, &model(under), Engine::Interp).unwrap_or_else(|p| panic!("{p}"));
        drawn.attributes[texture][0][0]
    };
    let exact = f64::from(0.7f32) * f64::from(0.1f32);
    assert_eq!(f32::from_bits(value("ieee")), exact as f32);
    let below = f32::from_bits(value("ieee[mul.round=rtz]"));
    assert!(f64::from(below) <= exact && exact < f64::from(f32::from_bits(below.to_bits() + 1)), "{below}");
    assert_ne!(value("ieee"), value("ieee[mul.round=rtz]"));
}

#[test]
fn grids_and_triangles_name_vertices() {
    let vertex = "!!ARBvp1.0\nMAD result.position, vertex.position, { 2, -2, 0, 1 }, { -1, 1, 0, 0 };\nMOV result.texcoord[0], vertex.position;\nEND\n";
    let grid = "size = [8, 8]\n[vertex]\nprogram = \"a.vp\"\ngrid = [4, 2]\n";
    let pixels = picture("fragment.texcoord[0]", vertex, grid, "ieee");
    for (at, pixel) in pixels.iter().enumerate() {
        let place = [(at % 8) as f64, (at / 8) as f64].map(|n| (n + 0.5) / 8.0);
        assert_eq!(*pixel, Some([place[0], place[1], 0.0, 1.0]), "{at}");
    }
    // The lower half alone.
    let half = format!("{grid}triangles = [[5, 10, 9], [5, 10, 14], [5, 14, 9]]\n");
    let pixels = picture("fragment.texcoord[0]", vertex, &half, "ieee");
    assert!(pixels[..32].iter().all(Option::is_none) && pixels[32..].iter().any(Option::is_some));
    // Three vertices are one triangle.
    let one = "size = [4, 4]\n[vertex]\nprogram = \"a.vp\"\n[[vertex.attributes]]\nsemantic = \"vertex.position\"\nvalues = [[0, 0], [0, 2], [2, 0]]\n";
    assert!(picture("fragment.texcoord[1]", vertex, one, "ieee").iter().all(Option::is_some));
}

#[test]
fn draws_with_a_vertex_program_have_to_run_it() {
    let shader = fragment("fragment.color");
    let draw = draw(&shader, PASS, RECTANGLE).unwrap_or_else(|p| panic!("{p}"));
    assert_eq!(draw.geometry, Geometry::Triangles(Vec::new()));
    let compiled = compile(&shader, &model("ieee"), Optimise::Yes, Engine::Interp).expect("a valid shader");
    let diags = run_draw(&compiled, &draw, &Workers::serial(), Control::default()).unwrap_err().diags;
    assert_eq!(diags[0].code, "draw-vertex");
}

#[test]
fn what_does_not_fit_is_refused() {
    let code = |vertex: &str, manifest: &str| {
        let shader = fragment("fragment.color");
        let run = |draw: Draw| draw.with_vertices(&shader.func.iface, &model("ieee"), Engine::Interp).map(|_| ());
        match draw(&shader, vertex, manifest).and_then(run) {
            Ok(()) => String::new(),
            Err(problems) => format!("{} {}", problems.diags[0].code, problems.diags[0].message),
        }
    };
    let named = |rest: &str| format!("[vertex]\nprogram = \"a.vp\"\n{rest}");
    for (vertex, manifest, expected) in [
        ("!!ARBfp1.0\nMOV result.color, 1;\nEND\n", named(""), "manifest-vertex a.vp is a fragment program"),
        ("!!ARBvp1.0\nMOV result.position, vertex.positron;\nEND\n", named(""), "nvfp-"),
        (PASS, named("grid = [0, 4]"), "manifest-grid a grid of 0x4 cells"),
        (PASS, named("grid = [4000000000, 4000000000]"), "manifest-grid"),
        (PASS, named("triangles = [[0, 1]]"), "manifest-triangles a triangle has three vertices"),
        (PASS, named("triangles = [[0, 1, 4]]"), "draw-vertices a triangle names vertex 4, but there are 4"),
        (PASS, named("[[vertex.attributes]]\nindex = 0\nvalues = [[0], [1]]"), "manifest-triangles 2 vertices"),
        (PASS, named("size = [4, 4]"), "manifest-key unknown key `size`"),
        (
            PASS,
            format!("[[attributes]]\nindex = 1\ncorners = [[0]]\n{}", named("")),
            "manifest-vertex the vertex program decides",
        ),
        (
            PASS,
            named(
                "[[vertex.attributes]]\nindex = 0\nvalues = [[0], [1], [2]]\n[[vertex.attributes]]\nindex = 3\nvalues = [[0], [1]]",
            ),
            "draw-attribute",
        ),
    ] {
        let found = code(vertex, &manifest);
        assert!(found.starts_with(expected), "{manifest}\n{found}");
    }
    let missing = Manifest::parse("m.toml", "[vertex]\ngrid = [1, 1]").unwrap_err();
    assert_eq!(missing.diags[0].code, "manifest-missing");
    // Nobody gave the bytes, and there is no such file.
    let manifest = Manifest::parse("m.toml", &named("")).expect("a manifest");
    let diags = Draw::new(&fragment("fragment.color").func.iface, &manifest).unwrap_err().diags;
    assert_eq!(diags[0].code, "manifest-vertex");
    // A vertex program has none in front of it.
    let mut manifest = Manifest::parse("m.toml", &named("")).expect("a manifest");
    manifest.give_vertex_program(PASS.as_bytes());
    let diags = Draw::new(&shader("b.vp", PASS).func.iface, &manifest).unwrap_err().diags;
    assert_eq!(diags[0].code, "manifest-vertex");
}

#[test]
fn expectations_look_at_what_is_stored_and_covered() {
    let shader = fragment("fragment.texcoord[0]");
    let text = format!(
        "target = \"unorm8\"\n{RECTANGLE}[[expect]]\npixel = \"all\"\nvalues = [0.25]\nstored = true\ncovered_only = true\nabs = 0.001\n\
         [[expect]]\npixel = \"all\"\nvalues = [7]\ncovered_only = true\n\
         [[expect]]\npixel = [0, 0]\noutput = \"result.color\"\nvalues = [0.25, 0.125, 1, 1]\nstored = true\nabs = 0.002\n\
         [[expect]]\npixel = [3, 0]\nvalues = [0.25]\nstored = true\ncovered_only = true\n"
    );
    let mut manifest = Manifest::parse("m.toml", &text).unwrap_or_else(|p| panic!("{p}"));
    manifest.give_vertex_program(PASS.as_bytes());
    let draw = Draw::new(&shader.func.iface, &manifest).unwrap_or_else(|p| panic!("{p}"));
    let draw = draw.with_vertices(&shader.func.iface, &model("ieee"), Engine::Interp).unwrap_or_else(|p| panic!("{p}"));
    let compiled = compile(&shader, &model("ieee"), Optimise::Yes, Engine::Interp).expect("a valid shader");
    let frame = run_draw(&compiled, &draw, &Workers::serial(), Control::default()).unwrap_or_else(|p| panic!("{p}"));
    let unmet = manifest.unmet(&shader.func.iface, &frame).unwrap_or_else(|p| panic!("{p}"));
    // The first column is right, the second is not; 7 is nowhere; the last pixel is not covered.
    let found: Vec<(usize, &str)> = unmet.iter().map(|unmet| (unmet.number, unmet.diag.message.as_str())).collect();
    assert_eq!(found.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [0, 1], "{found:?}");
    assert!(found[0].1.contains("4 of 8 values"), "{found:?}");
}

#[test]
fn texels_can_be_listed() {
    let shader = shader("t.fp", "!!ARBfp1.0\nTEX result.color, fragment.texcoord[0], texture[0], 2D;\nEND\n");
    let made = |rest: &str| {
        let text = format!("size = [2, 1]\n[[textures]]\nunit = 0\nfilter = \"nearest\"\n{rest}");
        let manifest = Manifest::parse("m.toml", &text)?;
        let draw = Draw::new(&shader.func.iface, &manifest)?;
        let compiled = compile(&shader, &model("ieee"), Optimise::Yes, Engine::Interp)?;
        let frame = run_draw(&compiled, &draw, &Workers::serial(), Control::default())?;
        Ok::<_, Problems>(frame.channel(OutputRole::Color(0), 0).expect("a colour").values())
    };
    assert_eq!(made("size = [2, 1]\ntexels = [[0.1], [3]]").expect("a picture"), [f64::from(0.1f32), 3.0]);
    let bytes = made("size = [2, 1]\nformat = \"rgba8\"\ntexels = [[0.1], [3]]").expect("a picture");
    assert_eq!(bytes, [f64::from((26.0f64 / 255.0) as f32), 1.0]);
    for (rest, code) in [
        ("texels = [[0.1], [3]]", "manifest-missing"),
        ("size = [2, 2]\ntexels = [[0.1], [3]]", "manifest-texture-size"),
        ("size = [2, 1]\nsource = \"noise\"\ntexels = [[0.1], [3]]", "manifest-texture"),
    ] {
        assert_eq!(made(rest).unwrap_err().diags[0].code, code, "{rest}");
    }
}
