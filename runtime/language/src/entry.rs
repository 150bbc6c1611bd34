//! Which language a text is in, and where HLSL and Slang begin.

use crate::tokens::Tokens;
use crate::{Language, Prepared, Stage};
use parallax_text::{Diag, Span};

/// The language that a text seems to be in.
pub(crate) fn language(text: &str) -> Option<Language> {
    let tokens = Tokens::of(text);
    let has = |words: &[&str]| words.iter().any(|word| tokens.has(word));
    let is_version = |index: usize| tokens.directive(index).is_some_and(|(name, _)| name == "version");
    let attribute = |words: &[&str]| {
        (1..tokens.list.len()).any(|index| tokens.at(index - 1) == "@" && words.contains(&tokens.at(index)))
    };
    if !has(&["main", "mainImage", "fn"]) && !is_direct3d(&tokens) {
        None
    } else if (0..tokens.list.len()).any(is_version)
        || has(&["gl_FragColor", "gl_FragData", "gl_Position", "gl_FragCoord", "mainImage"])
    {
        Some(Language::Glsl)
    } else if has(&["fn"]) && attribute(&["fragment", "vertex", "compute"]) {
        Some(Language::Wgsl)
    } else if is_direct3d(&tokens) {
        Some(Language::Hlsl)
    } else {
        None
    }
}

/// Whether a text has semantics of Direct3D, or the size of a workgroup as HLSL gives it.
fn is_direct3d(tokens: &Tokens<'_>) -> bool {
    (1..tokens.list.len()).any(|index| match tokens.at(index - 1) {
        ":" => is_semantic(tokens, index),
        "[" => tokens.at(index) == "numthreads",
        _ => false,
    })
}

/// Whether the word behind a colon is a semantic: in a declaration, not in a choice or a label.
fn is_semantic(tokens: &Tokens<'_>, index: usize) -> bool {
    let word = tokens.at(index).to_ascii_lowercase();
    let is_color = || word.strip_prefix("color").is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()));
    if !word.starts_with("sv_") && !is_color() || !matches!(tokens.at(index + 1), ";" | "," | ")" | "{" | "=") {
        return false;
    }
    let before = (0..index).rev().map(|at| tokens.at(at)).take_while(|word| !matches!(*word, ";" | "{" | "}"));
    before.into_iter().all(|word| !matches!(word, "?" | "case" | "default"))
}

/// A function that is defined.
struct Function {
    name: usize,
    stage: Option<Stage>,
}

/// Functions outside of others, with the stage that attributes and semantics give them.
fn functions(tokens: &Tokens<'_>) -> Vec<Function> {
    let mut out = Vec::new();
    let (mut at, mut stage) = (0, None);
    while at < tokens.list.len() {
        match tokens.at(at) {
            "[" => {
                let close = tokens.closing(at);
                match tokens.at(at + 1) {
                    "numthreads" => stage = Some(Stage::Compute),
                    "shader" => {
                        let word = (at + 2..close).map(|index| tokens.at(index));
                        stage = stage.or(word.into_iter().find_map(|word| match word {
                            "vertex" => Some(Stage::Vertex),
                            "fragment" | "pixel" => Some(Stage::Fragment),
                            "compute" => Some(Stage::Compute),
                            _ => None,
                        }));
                    }
                    _ => {}
                }
                at = close;
            }
            "(" if at > 0 && tokens.is_word(at - 1) => {
                let (name, close) = (at - 1, tokens.closing(at));
                at = close;
                let (mut brace, mut said) = (close + 1, None);
                if tokens.at(brace) == ":" {
                    said = match tokens.at(brace + 1).to_ascii_lowercase().as_str() {
                        word if word.starts_with("sv_target") || word.starts_with("color") || word == "sv_depth" => {
                            Some(Stage::Fragment)
                        }
                        word if word.starts_with("sv_position") || word == "position" => Some(Stage::Vertex),
                        _ => None,
                    };
                    brace += 2;
                }
                if tokens.at(brace) == "{" {
                    out.push(Function { name, stage: stage.take().or(said) });
                    at = tokens.closing(brace);
                }
            }
            "{" => at = tokens.closing(at),
            ";" => stage = None,
            _ => {}
        }
        at += 1;
    }
    out
}

/// Finds the entry point: a function whose attribute or semantic says so, else `main`, `PSMain` and the like.
pub(crate) fn prepare(text: &str, named: Option<Stage>) -> Result<Prepared, Box<Diag>> {
    let tokens = Tokens::of(text);
    let all = functions(&tokens);
    let usual = |stage: Stage| -> &[&str] {
        match stage {
            Stage::Fragment => &["main", "PSMain", "psmain", "ps_main", "fragmentMain", "fragMain", "frag", "PS"],
            Stage::Vertex => &["main", "VSMain", "vsmain", "vs_main", "vertexMain", "vertMain", "vert", "VS"],
            Stage::Compute => &["main", "CSMain", "csmain", "cs_main", "computeMain", "CS"],
        }
    };
    let stages = named.map_or(vec![Stage::Fragment, Stage::Vertex, Stage::Compute], |stage| vec![stage]);
    let marked = stages.iter().find_map(|stage| Some((all.iter().find(|f| f.stage == Some(*stage))?, *stage)));
    let by_name = || {
        stages.iter().find_map(|stage| {
            let is_usual = |f: &&Function| f.stage.is_none() && usual(*stage).contains(&tokens.at(f.name));
            Some((all.iter().find(is_usual)?, *stage))
        })
    };
    let Some((function, stage)) = marked.or_else(by_name) else {
        let diag = Diag::invalid("language-entry", Span::new(0, 0), "no function of this source is an entry point");
        let help = "mark one with `[shader(\"pixel\")]`, with `: SV_Target` behind its parameters, or call it `main`";
        return Err(Box::new(Diag { span: None, ..diag.with_help(help) }));
    };
    Ok(Prepared {
        text: text.to_string(),
        stage,
        entry: tokens.at(function.name).to_string(),
        is_shadertoy: false,
        defaults: Vec::new(),
        warnings: Vec::new(),
    })
}

