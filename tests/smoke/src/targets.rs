//! The targets. Each takes any bytes and panics where parallax breaks a promise.

use parallax_attila::{Program, assemble, assemble_bytes, list};
use parallax_container::{Content, Node};
use parallax_core::exec::{Memory, Outputs};
use parallax_core::{text, verify};
use parallax_interp::{Bytecode, Scratch};
use parallax_isa::Style;
use parallax_lift::Layout;
use parallax_num::{Model, Probe};
use parallax_nvfp::{Dialect, nv40};
use parallax_opt::NoObserver;
use parallax_step::Programs;
use parallax_x86::Level;

/// ATTILA text: what assembles prints and assembles to the same bytes.
pub fn attila_asm(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let (Some(program), _) = assemble(&text) else { return };
    let bytes = program.encode_ended();
    let (again, _) = assemble(&program.text(Style::Exact));
    assert_eq!(again.expect("printed text assembles").encode_ended(), bytes);
}

/// ATTILA binaries: what is read writes back, prints, and reassembles to the same bytes; so does a listing of anything.
pub fn attila_decode(data: &[u8]) {
    let line = |line: Result<String, (String, _)>| line.unwrap_or_else(|(line, _)| line) + "\n";
    let listing: String = list(data, Style::Exact).into_iter().map(line).collect();
    if !data.is_empty() {
        assert_eq!(assemble_bytes(&listing, true).0.as_deref(), Some(data));
    }
    let (program, diags) = Program::decode(data);
    if diags.iter().any(|d| d.is_error()) || program.instrs.is_empty() {
        return;
    }
    let bytes = program.encode();
    let (again, _) = Program::decode(&bytes);
    assert_eq!(again.encode(), bytes);
    let (read, _) = assemble(&program.text(Style::Exact));
    assert_eq!(read.expect("printed text assembles").encode(), bytes);
}

/// USC text: problems lie in the text, and what assembles is listed as text that assembles to the same bytes.
pub fn usc_asm(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let (bytes, diags) = parallax_usc::assemble_bytes(&text);
    for diag in &diags {
        let span = diag.span.expect("a place");
        assert!(span.start <= span.end && span.end as usize <= text.len(), "{diag:?}");
    }
    if let Some(bytes) = bytes {
        usc_decode(&bytes);
    }
}

/// USC binaries: all bytes are listed, and both listings assemble to them.
pub fn usc_decode(data: &[u8]) {
    let entries = parallax_usc::list_labels(data);
    assert_eq!(entries.iter().map(|entry| entry.bytes.len()).sum::<usize>(), data.len());
    if data.is_empty() {
        return;
    }
    let line = |line: Result<String, (String, _)>| line.unwrap_or_else(|(line, _)| line) + "\n";
    let numbered: String = entries.into_iter().map(|entry| line(entry.line)).collect();
    assert_eq!(parallax_usc::assemble_bytes(&numbered).0.as_deref(), Some(data), "{numbered}");
    parallax_usc::Program::decode(data);
}

/// Containers: whatever a file says, places lie in it, problems have one, and members are found by their names.
pub fn container(data: &[u8]) {
    in_bounds(&parallax_container::open(data), data);
    parallax_container::foreign(data);
    if let Some(node) = parallax_container::with_control_word(data) {
        in_bounds(&node, data);
    }
}

fn in_bounds(node: &Node, file: &[u8]) {
    assert!(file.get(node.bytes.clone()).is_some());
    for diag in &node.diags {
        let span = diag.span.expect("a place");
        assert!(file.get(span.start as usize..span.end as usize).is_some());
    }
    if let Content::Program(program) = &node.content {
        let code = node.code(file);
        assert_eq!(code.len(), program.code.len());
        let places = program.constants.iter().flat_map(|constant| &constant.places);
        assert!(places.into_iter().all(|place| code.get(*place..*place + 16).is_some()));
    }
    assert!(node.content != Content::Broken || node.is_refused());
    for member in node.members() {
        in_bounds(member, file);
        let found = node.find(&member.name).expect("a member");
        assert!(found.len() == 1 && std::ptr::eq(found[0], member));
    }
}

