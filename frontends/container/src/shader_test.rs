//! Tests of piglit, `.shader_test`: sections with a name in brackets, of which programs are some. [`expand`] turns what a test of
//! assembly programs draws and looks at into manifests; `info` shows the lines of the others.

use crate::foreign::Foreign;
use crate::piglit_script::manifests;
use crate::reader::Names;
use crate::tree::{Content, Node};
use std::ops::Range;

/// Lines of the test that are shown.
const SHOWN: usize = 64;

const VERTEX_PROGRAM: Foreign = Foreign {
    name: "the vertex program of a piglit test",
    help: "it is drawn with the fragment programs beside it; alone it is read from a file of its own",
};
const GLSL: Foreign = Foreign {
    name: "GLSL of a piglit test",
    help: "save the section as a file NAME.frag, NAME.vert or NAME.comp: docs/spirv.md says how it is compiled",
};
const OTHER: Foreign = Foreign {
    name: "a section of a piglit test",
    help: "of these tests assembly programs are read, and GLSL in files",
};
/// The line behind which [`expand`] writes.
const ADDED: &str = "\n# Added to the test:\n";
/// What stands in front of the name of a manifest that [`expand`] wrote.
const MANIFEST: &str = "manifest ";

/// What the fixed functions do with a colour, where a test has no fragment program.
const PASS_COLOUR: &str = "!!ARBfp1.0\nMOV result.color, fragment.color;\nEND\n";
/// What they do with a vertex, where it has no vertex program.
const PASS_VERTEX: &str = "!!ARBvp1.0\nOPTION ARB_position_invariant;\nMOV result.color, vertex.color;\n";

/// Whether a text is a test: its first line that is no comment opens the section of what it requires.
pub(crate) fn is_shader_test(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(16 << 10)];
    let mut lines = head.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    lines.find(|line| !line.is_empty() && !line.starts_with(b"#")).is_some_and(|line| line == b"[require]")
}

/// The bytes of a test with a section for each draw behind them, a manifest, and with the programs that stand for fixed functions.
/// `None` for other files, and for tests that do what no manifest can say.
pub(crate) fn expand(file: &[u8]) -> Option<Vec<u8>> {
    if !is_shader_test(file) {
        return None;
    }
    let found = sections(file, &(0..file.len()));
    let body = |name: &str| found.iter().find(|(known, _)| *known == name).and_then(|(_, body)| file.get(body.clone()));
    let (vertex, fragment) = (body("vertex program"), body("fragment program"));
    let has_glsl = found.iter().any(|(name, _)| name.ends_with("shader") || *name == "vertex data");
    if has_glsl || (vertex.is_none() && fragment.is_none()) {
        return None;
    }
    let test = std::str::from_utf8(body("test")?).ok()?;
    let manifests = manifests(test).ok().filter(|found| !found.is_empty())?;
    let mut out = [file, ADDED.as_bytes()].concat();
    let mut section = |name: &str, body: &str| out.extend(format!("\n[{name}]\n{body}").bytes());
    if fragment.is_none() {
        section("fragment program", PASS_COLOUR);
    }
    if vertex.is_none() {
        let texture = |n: u32| format!("MOV result.texcoord[{n}], vertex.texcoord[{n}];\n");
        section("vertex program", &format!("{PASS_VERTEX}{}END\n", (0..8).map(texture).collect::<String>()));
    }
    for (n, text) in manifests.iter().enumerate() {
        section(&format!("{MANIFEST}{}", stem(n)), text);
    }
    Some(out)
}

/// The name of the fragment program of a draw, without its extension.
fn stem(draw: usize) -> String {
    if draw == 0 { "fragment".into() } else { format!("fragment-{}", draw + 1) }
}

pub(crate) fn open(file: &[u8], mut node: Node) -> Node {
    let mut names = Names::of(file);
    let mut members = Vec::new();
    let found = sections(file, &node.bytes);
    // What was added is no part of the file.
    if let Some(added) = file.windows(ADDED.len()).rposition(|bytes| bytes == ADDED.as_bytes()) {
        node.bytes.end = node.bytes.end.min(added);
    }
    let draws = found.iter().filter(|(name, _)| name.starts_with(MANIFEST)).count();
    let is_assembly = found.iter().any(|(name, _)| matches!(*name, "fragment program" | "vertex program"));
    for (name, body) in found {
        let (member, foreign) = match name {
            "require" | "vertex data" | "vertex shader passthrough" => continue,
            "test" => {
                let text = std::str::from_utf8(file.get(body).unwrap_or(&[])).unwrap_or("");
                let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
                lines.take(SHOWN).for_each(|line| node.say("test", line));
                if let (true, Err(line)) = (is_assembly && draws == 0, manifests(text)) {
                    node.say("not drawn", format!("a manifest cannot express `{line}`"));
                }
                continue;
            }
            "fragment program" => {
                for draw in 0..draws.max(1) {
                    members.push(Node::plain(names.told_apart(&format!("{}.fp", stem(draw))), body.clone()));
                }
                continue;
            }
            "vertex program" => ("vertex.vp", Some(VERTEX_PROGRAM)),
            "fragment shader" => ("fragment.frag", Some(GLSL)),
            "vertex shader" => ("vertex.vert", Some(GLSL)),
            "compute shader" => ("compute.comp", Some(GLSL)),
            _ => match name.strip_prefix(MANIFEST) {
                Some(stem) => {
                    members.push(Node::plain(format!("{stem}.toml"), body));
                    continue;
                }
                None => ("section", Some(OTHER)),
            },
        };
        let mut member = Node::plain(names.told_apart(member), body);
        if let Some(foreign) = foreign {
            member.content = Content::Foreign(foreign);
        }
        members.push(member);
    }
    node.content = match members.is_empty() {
        true => Content::Foreign(OTHER),
        false => Content::Container { title: "piglit shader test".into(), members },
    };
    node
}

/// The sections by name, each with the bytes behind its line.
fn sections<'a>(file: &'a [u8], bytes: &Range<usize>) -> Vec<(&'a str, Range<usize>)> {
    let mut found: Vec<(&str, Range<usize>)> = Vec::new();
    let mut at = bytes.start;
    for line in file.get(bytes.clone()).unwrap_or(&[]).split_inclusive(|byte| *byte == b'\n') {
        let name = line.trim_ascii().strip_prefix(b"[").and_then(|rest| rest.strip_suffix(b"]"));
        let is_name =
            |name: &&str| name.bytes().all(|byte| byte.is_ascii_lowercase() || b" -0123456789".contains(&byte));
        let name = name.and_then(|name| std::str::from_utf8(name).ok()).filter(is_name);
        if let Some(name) = name {
            if let Some((_, body)) = found.last_mut() {
                body.end = at;
            }
            found.push((name, at + line.len()..bytes.end));
        }
        at += line.len();
    }
    found
}
