//! Control bits of SPA 5.0: whoever reads a register finds in it what was written, by the latencies and barriers that the text says.
//! The text is read word by word here, by nothing that wrote it.

use crate::back::named;
use crate::proof::Source;
use parallax::Stage;
use parallax_emit::translate;
use std::collections::{BTreeMap, BTreeSet};

/// An instruction as the text says it.
#[derive(Debug, Default)]
struct Line {
    text: String,
    name: String,
    guard: Option<String>,
    writes: Vec<String>,
    reads: Vec<String>,
    waits: BTreeSet<u8>,
    signals: Option<u8>,
    stall: u32,
}

/// The registers of a word, such as `-|R3|` or `c[0x0][R4+0x10]`.
fn registers(word: &str) -> Vec<String> {
    let mut found = Vec::new();
    let bytes = word.as_bytes();
    for (n, &byte) in bytes.iter().enumerate() {
        let starts = n == 0 || !bytes[n - 1].is_ascii_alphanumeric();
        if matches!(byte, b'R' | b'P') && starts {
            let digits: String = word[n + 1..].chars().take_while(char::is_ascii_digit).collect();
            if !digits.is_empty() {
                found.push(format!("{}{digits}", byte as char));
            }
        }
    }
    found
}

/// Registers behind a first one.
fn following(first: &str, count: usize) -> Vec<String> {
    let Some(number) = first.strip_prefix('R').and_then(|digits| digits.parse::<usize>().ok()) else {
        return Vec::new();
    };
    (number..number + count).map(|n| format!("R{n}")).collect()
}

fn parsed(text: &str) -> Line {
    let mut line = Line { text: text.to_string(), ..Line::default() };
    let (code, bits) = text.split_at(text.find(" &").or_else(|| text.find(" ?")).unwrap_or(text.len()));
    for bit in bits.split_whitespace() {
        if let Some(list) = bit.strip_prefix("&req={") {
            line.waits = list.trim_end_matches('}').split(',').map(|n| n.parse().expect("a barrier")).collect();
        } else if let Some(n) = bit.strip_prefix("&wr=").or_else(|| bit.strip_prefix("&rd=")) {
            line.signals = Some(n.parse().expect("a barrier"));
        } else if let Some(n) = bit.strip_prefix("?stall").or_else(|| bit.strip_prefix("?yield")) {
            line.stall = n.parse().expect("cycles");
        }
    }
    let mut code = code.trim();
    if let Some(rest) = code.strip_prefix('@') {
        let (guard, rest) = rest.split_once(' ').expect("an instruction behind its guard");
        line.guard = registers(guard.trim_start_matches('!')).pop();
        code = rest;
    }
    let (name, operands) = code.split_once(' ').unwrap_or((code, ""));
    line.name = name.to_string();
    let operands: Vec<&str> = operands.split(", ").collect();
    let mask = |word: &str| u32::from_str_radix(word.trim_start_matches("0x"), 16).unwrap_or(0).count_ones() as usize;
    let kind = name.split('.').next().unwrap_or(name);
    let results = match kind {
        "TEX" | "TXD" | "TLD" | "TLD4" => {
            let (shape, count) = (operands[operands.len() - 2], mask(operands[operands.len() - 1]));
            line.writes = following(operands[0], count);
            let coordinates = match shape {
                "1D" => 1,
                "2D" | "ARRAY_1D" => 2,
                "ARRAY_CUBE" => 4,
                _ => 3,
            };
            line.reads.extend(following(operands[1], coordinates));
            if operands.len() == 6 {
                let behind = match kind {
                    "TXD" => 2 * coordinates,
                    _ => usize::from(name.contains(".LL") || name.contains(".LB")) + usize::from(name.contains(".DC")),
                };
                line.reads.extend(following(operands[2], behind));
            }
            operands.len()
        }
        "DADD" | "DMUL" | "DFMA" | "DMNMX" => {
            line.writes = following(operands[0], 2);
            line.reads = operands[1..].iter().flat_map(|word| following(word, 2)).collect();
            operands.len()
        }
        "DSETP" => {
            line.writes = registers(operands[0]);
            line.reads = operands[2..4].iter().flat_map(|word| following(word, 2)).collect();
            operands.len()
        }
        "F2F" if name.contains("F64") => {
            line.writes = following(operands[0], 1 + usize::from(name.contains("F2F.F64")));
            line.reads = following(operands[1], 1 + usize::from(name.contains("F64.F64") || name.contains("F32.F64")));
            operands.len()
        }
        // Addresses of global memory have two words; stores have no result.
        "LDG" | "STG" | "ATOM" | "RED" => {
            let is_store = matches!(kind, "STG" | "RED");
            let (results, address) = operands.split_at(usize::from(!is_store));
            line.writes = results.iter().flat_map(|word| registers(word)).collect();
            line.reads = registers(address[0]).iter().flat_map(|first| following(first, 2)).collect();
            line.reads.extend(address[1..].iter().flat_map(|word| registers(word)));
            usize::from(!is_store)
        }
        "F2I" | "I2F" if name.contains("64") => {
            // Which side has pairs stands in the name: the result first.
            let formats: Vec<&str> = name.split('.').skip(1).take(2).collect();
            let count = |format: &str| 1 + usize::from(format.ends_with("64"));
            line.writes = following(operands[0], count(formats[0]));
            line.reads = following(operands[1], count(formats[1]));
            operands.len()
        }
        "SHFL" => 2,
        "PIXLD" => operands.len() - 1,
        "FSETP" | "ISETP" | "PSETP" => 2,
        "BRA" | "SSY" | "PBK" | "PCNT" | "SYNC" | "BRK" | "CONT" | "EXIT" | "KIL" | "STL" | "STS" | "BAR" => 0,
        _ => 1,
    };
    if line.writes.is_empty() {
        line.writes = operands[..results.min(operands.len())].iter().flat_map(|word| registers(word)).collect();
    }
    line.reads.extend(operands[results.min(operands.len())..].iter().flat_map(|word| registers(word)));
    line.reads.extend(line.guard.clone());
    // The condition code is a place like others.
    line.writes.extend(operands[0].ends_with(".CC").then(|| "CC".to_string()));
    line.reads.extend(name.split('.').any(|part| part == "X").then(|| "CC".to_string()));
    line
}

