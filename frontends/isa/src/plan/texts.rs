//! Texts made in advance, in tables: as small as the longest text of each allows, so that many stay in the first cache.

use crate::cursor::LONG;
use rustc_hash::FxHashMap;

/// Most characters of a text.
pub(super) const MOST: usize = 15;

/// Bytes an entry has at least: places are counted in these.
const UNIT: usize = 4;

/// A table: where it starts, in units, and how far the number of an entry is shifted to be its place, in units as well.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Table {
    pub(super) start: u32,
    pub(super) shift: u8,
}

impl Table {
    /// Here and behind it there are no texts.
    pub(super) const BEYOND: u32 = 1 << 31;
    /// The table of nothing but missing texts.
    pub(super) const NONE: Table = Table { start: Table::BEYOND, shift: 0 };

    /// The number of the entry at a place.
    pub(super) fn number(self, place: usize) -> usize {
        place >> self.shift
    }
}

/// An entry: its characters and what follows them, and how many they are, or [`LONG`].
#[derive(Copy, Clone)]
pub(super) struct Text<'a> {
    pub(super) chars: &'a [u8; 16],
    pub(super) len: u8,
}

/// All tables, one behind the other, in units. An entry has one, two or four, and its first byte is its length.
pub(super) struct Texts {
    units: Vec<[u8; UNIT]>,
}

/// Units an entry is read from: its length, and as many characters as are copied.
const READ: usize = 5;

impl Default for Texts {
    fn default() -> Texts {
        // What may be read behind the last table.
        Texts { units: vec![[0; UNIT]; READ] }
    }
}

impl Texts {
    /// The entry at a place of a table; `None` behind all tables.
    #[inline(always)]
    pub(super) fn get(&self, start: u32, place: u32) -> Option<Text<'_>> {
        let at = start.wrapping_add(place) as usize;
        let [len, rest @ ..] = self.units.get(at..at + READ)?.as_flattened() else { return None };
        Some(Text { chars: rest.first_chunk()?, len: *len })
    }
}

/// Tables by what they hold, so that none is there twice.
pub(super) type Known = FxHashMap<Vec<Option<String>>, Table>;

impl Texts {
    /// Adds a table of texts, unless there is one like it. Those that are missing or too long are [`LONG`].
    pub(super) fn place(&mut self, texts: Vec<Option<String>>, known: &mut Known) -> Table {
        if let Some(table) = known.get(&texts) {
            return *table;
        }
        let short = |text: &Option<String>| text.as_ref().map(String::len).filter(|len| *len <= MOST);
        let longest = texts.iter().filter_map(short).max().unwrap_or(0);
        let size: usize = match longest {
            0..4 => 4,
            4..8 => 8,
            _ => MOST + 1,
        };
        let start = (self.units.len() - READ).next_multiple_of(size / UNIT);
        self.units.resize(start + texts.len() * (size / UNIT) + READ, [0; UNIT]);
        for (text, entry) in texts.iter().zip(self.units[start..].as_flattened_mut().chunks_exact_mut(size)) {
            entry[0] = match text.as_deref().filter(|text| text.len() <= MOST) {
                Some(text) => {
                    entry[1..=text.len()].copy_from_slice(text.as_bytes());
                    text.len() as u8
                }
                None => LONG,
            };
        }
        let table = Table { start: start as u32, shift: (size / UNIT).trailing_zeros() as u8 };
        known.insert(texts, table);
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_as_small_as_their_texts() {
        let (mut texts, mut known) = (Texts::default(), Known::default());
        let all: [Vec<Option<String>>; 4] = [
            (0..300).map(|n| Some(format!("R{n}, "))).collect(),
            [".x", "", ".wy"].map(|text| Some(text.to_string())).to_vec(),
            vec![Some("a".repeat(15)), Some("b".repeat(16)), None],
            vec![Some("last".into())],
        ];
        let tables: Vec<Table> = all.iter().map(|table| texts.place(table.clone(), &mut known)).collect();
        assert_eq!(tables.iter().map(|table| table.shift).collect::<Vec<_>>(), [1, 0, 2, 1]);
        for (table, all) in tables.iter().zip(&all) {
            assert_eq!(texts.place(all.clone(), &mut known), *table);
            for (n, want) in all.iter().enumerate() {
                let found = texts.get(table.start, (n as u32) << table.shift).expect("an entry");
                match want.as_ref().filter(|want| want.len() <= MOST) {
                    Some(want) => assert_eq!(&found.chars[..usize::from(found.len)], want.as_bytes()),
                    None => assert_eq!(found.len, LONG),
                }
            }
        }
        assert!(texts.get(Table::NONE.start, 0).is_none());
        assert!(texts.get(tables[3].start, 1 << 15).is_none());
    }
}
