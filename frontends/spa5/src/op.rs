//! What instructions do.

/// What an instruction does, whatever form its operands have. Rows that are not lifted have none.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// The source, in the lanes of the mask.
    Mov,
    /// a where the predicate is true, else b.
    Sel,
    /// Bytes of the pair c, a, picked by b.
    Prmt,
    /// A special register.
    S2r,
    /// A special register, with fixed latency.
    Cs2r,
    /// The predicates or condition codes as a byte of a, where b has ones.
    P2r,
    /// The predicates or condition codes from a byte of a, where b has ones.
    R2p,
    /// a + b.
    Fadd,
    /// a * b, scaled by a power of two.
    Fmul,
    /// a * b + c, rounded once.
    Ffma,
    /// The lesser of a and b where the predicate is true, else the greater.
    Fmnmx,
    /// Whether a division needs the slow path.
    Fchk,
    /// a + b of binary64 numbers.
    Dadd,
    /// a * b of binary64 numbers.
    Dmul,
    /// a * b + c of binary64 numbers, rounded once.
    Dfma,
    /// The lesser of the binary64 numbers a and b where the predicate is true, else the greater.
    Dmnmx,
    /// Whether the binary64 number a compares so with b, combined with a predicate, as a word.
    Dset,
    /// Whether the binary64 number a compares so with b, combined with a predicate, and the opposite.
    Dsetp,
    /// a + b of both halves.
    Hadd2,
    /// a * b of both halves.
    Hmul2,
    /// a * b + c of both halves, rounded once.
    Hfma2,
    /// Whether the halves of a compare so with those of b, combined with a predicate, as halves.
    Hset2,
    /// Whether the halves of a compare so with those of b, combined with a predicate.
    Hsetp2,
    /// A function of the special function unit.
    Mufu,
    /// b, prepared for MUFU.
    Rro,
    /// a and b added with signs that differ from lane to lane of the quad.
    Fswzadd,
    /// Whether a compares so with b, combined with a predicate, as a word.
    Fset,
    /// Whether a compares so with b, combined with a predicate, and the opposite.
    Fsetp,
    /// a where c compares so with zero, else b.
    Fcmp,
    /// Whether a compares so with b, combined with a predicate, as a word.
    Iset,
    /// Whether a compares so with b, combined with a predicate, and the opposite.
    Isetp,
    /// a where c compares so with zero, else b.
    Icmp,
    /// Three predicates combined, as a word.
    Pset,
    /// Three predicates combined, and the opposite.
    Psetp,
    /// A test of the condition codes, combined with a predicate, as a word.
    Cset,
    /// A test of the condition codes, combined with a predicate, and the opposite.
    Csetp,
    /// b in another float format, or rounded to an integral value.
    F2f,
    /// b rounded to an integer.
    F2i,
    /// The integer b as a float.
    I2f,
    /// The integer b, or a part of it, clamped to another format.
    I2i,
    /// a + b, with carry in and out.
    Iadd,
    /// a + b, shifted, + c.
    Iadd3,
    /// a shifted left, + b.
    Iscadd,
    /// The high word of the pair c, a shifted left, + b.
    Lea,
    /// The lesser of a and b where the predicate is true, else the greater.
    Imnmx,
    /// a * b, the low or the high word.
    Imul,
    /// a * b + c, of the low or the high word of the product.
    Imad,
    /// The product of two halves of a and b, shifted, + c, merged.
    Xmad,
    /// The products of four bytes each of a and b, and c, added.
    Dot4,
    /// The products of the halves of a and two bytes of b, and c, added.
    Dot2,
    /// a shifted left by b.
    Shl,
    /// a shifted right by b.
    Shr,
    /// The pair c, a shifted left by b, one word of it.
    ShfLeft,
    /// The pair c, a shifted right by b, one word of it.
    ShfRight,
    /// a and b combined bit by bit.
    Lop,
    /// a, b and c combined bit by bit by a truth table.
    Lop3,
    /// The bits of a from the place and of the length that b holds.
    Bfe,
    /// c with bits of a inserted at the place and of the length that b holds.
    Bfi,
    /// The place of the highest one of b.
    Flo,
    /// How many ones b has.
    Popc,
    /// a + b of parts of registers.
    Vadd,
    /// The distance between parts of registers.
    Vabsdiff,
    /// The distances between four bytes each, or their sum.
    Vabsdiff4,
    /// The lesser or greater of parts of registers.
    Vmnmx,
    /// A part of a register shifted left.
    Vshl,
    /// A part of a register shifted right.
    Vshr,
    /// a * b + c of parts of registers, shifted right.
    Vmad,
    /// Whether parts of registers compare so, as a word.
    Vset,
    /// Whether parts of registers compare so, combined with a predicate, and the opposite.
    Vsetp,
    /// An interpolated input.
    Ipa,
    /// An attribute of a vertex.
    Ald,
    /// An attribute of a vertex at an address of AL2P.
    AldPhysical,
    /// Writes an attribute of a vertex.
    Ast,
    /// Writes an attribute of a vertex at an address of AL2P.
    AstPhysical,
    /// The address that ALD.PHYS and AST.PHYS take for an attribute.
    Al2p,
    /// What the rasteriser knows of the pixel and its samples.
    Pixld,
    /// The lane becomes a helper: it goes on, but its outputs are dropped.
    Kil,
    /// A sample of a texture.
    Tex,
    /// A sample of a texture, into two registers or pairs.
    Texs,
    /// A texel by integer coordinates, into two registers or pairs.
    Tlds,
    /// One component of the four texels around a point, into two registers or pairs.
    Tld4s,
    /// A texel by integer coordinates of a texture whose handle is in a register.
    Tld,
    /// One component of the four texels around a point.
    Tld4,
    /// A sample of a texture with derivatives, the handle in a register.
    Txd,
    /// The level of detail a sample would have.
    Tmml,
    /// Width, height, depth or layers, and number of levels of a texture.
    TexSize,
    /// A texel of a surface in its format.
    Suld,
    /// Bytes of a surface.
    SuldBytes,
    /// Writes a texel of a surface in its format.
    Sust,
    /// Writes bytes of a surface.
    SustBytes,
    /// Combines a word of a surface with d.
    Sured,
    /// Combines a word of a surface with b, and gives what was there.
    Suatom,
    /// Exchanges a word of a surface if it is as expected, and gives what was there.
    SuatomCas,
    /// A constant, addressed by a register.
    Ldc,
    /// A word of local memory.
    Ldl,
    /// Writes a word of local memory.
    Stl,
    /// A word of memory at a generic address.
    Ld,
    /// Writes a word of memory at a generic address.
    St,
    /// A word of global memory.
    Ldg,
    /// Writes a word of global memory.
    Stg,
    /// A word of shared memory.
    Lds,
    /// Writes a word of shared memory.
    Sts,
    /// Combines a word of memory with b, and gives what was there.
    Atom,
    /// Exchanges a word of memory if it is as expected, and gives what was there.
    AtomCas,
    /// Combines a word of shared memory with b, and gives what was there.
    Atoms,
    /// Exchanges a word of shared memory if it is as expected, and gives what was there.
    AtomsCas,
    /// Combines a word of memory with d.
    Red,
    /// Does something with a cache; no effect on results.
    Cache,
    /// Waits until all threads of the group are here.
    Bar,
    /// Waits, and combines a predicate of all threads.
    BarRed,
    /// The result of a barrier that combined a predicate.
    BarResult,
    /// Waits until memory holds what was written; no effect on results, since nothing is written late.
    Membar,
    /// a of another lane.
    Shfl,
    /// Whether a predicate holds in all or any lanes, and in which.
    Vote,
    /// The lane ends.
    Exit,
    /// Goes on elsewhere.
    Bra,
    /// Goes on at a place that a register holds.
    Brx,
    /// Pushes the place where lanes meet again at SYNC.
    Ssy,
    /// Goes on where SSY said.
    Sync,
    /// Pushes the place where BRK goes on.
    Pbk,
    /// Goes on where PBK said.
    Brk,
    /// Pushes the place where CONT goes on.
    Pcnt,
    /// Goes on where PCNT said.
    Cont,
    /// Calls: pushes the place behind it.
    Cal,
    /// Pushes the place where RET goes on.
    Pret,
    /// Goes on where CAL or PRET said.
    Ret,
    /// Nothing.
    Nop,
    /// Waits for barriers; no effect on results.
    Depbar,
}