/// Instructions that signal a barrier when their result is there (docs/spa5-encoding.md; NVIDIA's tool refuses barriers elsewhere).
const SLOW: [&str; 31] = [
    "RED", "LDG", "STG", "LDS", "STS", "ATOM", "ATOMS", "IPA", "PIXLD", "S2R", "MUFU", "F2F", "F2I", "I2F", "I2I",
    "TEX", "TXD", "TLD", "TLD4", "SHFL", "LDC", "POPC", "FLO", "IMUL", "LDL", "STL", "DADD", "DMUL", "DFMA", "DMNMX",
    "DSETP",
];

/// What is wrong with the control bits of a program.
pub(crate) fn check(text: &str) -> Result<usize, String> {
    let (mut now, mut count) = (0u32, 0);
    let mut ready: BTreeMap<String, u32> = BTreeMap::new();
    // What a barrier guards: results that are missing, and sources that are still read.
    let mut open: BTreeMap<u8, (Vec<String>, Vec<String>)> = BTreeMap::new();
    let mut is_entered = false;
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('.')) {
        if line.ends_with(':') {
            if let Some((place, _)) = ready.iter().find(|(_, at)| **at > now) {
                return Err(format!("{place} is not there yet at label {line}"));
            }
            ready.clear();
            is_entered = true;
            continue;
        }
        let line = parsed(line);
        count += 1;
        let leads = matches!(
            line.name.as_str(),
            "BAR.SYNC" | "BRA" | "SYNC" | "BRK" | "CONT" | "EXIT" | "SSY" | "PBK" | "PCNT" | "KIL"
        );
        for barrier in &line.waits {
            open.remove(barrier);
        }
        let awaits_all = leads || is_entered;
        is_entered = false;
        if let Some((barrier, _)) = open.iter().next().filter(|_| awaits_all) {
            return Err(format!("barrier {barrier} is open at `{}`", line.text));
        }
        for place in line.reads.iter().chain(&line.writes) {
            if ready.get(place).is_some_and(|at| *at > now) {
                return Err(format!("{place} is not there yet at `{}`", line.text));
            }
            if open.values().any(|(writes, _)| writes.contains(place)) {
                return Err(format!("nobody waits for {place} at `{}`", line.text));
            }
        }
        if line.writes.iter().any(|place| open.values().any(|(_, reads)| reads.contains(place))) {
            return Err(format!("a source is overwritten before it is read at `{}`", line.text));
        }
        let is_slow = SLOW.contains(&line.name.split('.').next().unwrap_or_default());
        match line.signals {
            Some(barrier) if is_slow => {
                if line.stall < 2 {
                    return Err(format!("the barrier of `{}` is not set before the next instruction", line.text));
                }
                if open.insert(barrier, (line.writes.clone(), line.reads.clone())).is_some() {
                    return Err(format!("barrier {barrier} is used twice at `{}`", line.text));
                }
            }
            None if !is_slow => {
                for place in &line.writes {
                    ready.insert(place.clone(), now + if place.starts_with('P') { 13 } else { 6 });
                }
            }
            _ => return Err(format!("a barrier where none belongs, or none where one does: `{}`", line.text)),
        }
        if line.stall == 0 || line.stall > 15 {
            return Err(format!("{} cycles at `{}`", line.stall, line.text));
        }
        now += line.stall;
        if leads {
            // What a jump leads to begins with all that was ready here.
            if let Some((place, _)) = ready.iter().find(|(_, at)| **at > now) {
                return Err(format!("{place} is not there yet behind `{}`", line.text));
            }
        }
    }
    Ok(count)
}

