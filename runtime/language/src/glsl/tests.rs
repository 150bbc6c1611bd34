use super::*;
use parallax_text::Diag;

fn raised(text: &str) -> Prepared {
    let prepared = prepare(text, None).expect("a shader");
    lines_stay(text, &prepared.text);
    prepared
}

/// Checks that every line of the source is where `#line` says it is.
#[track_caller]
fn lines_stay(before: &str, after: &str) {
    let mut found: Vec<(usize, &str)> = Vec::new();
    let mut number = 1;
    for line in after.lines() {
        match line.strip_prefix("#line ") {
            Some(said) => number = said.parse().expect("a number"),
            None => {
                found.push((number, line));
                number += 1;
            }
        }
    }
    // Words in comments are left alone.
    for (index, line) in before.lines().enumerate() {
        let Some((_, comment)) = line.split_once("//") else { continue };
        let is_there = found.iter().any(|(number, text)| *number == index + 1 && text.ends_with(comment));
        assert!(is_there, "line {}: {comment}\n{after}", index + 1);
    }
}

#[test]
fn webgl_becomes_es_310_with_its_precision() {
    let text = "precision mediump float; // 1\nvarying vec2 uv, st; // 2\nuniform float time; // 3\n\
        uniform sampler2D tex; // 4\nvoid main() { // 5\n  gl_FragColor = texture2D(tex, uv) * time; // 6\n}\n";
    let found = raised(text);
    assert_eq!(
        found.text,
        "#version 310 es\n#line 1\nlayout(location = 0) out mediump vec4 FragColor; \n#line 1\n\
         precision mediump float; // 1\nlayout(location = 0) in vec2 uv; layout(location = 1) in vec2  st; // 2\n \
         layout(set = 0, binding = 0) uniform uniform_time { float time; }; // 3\n \
         layout(set = 0, binding = 1) uniform sampler2D tex;  // 4\nvoid main() { // 5\n  \
         FragColor = texture(tex, uv) * time; // 6\n}\n"
    );
    assert_eq!((found.stage, found.entry.as_str(), found.is_shadertoy), (Stage::Fragment, "main", false));
}

#[test]
fn nothing_stands_in_front_of_the_version_and_what_is_built_in() {
    let found = raised("out vec4 o;\nvoid main() { o = vec4(1); } // 2\n").text;
    assert!(found.starts_with("#version 450\n#line 1\nlayout(location = 0) out vec4 o;\n"), "{found}");
    // What is declared for the text, in front of the declaration that begins there.
    let found =
        raised("#version 120\nvarying vec2 uv; // 2\nvoid main() { gl_FragColor = vec4(uv, 0, 1); } // 3\n").text;
    let start = "#version 450\n#line 1\n\nlayout(location = 0) out vec4 FragColor; \n#line 2\nlayout(location = 0) in vec2 uv; // 2\n";
    assert!(found.starts_with(start), "{found}");
}

#[test]
fn desktop_versions_become_450() {
    let text = "// a licence\n#version 120 // 2\n#extension GL_ARB_texture_rectangle : enable\nattribute vec4 position; // 4\n\
        varying mat3 turn; // 5\nvarying float after; // 6\nuniform mat4 view; // 7\nvoid main() { gl_Position = view * position; }";
    let found = raised(text);
    assert_eq!(found.stage, Stage::Vertex);
    for part in [
        "#version 450\n#line 1\n// a licence\n // 2\n\nlayout(location = 0) in vec4 position; // 4",
        "layout(location = 0) out mat3 turn;",
        "layout(location = 3) out float after;",
        "uniform uniform_view { mat4 view; };",
    ] {
        assert!(found.text.contains(part), "{part}\n{}", found.text);
    }
}

#[test]
fn what_has_numbers_keeps_them() {
    let text = "#version 450\nlayout(location = 0) in vec2 uv;\nin vec3 n;\nlayout(binding = 1) uniform sampler2D t;\n\
        layout(std140) uniform Block { vec4 a; };\nlayout(push_constant) uniform Push { vec4 b; };\nuniform sampler2D u, v;\n\
        layout(location = 0) out vec4 c;\nvoid main() { c = a; }\n";
    let found = raised(text).text;
    for part in [
        "layout(location = 0) in vec2 uv;\nlayout(location = 1) in vec3 n;\nlayout(binding = 1) uniform sampler2D t;",
        "layout(std140) layout(set = 0, binding = 0) uniform Block",
        "layout(push_constant) uniform Push",
        " layout(set = 0, binding = 2) uniform sampler2D u;  layout(set = 0, binding = 3) uniform sampler2D v;",
    ] {
        assert!(found.contains(part), "{part}\n{found}");
    }
    assert!(found.starts_with("#version 450\n#line 1\n\nlayout"), "{found}");
}

#[test]
fn initial_values_are_defaults() {
    let text = "#version 330\nuniform float a = -1.5, b[2] = float[2](1.0, 2.0);\nuniform vec3 c = vec3(1, 2., 0.5f);\n\
        uniform vec2 d = vec2(3.0);\nuniform int e = 7;\nout vec4 o;\nvoid main() { o = vec4(a); }\n";
    let found = raised(text);
    let floats = |values: [f32; 4]| values.map(f32::to_bits);
    let want = [
        ("a", floats([-1.5, 0.0, 0.0, 0.0])),
        ("c", floats([1.0, 2.0, 0.5, 0.0])),
        ("d", floats([3.0, 3.0, 0.0, 0.0])),
        ("e", [7, 0, 0, 0]),
    ];
    assert_eq!(found.defaults, want.map(|(name, words)| (name.to_string(), words)));
    let [Diag { code: "language-initial", span: Some(span), .. }] = &found.warnings[..] else {
        panic!("{:?}", found.warnings)
    };
    assert_eq!(&text[span.start as usize..span.end as usize], "b");
    assert!(found.text.contains("uniform uniform_a { float a  ; }; "), "{}", found.text);
}

