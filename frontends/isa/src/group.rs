//! Groups: instructions of variable length made of parts, each of which is matched by rows of its own.
//!
//! A header says which parts follow. A part is as long as the pattern of its row, so forms of several lengths are rows of
//! one table. Parts are linked by the names of fields: a field in the side data of one part holds what the field of the
//! same name holds in the word of another. So the operands of an operation can stand in a part that all operations of the
//! group share, and are printed and read where they belong.

use crate::codec::Codec;
use crate::{Code, Cut, Field, Isa, RowId, Table};
use parallax_text::{Diag, Span};
use std::collections::BTreeMap;

/// Where parts of one kind stand in a group.
pub struct Slot<I: Isa> {
    /// Name, for messages.
    pub name: &'static str,
    /// Its rows.
    pub table: &'static Table<I>,
    /// Whether a part stands here, as the parts before it say. Asked again behind each part: there may be several.
    pub present: fn(&[Part]) -> bool,
    /// Whether the part only holds what others name. The writer then chooses the first row that can hold it.
    pub linked: bool,
}

/// How groups are laid out.
pub struct Layout<I: Isa> {
    /// The parts, in the order of their bytes.
    pub slots: &'static [Slot<I>],
    /// Length of the group that starts here, padding included; `None` where more bytes are needed to tell.
    pub len: fn(&[u8]) -> Option<usize>,
    /// Brings the bytes of a group to a length it can have, and writes that length into its header.
    pub pad: fn(&mut Vec<u8>),
}

/// A part of a group.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Number of its slot.
    pub slot: usize,
    /// Its row.
    pub row: RowId,
    /// Its word; as side data, what other parts hold for it.
    pub code: Code,
}

/// A decoded group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Byte offset.
    pub offset: usize,
    /// Its parts.
    pub parts: Vec<Part>,
    /// The bytes behind them.
    pub padding: Vec<u8>,
}

/// The first part of a slot.
pub fn part(parts: &[Part], slot: usize) -> Option<&Part> {
    parts.iter().find(|part| part.slot == slot)
}

/// A layout, ready to use.
pub struct Groups<I: Isa> {
    layout: &'static Layout<I>,
    codecs: Vec<Codec<I>>,
}

fn in_side(field: &Field) -> bool {
    field.pieces()[0].lo >= Code::SIDE
}

impl<I: Isa> Groups<I> {
    /// Prepares a layout.
    ///
    /// # Panics
    /// If a table is not sound; [`crate::check`] reports it without panicking.
    pub fn new(layout: &'static Layout<I>) -> Groups<I> {
        Groups { layout, codecs: layout.slots.iter().map(|slot| Codec::new(slot.table)).collect() }
    }

    /// The codec of a slot.
    pub fn codec(&self, slot: usize) -> &Codec<I> {
        &self.codecs[slot]
    }

    /// Bytes of a part.
    fn len(&self, part: &Part) -> usize {
        self.codecs[part.slot].row(part.row).pattern.width.div_ceil(8) as usize
    }

