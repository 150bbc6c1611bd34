//! What a run tells about itself.

use super::Run;
use crate::arena::Row;
use crate::mask::Mask;
use crate::program::{Place, Span};
use crate::{Event, Trace};
use parallax_core::{OpId, ValueId};
use smallvec::SmallVec;

impl Run<'_> {
    /// Reports an op that was just evaluated.
    pub(super) fn report(&mut self, op: OpId, args: Span, results: Span, trace: &mut dyn Trace) {
        if !trace.reads(op) {
            trace.event(Event::Op { op, exec: Mask::new(&self.scratch.exec), args: &[], results: &[] });
            return;
        }
        let (program, lanes) = (self.program, self.inputs.lanes);
        let (args, results) = (&program.rows[args.range()], &program.rows[results.range()]);
        let mut told = std::mem::take(&mut self.scratch.told);
        told.resize_with(told.len().max(args.len() + results.len()), Vec::new);
        for (words, &row) in told.iter_mut().zip(args.iter().chain(results)) {
            words.resize(lanes, 0);
            // Nobody reads the words of quads without an executing lane.
            self.scratch.arena.copy_words(row, self.start, &mut words[self.start..self.end.min(lanes)]);
        }
        {
            let words: SmallVec<[&[u64]; 14]> = told.iter().map(|words| words.get(..lanes).unwrap_or(words)).collect();
            let (args, results) = words[..args.len() + results.len()].split_at(args.len());
            trace.event(Event::Op { op, exec: Mask::new(&self.scratch.exec), args, results });
        }
        self.scratch.told = told;
    }

    /// Reports lanes that start to execute a region.
    pub(super) fn entered(&self, place: Place, trace: &mut dyn Trace) {
        trace.event(Event::Enter { op: place.op, region: place.region, exec: Mask::new(&self.scratch.exec) });
    }

    /// Reports new values of a region result or parameter.
    pub(super) fn assigned(&self, op: OpId, value: Option<ValueId>, row: Row, trace: &mut dyn Trace) {
        if let Some(value) = value.filter(|_| trace.reads_regions()) {
            let row = &self.scratch.arena.to_words(row, self.inputs.lanes);
            trace.event(Event::Assign { op, value, exec: Mask::new(&self.scratch.exec), row });
        }
    }
}
