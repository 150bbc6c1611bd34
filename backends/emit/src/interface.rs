//! Where inputs and outputs of a shader are in its translation.

use crate::notes::Notes;
use parallax_core::{AttrDecl, AttrSemantic, Carried, Interface, Interp, OutputRole};

/// Added to the number of an attribute over w: the same attribute with w divided out.
pub(crate) const UNDIVIDED: u16 = 0x8000;

/// What a target says about inputs and outputs.
#[derive(Debug, Default)]
pub struct Places {
    /// The spelling of each attribute that is read, by number; those with [`UNDIVIDED`] behind the others.
    pub(crate) attributes: Vec<(u16, String)>,
    /// The spelling of each output.
    pub(crate) outputs: Vec<Option<String>>,
    pub(crate) carried: Carried,
    /// Reads of attributes, by number.
    pub(crate) read: Vec<u16>,
    /// Highest vector that is read of each bank; `None` of those that none is read of.
    pub(crate) banks: Vec<Option<u32>>,
    /// The constant that is the first vector of literals, where they are constants.
    pub(crate) first_literal: u32,
    refusals: Vec<String>,
}

impl Places {
    /// A vector of a bank is read.
    pub(crate) fn read_bank(&mut self, bank: u16, index: u32) {
        let bank = usize::from(bank);
        if self.banks.len() <= bank {
            self.banks.resize(bank + 1, None);
        }
        self.banks[bank] = self.banks[bank].max(Some(index));
    }

    /// An attribute that is read.
    pub(crate) fn read_attribute(&mut self, index: u16) {
        if !self.read.contains(&index) {
            self.read.push(index);
        }
    }

    /// Refuses an input or output.
    pub(crate) fn refuse(&mut self, message: impl Into<String>) {
        self.refusals.push(message.into());
    }

    /// Hands over what was refused.
    pub(crate) fn refused(&mut self, notes: &mut Notes) {
        self.refusals.drain(..).for_each(|message| notes.refuse(message, None));
    }

    /// The spelling of an attribute.
    pub(crate) fn attribute(&self, index: u16) -> &str {
        self.attributes.iter().find(|(of, _)| *of == index).map_or("?", |(_, name)| name)
    }

    /// The spelling of an output.
    pub(crate) fn output(&self, index: u16) -> &str {
        self.outputs.get(usize::from(index)).and_then(Option::as_deref).unwrap_or_default()
    }

    /// Banks one behind the other in the only one of a set, which has `most` constants; literals come behind them. One that is read at
    /// an address leaves `room` for them.
    pub(crate) fn put_banks_in_a_row(&mut self, iface: &Interface, most: u32, room: u32, set: &str) {
        let mut next = 0u32;
        for bank in 0..iface.banks.len() {
            self.carried.banks.push(Some((0, next)));
            let len = iface.banks[bank].len;
            // At an address all of them may be read.
            let used = self.banks.get(bank).copied().flatten().map_or(0, |last| match last {
                // Programs say so where they read nothing behind the first ones.
                u32::MAX if room == 0 && next == 0 => len.min(most),
                u32::MAX if room == 0 => len,
                u32::MAX => len.min(most.saturating_sub(next + room)),
                last => last + 1,
            });
            next = next.saturating_add(used);
        }
        self.first_literal = next;
        if next > most {
            self.refuse(format!("{next} constants: {set} has {most}"));
        }
    }

    /// The vector of the translation that is the first one of a bank of the source.
    pub(crate) fn first_of(&self, bank: u16) -> u32 {
        self.carried.banks.get(usize::from(bank)).copied().flatten().map_or(0, |(_, first)| first)
    }

    /// Gives an attribute a spelling and a name.
    pub(crate) fn put_attribute(&mut self, index: u16, spelling: String, name: String) {
        let source = usize::from(index & !UNDIVIDED);
        if !self.carried.attributes.iter().any(|(known, _)| *known == name) {
            self.carried.attributes.push((name, source));
        }
        self.attributes.push((index, spelling));
    }

    /// Numbers for attributes of vertices: their own, where they have one below `count` that is free, else the next one that is.
    pub(crate) fn number_attributes(&mut self, iface: &Interface, count: u16, title: &str) -> Vec<(u16, u16)> {
        let wanted = |index: u16| match Places::declaration(iface, index).semantic {
            AttrSemantic::Generic(n) if n < count => Some(n),
            _ => None,
        };
        let mut order = self.read.clone();
        parallax_text::sort_by_key(&mut order, |&index| (wanted(index).is_none(), index));
        let mut found: Vec<(u16, u16)> = Vec::new();
        for index in order {
            let is_free = |n: &u16| found.iter().all(|(_, taken)| taken != n);
            match wanted(index).filter(is_free).or_else(|| (0..count).find(is_free)) {
                Some(n) => found.push((index, n)),
                None => self.refuse(format!("more than {count} attributes: {title} has no more")),
            }
        }
        found
    }

    /// Numbers for those results of vertices that have no place of their own, in the same way.
    pub(crate) fn number_results(
        &mut self,
        iface: &Interface,
        numbers: std::ops::Range<u16>,
        is_numbered: fn(OutputRole) -> bool,
        title: &str,
    ) -> Vec<(usize, u16)> {
        let wanted = |role: OutputRole| match role {
            OutputRole::TexCoord(n) | OutputRole::Generic(n) => Some(n).filter(|n| numbers.contains(n)),
            _ => None,
        };
        let mut order: Vec<usize> = (0..iface.outputs.len()).collect();
        order.retain(|&n| is_numbered(iface.outputs[n].role));
        parallax_text::sort_by_key(&mut order, |&n| (wanted(iface.outputs[n].role).is_none(), n));
        let mut found: Vec<(usize, u16)> = Vec::new();
        for at in order {
            let is_free = |n: &u16| found.iter().all(|(_, taken)| taken != n);
            match wanted(iface.outputs[at].role).filter(is_free).or_else(|| numbers.clone().find(is_free)) {
                Some(n) => found.push((at, n)),
                None => self.refuse(format!("more than {} interpolated results: {title} has no more", numbers.len())),
            }
        }
        found
    }

    /// The declaration of an attribute that is read, as it is read: with w divided out, it is one with perspective.
    pub(crate) fn declaration(iface: &Interface, index: u16) -> AttrDecl {
        let mut decl = iface.attrs.get(usize::from(index & !UNDIVIDED)).cloned().unwrap_or(AttrDecl {
            name: String::new(),
            semantic: AttrSemantic::Generic(0),
            interp: Interp::Perspective,
            location: parallax_core::Location::Center,
            mediump: false,
        });
        if index & UNDIVIDED != 0 {
            decl.interp = Interp::Perspective;
        }
        decl
    }
}
