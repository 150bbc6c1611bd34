//! Webs: values that share a register, each in a component of its own.

use crate::form::Value;
use smallvec::SmallVec;

/// The webs of a program. Values whose lives do not overlap can be one *cell*, which has one component.
#[derive(Debug)]
pub(crate) struct Webs {
    parent: Vec<u32>,
    /// Of each root: the number of its list of cells, from 1; 0 where the root is the only one.
    shared: Vec<u32>,
    /// Cells of webs, by the value that stands for each.
    lists: Vec<SmallVec<[Value; 4]>>,
    cell: Vec<Value>,
    /// Values of each cell, where there are several.
    members: rustc_hash::FxHashMap<Value, Vec<Value>>,
    /// The component that a cell must have.
    fixed: Vec<Option<u8>>,
    /// Values in registers of half the size; none where the list is empty.
    half: Vec<bool>,
    /// Webs that are output registers, of which there are few.
    outputs: SmallVec<[(u32, u16); 4]>,
}

impl Webs {
    /// Every value alone. `half`: which are in registers of half the size, of sets that have them.
    pub(crate) fn new(values: u32, half: Vec<bool>) -> Webs {
        Webs {
            parent: (0..values).collect(),
            shared: vec![0; values as usize],
            lists: Vec::new(),
            cell: (0..values).collect(),
            members: Default::default(),
            fixed: vec![None; values as usize],
            half,
            outputs: SmallVec::new(),
        }
    }

    /// One more value.
    pub(crate) fn push(&mut self) -> Value {
        let value = self.parent.len() as Value;
        self.parent.push(value);
        self.shared.push(0);
        self.cell.push(value);
        self.fixed.push(None);
        value
    }

    /// How many values there are.
    pub(crate) fn len(&self) -> usize {
        self.parent.len()
    }

    /// The web of a value.
    pub(crate) fn web(&self, value: Value) -> u32 {
        let mut at = value;
        while self.parent[at as usize] != at {
            at = self.parent[at as usize];
        }
        at
    }

    /// The cell of a value.
    pub(crate) fn cell(&self, value: Value) -> Value {
        let mut at = value;
        while self.cell[at as usize] != at {
            at = self.cell[at as usize];
        }
        at
    }

    /// The values of a cell.
    pub(crate) fn members(&self, cell: Value) -> SmallVec<[Value; 4]> {
        self.members.get(&cell).map_or_else(|| SmallVec::from_iter([cell]), |all| all.iter().copied().collect())
    }

    /// The cells of a web.
    pub(crate) fn cells(&self, web: u32) -> &[Value] {
        match self.shared[web as usize] {
            // A root is its own parent.
            0 => std::slice::from_ref(&self.parent[web as usize]),
            list => &self.lists[list as usize - 1],
        }
    }

    /// Whether a value is in a register of half the size, with all that shares it.
    pub(crate) fn is_half(&self, value: Value) -> bool {
        self.half.get(value as usize).is_some_and(|&half| half)
    }

    /// The component that a cell must have.
    pub(crate) fn fixed(&self, cell: Value) -> Option<u8> {
        self.fixed[cell as usize]
    }

    /// Puts a value into a component.
    pub(crate) fn fix(&mut self, value: Value, comp: u8) {
        self.fixed[value as usize] = Some(comp);
    }

    /// Makes the web of a value an output register.
    pub(crate) fn make_output(&mut self, value: Value, output: u16) {
        let web = self.web(value);
        match self.outputs.iter_mut().find(|(known, _)| *known == web) {
            Some((_, known)) => *known = output,
            None => self.outputs.push((web, output)),
        }
    }

    /// The output register that a web is.
    pub(crate) fn output(&self, web: u32) -> Option<u16> {
        self.outputs.iter().find(|(known, _)| *known == web).map(|&(_, output)| output)
    }

    /// The webs that are output registers.
    pub(crate) fn outputs(&self) -> impl Iterator<Item = (u32, u16)> {
        self.outputs.iter().copied()
    }

    /// Whether any web is an output register.
    pub(crate) fn has_outputs(&self) -> bool {
        !self.outputs.is_empty()
    }

