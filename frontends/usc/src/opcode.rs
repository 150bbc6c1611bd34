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

/// An operation. Where it stands in its group is its [`Phase`]; modifiers and operands are read from [`crate::operation`]. What it
/// does is the sentence of its rows, but where more is known here.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Opcode {
    // Phase 0 and 1, from source 0 (3) on.
    Fadd,
    Fmul,
    Fmad,
    /// Copy of the bits, with abs and neg.
    Mbyp,
    /// Gradients: the same in all pixels of the quad, or by row and column.
    Fdsx,
    Fdsy,
    Fdsxf,
    Fdsyf,
    // Phase 0 alone: results in w0 (and w1).
    Frcp,
    Frsq,
    Fsqrt,
    Flog,
    Flogcn,
    Fexp,
    Gcmp,
    Gexp,
    /// sin(pi/2 a) / a; writes p0.
    Fsinc,
    Farctanc,
    Fred,
    // Phase 0, results in ft0 (and fte).
    Unpck,
    AddNarrow,
    MulNarrow,
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
    /// The four-fold and byte forms, and the copies beside them; see [`crate::sums`]. No encoding.
    WideSum,
    // Phase 2.
    Pck,
    Test,
    /// Choice of the outputs: masked bytes of w0.
    Mov,
    /// Conditional choice of the outputs.
    Movc,
    // Bitwise units.
    /// ft1 = mask of s0 bits at s1, ft0 = its top.
    Mask,
    MaskBypass,
    MaskLiteral,
    Shift1Bypass,
    /// ft2 = s2 and s1 interleaved.
    Shfl,
    Rev,
    Lsl1,
    Cbs,
    Ftb,
    /// The same after an xor with the sign. No encoding.
    FtbShi,
    /// Leading zeros, or -1. No encoding.
    FtbMsb,
    CountBypass,
    /// ft4 = (ft1 &) ft2 op (~ft1 &) s3.
    And,
    Or,
    Xor,
    Nand,
    Nor,
    Xnor,
    LogicalBypass,
    Lsl2,
    Shr,
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
    Tz,
    Tnz,
    // Backend.
    Uvsw,
    Atst,
    Depthf,
    Fitr,
    Fitrp,
    Smp,
    // Control groups.
    Branch,
    Lapc,
    Savl,
    Cndst,
    Cndef,
    Cndsm,
    Cndlt,
    Cndend,
    CndsetlA,
    CndsetlB,
    Cndlpc,
    Nop,
    Wop,
    Wdf,
    Sbo,
    Ditr,
    Itrsmp,
    /// What is listed and assembled, but not lifted; the row's name says what it is.
    Other,
}

impl Opcode {
    /// Those that set the execution predicate.
    pub(crate) const CONDITIONAL: [Opcode; 7] = {
        use Opcode::*;
        [Cndst, Cndef, Cndsm, Cndlt, Cndend, CndsetlB, Cndlpc]
    };

    /// Whether it sets the execution predicate.
    pub fn is_conditional(self) -> bool {
        Opcode::CONDITIONAL.contains(&self)
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
