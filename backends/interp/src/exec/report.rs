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
    pub(super) fn report(&self, op: OpId, args: Span, results: Span, trace: &mut dyn Trace) {
        let words = |span: Span| -> Vec<Vec<u64>> {
            let rows = &self.program.rows[span.range()];
            rows.iter().map(|&row| self.scratch.arena.to_words(row, self.inputs.lanes)).collect()
        };
        let (args, results) = (words(args), words(results));
        let args: SmallVec<[&[u64]; 10]> = args.iter().map(Vec::as_slice).collect();
        let results: SmallVec<[&[u64]; 4]> = results.iter().map(Vec::as_slice).collect();
        trace.event(Event::Op { op, exec: Mask::new(&self.scratch.exec), args: &args, results: &results });
    }

    /// Reports lanes that start to execute a region.
    pub(super) fn entered(&self, place: Place, trace: &mut dyn Trace) {
        trace.event(Event::Enter { op: place.op, region: place.region, exec: Mask::new(&self.scratch.exec) });
    }

    /// Reports new values of a region result or parameter.
    pub(super) fn assigned(&self, op: OpId, value: Option<ValueId>, row: Row, trace: &mut dyn Trace) {
        if let Some(value) = value {
            let row = &self.scratch.arena.to_words(row, self.inputs.lanes);
            trace.event(Event::Assign { op, value, exec: Mask::new(&self.scratch.exec), row });
        }
    }
}
