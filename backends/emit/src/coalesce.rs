//! Makes one cell of values that branches and loops pass on to each other, where their lives do not overlap, so that nothing has to be
//! moved.

use crate::form::{Move, Node, Value};
use crate::live::{Ranges, merged, overlap};
use crate::webs::Webs;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Unites what can be. `ranges` are those of single values; gives those of cells.
pub(crate) fn coalesce(body: &[Node], webs: &mut Webs, mut ranges: Vec<Ranges>) -> Vec<Ranges> {
    let mut moves: Vec<(u32, &[Move])> = Vec::new();
    collect(body, 0, &mut moves);
    if moves.is_empty() {
        return ranges;
    }
    // What happens most often first.
    parallax_text::sort_by_key(&mut moves, |(depth, _)| std::cmp::Reverse(*depth));
    let mut readers = Readers { used: vec![false; webs.len()], moved: FxHashMap::default() };
    if webs.has_outputs() {
        count(body, &mut readers);
    }
    for (_, moves) in moves {
        unite(moves, webs, &mut ranges, &readers);
    }
    ranges
}

fn collect<'a>(nodes: &'a [Node], depth: u32, out: &mut Vec<(u32, &'a [Move])>) {
    for node in nodes {
        match node {
            Node::Moves(moves) => out.push((depth, moves)),
            Node::If { then, other, .. } => {
                collect(then, depth, out);
                collect(other, depth, out);
            }
            Node::Loop { body, .. } => collect(body, depth + 1, out),
            _ => {}
        }
    }
}

/// Who reads values. Only webs of outputs need it.
#[derive(Debug)]
struct Readers {
    /// Whether instructions, branches or moves with signs read it, by value.
    used: Vec<bool>,
    /// Where moves put the others.
    moved: FxHashMap<Value, Vec<Value>>,
}

fn count(nodes: &[Node], readers: &mut Readers) {
    let read = |value: Option<Value>, readers: &mut Readers| {
        if let Some(value) = value {
            readers.used[value as usize] = true;
        }
    };
    for node in nodes {
        match node {
            Node::Single(single) => single.args.iter().for_each(|arg| read(arg.read(), readers)),
            Node::Op(instr) => {
                instr.operands.iter().flat_map(|o| o.bases()).for_each(|base| read(base.read(), readers))
            }
            Node::If { condition, .. } => read(condition.read(), readers),
            Node::Moves(moves) => {
                for one in moves {
                    match one.from.plain_value() {
                        Some(value) => readers.moved.entry(value).or_default().push(one.to),
                        None => read(one.from.read(), readers),
                    }
                }
            }
            _ => {}
        }
    }
    for node in nodes {
        match node {
            Node::If { then, other, .. } => {
                count(then, readers);
                count(other, readers);
            }
            Node::Loop { body, .. } => count(body, readers),
            _ => {}
        }
    }
}

fn unite(moves: &[Move], webs: &mut Webs, ranges: &mut [Ranges], readers: &Readers) {
    let mut pairs: SmallVec<[(Value, Value); 4]> = SmallVec::new();
    for one in moves {
        let Some(from) = one.from.plain_value() else { continue };
        if webs.cell(one.to) != webs.cell(from) {
            pairs.push((one.to, from));
        }
    }
    while let Some(&(to, from)) = pairs.first() {
        let key = (webs.web(to), webs.web(from));
        let is_of_key = |(to, from)| (webs.web(to), webs.web(from)) == key;
        let mut group: SmallVec<[(Value, Value); 4]> = pairs.iter().copied().filter(|&pair| is_of_key(pair)).collect();
        pairs.retain(|pair| !is_of_key(*pair));
        group.retain(|&mut (to, from)| {
            let (a, b) = (webs.cell(to) as usize, webs.cell(from) as usize);
            a != b && !overlap(&ranges[a], &ranges[b])
        });
        let output = [key.0, key.1].into_iter().find(|&web| webs.output(web).is_some());
        if output.is_some() {
            // Nobody reads outputs: all that shares the register has to be written for this output alone.
            let is_free = webs.output(key.1).is_none()
                && webs.cells(key.1).iter().all(|&cell| {
                    let Some(&(to, _)) = group.iter().find(|&&(_, from)| webs.cell(from) == cell) else { return false };
                    webs.members(cell).iter().all(|member| {
                        let moved = readers.moved.get(member).map_or(&[][..], |all| all);
                        !readers.used[*member as usize] && moved.iter().all(|&at| at == to || webs.cell(at) == cell)
                    })
                });
            if !is_free {
                continue;
            }
        }
        while !group.is_empty() && !webs.can_unite(&group) {
            if output.is_some() {
                group.clear();
            }
            group.pop();
        }
        for (to, from) in group {
            let (a, b) = (webs.cell(to), webs.cell(from));
            webs.unite(to, from);
            let mut all = std::mem::take(&mut ranges[a as usize]);
            all.append(&mut ranges[b as usize]);
            ranges[webs.cell(to) as usize] = merged(all);
        }
        pairs.retain(|&mut (to, from)| webs.cell(to) != webs.cell(from));
    }
}
