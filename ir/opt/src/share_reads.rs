//! Equal reads become one: constants, attributes, system values and literals, which have no operands. What stays is numbered
//! anew, in order of execution, so that the passes that follow find it side by side.
//!
//! Lifting makes a read for every use, since each belongs to the arithmetic of its instruction. Who runs a shader under one model
//! does not ask: reads of one place under one slot give the same bits under every rule, in all lanes, also in the regions inside.
//! Each place has an entry in a table of fixed size. Places may push each other out: what is then left is found by value
//! numbering ([`merge_equal`](crate::merge_equal)), and so are reads that are equal under one model alone.

use parallax_core::{
    EntityList, EntityRef, Func, OpData, OpId, OpKind, Origins, PrimaryMap, RegionData, RegionId, Shader, SlotId,
    SourceId, Symbolic, Type, ValueData, ValueDef, ValueId,
};

/// Most entries of the table.
const MOST: usize = 4096;

/// Runs the pass.
pub fn run(shader: &mut Shader<Symbolic>) {
    let func = &mut shader.func;
    let entries = (func.ops.len() / 2).next_power_of_two().clamp(64, MOST);
    let old = Old {
        values: std::mem::take(&mut func.values),
        ops: std::mem::take(&mut func.ops),
        regions: std::mem::take(&mut func.regions),
    };
    // About half are reads that go.
    func.ops.reserve(old.ops.len() / 2);
    func.values.reserve(old.ops.len() / 2);
    let new = vec![ValueId::new(0); old.values.len()];
    let (known, united) = (vec![None; entries], Vec::with_capacity(old.ops.len() / 2));
    let mut share = Share { known, united, around: Vec::new(), open: Vec::new(), new, old, func };
    let old_body = share.func.body;
    let body = share.make(old_body);
    share.func.body = body;
    share.region(old_body, body);
    share.unite();
}

/// What a read gives: two with the same give the same under every model.
#[derive(Copy, Clone, PartialEq, Eq)]
struct Read {
    /// Kind of the read, and its place or bits.
    kind: u8,
    place: u64,
    slot: Option<SlotId>,
    ty: Type,
}

impl Read {
    /// That of an op; `None` for what is no read, or has operands.
    #[inline]
    fn of(data: &OpData, values: &PrimaryMap<ValueId, ValueData>) -> Option<Read> {
        let place = |index: u32, bank: u16, comp: u8| u64::from(bank) << 40 | u64::from(index) << 2 | u64::from(comp);
        let (kind, place) = match data.kind {
            OpKind::Literal(bits) => (0, bits),
            OpKind::Const { bank, index, comp } => (1, place(index, bank, comp)),
            OpKind::Attr { index, comp } => (2, place(index.into(), 0, comp)),
            OpKind::AttrCentroid { index, comp } => (3, place(index.into(), 0, comp)),
            OpKind::Sys(value) => (4, value as u64),
            _ => return None,
        };
        Some(Read { kind, place, slot: data.slot, ty: values[data.results[0]].ty })
    }

    /// Its entry in a table of this length, a power of two: other words of a bank and other attributes have others.
    #[inline]
    fn entry(&self, len: usize) -> usize {
        // The bits of short numbers stand at the top of binary32, those of integers at the bottom.
        let place = if self.kind == 0 { self.place ^ (self.place >> 20) } else { self.place };
        let slot = self.slot.map_or(0, |slot| slot.index() as u64 + 1);
        (place ^ ((place >> 40) * 0x155) ^ ((slot << 3 | u64::from(self.kind)) * 0x249)) as usize & (len - 1)
    }
}

/// A read that stays.
#[derive(Copy, Clone)]
struct Known {
    read: Read,
    op: OpId,
    value: ValueId,
    region: RegionId,
}

/// What was there before.
struct Old {
    values: PrimaryMap<ValueId, ValueData>,
    ops: PrimaryMap<OpId, OpData>,
    regions: PrimaryMap<RegionId, RegionData>,
}

struct Share<'f> {
    /// What becomes of it.
    func: &'f mut Func,
    old: Old,
    /// The new number of each value met so far.
    new: Vec<ValueId>,
    /// The last read of each place.
    known: Vec<Option<Known>>,
    /// Source instructions of reads that went, and what stands for them, in order of execution.
    united: Vec<(OpId, SourceId)>,
    /// Ops that hold the op at hand, with their new numbers.
    around: Vec<(OpId, OpId)>,
    /// Which regions are around it: what stands in them before it is computed when it is.
    open: Vec<bool>,
}

