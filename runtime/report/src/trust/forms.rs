//! What is known of bound shaders. Models give one program few bodies and many rules: equal bodies are kept once, and so are the
//! lists that say which rule each op follows.

use parallax::{Draw, same_rules};
use parallax_core::{Bound, EntityRef, Func, OpData, Shader};
use std::sync::Arc;

/// A bound shader that is kept.
#[derive(Clone)]
pub(super) struct Form {
    /// The body without rules.
    func: Arc<Func>,
    /// The number of each op's rule; [`NONE`] for those without one.
    rules: Arc<[u32]>,
    state: Bound,
}

const NONE: u32 = u32::MAX;

/// Something of each of some bound shaders.
pub(super) struct Forms<T> {
    funcs: Vec<Arc<Func>>,
    rules: Vec<Arc<[u32]>>,
    known: Vec<(Form, T)>,
}

impl<T> Default for Forms<T> {
    fn default() -> Forms<T> {
        Forms { funcs: Vec::new(), rules: Vec::new(), known: Vec::new() }
    }
}

impl<T> Forms<T> {
    /// A shader as it is kept.
    pub(super) fn form(&mut self, shader: &Shader<Bound>) -> Form {
        let func = self.funcs.iter().find(|func| same_but_rules(func, &shader.func)).cloned().unwrap_or_else(|| {
            let mut func = shader.func.clone();
            func.ops.values_mut().for_each(|op| op.rule = None);
            self.funcs.push(Arc::new(func));
            self.funcs[self.funcs.len() - 1].clone()
        });
        let number = |op: &OpData| op.rule.map_or(NONE, |rule| rule.index() as u32);
        let rules = || shader.func.ops.values().map(number);
        let same = |known: &&Arc<[u32]>| known.iter().copied().eq(rules());
        let rules = self.rules.iter().find(same).cloned().unwrap_or_else(|| {
            self.rules.push(rules().collect());
            self.rules[self.rules.len() - 1].clone()
        });
        Form { func, rules, state: shader.state.clone() }
    }

    /// What is known of a shader that gives a draw the same results.
    pub(super) fn find(&self, form: &Form, draw: &Draw, is_it: impl Fn(&T) -> bool) -> Option<&T> {
        let same = |known: &Form| {
            Arc::ptr_eq(&known.func, &form.func)
                && Arc::ptr_eq(&known.rules, &form.rules)
                && same_rules((&known.func, &known.state), (&form.func, &form.state), draw)
        };
        self.known.iter().find(|(known, value)| same(known) && is_it(value)).map(|(_, value)| value)
    }

    /// Remembers something of a shader.
    pub(super) fn insert(&mut self, form: Form, value: T) {
        self.known.push((form, value));
    }
}

/// Whether two bodies differ in the rules of their ops at most. `a` has none.
fn same_but_rules(a: &Func, b: &Func) -> bool {
    let Func { name, isa, uncompiled, iface, values, ops, regions, slots, arrays, sources, body } = a;
    let same_op = |(a, b): (&OpData, &OpData)| {
        let OpData { kind, slot, rule: _, args, regions, results, origins } = a;
        (kind, slot) == (&b.kind, &b.slot)
            && (args, results, regions, origins) == (&b.args, &b.results, &b.regions, &b.origins)
    };
    ops.len() == b.ops.len()
        && ops.values().zip(b.ops.values()).all(same_op)
        && (name, isa, uncompiled, body) == (&b.name, &b.isa, &b.uncompiled, &b.body)
        && (iface, values, regions, slots) == (&b.iface, &b.values, &b.regions, &b.slots)
        && (arrays, sources) == (&b.arrays, &b.sources)
}

#[cfg(test)]
mod tests {
    use super::*;
    use parallax::{LoadOptions, load};
    use parallax_num::Model;

    #[test]
    fn bodies_are_kept_once_and_rules_told_apart() {
        let text = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0]\nMUL TEMP[0], IN[0], IN[0]\n\
                    ADD OUT[0], TEMP[0], IN[0]\nEND\n";
        let shader = load("x.tgsi", text.as_bytes(), &LoadOptions::default()).shader.unwrap();
        let draw = Draw::defaults(&shader.func.iface).unwrap();
        let mut forms = Forms::default();
        let models = ["ieee", "ieee[mul.round=rtz]", "ieee[round=rtz]", "nv40", "ati-r300"];
        let bound = models.map(|name| shader.bind(&Model::parse(name).unwrap()));
        for (number, bound) in bound.iter().enumerate() {
            let form = forms.form(bound);
            assert_eq!(forms.find(&form, &draw, |_| true), None, "{}", models[number]);
            forms.insert(form, number);
        }
        for (number, bound) in bound.iter().enumerate() {
            let form = forms.form(bound);
            assert_eq!(forms.find(&form, &draw, |_| true), Some(&number));
            assert_eq!(forms.find(&form, &draw, |known| *known != number), None);
        }
        // No literal depends on the model.
        assert_eq!(forms.funcs.len(), 1);
        assert!(forms.rules.len() > 1 && forms.rules.len() < models.len(), "{}", forms.rules.len());
        let other = load("x.tgsi", text.replace("ADD", "MIN").as_bytes(), &LoadOptions::default()).shader.unwrap();
        let form = forms.form(&other.bind(&Model::parse("ieee").unwrap()));
        assert_eq!((forms.find(&form, &draw, |_| true), forms.funcs.len()), (None, 2));
    }
}
