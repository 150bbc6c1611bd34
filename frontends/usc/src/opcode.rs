//! What operations do: the meanings of the rows.

/// Declares what fields hold, in the order of codes.
macro_rules! codes {
    ($(#[$doc:meta])* $type:ident: $($(#[$one:meta])* $name:ident,)*) => {
        $(#[$doc])*
        #[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
        pub enum $type {
            $($(#[$one])* $name,)*
        }

        impl $type {
            /// In the order of their codes.
            pub const ALL: &[$type] = &[$($type::$name),*];
        }
    };
}
pub(crate) use codes;

/// An operation. Where it stands in its group is its [`Phase`]; modifiers and operands are read from [`crate::Operation`].
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Opcode {
    // Phase 0 and 1, from source 0 (3) on.
    /// a + b.
    Fadd,
    /// a * b.
    Fmul,
    /// a * b + c.
    Fmad,
    /// Copy of the bits, with abs and neg.
    Mbyp,
    /// Gradients: the same in all pixels of the quad, or by row and column.
    Fdsx,
    /// See [`Opcode::Fdsx`].
    Fdsy,
    /// See [`Opcode::Fdsx`].
    Fdsxf,
    /// See [`Opcode::Fdsx`].
    Fdsyf,
    // Phase 0 alone: results in w0 (and w1).
    /// 1 / a.
    Frcp,
    /// 1 / sqrt(a).
    Frsq,
    /// sqrt(a). No encoding.
    Fsqrt,
    /// log2(a).
    Flog,
    /// The helper of a logarithm nobody describes.
    Flogcn,
    /// 2^a.
    Fexp,
    /// sRGB encoding.
    Gcmp,
    /// sRGB decoding.
    Gexp,
    /// sin(pi/2 a) / a; writes p0.
    Fsinc,
    /// atan(a) / a.
    Farctanc,
    /// Range reduction; see [`crate::Operation::reduction`].
    Fred,
    // Phase 0, results in ft0 (and fte).
    /// Unpack source 0.
    Unpck,
    /// a + b in 8 or 16 bits.
    AddNarrow,
    /// a * b in 8 or 16 bits.
    MulNarrow,
    /// a * b + c in 8 or 16 bits.
    MadNarrow,
    /// (s1:s0) + (is0:s2) + carry; ft0 low, fte high.
    Add64,
    /// (s1:s0) + s2 extended + carry; ft0 low, fte high.
    Add6432,
    /// s0 * s1 + s2 + carry, low 32 bits.
    Madd32,
    /// s0 * s1 + (is0:s2) + carry; ft0 low, fte high.
    Madd64,
    /// One line of an F16 sum of products. No encoding.
    Sop,
    /// Copy of s3 to w1 beside it. No encoding.
    Sopmov,
    /// The four-fold and byte forms, and the copies beside them; see [`crate::WideSum`]. No encoding.
    WideSum,
    // Phase 2.
    /// Pack is3 into ft2.
    Pck,
    /// Test of is1 and is2.
    Test,
    /// Choice of the outputs: masked bytes of w0.
    Mov,
    /// Conditional choice of the outputs.
    Movc,
    // Bitwise units.
    /// ft1 = mask of s0 bits at s1, ft0 = its top.
    Mask,
    /// ft0 = s0, ft1 = s1.
    MaskBypass,
    /// ft0 = s0, ft1 = a literal.
    MaskLiteral,
    /// ft2 = s2.
    Shift1Bypass,
    /// ft2 = s2 and s1 interleaved.
    Shfl,
    /// ft2 = s2 reversed.
    Rev,
    /// ft2 = s2 << s1.
    Lsl1,
    /// ft3 = number of ones.
    Cbs,
    /// ft3 = number of the highest one, or -1.
    Ftb,
    /// The same after an xor with the sign. No encoding.
    FtbShi,
    /// Leading zeros, or -1. No encoding.
    FtbMsb,
    /// ft3 = its operand.
    CountBypass,
    /// ft4 = (ft1 &) ft2 op (~ft1 &) s3.
    And,
    /// See [`Opcode::And`].
    Or,
    /// See [`Opcode::And`].
    Xor,
    /// See [`Opcode::And`].
    Nand,
    /// See [`Opcode::And`].
    Nor,
    /// See [`Opcode::And`].
    Xnor,
    /// ft4 = ft1.
    LogicalBypass,
    /// ft5 = ft4 << s4.
    Lsl2,
    /// ft5 = ft4 >> s4.
    Shr,
    /// ft5 = ft4 rotated left by s4.
    Rol,
    /// ft5 = (s4 & ~ft4) | (p0 ? ft4 : 0).
    Cps,
    /// ft5 = ft4 >> s4 with sign; sign bit 31.
    AsrTwb,
    /// The same, sign bit 15.
    AsrPwb,
    /// The same, sign bit ft0 & 31.
    AsrMtb,
    /// The same, sign bit ft3 & 31.
    AsrFtb,
    /// p0 = ft3 or ft5 is zero.
    Tz,
    /// p0 = ft3 or ft5 is not zero.
    Tnz,
    // Backend.
    /// Vertex outputs; see [`crate::Operation::uvsw`].
    Uvsw,
    /// Coverage from an alpha test.
    Atst,
    /// Depth from w0.
    Depthf,
    /// Interpolation.
    Fitr,
    /// Interpolation with perspective.
    Fitrp,
    /// Texture lookup.
    Smp,
    // Control groups.
    /// Branch.
    Branch,
    /// Jump to the link address.
    Lapc,
    /// Save the link address.
    Savl,
    /// Start of a conditional.
    Cndst,
    /// Else of a conditional.
    Cndef,
    /// Mask count from s2.
    Cndsm,
    /// End of a loop.
    Cndlt,
    /// End of a conditional.
    Cndend,
    /// Call loop: part a.
    CndsetlA,
    /// Call loop: part b.
    CndsetlB,
    /// Call loop: next address.
    Cndlpc,
    /// Nothing.
    Nop,
    /// Wait for outstanding requests.
    Wop,
    /// Wait for a counter.
    Wdf,
    /// Base of coefficient or shared registers.
    Sbo,
    /// Interpolation without the ALU.
    Ditr,
    /// Interpolation and texture lookup.
    Itrsmp,
    /// What is listed and assembled, but not lifted; the row's name says what it is.
    Other,
}

impl Opcode {
    /// Whether it sets the execution predicate.
    pub fn is_conditional(self) -> bool {
        use Opcode::*;
        matches!(self, Cndst | Cndef | Cndsm | Cndlt | Cndend | CndsetlB | Cndlpc)
    }
}

/// Where in a group an operation stands; they run in this order.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Phase {
    /// Phase 0; in bitwise groups the mask, shift1 and count units.
    Zero,
    /// Phase 1; in bitwise groups the logical unit.
    One,
    /// Phase 2: pack, test, move; in bitwise groups shift2 and the bit test.
    Two,
    /// Backend.
    Backend,
    /// The only operation of a control group.
    Control,
}
