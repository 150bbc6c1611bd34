//! What lies in a container, for `parallax info`.

use crate::draw::{Origin, draw_all};
use crate::input::Input;
use crate::load::diag_json;
use crate::term::{Paint, Term};
use parallax::{Content, File, Node, Status};
use parallax_text::{LineMap, clean};
use serde_json::{Value, json};

/// Whether a file is a container, or a program that says things about itself.
pub(super) fn is_one(file: &File) -> bool {
    !matches!(file.root().content, Content::Plain | Content::Foreign(_))
}

/// What the problems of the containers amount to.
pub(super) fn status(file: &File) -> Status {
    fn collect(node: &Node, out: &mut Vec<parallax_text::Diag>) {
        out.extend(node.diags.iter().cloned());
        node.members().iter().for_each(|member| collect(member, out));
    }
    let mut all = Vec::new();
    collect(file.root(), &mut all);
    Status::of(&all)
}

/// Whether the only input stands for a container with nothing to read: its tree says why.
pub(super) fn is_refused(inputs: &[Input]) -> bool {
    let [input] = inputs else { return false };
    input.source.as_ref().is_ok_and(|source| source.diags().iter().any(parallax_text::Diag::is_error))
}

fn title(node: &Node) -> &str {
    match &node.content {
        Content::Plain => "program or data",
        Content::Container { title, .. } => title,
        Content::Program(program) => program.title,
        Content::Foreign(foreign) => foreign.name,
        Content::Broken => "damaged",
    }
}

/// The tree: a line for everything, indented by what holds it, facts behind a bar, problems drawn below.
pub(super) fn human(file: &File, term: &Term) -> String {
    let mut out = String::new();
    line(file, file.root(), &file.name, "", term, &mut out);
    out
}

fn line(file: &File, node: &Node, name: &str, indent: &str, term: &Term, out: &mut String) {
    let place = match indent {
        "" => format!("{} bytes", node.bytes.len()),
        _ => format!("{} bytes at byte {}", node.bytes.len(), node.bytes.start),
    };
    out.push_str(&format!("{indent}{}: {}, {place}\n", term.paint(Paint::Bold, &clean(name)), title(node)));
    let indent = format!("{indent}  ");
    for fact in file.facts(node) {
        out.push_str(&format!("{indent}{} {}\n", term.paint(Paint::Dim, fact.name), clean(&fact.value)));
    }
    if !node.diags.is_empty() {
        for problem in draw_all(&node.diags, &Origin::binary(name), term.colour_out).lines() {
            out.push_str(&format!("{indent}{problem}\n"));
        }
    }
    for member in node.members() {
        line(file, member, &member.name, &indent, term, out);
    }
}

/// The tree as JSON.
pub(super) fn value(file: &File) -> Value {
    let mut value = json!({ "file": file.name });
    merge(&mut value, node(file, file.root()));
    merge(&mut value, json!({ "status": status(file).name() }));
    value
}

fn merge(value: &mut Value, with: Value) {
    if let (Some(object), Value::Object(with)) = (value.as_object_mut(), with) {
        object.extend(with);
    }
}

fn node(file: &File, node: &Node) -> Value {
    let map = LineMap::new("");
    let facts: Vec<Value> =
        file.facts(node).iter().map(|fact| json!({ "name": fact.name, "value": fact.value })).collect();
    let problems: Vec<Value> = node.diags.iter().map(|diag| diag_json(diag, "", &map)).collect();
    let mut value = json!({
        "container": title(node), "offset": node.bytes.start, "bytes": node.bytes.len(), "facts": facts,
        "problems": problems,
    });
    if let Content::Container { members, .. } = &node.content {
        let members: Vec<Value> = members
            .iter()
            .map(|member| {
                let mut value = json!({ "name": member.name });
                merge(&mut value, self::node(file, member));
                value
            })
            .collect();
        merge(&mut value, json!({ "members": members }));
    }
    if let Content::Program(program) = &node.content {
        merge(
            &mut value,
            json!({ "isa": program.isa, "code": { "offset": program.code.start, "bytes": program.code.len() } }),
        );
    }
    value
}
