//! Where ops come from: instructions, or lines of the text that a module was compiled from.

use super::Ctx;
use crate::debug::SourcePlace;
use crate::module::Module;
use parallax_core::{EntityRef, Listing, SourceId, Sources};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The text of a source.
enum Printed {
    /// An instruction, by number.
    Instruction(usize),
    /// A line of the compiled text.
    Line(Arc<str>),
}

/// The sources of a shader while its module is lifted. Instructions are printed when somebody asks for their texts.
pub(super) struct SourceTable {
    of_instruction: Vec<Option<SourceId>>,
    of_line: FxHashMap<SourcePlace, SourceId>,
    places: Vec<(u32, u32)>,
    texts: Vec<Printed>,
    /// Where the instructions that follow come from.
    place: Option<SourcePlace>,
    /// The source that stands for all instructions of that place.
    line: Option<SourceId>,
}

impl SourceTable {
    pub(super) fn new(module: &Module) -> SourceTable {
        SourceTable {
            of_instruction: vec![None; module.instructions.len()],
            of_line: FxHashMap::default(),
            places: Vec::with_capacity(module.instructions.len()),
            texts: Vec::with_capacity(module.instructions.len()),
            place: None,
            line: None,
        }
    }

    fn add(&mut self, line: u32, offset: u32, text: Printed) -> SourceId {
        self.places.push((line, offset));
        self.texts.push(text);
        SourceId::new(self.places.len() - 1)
    }

    /// Says where the instructions that follow come from. All instructions of a line are one source.
    fn move_to(&mut self, place: Option<SourcePlace>, offset: u32) {
        self.place = place.map(|place| SourcePlace { column: 0, ..place });
        let with_text = self.place.clone().filter(|place| !place.text.is_empty());
        self.line = with_text.map(|place| match self.of_line.get(&place) {
            Some(known) => *known,
            None => {
                let made = self.add(place.line, offset, Printed::Line(place.text.clone()));
                self.of_line.insert(place, made);
                made
            }
        });
    }

    fn source(&mut self, number: usize, offset: u32) -> SourceId {
        if let Some(known) = self.line.or(self.of_instruction[number]) {
            return known;
        }
        let line = self.place.as_ref().map_or(number as u32 + 1, |place| place.line);
        let made = self.add(line, offset, Printed::Instruction(number));
        self.of_instruction[number] = Some(made);
        made
    }

    /// The sources with their texts.
    pub(super) fn finish(self, module: &Module) -> Sources {
        let (places, texts, module) = (self.places, self.texts, module.clone());
        Sources::printed_later(places, move || {
            let mut listing = Listing::with_capacity(texts.len(), texts.len() * 40);
            for text in &texts {
                match text {
                    Printed::Instruction(number) => listing.push(&crate::text::instruction_text(&module, *number)),
                    Printed::Line(line) => listing.push(line),
                }
            }
            listing
        })
    }
}

impl Ctx<'_, '_> {
    /// Says that what follows comes from an instruction.
    pub(super) fn at_instruction(&mut self, number: usize) {
        let module = self.tables.module;
        let instruction = &module.instructions[number];
        self.span = module.spans[number];
        let integer =
            |id| self.tables.constants.integer(&self.tables.types, id).and_then(|value| u32::try_from(value).ok());
        if let Some(place) = self.tables.debug.place(instruction.op, module.operands(instruction), integer) {
            self.sources.move_to(place, self.span.start);
        }
        let source = self.sources.source(number, self.span.start);
        self.l.at(Some(source));
    }
}
