//! Components by their letters.

/// The components that four letters of `xyzw` name, all at once.
#[inline]
pub fn four_components(letters: [u8; 4]) -> Option<[u8; 4]> {
    // From w on, which comes first in the alphabet; what is none of the four is more than 3.
    let from_w = u32::from_le_bytes(letters).wrapping_sub(u32::from_le_bytes([b'w'; 4]));
    (from_w & 0xfcfc_fcfc == 0).then(|| (from_w.wrapping_add(0x0303_0303) & 0x0303_0303).to_le_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_letters_are_read_as_one_by_one() {
        let component = |letter| b"xyzw".iter().position(|&one| one == letter).map(|n| n as u8);
        let one_by_one = |letters: [u8; 4]| -> Option<[u8; 4]> {
            let [a, b, c, d] = letters.map(component);
            Some([a?, b?, c?, d?])
        };
        for letter in 0..=u8::MAX {
            for place in 0..4 {
                for rest in [*b"xxxx", *b"wzyx", *b"wwww", *b"XYZW", *b"\0x\xffw"] {
                    let mut all = rest;
                    all[place] = letter;
                    assert_eq!(four_components(all), one_by_one(all), "{all:?}");
                }
            }
        }
    }
}
