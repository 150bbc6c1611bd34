//! The targets. Each takes any bytes and panics where parallax breaks a promise.

use parallax::{FRONTENDS, LoadOptions, load};
use parallax_container::{Content, Node};
use parallax_core::exec::{Memory, Outputs};
use parallax_core::{text, verify};
use parallax_interp::{Bytecode, Scratch};
use parallax_lift::{Frontend, Labelled, Layout, Machine, Request};
use parallax_num::{Model, Probe};
use parallax_opt::NoObserver;
use parallax_step::Programs;
use parallax_text::Diag;
use parallax_x86::Level;

/// Texts of a dialect: what is read prints and reads back, and lifts to IR that verifies.
pub fn source(frontend: &Frontend, dialect: Option<&'static str>, data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    lift(frontend, Layout { dialect, ..Layout::default() }, text.as_bytes());
    let Some(reprint) = frontend.reprint else { return };
    if let Some(printed) = reprint(&text, dialect) {
        assert_eq!(reprint(&printed, dialect).expect("printed text reads"), printed);
    }
}

/// Assembly: problems lie in the text, and what assembles is listed as text that assembles to the same bytes.
pub fn assembly(frontend: &Frontend, machine: &Machine, dialect: Option<&'static str>, data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for layout in layouts(machine, dialect) {
        let (bytes, diags) = (machine.assemble)(&text, &layout, true);
        in_text(&diags, &text);
        if let Some(bytes) = bytes {
            listing(machine, &layout, &bytes);
        }
        lift(frontend, layout, text.as_bytes());
    }
}

/// Machine words: listings of anything assemble to the same bytes, and what is accepted lifts to IR that verifies.
pub fn words(frontend: &Frontend, machine: &Machine, dialect: Option<&'static str>, data: &[u8]) {
    for layout in layouts(machine, dialect) {
        listing(machine, &layout, data);
        lift(frontend, layout, data);
    }
}

/// In every byte order, with control words and without.
fn layouts(machine: &Machine, dialect: Option<&'static str>) -> impl Iterator<Item = Layout> {
    let orders =
        if machine.orders.is_empty() { vec![None] } else { machine.orders.iter().copied().map(Some).collect() };
    let bare = if machine.bare { &[false, true][..] } else { &[false] };
    orders.into_iter().flat_map(move |order| bare.iter().map(move |&bare| Layout { dialect, order, base: 0, bare }))
}

/// Lists bytes with labels.
fn listing(machine: &Machine, layout: &Layout, bytes: &[u8]) {
    let entries = (machine.list_labels)(bytes, layout);
    assert!(entries.iter().all(|entry| bytes.get(entry.bytes.clone()).is_some()));
    let mut listing = String::new();
    for Labelled { label, line, .. } in entries {
        listing.extend(label.into_iter().map(|label| label + ": "));
        listing += &line.unwrap_or_else(|(line, _)| line);
        listing.push('\n');
    }
    if !bytes.is_empty() {
        assert_eq!((machine.assemble)(&listing, layout, true).0.as_deref(), Some(bytes), "{listing}");
    }
}

