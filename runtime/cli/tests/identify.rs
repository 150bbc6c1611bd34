//! What `identify` finds, prints and refuses.

use crate::support;

use support::Place;

fn corpus(name: &str) -> &'static [u8] {
    parallax_corpus::get(name).expect("a shader").bytes
}

/// A program with its manifest, and a capture of it.
fn captured(model: &str, more: &[&str]) -> Place {
    let place = Place::new();
    for ending in ["attila", "toml"] {
        place.put(&format!("voronoi.{ending}"), corpus(&format!("attila/voronoi.{ending}")));
    }
    let args = ["run", "voronoi.attila", "--model", model, "--size", "48x36"];
    place.run(&[&args[..], more].concat()).exits(0);
    place
}

const IDENTIFY: [&str; 4] = ["identify", "voronoi.attila", "--capture", "shot.png"];

#[test]
fn the_model_is_named_and_what_decides() {
    let place = captured("maxwell", &["-o", "shot.png"]);
    place
        .run(&IDENTIFY)
        .exits(0)
        .prints("shot.png: maxwell")
        .prints("(unorm8): all pixels equal")
        .prints("told apart by line ");
    let lines = place.run(&[&IDENTIFY[..], &["--json"]].concat()).exits(0).lines();
    let first = &lines[0];
    assert!(first["models"].as_array().unwrap().iter().any(|name| name == "maxwell"), "{first}");
    assert_eq!((&first["rank"], &first["equal"], &first["pixels"]), (&1.into(), &1728.into(), &1728.into()));
    assert_eq!((&first["flip"], &first["unlike"]), (&"none".into(), &serde_json::Value::Null));
    assert!(first["decides"]["field"].is_string() && lines[1]["rank"] == 2 && lines[1]["decides"].is_null(), "{first}");
    // Of one model alone nothing decides.
    place
        .run(
            &[&IDENTIFY[..], &["--models", "maxwell", "--flip", "none", "--target", "unorm8", "--no-drivers"]].concat(),
        )
        .exits(0)
        .prints("all models draw this picture");
    place
        .run(&[&IDENTIFY[..], &["--models", "maxwell", "--flip", "vertical"]].concat())
        .exits(1)
        .prints("no model explains it");
}

/// Grey pixels as an array of bytes.
fn array(width: usize, height: usize, components: usize, kind: &str, data: &[u8]) -> Vec<u8> {
    let header =
        format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({height}, {width}, {components}), }}\n");
    [b"\x93NUMPY\x01\x00", &(header.len() as u16).to_le_bytes()[..], header.as_bytes(), data].concat()
}

#[test]
fn captures_are_cut_reduced_and_masked() {
    // Red is the column over 16, green the row over 8: exact in bytes of 1/255 only by rounding.
    let place = Place::new();
    place.put("uv.fp", "!!FP1.0\nMOVR o[COLR], f[TEX0];\nEND\n");
    let byte = |v: f64| (v * 255.0).round_ties_even() as u8;
    let pixel = |x: usize, y: usize| [byte((x as f64 + 0.5) / 16.0), byte((y as f64 + 0.5) / 8.0), 0];
    // Twice as large, upside down, with a frame of three pixels around it and a stain.
    let (width, height) = (16 * 2 + 6, 8 * 2 + 6);
    let mut data = vec![77u8; width * height * 3];
    let mut mask = vec![255u8; width * height];
    for y in 0..16 {
        for x in 0..32 {
            let at = (y + 3) * width + x + 3;
            data[at * 3..at * 3 + 3].copy_from_slice(&pixel(x / 2, 7 - y / 2));
            if (8..12).contains(&x) && y < 4 {
                data[at * 3] = 255;
                mask[at] = 0;
            }
        }
    }
    place.put("shot.npy", array(width, height, 3, "|u1", &data));
    place.put("mask.npy", array(width, height, 1, "|u1", &mask));
    let args =
        ["identify", "uv.fp", "--capture", "shot.npy", "--models", "ieee", "--crop", "3,3,32x16", "--scale", "2"];
    let with = |more: &[&str]| place.run(&[&args[..], more].concat());
    with(&[])
        .exits(1)
        .prints("no model explains it")
        .prints("4 pixels are further away, in columns 4 to 5 and rows 6 to 7 of the draw");
    with(&["--mask", "mask.npy"]).exits(0).prints("flip vertical): all pixels equal");
    let lines = with(&["--mask", "mask.npy", "--json"]).exits(0).lines();
    assert_eq!((&lines[0]["pixels"], &lines[0]["flip"]), (&124.into(), &"vertical".into()));
    // One step off everywhere is within one step, and equal with a tolerance.
    let off: Vec<u8> = data.iter().map(|v| v.saturating_add(1)).collect();
    place.put("shot.npy", array(width, height, 3, "|u1", &off));
    with(&["--mask", "mask.npy"]).exits(0).prints("0 % of pixels equal, the rest within 1/255");
    with(&["--mask", "mask.npy", "--tolerance", "1"]).exits(0).prints("all pixels equal");
}

