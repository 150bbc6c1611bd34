//! What the layers above know about SPIR-V.

use crate::module::{MAGIC, Module, is_binary};
use crate::text::{assemble, disassemble, instruction_text};
use crate::{SETTINGS, lift};
use parallax_core::{OpId, Shader, Symbolic, violations};
use parallax_lift::{Assembled, Frontend, Labelled, Listed, Machine, Read, RegisterFile, Request, ValueFormat, utf8};
use parallax_text::{Diag, Span};
use rspirv::grammar::INSTRUCTION_TABLE;
use std::collections::BTreeMap;
use std::ops::Range;

const fn vector(example: &'static str) -> RegisterFile {
    RegisterFile { example, dialects: &[], format: ValueFormat::Vector(8) }
}

const fn scalar(example: &'static str) -> RegisterFile {
    RegisterFile { format: ValueFormat::Scalar, ..vector(example) }
}

/// The descriptor.
pub static FRONTEND: Frontend = Frontend {
    name: "spirv",
    title: "SPIR-V modules, binary and assembly",
    extensions: &["spv", "spvasm"],
    dialects: &[],
    settings: SETTINGS,
    registers: &[
        vector("in[0]"),
        vector("out[0]"),
        vector("FragCoord"),
        vector("FragDepth"),
        // Words of a block, by byte.
        scalar("push[0]"),
    ],
    temporaries: &[],
    mask_is_counter: false,
    lanes_in_step: false,
    has_words: true,
    samples: 32,
    narrow: |_| Some("decorate results with `RelaxedPrecision` (`mediump` in GLSL) and pass --relaxed half"),
    sniff: |bytes| is_binary(bytes) || is_assembly(bytes),
    guess: |_| false,
    read,
    reprint: Some(|text, _| {
        let (module, diags) = assemble(text).module();
        diags.is_empty().then(|| disassemble(&module))
    }),
    machine: Some(Machine {
        list: |bytes, _, exact| list(bytes, exact).into_iter().map(|(_, line)| line).collect(),
        list_labels: |bytes, _| {
            let entries = list(bytes, true).into_iter();
            entries.map(|(bytes, line)| Labelled { label: None, bytes, line }).collect()
        },
        assemble: |text, _, _| assemble_bytes(text),
        is_text: |bytes| !is_binary(bytes) && std::str::from_utf8(bytes).is_ok(),
        page,
        coverage,
        ..Machine::EMPTY
    }),
    examples: &[include_str!("example.spvasm")],
    trials: &[],
};

/// The model whose arithmetic comes closest to the specification's.
const MODEL: &str = "ieee";

/// Text is assembly; anything else is taken as words, whose problems are located by byte offset.
fn read(request: &Request<'_>) -> Read {
    let mut read = Read { model: MODEL, ..Read::default() };
    let module = if !is_binary(request.bytes) && is_assembly(request.bytes) {
        match utf8(request.bytes) {
            Ok(text) => {
                read.text = text.to_string();
                read.parse(|| assemble(text).module())
            }
            Err(diag) => {
                read.diags.push(*diag);
                return read;
            }
        }
    } else {
        read.parse(|| Module::from_bytes(request.bytes))
    };
    read.lift(|| well_typed(lift(&module, request.options)?));
    read
}

/// Refuses modules whose operands have other types than their instructions take. Lifting itself looks at most of them, the IR's
/// rules at all.
fn well_typed(shader: Shader<Symbolic>) -> Result<Shader<Symbolic>, Vec<Diag>> {
    let found = violations(&shader);
    if found.is_empty() {
        return Ok(shader);
    }
    let func = &shader.func;
    let place = |op| {
        let source = func.ops.get(op)?.origins.first()?;
        let offset = func.sources.get(*source)?.offset as usize;
        Some(Span::new(offset, offset))
    };
    let diag = |(op, found): (Option<OpId>, Diag)| {
        let message = format!("the instruction has an operand of a type that it does not take ({})", found.message);
        Diag { span: op.and_then(place), ..Diag::invalid("spirv-invalid", Span::default(), message) }
    };
    let mut diags: Vec<Diag> = found.into_iter().map(diag).collect();
    // One operand is wrong in each of the operations that an instruction becomes.
    diags.dedup_by_key(|diag| diag.span);
    Err(diags)
}

/// Whether bytes look like assembly: the first line that is no comment holds an instruction.
fn is_assembly(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(';'));
    let first = lines.next().unwrap_or_default();
    let word = first.split_once('=').map_or(first, |(_, behind)| behind).split_whitespace().next().unwrap_or_default();
    word.strip_prefix("Op").is_some_and(|name| INSTRUCTION_TABLE.iter().any(|row| row.opname == name))
        || text.starts_with("; SPIR-V")
}

/// A comment at the beginning of a listing whose words have the most significant byte first.
const BIG_ENDIAN: &str = "; Byte order: big-endian\n";

/// Starts a line of bytes that are no module.
const BYTES: &str = ".byte";