/// Programs of any set in other sets: what is not refused is text that reads without errors and lifts to IR that verifies, and
/// that assembles, where the target has words, to bytes whose listing assembles to them and that lift again; words that are written
/// without a text are the same. Refusals have reasons.
pub fn translation(frontend: &Frontend, data: &[u8]) {
    let options = |isa: &str| LoadOptions { isa: Some(isa.to_string()), ..LoadOptions::default() };
    let Some(shader) = load("source", data, &options(frontend.name)).shader else { return };
    let shader = parallax_opt::canonicalise(shader);
    let stage = shader.func.iface.stage;
    for any_stage in parallax_emit::TARGETS {
        let made = match parallax_emit::translate(&shader, any_stage) {
            Ok(made) => made,
            Err(reasons) => {
                assert!(!reasons.is_empty(), "refused without a reason");
                continue;
            }
        };
        let target = any_stage.of_stage(stage).expect("a stage that is translated");
        let again = |bytes: &[u8], form: &str| {
            let mut options = options(target.isa);
            options.layout.dialect = target.dialect.map(str::to_string);
            let settings = target.settings.iter().map(|&(name, value)| (name.to_string(), value.to_string()));
            options.lift.settings.extend(settings);
            let loaded = load("result", bytes, &options);
            let errors: Vec<String> = loaded.diags.iter().filter(|d| d.is_error()).map(ToString::to_string).collect();
            let is_sound = loaded.shader.is_some_and(|shader| verify(&shader).is_ok());
            assert!(is_sound && errors.is_empty(), "{} as {form}: {errors:?}\n{}", target.name, made.text);
        };
        again(made.file(), "file");
        let own = FRONTENDS.iter().find(|frontend| frontend.name == target.isa).expect("the target's frontend");
        // Texts of NV programs are no listings of its words; those of the others are.
        let is_listing = |machine: &Machine| machine.dialect.is_none() || made.binary.is_some();
        let Some(machine) = own.machine.filter(is_listing) else { continue };
        let layout = Layout { dialect: target.dialect.or(machine.dialect), ..Layout::default() };
        let (bytes, diags) = (machine.assemble)(&made.text, &layout, true);
        let bytes = bytes.unwrap_or_else(|| panic!("{} does not assemble: {diags:?}\n{}", target.name, made.text));
        listing(&machine, &layout, &bytes);
        again(&bytes, "words");
        if made.binary.is_none() {
            let words = parallax_emit::translate_to_words(&shader, any_stage).expect("what has a text has words");
            assert!(words.file() == bytes, "{}: other words than those of the text\n{}", target.name, made.text);
        }
    }
}

/// Problems of a text lie in it, and what has none lifts to IR that verifies.
fn lift(frontend: &Frontend, layout: Layout, bytes: &[u8]) {
    let read = (frontend.read)(&Request { bytes, layout, options: &Default::default() });
    if !read.text.is_empty() {
        in_text(&read.diags, &read.text);
    }
    if let Some(shader) = read.shader {
        assert!(verify(&shader).is_ok());
    }
}

fn in_text(diags: &[Diag], text: &str) {
    for diag in diags {
        let span = diag.span.unwrap_or_default();
        assert!(span.start <= span.end && span.end as usize <= text.len(), "{diag:?}");
    }
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
    let made = if list.len() % 2 == 1 { parallax_gen::kernel } else { parallax_gen::shader };
    let bound = parallax_opt::optimise(parallax_opt::canonicalise(made(&list)).bind(&model), &mut NoObserver);
    let verified = verify(&bound).expect("what the generator makes is sound");
    let batch = parallax_gen::Batch::new(&list, &bound.func.iface, 4 * (1 + list.len() % 9));
    let (mut wanted, mut written) = (Outputs::default(), batch.buffers());
    batch.with(|inputs| parallax_reference::run(verified, inputs, Memory::Exclusive(&mut written), &mut wanted));
    let same = |found: &Outputs| {
        let planes = wanted.planes.iter().zip(&found.planes);
        assert!(planes.into_iter().all(|(wanted, found)| wanted.is_empty() || wanted == found), "outputs differ");
        assert_eq!(
            (&wanted.covered, &wanted.out_of_fuel, &wanted.discarded, &wanted.missed_barrier),
            (&found.covered, &found.out_of_fuel, &found.discarded, &found.missed_barrier)
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
        let program = parallax_x86::compile(verified, level, &mut Programs::default())
            .unwrap_or_else(|reason| panic!("not compiled: {reason}"));
        let (mut found, mut after) = (Outputs::default(), batch.buffers());
        batch.with(|inputs| program.run(inputs, Memory::Exclusive(&mut after), &mut found));
        same(&found);
        assert_eq!(written, after);
    }
}