/// Textual IR: what reads and verifies prints and reads back to the same text.
pub fn ir(data: &[u8]) {
    let source = String::from_utf8_lossy(data);
    let Ok(shader) = text::read(&source) else { return };
    if verify(&shader).is_err() {
        return;
    }
    let printed = text::print(&shader);
    let again = text::read(&printed).expect("printed IR reads");
    assert_eq!(text::print(&again), printed);
}

/// NV40 assembly: what assembles lists and assembles to the same bytes.
pub fn nv40_asm(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let (Some(bytes), _) = nv40::assemble_bytes(&text, nv40::Order::Le, true) else { return };
    nv40_words(&bytes, nv40::Order::Le);
}

/// NV40 microcode in both orders: a listing of anything assembles to the same bytes, and what is accepted lifts to IR that
/// verifies.
pub fn nv40_decode(data: &[u8]) {
    for order in nv40::Order::ALL {
        nv40_words(data, order);
    }
}

fn nv40_words(data: &[u8], order: nv40::Order) {
    let line = |line: Result<String, (String, _)>| line.unwrap_or_else(|(line, _)| line) + "\n";
    let listing: String = nv40::list(data, order, Style::Exact).into_iter().map(line).collect();
    if !data.is_empty() {
        assert_eq!(nv40::assemble_bytes(&listing, order, true).0.as_deref(), Some(data));
    }
    let (program, diags) = nv40::Program::decode(data, order);
    if !diags.is_empty() {
        return;
    }
    assert_eq!(program.encode(order), data);
    if let (Some(tree), _) = program.tree(&[])
        && let Ok(shader) = parallax_nvfp::lift(&tree, "", &Default::default())
    {
        assert!(verify(&shader).is_ok());
    }
}

/// `!!ARBfp1.0` programs.
pub fn nvfp_arb(data: &[u8]) {
    nvfp(data, Dialect::Arb);
}

/// `!!FP1.0` programs.
pub fn nvfp_fp10(data: &[u8]) {
    nvfp(data, Dialect::Fp10);
}

/// Programs in the patent's language.
pub fn nvfp_patent(data: &[u8]) {
    nvfp(data, Dialect::Patent);
}

/// NV fragment programs: what is read prints and reads back, and lifts to IR that verifies.
fn nvfp(data: &[u8], dialect: Dialect) {
    let text = String::from_utf8_lossy(data);
    let (Some(program), _) = parallax_nvfp::parse(&text, Some(dialect)) else { return };
    let printed = parallax_nvfp::print(&program);
    let again = parallax_nvfp::parse(&printed, Some(dialect)).0.expect("printed text reads");
    assert_eq!(parallax_nvfp::print(&again), printed);
    if let Ok(shader) = parallax_nvfp::lift(&program, &text, &Default::default()) {
        assert!(verify(&shader).is_ok());
    }
}

/// SPA 5.0 text: what assembles lists and assembles to the same bytes, with labels too.
pub fn spa5_asm(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    if let (Some(bytes), _) = parallax_spa5::assemble_bytes(&text, &Layout::default()) {
        spa5_listing(&bytes);
    }
    if let (Some(program), _) = parallax_spa5::assemble(&text, &Layout::default()) {
        spa5_lift(&program);
    }
}

/// SPA 5.0 binaries: a listing of anything assembles to the same bytes; what is read is checked, and lifts to IR that
/// verifies.
pub fn spa5_decode(data: &[u8]) {
    if !data.is_empty() {
        spa5_listing(data);
    }
    for bare in [false, true] {
        let layout = Layout { bare, ..Layout::default() };
        let (program, diags) = parallax_spa5::Program::decode(data, &layout);
        parallax_spa5::check(&program);
        if !diags.iter().any(|diag| diag.is_error()) {
            spa5_lift(&program);
        }
    }
}

