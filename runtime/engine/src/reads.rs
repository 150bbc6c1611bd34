//! Which inputs a shader reads.

use parallax_core::{Func, Location, OpKind, SysVal};

/// Which inputs a shader reads.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reads {
    /// Attribute components, as `attribute * 4 + component`, sorted.
    pub(crate) attrs: Vec<usize>,
    /// Whether any system value is read that is not derived by the interpreter itself.
    pub(crate) sysvals: bool,
    /// Whether attributes are read at places that the shader chooses.
    pub(crate) elsewhere: bool,
    /// Whether samples are removed from coverage.
    pub(crate) discards_samples: bool,
    /// Whether it has to run per sample to mean anything: it reads the number of its sample, and does not ask whether it has
    /// one, or it reads an attribute there.
    pub(crate) asks_for_samples: bool,
}

impl Reads {
    pub(crate) fn of(func: &Func) -> Reads {
        let mut reads = Reads::default();
        let attrs = &func.iface.attrs;
        let mut used = vec![false; attrs.len() * 4];
        let mut read = |index: usize, comp: u8| {
            if let Some(used) = used.get_mut(index * 4 + usize::from(comp)) {
                *used = true;
            }
        };
        let at_sample = |index: usize| attrs.get(index).is_some_and(|a| a.location == Location::Sample);
        let (mut numbered, mut checks) = (false, false);
        func.walk(|_, op| match func.ops[op].kind {
            OpKind::Attr { index, comp } => {
                read(usize::from(index), comp);
                reads.asks_for_samples |= at_sample(usize::from(index));
            }
            OpKind::AttrAt { comp, .. } => {
                (0..attrs.len()).for_each(|index| read(index, comp & 3));
                reads.asks_for_samples |= (0..attrs.len()).any(at_sample);
            }
            OpKind::AttrSample { index, comp }
            | OpKind::AttrOffset { index, comp }
            | OpKind::AttrCentroid { index, comp } => {
                read(usize::from(index), comp);
                reads.elsewhere = true;
            }
            OpKind::Sys(value) => {
                reads.sysvals |= !matches!(value, SysVal::HelperLane | SysVal::QuadLane);
                numbered |= value == SysVal::SampleId;
                checks |= value == SysVal::SampleShading;
            }
            // Which samples are left depends on which there were.
            OpKind::DiscardSamples => (reads.sysvals, reads.discards_samples) = (true, true),
            _ => {}
        });
        reads.asks_for_samples |= numbered && !checks;
        reads.attrs = (0..used.len()).filter(|&plane| used[plane]).collect();
        reads
    }

    /// Place of an attribute component among those that are read.
    pub(crate) fn place(&self, attr: usize, comp: usize) -> Option<usize> {
        self.attrs.binary_search(&(attr * 4 + comp)).ok()
    }
}
