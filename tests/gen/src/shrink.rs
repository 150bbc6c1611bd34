//! Smaller shaders and inputs with the same fault, and how they are written down.

use crate::Batch;
use parallax_core::text::print;
use parallax_core::{
    EntityList, Func, Interface, OpData, OpId, OpKind, RegionId, Shader, SlotId, Symbolic, SysVal, ValueId, verify,
};
use std::fmt::Write;

/// A shader and inputs that are as small as could be found and still fail. Ops are dropped, replaced by an operand or by zero,
/// regions are dropped or take the place of their op, lanes are left out, inputs become zero; every change stays with which
/// the shader is sound and `fails` says yes. It says so of what is given.
pub fn shrink(
    mut shader: Shader<Symbolic>,
    mut batch: Batch,
    fails: &mut dyn FnMut(&Shader<Symbolic>, &Batch) -> bool,
) -> (Shader<Symbolic>, Batch) {
    let bare = bare(&shader);
    if fails(&bare, &batch) {
        shader = bare;
    }
    loop {
        let mut changed = false;
        while let Some(fewer) = batch.parts().into_iter().find(|part| fails(&shader, part)) {
            batch = fewer;
            changed = true;
        }
        let mut ops = Vec::new();
        shader.func.walk(|region, op| ops.push((region, op)));
        // From the end: what nobody reads any more comes later.
        for &(region, op) in ops.iter().rev() {
            let is_there = shader.func.regions[region].ops.contains(&op);
            let smaller = CHANGES.iter().filter(|_| is_there).find_map(|change| {
                let mut candidate = shader.clone();
                let made = change(&mut candidate.func, region, op).is_some();
                (made && verify(&candidate).is_ok() && fails(&candidate, &batch)).then_some(candidate)
            });
            if let Some(smaller) = smaller {
                shader = smaller;
                changed = true;
            }
        }
        for row in 0..batch.rows() {
            let zero = batch.without_row(row);
            if let Some(zero) = zero.filter(|zero| fails(&shader, zero)) {
                batch = zero;
                changed = true;
            }
        }
        if !changed {
            let few = few_slots(&shader);
            return (if fails(&few, &batch) { few } else { shader }, batch);
        }
    }
}

/// The shader without the instructions that it came from.
fn bare(shader: &Shader<Symbolic>) -> Shader<Symbolic> {
    let mut bare = shader.clone();
    bare.func.sources = Default::default();
    bare.func.ops.values_mut().for_each(|data| data.origins = EntityList::new());
    bare
}

/// The shader with the slots that its ops name.
fn few_slots(shader: &Shader<Symbolic>) -> Shader<Symbolic> {
    let mut few = shader.clone();
    let slots = std::mem::take(&mut few.func.slots);
    let mut ops = Vec::new();
    few.func.walk(|_, op| ops.push(op));
    for op in ops {
        let slot = few.func.ops[op].slot.map(|slot| few.func.slot(slots[slot]));
        few.func.ops[op].slot = slot;
    }
    few
}

/// A change of an op in its region; `None` where it does not apply. Whether the shader is sound then is for the verifier to say.
type Change = fn(&mut Func, RegionId, OpId) -> Option<()>;

/// Those that take most away come first.
const CHANGES: [Change; 6] = [drop_op, drop_regions, first_region, second_region, operand, zero];

fn remove(func: &mut Func, region: RegionId, op: OpId) -> Option<usize> {
    let ops = &mut func.regions[region].ops;
    let at = ops.iter().position(|&other| other == op)?;
    ops.remove(at);
    Some(at)
}

/// Lets others stand for values.
fn replace(func: &mut Func, values: &[ValueId], by: &[ValueId]) {
    for data in func.ops.values_mut() {
        for arg in data.args.iter_mut() {
            if let Some(at) = values.iter().position(|value| value == arg) {
                *arg = by[at];
            }
        }
    }
}

fn drop_op(func: &mut Func, region: RegionId, op: OpId) -> Option<()> {
    remove(func, region, op).map(|_| ())
}

/// What lanes hold that do not execute stands for what an op with regions gives.
fn drop_regions(func: &mut Func, region: RegionId, op: OpId) -> Option<()> {
    let data = &func.ops[op];
    let (results, initial) = (data.results.to_vec(), data.initial().to_vec());
    if data.regions.is_empty() || results.is_empty() || initial.len() != results.len() {
        return None;
    }
    replace(func, &results, &initial);
    drop_op(func, region, op)
}