fn spa5_listing(bytes: &[u8]) {
    let layout = Layout::default();
    let mut source = String::new();
    for parallax_lift::Labelled { label, line, .. } in parallax_spa5::list_labels(bytes, &layout) {
        source.extend(label.into_iter().map(|label| label + ": "));
        source += &line.unwrap_or_else(|(line, _)| line);
        source.push('\n');
    }
    assert_eq!(parallax_spa5::assemble_bytes(&source, &layout).0.as_deref(), Some(bytes));
}

fn spa5_lift(program: &parallax_spa5::Program) {
    if parallax_spa5::check(program).iter().any(|diag| diag.is_error()) {
        return;
    }
    if let Ok(shader) = parallax_spa5::lift(program, &Default::default()) {
        assert!(verify(&shader).is_ok());
    }
}

/// TGSI: what is read prints and reads back, and lifts to IR that verifies.
pub fn tgsi(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let (Some(program), _) = parallax_tgsi::parse(&text) else { return };
    let printed = parallax_tgsi::print(&program);
    let again = parallax_tgsi::parse(&printed).0.expect("printed text reads");
    assert_eq!(parallax_tgsi::print(&again), printed);
    if let Ok(shader) = parallax_tgsi::lift(&program, &Default::default()) {
        assert!(verify(&shader).is_ok());
    }
}

/// The shader that the numbers make, under a model that the first one chooses: interpreted, as machine code and by the reference
/// executor, on the same inputs. Hosts that cannot run the code still write it and read it back.
pub fn machine_code(data: &[u8]) {
    let list: Vec<u32> = data.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
    let models = Model::builtins();
    let model = models[list.first().map_or(0, |&n| n as usize % models.len())].clone();
    let model = match list.last().map_or(0, |&n| n % 8) {
        1 => model.with_probe(Probe::Lowest),
        2 => model.with_probe(Probe::Highest),
        3 => model.with_probe(Probe::Random(u64::from(list[0]))),
        _ => model,
    };
    let bound =
        parallax_opt::optimise(parallax_opt::canonicalise(parallax_gen::shader(&list)).bind(&model), &mut NoObserver);
    let verified = verify(&bound).expect("what the generator makes is sound");
    let batch = parallax_gen::Batch::new(&list, &bound.func.iface, 4 * (1 + list.len() % 9));
    let (mut wanted, buffers, mut written) = (Outputs::default(), batch.buffers(), batch.buffers());
    batch.with(|inputs| parallax_reference::run(verified, inputs, Memory::Exclusive(&mut written), &mut wanted));
    let same = |found: &Outputs| {
        let planes = wanted.planes.iter().zip(&found.planes);
        assert!(planes.into_iter().all(|(wanted, found)| wanted.is_empty() || wanted == found), "outputs differ");
        assert_eq!(
            (&wanted.covered, &wanted.out_of_fuel, &wanted.discarded),
            (&found.covered, &found.out_of_fuel, &found.discarded)
        );
    };
    let (mut found, mut after) = (Outputs::default(), batch.buffers());
    batch.with(|inputs| {
        let memory = Memory::Exclusive(&mut after);
        Bytecode::new(verified).run_in(inputs, memory, &mut Scratch::default(), &mut found);
    });
    same(&found);
    assert_eq!(written, after);
    for level in Level::ALL {
        if !level.is_supported() {
            // What cannot be listed has a reason.
            let _ = parallax_x86::Listing::new(verified, level, &mut Programs::default());
            continue;
        }
        let program = match parallax_x86::compile(verified, level, &mut Programs::default()) {
            Ok(program) => program,
            Err(reason) => {
                assert!(reason.0.contains("writes memory"), "{reason}");
                return;
            }
        };
        let mut found = Outputs::default();
        batch.with(|inputs| program.run(inputs, &Memory::Shared(&buffers), &mut found));
        same(&found);
    }
}
