//! Texture lookups and outputs.

use super::Select;
use crate::form::{Arg, Base, Instr, Lanes, Move, Node, Precision};
use crate::target::Piece;
use parallax_core::{OpId, OutputRole, TexMode, TexOp, ValueId};
use smallvec::SmallVec;
use std::rc::Rc;

impl Select<'_> {
    /// A lookup.
    pub(super) fn lookup(&mut self, op: OpId, tex: TexOp) {
        let func = self.func;
        let data = &func.ops[op];
        let title = self.target.title;
        let what = if tex.bits {
            Some("lookups in textures of integers")
        } else if tex.moved || tex.offset != [0; 3] {
            Some("lookups with texel offsets")
        } else if tex.least_level {
            Some("lookups with a least level")
        } else {
            None
        };
        if let Some(what) = what {
            return self.refuse(format!("{what}: not written for {title} yet"));
        }
        let slot = match data.slot {
            Some(_) => self.slot(op),
            None => return,
        };
        let Some(slot) = slot else { return };
        if data.args.iter().any(|&arg| !self.fits(func.ty(arg))) {
            return;
        }
        let args: SmallVec<[Arg; 16]> = data.args.iter().map(|&arg| self.arg(arg)).collect();
        let is_largest = tex.mode == TexMode::Level && args[3].bits() == Some(0);
        let known = self.lookups.iter().find(|(of, largest, _)| *of == tex && *largest == is_largest);
        let found = match known {
            Some((.., found)) => found.clone(),
            None => match (self.target.lookup)(&tex, is_largest) {
                Ok(found) => {
                    let found = Rc::new(found);
                    self.lookups.push((tex, is_largest, found.clone()));
                    found
                }
                Err(why) => return self.refuse(why),
            },
        };
        let mut operands = SmallVec::new();
        for (n, pieces) in found.operands.iter().enumerate() {
            let lanes = pieces.map(|piece| match piece {
                Piece::Nothing => None,
                Piece::Operand(n) => args.get(n).copied(),
                Piece::Imm(bits) => Some(Arg::imm(bits)),
            });
            operands.push(self.gathered(found.row, n, lanes));
        }
        let results = [0, 1, 2, 3].map(|n| Some(self.own(data.results[n])));
        let saturate = slot.saturate == parallax_num::Saturate::Unsigned;
        let instr = Instr {
            row: found.row,
            saturate,
            precise: false,
            precision: Precision::Full,
            lanes: Lanes::Fixed,
            operands,
            results,
            texture: Some(tex),
            changes: false,
            origin: self.origin,
        };
        self.nodes.push(Node::Op(Box::new(instr)));
    }

    /// Sets a component of an output.
    pub(super) fn output(&mut self, value: ValueId, index: u16, comp: u8) {
        if !self.guards.is_empty() {
            return self.refuse(format!("outputs in branches: {} has no branches", self.target.title));
        }
        let from = self.arg(value);
        let declared = self.func.iface.outputs.get(usize::from(index));
        if let Some(output) = declared.filter(|output| output.role == OutputRole::Watch) {
            // Sets declare what a program does not write: point sizes and distances of clips.
            if from.bits() != Some(0) {
                self.refuse(format!("the result `{}`: not translated yet", output.name));
            }
            return;
        }
        let from = self.movable(from);
        let known = self.outputs.get(&(index, comp)).copied();
        let to = known.unwrap_or_else(|| self.fresh());
        self.outputs.insert((index, comp), to);
        match self.nodes.last_mut() {
            Some(Node::Moves(moves))
                if moves.iter().all(|other| other.to != to && other.from.base() != Base::Value(to)) =>
            {
                moves.push(Move { to, from });
            }
            _ => self.nodes.push(Node::Moves(vec![Move { to, from }])),
        }
    }
}