    /// The group at byte `at`, and where the next starts; `None` at the end.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn decode(&self, bytes: &[u8], at: usize) -> Option<Result<(Group, usize), Box<Diag>>> {
        let rest = bytes.get(at..).filter(|rest| !rest.is_empty())?;
        let need = (self.layout.len)(rest).unwrap_or(rest.len() + 1).max(1);
        Some(match rest.get(..need) {
            Some(bytes) => self.parts(bytes, at).map(|group| (group, at + need)),
            None => Err(Box::new(self.codecs[0].explain_cut(Cut { offset: at, have: rest.len(), need }))),
        })
    }

    fn parts(&self, bytes: &[u8], offset: usize) -> Result<Group, Box<Diag>> {
        let (mut parts, mut at) = (Vec::new(), 0);
        for (slot, codec) in self.codecs.iter().enumerate() {
            let data = &self.layout.slots[slot];
            while (data.present)(&parts) {
                let span = |len: usize| Span::new(offset + at, offset + (at + len).min(bytes.len()));
                let word = window(bytes, at);
                let row = codec.decode(word).map_err(|reject| {
                    let mut diag = codec.explain(word, reject, span(1));
                    diag.message = format!("{} at byte {at} of the group: {}", data.name, diag.message);
                    diag
                })?;
                let pattern = &codec.row(row).pattern;
                let part = Part { slot, row, code: Code::from(word & pattern.all()) };
                let len = self.len(&part);
                if at + len > bytes.len() {
                    let message = format!(
                        "{} at byte {at} of the group takes {len} bytes; the group has {}",
                        data.name,
                        bytes.len()
                    );
                    return Err(Diag::invalid("part-outside-group", span(len), message).into());
                }
                parts.push(part);
                at += len;
            }
        }
        let values = self.values(&parts, false);
        for part in &mut parts {
            for field in self.codecs[part.slot].row(part.row).fields() {
                if in_side(field)
                    && let Some(value) = values.get(field.name)
                {
                    field.put(&mut part.code, *value);
                }
            }
        }
        Ok(Group { offset, parts, padding: bytes[at..].to_vec() })
    }

    /// What the fields in the words of parts hold, or those in their side data.
    fn values(&self, parts: &[Part], side: bool) -> BTreeMap<&'static str, u64> {
        let of = |part: &Part| {
            let code = part.code;
            let fields = self.codecs[part.slot].row(part.row).fields().into_iter();
            fields.filter(move |field| in_side(field) == side).map(move |field| (field.name, field.get(&code)))
        };
        parts.iter().flat_map(of).collect()
    }

    /// The bytes of a decoded group.
    pub fn encode(&self, group: &Group) -> Vec<u8> {
        let mut out = Vec::new();
        group.parts.iter().for_each(|part| self.put(part, &mut out));
        out.extend_from_slice(&group.padding);
        out
    }

    fn put(&self, part: &Part, out: &mut Vec<u8>) {
        out.extend_from_slice(&part.code.word().to_le_bytes()[..self.len(part)]);
    }

    /// The bytes of a group made of these parts, in the order of their slots. Linked parts are added: each in the first
    /// row that holds what the others' side data says.
    ///
    /// # Errors
    /// The slot none of whose rows can hold it.
    pub fn build(&self, parts: &[Part]) -> Result<Vec<u8>, &'static str> {
        let values = self.values(parts, true);
        let (mut placed, mut out) = (Vec::new(), Vec::new());
        for (slot, data) in self.layout.slots.iter().enumerate() {
            if data.linked {
                if (data.present)(&placed) {
                    let part = self.linked(slot, &values).ok_or(data.name)?;
                    placed.push(part);
                }
            } else {
                placed.extend(parts.iter().filter(|part| part.slot == slot));
            }
        }
        placed.iter().for_each(|part| self.put(part, &mut out));
        (self.layout.pad)(&mut out);
        Ok(out)
    }

    /// The part of a linked slot for these values: those of fields no row of it has are none of its business, those of
    /// fields a row does not have must be 0.
    fn linked(&self, slot: usize, values: &BTreeMap<&'static str, u64>) -> Option<Part> {
        let codec = &self.codecs[slot];
        let wanted: Vec<(&str, u64)> = codec
            .rows()
            .flat_map(|(_, row)| row.fields())
            .filter_map(|field| values.get(field.name).map(|value| (field.name, *value)))
            .filter(|(_, value)| *value != 0)
            .collect();
        codec.rows().find_map(|(row, data)| {
            let mut code = Code::from(data.pattern.base());
            let fields = data.fields();
            for field in &fields {
                let value = values.get(field.name).copied().unwrap_or(0);
                if field.width() < 64 && value >> field.width() != 0 || !field.allowed.holds(value) {
                    return None;
                }
                field.put(&mut code, value);
            }
            let complete = wanted.iter().all(|(name, _)| fields.iter().any(|field| field.name == *name));
            (complete && codec.decode(code) == Ok(row)).then_some(Part { slot, row, code })
        })
    }
}

/// Up to 16 bytes from byte `at` on as a little-endian word; bytes beyond the end read 0.
fn window(bytes: &[u8], at: usize) -> u128 {
    let rest = bytes.get(at..).unwrap_or(&[]);
    let mut raw = [0; 16];
    let n = rest.len().min(16);
    raw[..n].copy_from_slice(&rest[..n]);
    u128::from_le_bytes(raw)
}
