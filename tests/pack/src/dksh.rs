//! Shader modules of deko3d.

/// A module of one program: its stage, its code with a shader program header where the stage has one, and the contents of
/// constant bank 1.
pub fn dksh(stage: u32, code: &[u8], constants: &[u8]) -> Vec<u8> {
    // Behind the header of the module and one record.
    let control = 256;
    // Graphics programs begin so that their instructions, behind 0x50 bytes of header, lie on 128 bytes.
    let entry: usize = if stage == 5 { 0 } else { 0x30 };
    let first = (entry + code.len()).next_multiple_of(256);
    let size = first + constants.len().next_multiple_of(256);
    let mut out = b"DKSH".to_vec();
    let words = |words: &[usize]| words.iter().flat_map(|word| (*word as u32).to_le_bytes()).collect::<Vec<u8>>();
    out.extend(words(&[24, control, size, 24, 1]));
    let place = if constants.is_empty() { 0 } else { first };
    out.extend(words(&[stage as usize, entry, 9, place, constants.len(), 2048]));
    out.resize(control + entry, 0);
    out.extend(code);
    out.resize(control + first, 0);
    out.extend(constants);
    out.resize(control + size, 0);
    out
}
