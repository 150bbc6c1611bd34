//! Equal reads become one: constants, attributes, system values and literals, which have no operands.
//!
//! Lifting makes a read for every use, since each belongs to the arithmetic of its instruction. Who runs a shader under one model
//! does not ask: reads of one place under one slot give the same bits under every rule, in all lanes, also in the regions inside.
//! Each place has an entry in a table of fixed size. Places may push each other out: what is then left is found by value
//! numbering ([`merge_equal`](crate::merge_equal)), and so are reads that are equal under one model alone.

use parallax_core::{
    EntityRef, Func, OpData, OpId, OpKind, Origins, RegionId, Shader, SlotId, SourceId, Symbolic, Type, ValueId,
};

/// Most entries of the table.
const MOST: usize = 4096;

/// Runs the pass.
pub fn run(shader: &mut Shader<Symbolic>) {
    let func = &mut shader.func;
    let entries = (func.ops.len() / 2).next_power_of_two().clamp(64, MOST);
    let mut share = Share {
        known: vec![None; entries],
        open: vec![false; func.regions.len()],
        first: Vec::new(),
        groups: Vec::new(),
        united: Vec::new(),
        func,
    };
    let body = share.func.body;
    share.region(body);
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
    fn of(func: &Func, data: &OpData) -> Option<Read> {
        let place = |index: u32, bank: u16, comp: u8| u64::from(bank) << 40 | u64::from(index) << 2 | u64::from(comp);
        let (kind, place) = match data.kind {
            OpKind::Literal(bits) => (0, bits),
            OpKind::Const { bank, index, comp } => (1, place(index, bank, comp)),
            OpKind::Attr { index, comp } => (2, place(index.into(), 0, comp)),
            OpKind::AttrCentroid { index, comp } => (3, place(index.into(), 0, comp)),
            OpKind::Sys(value) => (4, value as u64),
            _ => return None,
        };
        Some(Read { kind, place, slot: data.slot, ty: func.ty(data.results[0]) })
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
    op: OpId,
    region: RegionId,
    /// Its number among [`Share::groups`], once it stands for others.
    group: Option<u32>,
}

/// A read that stands for others, and how many source instructions they have.
struct Group {
    op: OpId,
    added: u32,
}

struct Share<'f> {
    func: &'f mut Func,
    /// The last read of each place.
    known: Vec<Option<Known>>,
    /// Which regions are around the op at hand: what stands in them before it is computed when it is.
    open: Vec<bool>,
    /// What stands for each value, if another does; empty while none does.
    first: Vec<Option<ValueId>>,
    groups: Vec<Group>,
    /// Source instructions of reads that went, and the groups they belong to, in order of execution.
    united: Vec<(u32, SourceId)>,
}

impl Share<'_> {
    fn region(&mut self, region: RegionId) {
        self.open[region.index()] = true;
        let mut ops = std::mem::take(&mut self.func.regions[region].ops);
        ops.retain(|&op| match Read::of(self.func, &self.func.ops[op]) {
            Some(read) => self.stays(op, read, region),
            None => {
                self.other(op);
                true
            }
        });
        self.func.regions[region].ops = ops;
        self.open[region.index()] = false;
    }

    /// Whether no earlier read stands for this one.
    #[inline]
    fn stays(&mut self, op: OpId, read: Read, region: RegionId) -> bool {
        let entry = read.entry(self.known.len());
        let earlier = self.known[entry].filter(|known| {
            self.open[known.region.index()] && Read::of(self.func, &self.func.ops[known.op]) == Some(read)
        });
        let Some(known) = earlier else {
            self.known[entry] = Some(Known { op, region, group: None });
            return true;
        };
        if self.first.is_empty() {
            self.first = vec![None; self.func.values.len()];
            self.united.reserve(self.func.ops.len() / 2);
        }
        let group = known.group.unwrap_or_else(|| {
            self.groups.push(Group { op: known.op, added: 0 });
            let group = self.groups.len() as u32 - 1;
            self.known[entry] = Some(Known { group: Some(group), ..known });
            group
        });
        let data = &self.func.ops[op];
        self.first[data.results[0].index()] = Some(self.func.ops[known.op].results[0]);
        self.united.extend(data.origins.iter().map(|&origin| (group, origin)));
        self.groups[group as usize].added += data.origins.len() as u32;
        false
    }

    /// An op that is no read.
    #[inline]
    fn other(&mut self, op: OpId) {
        let data = &mut self.func.ops[op];
        if !self.first.is_empty() {
            for arg in &mut data.args {
                if let Some(first) = self.first[arg.index()] {
                    *arg = first;
                }
            }
        }
        for n in 0..data.regions.len() {
            let inner = self.func.ops[op].regions[n];
            self.region(inner);
        }
    }

    /// Gives the reads that stayed the source instructions of those they stand for. Lists that grow one by one would cost more
    /// than all the rest.
    fn unite(self) {
        // Each group's stand together, behind those of the groups before.
        let mut place = 0;
        let mut places: Vec<u32> = Vec::with_capacity(self.groups.len());
        for group in &self.groups {
            places.push(place);
            place += group.added;
        }
        let mut sorted = vec![SourceId::new(0); self.united.len()];
        for &(group, origin) in &self.united {
            let place = &mut places[group as usize];
            sorted[*place as usize] = origin;
            *place += 1;
        }
        let mut rest = &sorted[..];
        let mut list: Vec<SourceId> = Vec::new();
        for group in &self.groups {
            let added;
            (added, rest) = rest.split_at(group.added as usize);
            let origins = &mut self.func.ops[group.op].origins;
            list.clear();
            list.extend_from_slice(origins);
            list.extend_from_slice(added);
            if !list.is_sorted() {
                list.sort_unstable();
            }
            list.dedup();
            *origins = Origins::of(&list);
        }
    }
}