/// What is around the shader may be all that differs.
#[test]
fn fixed_functions_are_told_apart() {
    let place = Place::new();
    place.put("uv.fp", "!!FP1.0\nMOVR o[COLR], f[TEX0];\nEND\n");
    place
        .run(&["run", "uv.fp", "--model", "nv40", "--target", "unorm8", "--size", "100x60", "-o", "shot.png"])
        .exits(0);
    place
        .run(&["identify", "uv.fp", "--capture", "shot.png", "--models", "nv40,nvfp", "--target", "unorm8"])
        .exits(0)
        .prints("shot.png: nv40 (unorm8): all pixels equal")
        .prints("told apart by target_unorm = cut-12 instead of nearest, around the shader");
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let place = captured("ieee", &["-o", "shot.png"]);
    place.put("shot.gif", "GIF89a").put("v.spvasm", corpus("spirv/globe_vertex.spvasm"));
    place.put("small.npy", array(2, 2, 1, "|u1", &[0; 4]));
    let with = |more: &[&str]| place.run(&[&IDENTIFY[..], more].concat());
    for (more, said) in [
        (&["--crop", "1,2"][..], "--crop 1,2: expected X,Y,WIDTHxHEIGHT"),
        (&["--crop", "40,0,16x16"], "40,0,16x16 is not inside of 48x36 pixels"),
        (&["--scale", "5"], "48x36 pixels cannot be divided into blocks of 5x5"),
        (&["--scale", "0"], "blocks of 0x0"),
        (&["--tolerance", "nan"], "--tolerance NaN: expected steps of 1/255 from 0"),
        (&["--mask", "small.npy"], "--mask small.npy: is 2x2, the capture is 48x36"),
        (&["--mask", "none.png"], "--mask none.png: cannot be read"),
        (&["--models", "nv41"], "nv41"),
    ] {
        with(more).exits(2).says(said);
    }
    place
        .run(&["identify", "voronoi.attila", "--capture", "shot.gif"])
        .exits(2)
        .says("--capture shot.gif: is no PNG and no .npy");
    place.run(&["identify", "v.spvasm", "--capture", "shot.png"]).exits(3).says("captures are pictures");
    place.put("black.npy", array(48, 36, 1, "|u1", &[0; 48 * 36]));
    with(&["--mask", "black.npy"]).exits(2).says("no pixel that counts is drawn");
}

/// A model whose vertices miss the picture draws nothing, and that is no likeness.
#[test]
fn what_draws_nothing_is_not_alike() {
    let place = Place::new();
    for name in ["faraway.spa5", "faraway.toml", "faraway_vertex.spa5"] {
        place.put(name, corpus(&format!("spa5/{name}")));
    }
    place.run(&["run", "faraway.spa5", "--model", "vc4", "--size", "48x48", "-o", "shot.png"]).exits(0);
    let args = ["identify", "faraway.spa5", "--capture", "shot.png", "--models", "vc4,ati-r300,ieee"];
    place
        .run(&args)
        .exits(0)
        .prints("shot.png: vc4")
        .prints("told apart by the vertex program")
        .prints("are not drawn");
    let lines = place.run(&[&args[..], &["--json", "--flip", "none", "--no-drivers"]].concat()).exits(0).lines();
    let last = lines.last().unwrap();
    assert!(last["models"].as_array().unwrap().iter().any(|name| name == "ati-r300"), "{last}");
}