fn first_region(func: &mut Func, region: RegionId, op: OpId) -> Option<()> {
    inner(func, region, op, 0)
}

fn second_region(func: &mut Func, region: RegionId, op: OpId) -> Option<()> {
    inner(func, region, op, 1)
}

/// The ops of a region in the place of their op: of a loop the first iteration, which then is the last.
fn inner(func: &mut Func, region: RegionId, op: OpId, number: usize) -> Option<()> {
    let data = &func.ops[op];
    let from = *data.regions.get(number)?;
    let (results, args) = (data.results.to_vec(), data.args.to_vec());
    let params = func.regions[from].params.to_vec();
    let mut ops = std::mem::take(&mut func.regions[from].ops);
    let last = &func.ops[ops.pop()?];
    let given = match last.kind {
        _ if results.is_empty() => Vec::new(),
        OpKind::Yield | OpKind::Break(_) => last.args.to_vec(),
        _ => return None,
    };
    if given.len() != results.len() || args.len() < params.len() {
        return None;
    }
    replace(func, &results, &given);
    replace(func, &params, &args[..params.len()]);
    let at = remove(func, region, op)?;
    func.regions[region].ops.splice(at..at, ops);
    Some(())
}

/// An operand stands for the result.
fn operand(func: &mut Func, region: RegionId, op: OpId) -> Option<()> {
    let data = &func.ops[op];
    let [result] = data.results[..] else { return None };
    let same = data.args.iter().copied().find(|&arg| func.ty(arg) == func.ty(result))?;
    replace(func, &[result], &[same]);
    drop_op(func, region, op)
}

/// Zeros instead of whatever is computed.
fn zero(func: &mut Func, region: RegionId, op: OpId) -> Option<()> {
    let data = func.ops[op].clone();
    if data.kind == OpKind::Literal(0) || data.results.is_empty() || !data.regions.is_empty() {
        return None;
    }
    let at = remove(func, region, op)?;
    for (n, &result) in data.results.iter().enumerate() {
        let ty = func.ty(result);
        let slot: Option<SlotId> = match ty.decl() {
            Some(decl) => Some(func.slots.iter().find(|(_, slot)| slot.decl == decl)?.0),
            None => None,
        };
        let (args, results) = (EntityList::new(), EntityList::new());
        let literal =
            func.push_op(region, OpData { kind: OpKind::Literal(0), slot, args, results, ..data.clone() }, &[ty]);
        let ops = &mut func.regions[region].ops;
        ops.pop();
        ops.insert(at + n, literal);
        let zero = func.ops[literal].results[0];
        replace(func, &[result], &[zero]);
    }
    Some(())
}

/// A file for `tests/filetests/run` with a shader, a model and the inputs of a batch, up to the results.
pub fn filetest(shader: &Shader<Symbolic>, model: &str, about: &str, batch: &Batch) -> String {
    let mut text = format!("; test run {model}\n");
    for line in about.lines() {
        let _ = writeln!(text, "; {line}");
    }
    text.push_str(print(shader).trim_end());
    let _ = writeln!(text, "\n; run:{}", batch.inputs(&shader.func.iface));
    text
}

impl Batch {
    /// Half of the quads, and single ones.
    fn parts(&self) -> Vec<Batch> {
        let quads: Vec<Batch> = self.quads().collect();
        if quads.len() < 2 {
            return Vec::new();
        }
        let lanes = self.lanes / 2 / 4 * 4;
        let halves = [0..lanes, lanes..self.lanes].map(|range| self.part(range));
        halves.into_iter().chain(quads.into_iter().take(16)).collect()
    }

    /// Rows of inputs that can be zero: attributes, system values, vectors of constants, buffers, what is not covered.
    fn rows(&self) -> usize {
        (self.attrs.len() + self.sysvals.len()) / self.lanes + self.vectors() + self.buffers.len() + 1
    }

    fn vectors(&self) -> usize {
        self.banks.iter().map(Vec::len).sum()
    }

    /// The same with a row of zeros; `None` where it is one.
    fn without_row(&self, row: usize) -> Option<Batch> {
        let mut batch = self.clone();
        let (attrs, systems) = (self.attrs.len() / self.lanes, self.sysvals.len() / self.lanes);
        let vectors = self.vectors();
        let words: &mut [u32] = if row < attrs {
            &mut batch.attrs[row * self.lanes..][..self.lanes]
        } else if row < attrs + systems {
            &mut batch.sysvals[(row - attrs) * self.lanes..][..self.lanes]
        } else if row < attrs + systems + vectors {
            batch.banks.iter_mut().flatten().nth(row - attrs - systems)?
        } else if row < attrs + systems + vectors + self.buffers.len() {
            &mut batch.buffers[row - attrs - systems - vectors]
        } else {
            let all = self.covered.iter().all(|&covered| covered);
            batch.covered.fill(true);
            return (!all).then_some(batch);
        };
        let is_zero = words.iter().all(|&word| word == 0);
        words.fill(0);
        (!is_zero).then_some(batch)
    }