#[test]
fn results_of_spa5_programs_are_there_when_they_are_read() {
    let target = named("spa5");
    let mut count = 0;
    for file in parallax_corpus::shaders() {
        let source = Source::of_corpus(file);
        if source.shader.func.iface.stage == Stage::Vertex {
            continue;
        }
        if let Ok(made) = translate(&source.shader, target) {
            count += check(&made.text).unwrap_or_else(|why| panic!("{}: {why}\n{}", source.path, made.text));
        }
    }
    assert!(count > 5000, "{count} instructions");
}

#[test]
fn the_check_of_control_bits_sees_what_is_wrong() {
    let wrong = [
        ("MUFU.RCP R0, R1 &wr=0 ?stall2\nFADD R2, R0, R1 ?stall6\nEXIT ?stall15", "nobody waits for R0"),
        ("FADD R0, R1, R1 ?stall5\nFADD R2, R0, R1 ?stall6\nEXIT ?stall15", "R0 is not there yet"),
        ("FSETP.LT.AND P0, PT, R0, R1, PT ?stall12\n@P0 BRK ?stall5", "P0 is not there yet"),
        ("MUFU.RCP R0, R1 &wr=0 ?stall2\nMOV R1, R2 ?stall6\nEXIT &req={0} ?stall15", "overwritten before it is read"),
        ("MUFU.RCP R0, R1 &wr=0 ?stall2\nL1:\nNOP ?stall1", "barrier 0 is open"),
        ("FADD R0, R1, R1 ?stall1\nL1:\nNOP ?stall1", "not there yet at label"),
        ("TEX R0, R4, R8, 0x0, 2D, 0xf &wr=0 ?stall2\nMOV R5, R9 ?stall6", "overwritten before it is read"),
        ("TEX.LL R0, R4, R8, 0x0, 2D, 0x3 &wr=0 ?stall2\nMOV R8, R9 ?stall6", "overwritten before it is read"),
        ("IADD R0.CC, R1, R2 ?stall5\nIADD.X R3, R4, R5 ?stall6", "CC is not there yet"),
        ("@P0 LDG.E R0, [R4] &wr=0 ?stall2\nMOV R5, R9 ?stall6", "overwritten before it is read"),
        ("@P0 STG.E [R4], R6 &rd=0 ?stall2\nMOV R6, R9 ?stall6", "overwritten before it is read"),
        ("TEX R0, R4, 0x0, 2D, 0x3 &wr=0 ?stall2\nMOV R1, R9 ?stall6", "nobody waits for R1"),
    ];
    for (text, part) in wrong {
        let found = check(text).expect_err(text);
        assert!(found.contains(part), "{found}\n{text}");
    }
    let right =
        "MUFU.RCP R0, R1 &wr=0 ?stall2\nFADD R2, R0, R1 &req={0} ?stall6\nFADD R3, R2, R2 ?stall6\nEXIT ?stall15";
    assert_eq!(check(right), Ok(4));
}
