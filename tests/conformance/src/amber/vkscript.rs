//! The other form of scripts, in sections (`docs/vk_script.md` of `google/amber`), as far as kernels go.

use super::buffer::Buffer;
use super::format::Format;
use super::script::{
    Attachment, Binding, BindingKind, Command, Comparator, Expectation, ExpectationKind, Pipeline, Run, Script,
    ScriptShader, Source, Tolerance,
};
use crate::ShaderStage;
use std::collections::BTreeMap;

/// Whether a text is such a script.
pub(super) fn is_sections(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.next().is_some_and(|line| line.starts_with('['))
}

/// Reads a script.
///
/// # Errors
/// The first thing that the runner does not know.
pub(super) fn parse(text: &str) -> Result<Script, String> {
    let mut script = Script::default();
    let (mut section, mut body) = (String::new(), String::new());
    let mut test = (0, String::new());
    for (n, line) in text.lines().chain(["[]"]).enumerate() {
        if line.starts_with('[') {
            match section.as_str() {
                "" => {}
                "require" => script.features.extend(body.split_whitespace().map(str::to_string)),
                "test" => test.1 = std::mem::take(&mut body),
                "compute shader" | "compute shader spirv" => {
                    let source = match section.ends_with("spirv") {
                        true => Source::Assembly(body.clone()),
                        false => Source::Glsl(body.clone()),
                    };
                    let stage = Some(ShaderStage::Compute);
                    script.shaders.insert("compute".into(), ScriptShader { stage, source, environment: None });
                }
                section => return Err(format!("the section [{section}]")),
            }
            section = line.trim_matches(['[', ']', ' ', '\r']).to_string();
            body.clear();
            if section == "test" {
                test.0 = n + 1;
            }
        } else {
            body.push_str(line);
            body.push('\n');
        }
    }
    let mut entry = "main".to_string();
    let mut tolerances = Vec::new();
    for (n, line) in test.1.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default();
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            [] => {}
            ["compute", "entrypoint", name] => entry = name.to_string(),
            ["compute", x, y, z] => {
                let pipeline = format!("{}", script.pipelines.len());
                let attached = Attachment {
                    shader: "compute".into(),
                    stage: ShaderStage::Compute,
                    entry: entry.clone(),
                    spec: BTreeMap::new(),
                };
                script
                    .pipelines
                    .insert(pipeline.clone(), Pipeline { attachments: vec![attached], ..Pipeline::default() });
                let run = Run::Dispatch([number(x)?, number(y)?, number(z)?]);
                script.commands.push(Command::Run { pipeline, run });
            }
            ["tolerance", rest @ ..] => {
                tolerances = rest.iter().map(|word| tolerance(word)).collect::<Result<_, _>>()?;
            }
            ["ssbo", binding, "subdata", ty, offset, values @ ..] => {
                let format = data_type(ty)?;
                let values = values.iter().map(|word| word.to_string()).collect();
                let buffer = buffer_of(&mut script, binding);
                script.commands.push(Command::Write { buffer, format, at: number(offset)?, values });
            }
            ["ssbo", binding, size] => {
                let name = buffer_of(&mut script, binding);
                let buffer = Buffer::new(data_type("uint8_t")?, number(size)?);
                script.buffers.insert(name, buffer);
            }
            ["probe", "ssbo", ty, binding, offset, comparator, values @ ..] => {
                let (comparator, is_near) = match *comparator {
                    "==" => (Comparator::Eq, false),
                    "~=" => (Comparator::Eq, true),
                    "!=" => (Comparator::Ne, false),
                    "<" => (Comparator::Lt, false),
                    "<=" => (Comparator::Le, false),
                    ">" => (Comparator::Gt, false),
                    ">=" => (Comparator::Ge, false),
                    word => return Err(format!("numbers compared by {word}")),
                };
                let kind = ExpectationKind::Numbers {
                    at: number(offset)?,
                    format: Some(data_type(ty)?),
                    comparator,
                    values: values.iter().map(|word| word.to_string()).collect(),
                    tolerances: if is_near { tolerances.clone() } else { Vec::new() },
                };
                let buffer = buffer_of(&mut script, binding);
                script.commands.push(Command::Expect(Expectation { line: test.0 + n + 1, buffer, kind }));
            }
            [first, ..] => return Err(format!("the test command {first}")),
        }
    }
    let bindings: Vec<Binding> = script.buffers.keys().map(|name| binding(name)).collect();
    for pipeline in script.pipelines.values_mut() {
        pipeline.bindings.clone_from(&bindings);
    }
    Ok(script)
}

