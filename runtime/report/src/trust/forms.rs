//! What is known of bound shaders. Models give one program few bodies and many rules: equal bodies are kept once.

use parallax::{Draw, same_rules};
use parallax_core::{Bound, Func, Shader};
use std::sync::Arc;

/// A bound shader that is kept.
#[derive(Clone)]
pub(super) struct Form {
    func: Arc<Func>,
    state: Bound,
}

/// Something of each of some bound shaders.
pub(super) struct Forms<T> {
    funcs: Vec<Arc<Func>>,
    known: Vec<(Form, T)>,
}

impl<T> Default for Forms<T> {
    fn default() -> Forms<T> {
        Forms { funcs: Vec::new(), known: Vec::new() }
    }
}

impl<T> Forms<T> {
    /// A shader as it is kept.
    pub(super) fn form(&mut self, shader: &Shader<Bound>) -> Form {
        let func = self.funcs.iter().find(|func| ***func == shader.func).cloned().unwrap_or_else(|| {
            let func = Arc::new(shader.func.clone());
            self.funcs.push(func.clone());
            func
        });
        Form { func, state: shader.state.clone() }
    }

    /// What is known of a shader that gives a draw the same results.
    pub(super) fn find(&self, form: &Form, draw: &Draw, is_it: impl Fn(&T) -> bool) -> Option<&T> {
        let same = |known: &Form| {
            Arc::ptr_eq(&known.func, &form.func)
                && same_rules((&known.func, &known.state), (&form.func, &form.state), draw)
        };
        self.known.iter().find(|(known, value)| same(known) && is_it(value)).map(|(_, value)| value)
    }

    /// Remembers something of a shader.
    pub(super) fn insert(&mut self, form: Form, value: T) {
        self.known.push((form, value));
    }
}
