//! Fatbins: parts with entries for targets.

/// A CUDA fatbin of one part; entries are a kind (1 PTX, 2 cubin), a compute capability and bytes.
pub fn fatbin(entries: &[(u16, u32, &[u8])]) -> Vec<u8> {
    let mut body = Vec::new();
    for (kind, sm, bytes) in entries {
        let size = bytes.len().next_multiple_of(8);
        body.extend(kind.to_le_bytes());
        body.extend(0x101u16.to_le_bytes());
        body.extend(64u32.to_le_bytes());
        body.extend((size as u64).to_le_bytes());
        body.extend([0; 8]);
        body.extend([5u16, 0].iter().flat_map(|version| version.to_le_bytes()));
        body.extend(sm.to_le_bytes());
        body.extend([0; 8]);
        body.extend(0x11u64.to_le_bytes());
        body.extend([0; 16]);
        body.extend(*bytes);
        body.resize(body.len() + size - bytes.len(), 0);
    }
    let mut out = 0xba55_ed50u32.to_le_bytes().to_vec();
    out.extend([1u16, 16].iter().flat_map(|half| half.to_le_bytes()));
    out.extend((body.len() as u64).to_le_bytes());
    out.extend(body);
    out
}