    /// The inputs as a line of a filetest has them.
    pub fn inputs(&self, iface: &Interface) -> String {
        const COMPONENTS: [&str; 4] = ["x", "y", "z", "w"];
        let mut text = String::new();
        // Lists say how many lanes there are.
        let mut row = |name: &str, words: &[u32], at_least_one: bool| {
            if words.iter().any(|&word| word != 0) || at_least_one {
                let words: Vec<String> = words.iter().map(|word| format!("{word:#x}")).collect();
                let _ = write!(text, " {name}=[{}]", words.join(", "));
            }
        };
        for (plane, words) in self.attrs.chunks_exact(self.lanes).enumerate() {
            row(&format!("in{}.{}", plane / 4, COMPONENTS[plane % 4]), words, false);
        }
        for (value, words) in SysVal::ALL.into_iter().zip(self.sysvals.chunks_exact(self.lanes)) {
            row(value.name(), words, false);
        }
        let covered: Vec<u32> = self.covered.iter().map(|&covered| covered.into()).collect();
        row("covered", &covered, true);
        for (number, words) in self.buffers.iter().enumerate() {
            row(&format!("b{number}"), words, true);
        }
        let mut defaults: Vec<Vec<[u32; 4]>> = self.banks.iter().map(|bank| vec![[0; 4]; bank.len()]).collect();
        iface.set_defaults(&mut defaults);
        for (number, (bank, defaults)) in self.banks.iter().zip(&defaults).enumerate() {
            for (vector, (words, defaults)) in bank.iter().zip(defaults).enumerate() {
                for (comp, _) in words.iter().zip(defaults).enumerate().filter(|(_, (word, default))| word != default) {
                    let _ = write!(text, " c{number}[{vector}].{}={:#x}", COMPONENTS[comp], words[comp]);
                }
            }
        }
        let _ = write!(text, " fuel={:#x}", self.fuel);
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{choices, shader};
    use parallax_core::num::Op;
    use parallax_core::text::read;

    fn count(shader: &Shader<Symbolic>, wanted: impl Fn(&OpKind) -> bool) -> usize {
        let mut count = 0;
        shader.func.walk(|_, op| count += usize::from(wanted(&shader.func.ops[op].kind)));
        count
    }

    #[test]
    fn little_more_is_left_than_what_fails() {
        let (mut found, mut started, mut knots) = (0, 0, 0);
        for seed in 0..120 {
            let made = shader(&choices(seed, 300));
            let batch = Batch::new(&choices(seed, 4000), &made.func.iface, 20);
            let is_planted = |shader: &Shader<Symbolic>| count(shader, |kind| *kind == OpKind::Num(Op::Mul)) > 0;
            // A product, and an attribute that is not zero.
            let mut fails = |shader: &Shader<Symbolic>, batch: &Batch| {
                is_planted(shader) && batch.attrs[..batch.lanes].iter().any(|&word| word != 0)
            };
            if !fails(&made, &batch) {
                continue;
            }
            found += 1;
            started += made.func.live_ops();
            let (small, batch) = shrink(made, batch, &mut fails);
            assert!(verify(&small).is_ok() && is_planted(&small));
            // The product, its operand or two, the end; seldom a knot of regions that leave each other.
            knots += usize::from(small.func.live_ops() > 5);
            assert!(small.func.live_ops() <= 20, "{}", print(&small));
            assert_eq!(batch.lanes, 4);
            assert_eq!(batch.attrs.chunks(4).filter(|row| row.iter().any(|&word| word != 0)).count(), 1);
            let text = filetest(&small, "ieee", "A product.", &batch);
            let end = text.rfind("\n}\n").expect("a shader") + 3;
            assert_eq!(print(&read(&text[..end]).expect("reads back")), print(&small));
            assert!(text.ends_with(" fuel=0xc\n") && text[end..].starts_with("; run: in0.x=["), "{text}");
        }
        assert!(found > 5 && started > found * 40 && knots * 4 <= found, "{found} {started} {knots}");
    }
}
