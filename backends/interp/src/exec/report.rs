//! What a run tells about itself.

use super::Run;
use crate::mask::Mask;
use crate::program::{Inst, PlaceRows, Row};
use crate::{Event, Trace};
use parallax_core::{AtomicOp, OpId};
use smallvec::SmallVec;

impl Run<'_> {
    /// Reports an op that was just evaluated.
    pub(super) fn report(&self, op: OpId, inst: Inst, trace: &mut dyn Trace) {
        let program = self.program;
        let mut args: SmallVec<[Row; 10]> = SmallVec::new();
        let mut results: SmallVec<[Row; 4]> = SmallVec::new();
        match inst {
            Inst::Num { args: span, out, .. } => {
                args.extend_from_slice(&program.rows[span.range()]);
                results.push(out);
            }
            Inst::Uniform { out } | Inst::Attr { out, .. } | Inst::Sys { out, .. } => results.push(out),
            Inst::Select { pred, a, b, out } => {
                args.extend([pred, a, b]);
                results.push(out);
            }
            Inst::AttrPlace { place, out, .. } => {
                match place {
                    PlaceRows::Sample(number) => args.push(number),
                    PlaceRows::Offset(x, y) => args.extend([x, y]),
                    PlaceRows::Centroid => {}
                }
                results.push(out);
            }
            Inst::QuadShuffle { arg, index, out } => {
                args.extend([arg, index]);
                results.push(out);
            }
            Inst::BufferLoad { address, out, .. } => {
                args.push(address);
                results.push(out);
            }
            Inst::BufferSize { out, .. } => results.push(out),
            Inst::BufferStore { address, value, .. } => args.extend([address, value]),
            Inst::Atomic { op, address, operand, second, out, .. } => {
                args.extend([address, operand]);
                if op == AtomicOp::CompareExchange {
                    args.push(second);
                }
                results.push(out);
            }
            Inst::AttrAt { index, out, .. }
            | Inst::ConstAt { index, out, .. }
            | Inst::SamplePosition { index, out, .. }
            | Inst::ArrayLoad { index, out, .. } => {
                args.push(index);
                results.push(out);
            }
            Inst::Deriv { arg, out, .. } | Inst::QuadXor { arg, out, .. } | Inst::QuadVote { arg, out, .. } => {
                args.push(arg);
                results.push(out);
            }
            Inst::Tex { tex } => {
                let lookup = &program.lookups[tex as usize];
                args.extend(lookup.args.iter().map(|&(row, _)| row));
                results.extend(lookup.outs);
            }
            Inst::ArrayStore { index, value, .. } => args.extend([index, value]),
            Inst::Out { value, .. } => args.push(value),
            Inst::Discard { pred } => args.push(pred),
            Inst::DiscardSamples { mask } => args.push(mask),
            _ => {}
        }
        let words = |rows: &[Row]| -> Vec<Vec<u64>> {
            rows.iter().map(|&row| self.scratch.arena.row(row, 0..self.inputs.lanes).to_words()).collect()
        };
        let (args, results) = (words(&args), words(&results));
        let args: SmallVec<[&[u64]; 10]> = args.iter().map(Vec::as_slice).collect();
        let results: SmallVec<[&[u64]; 4]> = results.iter().map(Vec::as_slice).collect();
        trace.event(Event::Op { op, exec: Mask::new(&self.scratch.exec), args: &args, results: &results });
    }
}
