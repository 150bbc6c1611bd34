//! Where ops and regions stand.

use crate::{EntityRef, Func, OpId, OpKind, RegionId, ValueDef, ValueId};

/// Parents in the region tree, the order of definitions, and who leaves what.
#[derive(Clone, Debug)]
pub struct Tree {
    /// Op that holds each region.
    owner: Vec<Option<OpId>>,
    /// Region each live op stands in.
    region: Vec<Option<RegionId>>,
    /// Live ops in execution order, outer before inner.
    order: Vec<OpId>,
    /// Terminators by the loop, block or `if` they lead to, sorted by it.
    edges: Vec<(OpId, OpId)>,
    /// Where those of each op begin, one more than the number; 0 where there are none.
    starts: Vec<u32>,
    has_jumps: bool,
    /// Ops that read other lanes of the quad, votes aside.
    neighbour_reads: Vec<OpId>,
}

impl Tree {
    /// Walks a verified function.
    pub fn new(func: &Func) -> Tree {
        let mut tree = Tree {
            owner: vec![None; func.regions.len()],
            region: vec![None; func.ops.len()],
            order: Vec::with_capacity(func.ops.len()),
            edges: Vec::new(),
            starts: Vec::new(),
            has_jumps: false,
            neighbour_reads: Vec::new(),
        };
        func.walk(|region, op| {
            let data = &func.ops[op];
            tree.order.push(op);
            tree.region[op.index()] = Some(region);
            for &inner in &data.regions {
                tree.owner[inner.index()] = Some(op);
            }
            match data.kind {
                OpKind::Break(target) | OpKind::Continue(target) => {
                    tree.has_jumps = true;
                    tree.edges.push((target, op));
                }
                OpKind::Yield => {
                    if let Some(owner) = tree.owner[region.index()] {
                        tree.edges.push((owner, op));
                    }
                }
                OpKind::Deriv { .. } | OpKind::QuadXor { .. } | OpKind::QuadShuffle => tree.neighbour_reads.push(op),
                OpKind::Tex(tex) if tex.mode.reads_neighbours() => tree.neighbour_reads.push(op),
                _ => {}
            }
        });
        tree.edges.sort_by_key(|edge| edge.0);
        if !tree.edges.is_empty() {
            tree.starts = vec![0; func.ops.len()];
            for (n, (target, _)) in (1..).zip(&tree.edges) {
                let start = &mut tree.starts[target.index()];
                if *start == 0 {
                    *start = n;
                }
            }
        }
        tree
    }

    /// Whether there is any `break` or `continue`.
    pub fn has_jumps(&self) -> bool {
        self.has_jumps
    }

    /// Derivatives, quad exchanges and implicit texture lookups: what reads the bits of other lanes of the quad.
    pub fn neighbour_reads(&self) -> &[OpId] {
        &self.neighbour_reads
    }

    /// Live ops in execution order, outer before inner.
    pub fn order(&self) -> &[OpId] {
        &self.order
    }

    /// The op that holds a region; `None` for the body.
    pub fn owner(&self, region: RegionId) -> Option<OpId> {
        self.owner.get(region.index()).copied().flatten()
    }

    /// The region an op stands in; `None` for dropped ops.
    pub fn region(&self, op: OpId) -> Option<RegionId> {
        self.region.get(op.index()).copied().flatten()
    }

    /// The op that holds the region an op stands in.
    pub fn parent(&self, op: OpId) -> Option<OpId> {
        self.owner(self.region(op)?)
    }

    /// Whether `op` stands inside a region of `outer`, at any depth.
    pub fn is_inside(&self, op: OpId, outer: OpId) -> bool {
        let mut at = self.parent(op);
        while let Some(op) = at {
            if op == outer {
                return true;
            }
            at = self.parent(op);
        }
        false
    }

    /// Whether a value is defined inside a region of `outer`, at any depth.
    pub fn is_defined_inside(&self, func: &Func, value: ValueId, outer: OpId) -> bool {
        match func.values[value].def {
            ValueDef::Result(op, _) => self.is_inside(op, outer),
            ValueDef::Param(region, _) => {
                self.owner(region).is_some_and(|owner| owner == outer || self.is_inside(owner, outer))
            }
        }
    }

    /// Terminators that lead to the end of a loop, block or `if`, and for loops those that lead to the next iteration.
    pub fn edges(&self, target: OpId) -> impl Iterator<Item = OpId> + '_ {
        let start = self.starts.get(target.index()).and_then(|start| start.checked_sub(1));
        let edges = start.map_or(&[][..], |start| &self.edges[start as usize..]);
        edges.iter().take_while(move |edge| edge.0 == target).map(|edge| edge.1)
    }
}