/// Finds the entry point of WGSL: the first fragment shader, else the first of the others.
pub(crate) fn prepare_wgsl(text: &str) -> Result<Prepared, Box<Diag>> {
    let tokens = Tokens::of(text);
    let marked = |word: &str| {
        let mark = (1..tokens.list.len()).find(|&at| tokens.at(at - 1) == "@" && tokens.at(at) == word)?;
        let function = (mark..tokens.list.len()).find(|&at| tokens.at(at) == "fn")?;
        Some(tokens.at(function + 1).to_string())
    };
    let found = [Stage::Fragment, Stage::Vertex, Stage::Compute]
        .into_iter()
        .find_map(|stage| Some((marked(stage.name())?, stage)));
    let Some((entry, stage)) = found else {
        let diag = Diag::invalid("language-entry", Span::new(0, 0), "no function of this WGSL is an entry point");
        let help = "mark one with `@fragment`, `@vertex` or `@compute`";
        return Err(Box::new(Diag { span: None, ..diag.with_help(help) }));
    };
    Ok(Prepared {
        text: text.to_string(),
        stage,
        entry,
        is_shadertoy: false,
        defaults: Vec::new(),
        warnings: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entry_points_are_found() {
        let entry = |text: &str| prepare(text, None).map(|p| (p.entry, p.stage)).ok();
        let found = |name: &str, stage| Some((name.to_string(), stage));
        let pixel = "float4 f(float x) { return x; }\nfloat4 shade(float2 uv : TEXCOORD0) : SV_Target { return f(1); }";
        assert_eq!(entry(pixel), found("shade", Stage::Fragment));
        let both = "[shader(\"vertex\")]\nO vs() { return o; }\n[shader(\"fragment\")] float4 fs() { return 1; }";
        assert_eq!(entry(both), found("fs", Stage::Fragment));
        assert_eq!(entry("[numthreads(8, 8, 1)]\nvoid run() {}"), found("run", Stage::Compute));
        assert_eq!(
            entry("struct O { float4 c : SV_Target; };\nO PSMain() { O o; return o; }"),
            found("PSMain", Stage::Fragment)
        );
        assert_eq!(entry("float4 helper() { return 1; }"), None);
    }

    #[test]
    fn fragments_of_wgsl_come_first() {
        let entry = |text: &str| prepare_wgsl(text).map(|p| (p.entry, p.stage)).ok();
        let text = "@vertex\nfn vs() -> X { }\n@fragment fn fs(@location(0) a: f32) -> @location(0) vec4f { }";
        assert_eq!(entry(text), Some(("fs".into(), Stage::Fragment)));
        assert_eq!(entry("@compute @workgroup_size(1)\nfn run() {}"), Some(("run".into(), Stage::Compute)));
        assert_eq!(entry("fn f() {}"), None);
    }

    #[test]
    fn stages_in_names_are_no_language() {
        let hlsl = "float4 main() : SV_Target { return 1; }";
        for (name, text, language) in [
            ("a.frag", hlsl, Some(Language::Hlsl)),
            ("a/b.VERT", "struct O { float4 p : SV_Position; };\nO main() { O o; return o; }", Some(Language::Hlsl)),
            ("a.comp", "[numthreads(8, 1, 1)]\nvoid main() {}", Some(Language::Hlsl)),
            ("a.frag", "void main() { color = vec4(1); }", Some(Language::Glsl)),
            ("a.frag", "vec4 f();", Some(Language::Glsl)),
            ("a.glsl", hlsl, Some(Language::Glsl)),
            // A choice and labels are no semantics.
            ("a.frag", "out vec4 o; void main() { o = lit ? base : color; }", Some(Language::Glsl)),
            ("a.frag", "void main() { switch (n) { case 1: color = a; default: color = b; } }", Some(Language::Glsl)),
            ("a.txt", hlsl, None),
        ] {
            assert_eq!(Language::of_file(name, text), language, "{name}: {text}");
        }
    }

    #[test]
    fn languages_are_told_apart() {
        assert_eq!(language("#version 330\nvoid main() {}"), Some(Language::Glsl));
        assert_eq!(language("void mainImage(out vec4 c, in vec2 p) {}"), Some(Language::Glsl));
        assert_eq!(language("@fragment fn f() -> @location(0) vec4f { return vec4f(1); }"), Some(Language::Wgsl));
        assert_eq!(language("float4 f() : SV_Target { return 1; }"), Some(Language::Hlsl));
        assert_eq!(language("[numthreads(8, 8, 1)] void run() {}"), Some(Language::Hlsl));
        assert_eq!(
            language("struct O { float4 p : SV_POSITION; };\nO main() { O o; return o; }"),
            Some(Language::Hlsl)
        );
        assert_eq!(language("int main() { return 0; }"), None);
        assert_eq!(language("!!ARBfp1.0\nEND"), None);
    }
}