#[test]
fn structures_of_uniforms_are_defined_first() {
    let text = "precision highp float;\nuniform struct Light {\n  vec3 at;\n} sun, moon;\nuniform struct { float x; } it;\n\
        void main() { gl_FragColor = vec4(sun.at, moon.at.x + it.x); }\n";
    let found = raised(text).text;
    for part in [
        " struct Light {\n  vec3 at;\n};  layout(set = 0, binding = 0) uniform uniform_sun { Light sun; };",
        "uniform uniform_moon { Light moon; };",
        "struct  it_type { float x; };  layout(set = 0, binding = 2) uniform uniform_it { it_type it; };",
    ] {
        assert!(found.contains(part), "{part}\n{found}");
    }
}

#[test]
fn names_that_became_words_of_the_language_are_changed() {
    let text = "#version 100\nprecision mediump float;\nuniform sampler2D texture;\nfloat round(float x) { return floor(x + 0.5); }\n\
        #define LOOK(p) texture2D(texture, p)\nvoid main() { vec4 sample = LOOK(vec2(round(0.3))); gl_FragColor = sample; }\n";
    let found = raised(text).text;
    for part in [
        "uniform sampler2D texture_;",
        "float round_(float x)",
        "#define LOOK(p) texture(texture_, p)",
        "vec4 sample_ = LOOK(vec2(round_(0.3))); FragColor = sample_;",
    ] {
        assert!(found.contains(part), "{part}\n{found}");
    }
}

#[test]
fn outputs_of_macros_are_declared() {
    let text = "precision mediump float;\n#define OUT gl_FragData[1]\n#define ALSO gl_FragColor\nvoid main() { OUT = vec4(0.0); }\n";
    let found = raised(text).text;
    assert!(found.contains("out mediump vec4 FragColor;") && found.contains("FragData[2];"), "{found}");
    assert!(found.contains("#define OUT FragData[1]\n"), "{found}");
}

#[test]
fn the_preamble_stands_behind_directives_that_must_be_first() {
    let text = "#version 100\n#ifdef GL_ES\n#extension GL_OES_other : enable\n#endif\n#ifdef GL_ES // 5\nprecision mediump float; // 6\n\
        #endif // 7\nvoid main() { gl_FragData[1] = vec4(0.0); } // 8\n";
    let found = raised(text).text;
    let part = "#endif\nlayout(location = 0) out mediump vec4 FragData[2]; \n#line 5\n#ifdef GL_ES // 5\n";
    assert!(found.contains(part), "{found}");
    let text = "// 1\nvoid main() { gl_FragColor = vec4(1.0); } // 2";
    assert!(
        raised(text)
            .text
            .starts_with("#version 450\n#line 1\nlayout(location = 0) out vec4 FragColor; \n#line 1\n// 1\n")
    );
}

#[test]
fn stages_are_said_or_seen() {
    let stage = |text: &str, named| prepare(text, named).map(|p| p.stage).ok();
    assert_eq!(stage("#pragma shader_stage(vertex)\nvoid main() {}", Some(Stage::Fragment)), Some(Stage::Vertex));
    assert_eq!(stage("void main() { gl_Position = vec4(0); }", None), Some(Stage::Vertex));
    assert_eq!(stage("layout(local_size_x = 8) in;\nvoid main() {}", None), Some(Stage::Compute));
    assert_eq!(stage("void main() {}", Some(Stage::Compute)), Some(Stage::Compute));
    assert_eq!(stage("float f(float x) { return x; }", None), None);
}

#[test]
fn scenes_of_shadertoy_are_wrapped() {
    let text = "// a scene\n#define T iTime\nvoid mainImage( out vec4 fragColor, in vec2 fragCoord ) // 3\n{ // 4\n\
        fragColor = texture(iChannel1, fragCoord / iResolution.xy) * sin(T) * iChannelTime[2]; // 5\n}";
    let found = raised(text);
    assert!(found.is_shadertoy && found.stage == Stage::Fragment);
    for part in [
        "#version 310 es\n#line 1\nprecision highp float;",
        "uniform uniform_iResolution { vec3 iResolution; };",
        "uniform uniform_iTime { float iTime; };",
        "uniform uniform_iChannelTime { float iChannelTime[4]; };",
        "uniform sampler2D iChannel1;",
        "\n#line 1\n// a scene\n",
        "\nvoid main() {",
    ] {
        assert!(found.text.contains(part), "{part}\n{}", found.text);
    }
    assert!(!found.text.contains("iChannel0") && !found.text.contains("iMouse"), "{}", found.text);
    let names: Vec<&str> = found.defaults.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names[..2], ["iResolution", "iTime"]);
    assert_eq!(found.defaults[1].1[0], 10f32.to_bits());
    // With a `main` of its own it is a shader like any other.
    assert!(!raised(&format!("{text}\nvoid main() {{}}")).is_shadertoy);
}

#[test]
fn no_text_makes_it_stumble() {
    let text = "#version 100\nprecision mediump float;\nuniform struct { float x[3]; } it[2], b;\nvarying vec2 uv[2], q;\n\
        layout(location = 1) uniform vec3 c = vec3(1.0, 2.0, 3.0), d;\n#extension all : warn\nvoid main() { gl_FragData[0] = it[0].x; }";
    for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)) {
        let _ = prepare(&format!("{} main", &text[..end]), None);
        let _ = prepare(&format!("main {}", &text[end..]), Some(Stage::Vertex));
    }
}