/// A capture beside the models: counted, shown, and traced to the rule of the model that is closest to it.
#[test]
fn captures_are_columns_of_a_comparison() {
    let place = captured("maxwell", &["-o", "shot.png"]);
    let compare = ["compare", "voronoi.attila", "--models", "ieee,maxwell,vc4", "--capture", "console=shot.png"];
    let told = place.run(&[&compare[..], &["--out", "report", "--verbose"]].concat());
    told.exits(0).prints("console: closest is maxwell: the same picture");
    let lines = place.run(&[&compare[..], &["--no-report", "--format", "jsonl"]].concat()).exits(0).lines();
    let of = |model: &str| lines.iter().find(|line| line["model"] == model).expect(model);
    assert_eq!(lines.len(), 4);
    for figure in ["pixels", "pixels8_changed", "max8", "baseline_pixels8", "result", "target", "width"] {
        assert_eq!(of("console")[figure], of("maxwell")[figure], "{figure}");
    }
    assert_eq!((&of("console")["target"], &of("console")["width"]), (&"unorm8".into(), &48.into()));
    assert!(of("console")["baseline_pixels8"] != of("vc4")["baseline_pixels8"]);
    let table = place.run(&[&compare[..], &["--no-report", "--format", "csv"]].concat());
    assert_eq!(table.exits(0).text().lines().filter(|line| line.contains(",console,")).count(), 1);
    let page = String::from_utf8(place.get("report/index.html")).expect("text");
    assert!(page.contains("data-models=\"maxwell console\""), "the page has the column");
    // Where the capture differs most, the row names the closest model and what that does, or says that none is closer.
    place.run(&["run", "voronoi.attila", "--model", "vc4", "--target", "unorm8", "--size", "48x36", "-o", "vc4.png"]);
    let caused = |models: &str| {
        let args = ["compare", "voronoi.attila", "--models", models, "--capture", "console=vc4.png", "--out", "caused"];
        place.run(&args).exits(0);
        let page = String::from_utf8(place.get("caused/index.html")).expect("text");
        let most = page.split("<p id=\"most\">").nth(1).and_then(|text| text.split("</p>").next()).expect("a sentence");
        most.split_once("; ").expect("a cause").1.to_string()
    };
    assert_eq!(caused("ieee"), "no model comes closer to it than ieee.");
    assert_eq!(caused("ieee,vc4[add.round=rne]"), "closest is vc4[add.round=rne]: line 21, sin r5.x, r4.z.");
    // Of another picture the closest model is still named.
    place.put("other.npy", array(48, 36, 1, "|u1", &[9; 48 * 36])).put("small.npy", array(2, 2, 1, "|u1", &[0; 4]));
    let other = ["compare", "voronoi.attila", "--models", "ieee,vc4", "--no-report", "--capture", "grey=other.npy"];
    place.run(&other).exits(0).prints("grey: closest is ").prints(" of pixels differ, by up to ");
    let with =
        |more: &[&str]| place.run(&[&["compare", "voronoi.attila", "--models", "ieee", "--no-report"], more].concat());
    for (more, said) in [
        (&["--capture", "shot.png"][..], "--capture shot.png: expected NAME=FILE"),
        (&["--capture", "ieee=shot.png"], "`ieee` is the name of another column"),
        (&["--capture", "a=none.png"], "cannot be read"),
        (&["--capture", "a=shot.png", "--capture", "b=small.npy"], "is of another size than the first capture"),
        (&["--capture", "a=shot.png", "voronoi.attila"], "a picture is of one program, and 2 are compared"),
        (&["--capture", "a=shot.png", "--size", "16x16"], "the capture has 48x36 pixels, the draw 16x16"),
        (&["--capture", "a=shot.png", "--target", "rgb10_a2"], "captures are compared in unorm8, fp16 or fp32"),
    ] {
        let run = with(more);
        // What is wrong with the draw is said with the program.
        assert!(run.exits(2).err.contains(said) || run.text().contains(said), "{said}: {run:?}");
    }
}
