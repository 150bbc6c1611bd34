//! The formats of pack and unpack.

/// What the fields of a format hold.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Code {
    Unsigned,
    Signed,
    /// Signed numbers whose scaled values lie symmetrically: (2 c + 1) / (2^n - 1). Unpacked with scale only.
    Symmetric,
    /// The number 0 is the least one.
    Offset,
    /// Binary16, or its upper bits without the sign.
    Half,
    /// Binary32.
    Float,
    /// The same whatever is packed.
    Fixed(u32),
    /// Nobody says what.
    Unknown,
}

/// A format: its name, what its fields hold, and how wide they are, lowest first.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Format {
    pub(crate) name: &'static str,
    pub(crate) code: Code,
    pub(crate) fields: &'static [u32],
}

const fn f(name: &'static str, code: Code, fields: &'static [u32]) -> Format {
    Format { name, code, fields }
}

const fn unknown(name: &'static str) -> Format {
    f(name, Code::Unknown, &[])
}

/// The formats by their codes. Those nobody names are numbered.
pub(crate) static FORMATS: [Format; 32] = [
    f("u8888", Code::Unsigned, &[8; 4]),
    f("s8888", Code::Signed, &[8; 4]),
    f("o8888", Code::Offset, &[8; 4]),
    f("u1616", Code::Unsigned, &[16; 2]),
    f("s1616", Code::Signed, &[16; 2]),
    f("o1616", Code::Offset, &[16; 2]),
    f("u32", Code::Unsigned, &[32]),
    f("s32", Code::Signed, &[32]),
    f("u1010102", Code::Unsigned, &[10, 10, 10, 2]),
    f("s1010102", Code::Signed, &[10, 10, 10, 2]),
    f("u111110", Code::Unsigned, &[11, 11, 10]),
    f("s111110", Code::Signed, &[11, 11, 10]),
    f("f111110", Code::Half, &[11, 11, 10]),
    unknown("se9995"),
    f("f16f16", Code::Half, &[16; 2]),
    f("f32", Code::Float, &[32]),
    unknown("cov"),
    f("u565u565", Code::Unsigned, &[5, 6, 5, 5, 6, 5]),
    unknown("d24s8"),
    unknown("s8d24"),
    unknown("f32_mask"),
    unknown("2f10f10f10"),
    f("s8888ogl", Code::Symmetric, &[8; 4]),
    f("s1616ogl", Code::Symmetric, &[16; 2]),
    unknown("format24"),
    unknown("format25"),
    unknown("format26"),
    unknown("format27"),
    unknown("format28"),
    unknown("format29"),
    f("zero", Code::Fixed(0), &[32]),
    f("one", Code::Fixed(0x3f80_0000), &[32]),
];