fn number<T: std::str::FromStr>(word: &str) -> Result<T, String> {
    word.parse().map_err(|_| format!("`{word}` where a number should stand"))
}

fn tolerance(word: &str) -> Result<Tolerance, String> {
    let (digits, percent) = match word.strip_suffix('%') {
        Some(digits) => (digits, true),
        None => (word, false),
    };
    Ok(Tolerance { value: number(digits)?, percent })
}

/// The name of the buffer of a binding, which is its set and number; it is made if there is none.
fn buffer_of(script: &mut Script, binding: &str) -> String {
    let name = if binding.contains(':') { binding.to_string() } else { format!("0:{binding}") };
    if let Ok(bytes) = data_type("uint8_t") {
        script.buffers.entry(name.clone()).or_insert_with(|| Buffer::new(bytes, 0));
    }
    name
}

fn binding(name: &str) -> Binding {
    let (set, number) = name.split_once(':').unwrap_or(("0", name));
    Binding {
        kind: BindingKind::Storage,
        buffers: vec![name.to_string()],
        set: set.parse().unwrap_or(0),
        binding: number.parse().unwrap_or(0),
        offsets: Vec::new(),
        sampler: None,
    }
}

/// A type as GLSL names it.
fn data_type(name: &str) -> Result<Format, String> {
    let plain = name.strip_suffix("_t").unwrap_or(name);
    let scalar = |name: &str| match name {
        "int" => "int32".to_string(),
        "uint" => "uint32".to_string(),
        name => name.to_string(),
    };
    let spelled = match plain.split_once("vec") {
        Some((kind, rows)) => {
            let element = match kind {
                "" => "float".to_string(),
                "d" => "double".to_string(),
                "i" => "int32".to_string(),
                "u" => "uint32".to_string(),
                kind if kind.starts_with('i') => format!("int{}", &kind[1..]),
                kind => format!("uint{}", kind.get(1..).unwrap_or_default()),
            };
            format!("vec{rows}<{element}>")
        }
        None => match plain.strip_prefix('d').filter(|rest| rest.starts_with("mat")) {
            Some(rest) => format!("{rest}<double>"),
            None if plain.starts_with("mat") => format!("{plain}<float>"),
            None => scalar(plain),
        },
    };
    Format::named(&spelled, false).ok_or_else(|| format!("the type {name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCRIPT: &str = "# x\n[require]\nVK_KHR_spirv_1_4\n[compute shader spirv]\nOpNop\n\n[test]\nssbo 0:1 16\n\
        ssbo 2 subdata ivec2 8 1 2\ncompute entrypoint other\ncompute 1 2 3\ntolerance 5%\n\
        probe ssbo float 0:1 4 ~= 1.5\n";

    #[test]
    fn sections_are_a_script() {
        assert!(is_sections(SCRIPT) && !is_sections("#!amber\nSHADER"));
        let script = parse(SCRIPT).unwrap();
        assert_eq!(script.shaders["compute"].source, Source::Assembly("OpNop\n\n".into()));
        assert_eq!((script.buffers["0:1"].bytes.len(), script.pipelines["0"].bindings.len()), (16, 2));
        assert_eq!(script.pipelines["0"].attachments[0].entry, "other");
        assert!(matches!(&script.commands[0], Command::Write { at: 8, values, .. } if values.len() == 2));
        assert!(matches!(&script.commands[2], Command::Expect(Expectation { line: 13, .. })));
        assert_eq!(parse("[vertex data]\n").unwrap_err(), "the section [vertex data]");
    }

    #[test]
    fn types_are_those_of_glsl() {
        for (name, size) in [("int", 4), ("uint16_t", 2), ("vec3", 16), ("i64vec2", 16), ("u8vec4", 4), ("dmat2x2", 32)]
        {
            assert_eq!(data_type(name).unwrap().size, size, "{name}");
        }
        assert!(data_type("sampler").is_err());
    }
}