impl Share<'_> {
    /// A region for the ops of an old one, with its parameters.
    fn make(&mut self, old: RegionId) -> RegionId {
        let region = self.func.regions.push(RegionData::default());
        self.open.push(false);
        for n in 0..self.old.regions[old].params.len() {
            let param = self.old.regions[old].params[n];
            self.new[param.index()] = self.func.add_param(region, self.old.values[param].ty);
        }
        region
    }

    fn region(&mut self, old: RegionId, region: RegionId) {
        let from = std::mem::take(&mut self.old.regions[old].ops);
        let mut ops = Vec::with_capacity(from.len());
        self.open[region.index()] = true;
        for op in from {
            let data = &self.old.ops[op];
            match Read::of(data, &self.old.values) {
                Some(read) => {
                    let entry = read.entry(self.known.len());
                    if let Some(known) = self.known[entry]
                        && known.read == read
                        && self.open[known.region.index()]
                    {
                        self.new[data.results[0].index()] = known.value;
                        self.united.extend(data.origins.iter().map(|&origin| (known.op, origin)));
                    } else {
                        let made = self.take(op);
                        self.known[entry] =
                            Some(Known { read, op: made, value: self.func.ops[made].results[0], region });
                        ops.push(made);
                    }
                }
                None => {
                    let made = self.take(op);
                    ops.push(made);
                    if !self.func.ops[made].regions.is_empty() {
                        self.inside(op, made);
                    }
                }
            }
        }
        self.open[region.index()] = false;
        self.func.regions[region].ops = ops;
    }

    /// The op as it is, with new operands and results.
    #[inline]
    fn take(&mut self, old: OpId) -> OpId {
        let from = &mut self.old.ops[old];
        let Func { ops, values, .. } = &mut *self.func;
        let op = ops.push_with(|| std::mem::replace(from, nothing()));
        let data = &mut ops[op];
        for arg in &mut data.args {
            *arg = self.new[arg.index()];
        }
        for (n, result) in data.results.iter_mut().enumerate() {
            let ty = self.old.values[*result].ty;
            let value = values.push(ValueData { ty, def: ValueDef::Result(op, n as u16) });
            self.new[result.index()] = value;
            *result = value;
        }
        if let OpKind::Break(target) | OpKind::Continue(target) = &mut data.kind
            && let Some(&(_, to)) = self.around.iter().rfind(|(from, _)| from == target)
        {
            *target = to;
        }
        op
    }

    /// The regions of an op that was moved.
    #[inline(never)]
    fn inside(&mut self, old: OpId, op: OpId) {
        self.around.push((old, op));
        for n in 0..self.func.ops[op].regions.len() {
            let from = self.func.ops[op].regions[n];
            let region = self.make(from);
            self.func.ops[op].regions[n] = region;
            self.region(from, region);
        }
        self.around.pop();
    }

    /// Gives the reads that stayed the source instructions of those they stand for. Lists that grow one by one would cost more
    /// than all the rest.
    fn unite(&mut self) {
        // Each read's stand together, behind those of the reads before.
        let mut ends = vec![0u32; self.func.ops.len() + 1];
        self.united.iter().for_each(|(op, _)| ends[op.index() + 1] += 1);
        for n in 1..ends.len() {
            ends[n] += ends[n - 1];
        }
        let mut sorted = vec![SourceId::new(0); self.united.len()];
        for &(op, origin) in &self.united {
            let end = &mut ends[op.index()];
            sorted[*end as usize] = origin;
            *end += 1;
        }
        let mut start = 0;
        let mut list: Vec<SourceId> = Vec::new();
        for (&end, data) in ends.iter().zip(self.func.ops.values_mut()) {
            let added = &sorted[start..end as usize];
            start = end as usize;
            if added.is_empty() {
                continue;
            }
            list.clear();
            list.extend_from_slice(&data.origins);
            list.extend_from_slice(added);
            if !list.is_sorted() {
                list.sort_unstable();
            }
            list.dedup();
            data.origins = Origins::of(&list);
        }
    }
}

/// What is left where an op was.
#[inline]
fn nothing() -> OpData {
    OpData {
        kind: OpKind::Yield,
        slot: None,
        rule: None,
        args: EntityList::new(),
        regions: EntityList::new(),
        results: EntityList::new(),
        origins: Origins::new(),
    }
}