    /// Whether all these pairs of values could share registers at the same time.
    pub(crate) fn can_join(&self, pairs: &[(Value, Value)]) -> bool {
        // Nearly always there are none, or two webs alone.
        match pairs {
            [] => return true,
            &[(a, b)] => {
                let (a, b) = (self.web(a), self.web(b));
                return a == b || self.fits(&[a, b]);
            }
            _ => {}
        }
        let mut distinct: SmallVec<[[u32; 2]; 4]> = SmallVec::new();
        let mut touch = false;
        for &(a, b) in pairs {
            let (a, b) = (self.web(a), self.web(b));
            if a != b {
                touch |= distinct.as_flattened().iter().any(|&web| web == a || web == b);
                distinct.push([a, b]);
            }
        }
        if !touch {
            return distinct.iter().all(|pair| self.fits(pair));
        }
        let mut groups: SmallVec<[SmallVec<[u32; 4]>; 4]> = SmallVec::new();
        for pair in distinct {
            let mut joined: SmallVec<[u32; 4]> = SmallVec::from_slice(&pair);
            groups.retain(|group| {
                let touches = group.iter().any(|web| joined.contains(web));
                if touches {
                    group.iter().for_each(|web| {
                        if !joined.contains(web) {
                            joined.push(*web);
                        }
                    });
                }
                !touches
            });
            groups.push(joined);
        }
        groups.iter().all(|group| self.fits(group))
    }

    fn fits(&self, webs: &[u32]) -> bool {
        if webs.iter().map(|&web| self.cells(web).len()).sum::<usize>() > 4 {
            return false;
        }
        let mut taken = 0u8;
        for &web in webs {
            if self.output(web).is_some() || self.is_half(web) != self.is_half(webs[0]) {
                return false;
            }
            for &cell in self.cells(web) {
                if let Some(comp) = self.fixed[cell as usize] {
                    if taken >> comp & 1 != 0 {
                        return false;
                    }
                    taken |= 1 << comp;
                }
            }
        }
        true
    }

    /// Makes the webs of two values one; they must fit.
    pub(crate) fn join(&mut self, a: Value, b: Value) {
        let (a, b) = (self.web(a), self.web(b));
        if a == b {
            return;
        }
        let (to, from) = (self.shared[a as usize] as usize, self.shared[b as usize] as usize);
        match (to, from) {
            (0, 0) => {
                self.lists.push(SmallVec::from_buf_and_len([a, b, 0, 0], 2));
                self.shared[a as usize] = self.lists.len() as u32;
            }
            (0, list) => {
                self.lists[list - 1].insert(0, a);
                self.shared[a as usize] = list as u32;
            }
            (list, 0) => self.lists[list - 1].push(b),
            (list, other) => {
                let moved = std::mem::take(&mut self.lists[other - 1]);
                self.lists[list - 1].extend_from_slice(&moved);
            }
        }
        self.parent[b as usize] = a;
        if let Some(at) = self.outputs.iter().position(|(known, _)| *known == b) {
            let (_, output) = self.outputs.remove(at);
            self.make_output(a, output);
        }
    }

    /// Whether all these pairs of values, all of the same two webs, could be one cell each.
    pub(crate) fn can_unite(&self, pairs: &[(Value, Value)]) -> bool {
        let Some(&(first, second)) = pairs.first() else { return false };
        let (a, b) = (self.web(first), self.web(second));
        let is_output = [a, b].map(|web| self.output(web).is_some());
        if is_output[0] && is_output[1] && a != b || self.is_half(a) != self.is_half(b) {
            return false;
        }
        // Each cell of one web with at most one of the other.
        let mut comps: SmallVec<[Option<u8>; 4]> = SmallVec::new();
        let mut seen: SmallVec<[Value; 8]> = SmallVec::new();
        for &(x, y) in pairs {
            let (x, y) = (self.cell(x), self.cell(y));
            if seen.contains(&x) || seen.contains(&y) || x == y {
                return false;
            }
            seen.extend([x, y]);
            match (self.fixed[x as usize], self.fixed[y as usize]) {
                (Some(x), Some(y)) if x != y => return false,
                (x, y) => comps.push(x.or(y)),
            }
        }
        for &cell in self.cells(a).iter().chain(if a == b { &[] } else { self.cells(b) }) {
            if !seen.contains(&cell) {
                comps.push(self.fixed[cell as usize]);
            }
        }
        let mut taken = 0u8;
        for comp in comps.iter().flatten() {
            if taken >> comp & 1 != 0 {
                return false;
            }
            taken |= 1 << comp;
        }
        comps.len() <= 4
    }

    /// Makes two values one cell, and their webs one.
    pub(crate) fn unite(&mut self, a: Value, b: Value) {
        self.join(a, b);
        let (a, b) = (self.cell(a), self.cell(b));
        if a == b {
            return;
        }
        let web = self.web(a) as usize;
        if let Some(list) = (self.shared[web] as usize).checked_sub(1) {
            self.lists[list].retain(|cell| *cell != b);
        }
        let mut all = self.members.remove(&a).unwrap_or_else(|| vec![a]);
        all.extend(self.members.remove(&b).unwrap_or_else(|| vec![b]));
        self.members.insert(a, all);
        self.cell[b as usize] = a;
        self.fixed[a as usize] = self.fixed[a as usize].or(self.fixed[b as usize]);
    }
}