/// A line for each instruction of a binary, with its bytes. An exact listing begins with the header as comments; what cannot be
/// listed so that it assembles to the same bytes is lines of bytes.
fn list(bytes: &[u8], exact: bool) -> Vec<(Range<usize>, Listed)> {
    let (module, diags) = Module::from_bytes(bytes);
    let all = if exact { disassemble(&module) } else { String::new() };
    let is_swapped = bytes.first() == Some(&MAGIC.to_be_bytes()[0]);
    let order = if exact && is_swapped { BIG_ENDIAN } else { "" };
    if exact && assemble_bytes(&format!("{order}{all}")).0.as_deref() != Some(bytes) {
        return list_bytes(bytes, &diags);
    }
    let header = all.lines().take_while(|line| line.starts_with(';')).count();
    let mut lines: Vec<&str> = all.lines().skip(header).collect();
    if exact && module.spans.is_empty() {
        return list_bytes(bytes, &diags);
    }
    // Strings of several lines.
    if lines.len() != module.spans.len() {
        lines.clear();
        let comments = all.lines().take(header).map(str::to_string);
        let texts = (0..module.spans.len()).map(|number| instruction_text(&module, number));
        let joined: Vec<String> = comments.chain(texts).collect();
        if exact && assemble_bytes(&format!("{order}{}", joined.join("\n"))).0.as_deref() != Some(bytes) {
            return list_bytes(bytes, &diags);
        }
    }
    let mut out = Vec::with_capacity(module.instructions.len());
    for (number, span) in module.spans.iter().enumerate() {
        let mut text = lines.get(number).map_or_else(|| instruction_text(&module, number), |line| line.to_string());
        if exact && number == 0 {
            let comments: String = all.lines().take(header).map(|line| format!("{line}\n")).collect();
            text = format!("{order}{comments}{text}");
        }
        let line = match diags.iter().find(|diag| diag.span == Some(*span)) {
            None => Ok(text),
            Some(diag) => Err((text, Box::new(diag.clone()))),
        };
        out.push((span.start as usize..span.end as usize, line));
    }
    // What stops the cutting stands behind the last instruction.
    if let Some(diag) = diags.last().filter(|last| out.iter().all(|(_, line)| line.is_ok()) && last.is_error()) {
        let from = module.spans.last().map_or(0, |span| span.end as usize);
        out.push((from..bytes.len(), Err((String::new(), Box::new(diag.clone())))));
    }
    out
}

/// Bytes that are no module, 16 a line, with what is wrong with them.
fn list_bytes(bytes: &[u8], diags: &[Diag]) -> Vec<(Range<usize>, Listed)> {
    let wrong = diags
        .first()
        .cloned()
        .unwrap_or_else(|| Diag::invalid("spirv-words", Span::new(0, bytes.len()), "assembly cannot say these words"));
    let line = |(n, part): (usize, &[u8])| {
        let words: Vec<String> = part.iter().map(|byte| format!("{byte:#04x}")).collect();
        let text = format!("{BYTES} {}", words.join(", "));
        (n * 16..n * 16 + part.len(), Err((text, Box::new(wrong.clone()))))
    };
    bytes.chunks(16).enumerate().map(line).collect()
}

/// Assembles a text, or lines of bytes.
fn assemble_bytes(text: &str) -> Assembled {
    if text.trim_start().starts_with(BYTES) {
        let mut bytes = Vec::new();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let at = line.as_ptr() as usize - text.as_ptr() as usize;
            let list = line.strip_prefix(BYTES).unwrap_or(line);
            for word in list.split(',').map(str::trim) {
                let byte = word.strip_prefix("0x").and_then(|digits| u8::from_str_radix(digits, 16).ok());
                let Some(byte) = byte else {
                    let message = format!("`{word}` is not a byte such as 0x1f");
                    return (None, vec![Diag::invalid("spirv-as-literal", Span::new(at, at + line.len()), message)]);
                };
                bytes.push(byte);
            }
        }
        return (Some(bytes), Vec::new());
    }
    let (module, diags) = assemble(text).module();
    let order = if text.starts_with(BIG_ENDIAN) { u32::to_be_bytes } else { u32::to_le_bytes };
    let bytes = module.words.iter().flat_map(|word| order(*word)).collect();
    (if diags.iter().any(Diag::is_error) { None } else { Some(bytes) }, diags)
}

/// The grammar as a table: opcodes and their operands.
fn page() -> String {
    let mut page = String::from("# SPIR-V\n\n| opcode | operands |\n|---|---|\n");
    for row in INSTRUCTION_TABLE.iter() {
        let operands: Vec<String> = row.operands.iter().map(|operand| format!("{:?}", operand.kind)).collect();
        page.push_str(&format!("| Op{} | {} |\n", row.opname, operands.join(", ")));
    }
    page
}

/// How often each opcode occurs.
fn coverage(binaries: &[Vec<u8>]) -> String {
    let mut counts = BTreeMap::new();
    for bytes in binaries {
        for instruction in &Module::from_bytes(bytes).0.instructions {
            *counts.entry(format!("Op{:?}", instruction.op)).or_insert(0usize) += 1;
        }
    }
    let total: usize = counts.values().sum();
    let lines: String = counts.iter().map(|(name, count)| format!("{count:8} {name}\n")).collect();
    format!("{lines}{total:8} instructions, {} opcodes\n", counts.len())
}
