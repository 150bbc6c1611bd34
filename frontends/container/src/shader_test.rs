//! Tests of piglit, `.shader_test`: sections with a name in brackets, of which programs are some. What the test draws, sets and
//! looks at is not carried out: `info` shows it.

use crate::foreign::Foreign;
use crate::reader::Names;
use crate::tree::{Content, Node};
use std::ops::Range;

/// Lines of the test that are shown.
const SHOWN: usize = 64;

const VERTEX_PROGRAM: Foreign =
    Foreign { name: "an assembly vertex program of a piglit test", help: "only fragment programs are executed" };
const GLSL: Foreign = Foreign {
    name: "GLSL of a piglit test",
    help: "save the section as a file NAME.frag, NAME.vert or NAME.comp: docs/spirv.md says how it is compiled",
};
const OTHER: Foreign = Foreign {
    name: "a section of a piglit test",
    help: "of these tests fragment programs are read, and GLSL in files",
};

/// Whether a text is a test: its first line that is no comment opens the section of what it requires.
pub(crate) fn is_shader_test(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(16 << 10)];
    let mut lines = head.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    lines.find(|line| !line.is_empty() && !line.starts_with(b"#")).is_some_and(|line| line == b"[require]")
}

pub(crate) fn open(file: &[u8], mut node: Node) -> Node {
    let mut names = Names::of(file);
    let mut members = Vec::new();
    for (name, body) in sections(file, &node.bytes) {
        let (member, foreign) = match name {
            "require" | "vertex data" | "vertex shader passthrough" => continue,
            "test" => {
                let text = std::str::from_utf8(file.get(body).unwrap_or(&[])).unwrap_or("");
                let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
                lines.take(SHOWN).for_each(|line| node.say("test", line));
                continue;
            }
            "fragment program" => ("fragment.fp", None),
            "vertex program" => ("vertex.vp", Some(VERTEX_PROGRAM)),
            "fragment shader" => ("fragment.frag", Some(GLSL)),
            "vertex shader" => ("vertex.vert", Some(GLSL)),
            "compute shader" => ("compute.comp", Some(GLSL)),
            _ => ("section", Some(OTHER)),
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
        let is_name = |name: &&str| name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b' ');
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
