//! The opcode table: one row per opcode.

use crate::lift::{WideOp, alu, interpolate, memory, older, quad, texture, wide};
use crate::opcode::{Lookup, Row, Sem, Sem::*, Shape};
use parallax_core::{AtomicOp, Axis, TexMode};
use parallax_lift::vector::VectorOp::{
    self, Componentwise, Derivative, Dot, Pack, Scalar, Select, Set, SetBits, Unpack,
};
use parallax_num::Op;

/// Declares the rows; the mnemonic names the opcode in code.
macro_rules! rows {
    ($([$source:literal] $($name:ident $shape:literal $sem:expr, $doc:literal;)+)+) => {
        /// An opcode; its number is the number of its row.
        #[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[expect(non_camel_case_types, reason = "mnemonics are spelled as in texts")]
        #[repr(u16)]
        pub enum Opcode { $($(#[doc = $doc] $name,)+)+ }

        impl Opcode {
            pub(crate) const ALL: &'static [Opcode] = &[$($(Opcode::$name,)+)+];
        }

        pub(crate) static ROWS: &[Row] = &[$($(Row {
            name: stringify!($name),
            shape: const { Shape::read($shape) },
            sem: $sem,
            doc: $doc,
            source: $source,
        },)+)+];
    };
}

const GEOMETRY: Sem = Unsupported("nothing draws the primitives that a geometry shader makes");
const HANDLE: Sem = Unsupported("handles are addresses in a driver, and there is none");

rows! {
    ["Core ISA"]
    ARL "O=F" Vector(Componentwise(Op::F2iFloor)), "address register from the floor of each component";
    MOV "O=M" Vector(VectorOp::MOV), "each component, bits unchanged";
    LIT "O=F" Vector(VectorOp::LIT), "light coefficients: 1, max(x, 0), specular term, 1";
    RCP "O=F" Vector(Scalar(Op::Rcp)), "1 / x";
    RSQ "O=F" Vector(Scalar(Op::Rsq)), "1 / sqrt(x)";
    SQRT "O=F" Vector(Scalar(Op::Sqrt)), "square root of x";
    EXP "O=F" Vector(VectorOp::EXP), "2^floor(x), fraction of x, 2^x, 1";
    LOG "O=F" Vector(VectorOp::LOG), "exponent and mantissa of |x|, log2 |x|, 1";
    MUL "O=FF" Vector(Componentwise(Op::Mul)), "product of each component";
    ADD "O=FF" Vector(Componentwise(Op::Add)), "sum of each component";
    DP2 "O=FF" Vector(Dot(Op::Dot2)), "two-component dot product";
    DP3 "O=FF" Vector(Dot(Op::Dot3)), "three-component dot product";
    DP4 "O=FF" Vector(Dot(Op::Dot4)), "four-component dot product";
    DST "O=FF" Vector(VectorOp::DST), "distance vector: 1, y * y, z of the first, w of the second";
    MIN "O=FF" Vector(Componentwise(Op::Min)), "smaller of each component";
    MAX "O=FF" Vector(Componentwise(Op::Max)), "larger of each component";
    SLT "O=FF" Vector(Set(Op::FLt, true)), "1.0 where less, else 0.0";
    SGE "O=FF" Vector(Set(Op::FGe, true)), "1.0 where greater or equal, else 0.0";
    SEQ "O=FF" Vector(Set(Op::FEq, true)), "1.0 where equal, else 0.0";
    SGT "O=FF" Vector(Set(Op::FGt, true)), "1.0 where greater, else 0.0";
    SLE "O=FF" Vector(Set(Op::FLe, true)), "1.0 where less or equal, else 0.0";
    SNE "O=FF" Vector(Set(Op::FNe, true)), "1.0 where different or unordered, else 0.0";
    MAD "O=FFF" Vector(Componentwise(Op::Mad)), "product plus third source, rounded once or twice";
    LRP "O=FFF" Vector(Componentwise(Op::Lrp)), "blend of second and third source by the first";
    FMA "O=FFF" Vector(Componentwise(Op::Fma)), "product plus third source, rounded once";
    FRC "O=F" Vector(Componentwise(Op::Frac)), "each component minus its floor";
    FLR "O=F" Vector(Componentwise(Op::Floor)), "largest integer not above each component";
    ROUND "O=F" Vector(Componentwise(Op::Rint)), "nearest integer of each component, ties to even";
    EX2 "O=F" Vector(Scalar(Op::Exp2)), "2^x";
    LG2 "O=F" Vector(Scalar(Op::Log2)), "log2 of x";
    POW "O=FF" Vector(Scalar(Op::Pow)), "x of the first source to the power x of the second";
    LDEXP "O=FI" Vector(Componentwise(Op::Ldexp)), "each component times 2^integer";
    COS "O=F" Vector(Scalar(Op::Cos)), "cosine of x, radians";
    SIN "O=F" Vector(Scalar(Op::Sin)), "sine of x, radians";
    DDX "O=F" Vector(Derivative { axis: Axis::X, fine: false }), "difference along x, one for the quad";
    DDX_FINE "O=F" Vector(Derivative { axis: Axis::X, fine: true }), "difference along x, one per row";
    DDY "O=F" Vector(Derivative { axis: Axis::Y, fine: false }), "difference along y, one for the quad";
    DDY_FINE "O=F" Vector(Derivative { axis: Axis::Y, fine: true }), "difference along y, one per column";
    PK2H "O=F" Vector(Pack(Op::PackHalf2)), "two halves from x and y";
    PK2US "O=F" Vector(Pack(Op::PackUnorm2)), "two unsigned normalised 16-bit fields from x and y";
    PK4B "O=F" Vector(Pack(Op::PackBiased4)), "four biased 8-bit fields";
    PK4UB "O=F" Vector(Pack(Op::PackUnorm4)), "four unsigned normalised 8-bit fields";
    UP2H "O=I" Vector(Unpack(Op::UpHalf, 16)), "halves of x: low, high, low, high";
    UP2US "O=I" Vector(Unpack(Op::UpUnorm16, 16)), "unsigned normalised 16-bit fields of x: low, high, low, high";
    UP4B "O=I" Vector(Unpack(Op::UpBiased8, 8)), "biased 8-bit fields of x, lowest first";
    UP4UB "O=I" Vector(Unpack(Op::UpUnorm8, 8)), "unsigned normalised 8-bit fields of x, lowest first";
    ARR "O=F" Custom(alu::arr), "address register from each component plus a half, floored";
    SSG "O=F" Vector(Componentwise(Op::Sign)), "-1, 0 or 1 by the sign of each component";
    CMP "O=FFF" Vector(Select(Op::FLt)), "second source where the first is below zero, else the third";
    KILL_IF "=F" Custom(quad::kill_if), "removes the pixel if any component is below zero";
    KILL "" Custom(quad::kill), "removes the pixel";
    DIV "O=FF" Vector(Componentwise(Op::Div)), "quotient of each component";
    TEX "O=FS@" Texture(TexMode::Implicit, Lookup::Sampler), "texture lookup";
    TEX2 "O=FFS@" Texture(TexMode::Implicit, Lookup::SecondReference), "texture lookup, reference value in x of the second source";
    TXD "O=FFFS@" Texture(TexMode::Grad, Lookup::Sampler), "texture lookup with derivatives";
    TXP "O=FS@" Texture(TexMode::Implicit, Lookup::Projected), "texture lookup, coordinates divided by w";
    TXB "O=FS@" Texture(TexMode::Bias, Lookup::Sampler), "texture lookup, level bias in w";
    TXB2 "O=FFS@" Texture(TexMode::Bias, Lookup::SecondLevel), "texture lookup, level bias in x of the second source";
    TEX_LZ "O=FS@" Texture(TexMode::Level, Lookup::LevelZero), "texture lookup at level 0";
    TXL "O=FS@" Texture(TexMode::Level, Lookup::Sampler), "texture lookup, level in w";
    TXL2 "O=FFS@" Texture(TexMode::Level, Lookup::SecondLevel), "texture lookup, level in x of the second source";

    ["Compute ISA"]
    CEIL "O=F" Vector(Componentwise(Op::Ceil)), "smallest integer not below each component";
    TRUNC "O=F" Vector(Componentwise(Op::Trunc)), "each component without its fraction";
    MOD "O=II" Vector(Componentwise(Op::Imod)), "signed remainder; by zero -1";
    UARL "O=I" Vector(VectorOp::MOV), "address register from integers";
    TXF "O=IS@" Texture(TexMode::Fetch, Lookup::Sampler), "texel at integer coordinates, level in w";
    TXF_LZ "O=IS@" Texture(TexMode::Fetch, Lookup::LevelZero), "texel at integer coordinates of level 0";
    TXQ "O=IS@" Custom(texture::size), "sides of a texture on the level x, and its levels";
    TXQS "O=S@" Custom(texture::samples), "number of samples of a texture";
    TG4 "O=FIS@" Custom(texture::gather), "the component of four texels that x of the second source names, or their comparisons";
    LODQ "O=FS@" Custom(texture::detail), "level of detail of a lookup: the one it takes, the one that is computed";
    CLOCK "O=" Custom(alu::clock), "how often the invocation has asked before, 64 bits";

    ["Integer ISA"]
    I2F "O=I" Vector(Componentwise(Op::I2f)), "signed integer to float";
    U2F "O=I" Vector(Componentwise(Op::U2f)), "unsigned integer to float";
    F2I "O=F" Vector(Componentwise(Op::F2iTrunc)), "float to signed integer, toward zero";
    F2U "O=F" Vector(Componentwise(Op::F2uTrunc)), "float to unsigned integer, toward zero";
    UADD "O=II" Vector(Componentwise(Op::Iadd)), "sum, wrapping";
    UMAD "O=III" Custom(alu::umad), "product plus third source, wrapping";
    UMUL "O=II" Vector(Componentwise(Op::Imul)), "low 32 bits of the product";
    IMUL_HI "O=II" Vector(Componentwise(Op::ImulHi)), "high 32 bits of the signed product";
    UMUL_HI "O=II" Vector(Componentwise(Op::UmulHi)), "high 32 bits of the unsigned product";
    IDIV "O=II" Vector(Componentwise(Op::Idiv)), "signed quotient; by zero 0";
    UDIV "O=II" Vector(Componentwise(Op::Udiv)), "unsigned quotient; by zero all ones";
    UMOD "O=II" Vector(Componentwise(Op::Umod)), "unsigned remainder; by zero all ones";
    NOT "O=I" Vector(Componentwise(Op::Inot)), "bitwise complement";
    AND "O=II" Vector(Componentwise(Op::Iand)), "bitwise and";
    OR "O=II" Vector(Componentwise(Op::Ior)), "bitwise or";
    XOR "O=II" Vector(Componentwise(Op::Ixor)), "bitwise exclusive or";
    IMAX "O=II" Vector(Componentwise(Op::Imax)), "larger signed integer";
    UMAX "O=II" Vector(Componentwise(Op::Umax)), "larger unsigned integer";
    IMIN "O=II" Vector(Componentwise(Op::Imin)), "smaller signed integer";
    UMIN "O=II" Vector(Componentwise(Op::Umin)), "smaller unsigned integer";
    SHL "O=II" Vector(Componentwise(Op::Shl)), "shift left by the low five bits";
    ISHR "O=II" Vector(Componentwise(Op::Ishr)), "arithmetic shift right by the low five bits";
    USHR "O=II" Vector(Componentwise(Op::Ushr)), "logical shift right by the low five bits";
    UCMP "O=IMM" Vector(Select(Op::Ine)), "second source where any bit of the first is set, else the third";
    ISSG "O=I" Vector(Componentwise(Op::Isign)), "-1, 0 or 1 by the sign of each integer";
    FSLT "O=FF" Vector(SetBits(Op::FLt, true)), "all ones where less, else 0; floats";
    ISLT "O=II" Vector(SetBits(Op::Ilt, true)), "all ones where less, else 0; signed";
    USLT "O=II" Vector(SetBits(Op::Ult, true)), "all ones where less, else 0; unsigned";
    FSGE "O=FF" Vector(SetBits(Op::FGe, true)), "all ones where greater or equal, else 0; floats";
    ISGE "O=II" Vector(SetBits(Op::Ilt, false)), "all ones where greater or equal, else 0; signed";
    USGE "O=II" Vector(SetBits(Op::Ult, false)), "all ones where greater or equal, else 0; unsigned";
    FSEQ "O=FF" Vector(SetBits(Op::FEq, true)), "all ones where equal, else 0; floats";
    USEQ "O=II" Vector(SetBits(Op::Ieq, true)), "all ones where equal, else 0; integers";
    FSNE "O=FF" Vector(SetBits(Op::FNe, true)), "all ones where different or unordered, else 0; floats";
    USNE "O=II" Vector(SetBits(Op::Ine, true)), "all ones where different, else 0; integers";
    INEG "O=I" Vector(Componentwise(Op::Ineg)), "two's complement negation";
    IABS "O=I" Vector(Componentwise(Op::Iabs)), "signed magnitude";

    ["Bitwise ISA"]
    IBFE "O=III" Vector(Componentwise(Op::Ibfe)), "signed bit field";
    UBFE "O=III" Vector(Componentwise(Op::Ubfe)), "unsigned bit field";
    BFI "O=IIII" Vector(Componentwise(Op::Bfi)), "bit field inserted into the first source";
    BREV "O=I" Vector(Componentwise(Op::Brev)), "bits reversed";
    POPC "O=I" Vector(Componentwise(Op::Popc)), "number of set bits";
    LSB "O=I" Vector(Componentwise(Op::Lsb)), "index of the lowest set bit, else -1";
    IMSB "O=I" Vector(Componentwise(Op::Imsb)), "index of the highest bit unlike the sign, else -1";
    UMSB "O=I" Vector(Componentwise(Op::Umsb)), "index of the highest set bit, else -1";

    ["Geometry ISA"]
    EMIT "=?I" GEOMETRY, "emits a vertex";
    ENDPRIM "=?I" GEOMETRY, "ends a primitive";

    ["GLSL ISA"]
    CAL ":" Control, "calls a subroutine";
    RET "" Control, "returns; in the main program, stops";
    CONT "" Control, "next iteration of the innermost loop";
    BGNLOOP ":" Control, "opens a loop";
    BGNSUB "" Control, "opens a subroutine";
    ENDLOOP ":" Control, "closes a loop";
    ENDSUB "" Control, "closes a subroutine";
    NOP "" Control, "nothing";
    BRK "" Control, "leaves the innermost loop or switch";
    IF "=F:" Control, "runs what follows where x differs from 0.0";
    UIF "=I:" Control, "runs what follows where any bit of x is set";
    ELSE ":" Control, "runs what follows elsewhere";
    ENDIF "" Control, "closes an if";
    SWITCH "=I" Control, "opens a switch on the bits of x";
    CASE "=I" Control, "entered where the switch has these bits";
    DEFAULT "" Control, "entered where no case matches";
    ENDSWITCH "" Control, "closes a switch";
    END "" Control, "ends the program";

    ["Interpolation ISA"]
    INTERP_CENTROID "O=A" Custom(interpolate::at_centroid), "input at the centroid";
    INTERP_SAMPLE "O=AI" Custom(interpolate::at_sample), "input at a sample";
    INTERP_OFFSET "O=AF" Custom(interpolate::at_offset), "input at an offset from the pixel centre";

    ["Double ISA"]
    DABS "O=W" Wide(WideOp::double(Op::Abs)), "magnitude of both doubles";
    DNEG "O=W" Wide(WideOp::double(Op::Neg)), "both doubles with the other sign";
    DADD "O=WW" Wide(WideOp::double(Op::Add)), "sum of doubles";
    DSEQ "O=WW" Wide(WideOp::SetBits(Op::FEq, true)), "all ones where equal, else 0; doubles";
    DSNE "O=WW" Wide(WideOp::SetBits(Op::FNe, true)), "all ones where different or unordered, else 0; doubles";
    DSLT "O=WW" Wide(WideOp::SetBits(Op::FLt, true)), "all ones where less, else 0; doubles";
    DSGE "O=WW" Wide(WideOp::SetBits(Op::FGe, true)), "all ones where greater or equal, else 0; doubles";
    DFRAC "O=W" Wide(WideOp::double(Op::Frac)), "each double minus its floor";
    DTRUNC "O=W" Wide(WideOp::double(Op::Trunc)), "each double without its fraction";
    DCEIL "O=W" Wide(WideOp::double(Op::Ceil)), "smallest integer not below each double";
    DFLR "O=W" Wide(WideOp::double(Op::Floor)), "largest integer not above each double";
    DROUND "O=W" Wide(WideOp::double(Op::Rint)), "nearest integer of each double, ties to even";
    DSSG "O=W" Wide(WideOp::double(Op::Sign)), "-1, 0 or 1 by the sign of each double";
    DFRACEXP "OO=W" Custom(wide::fracexp), "significand of the first double, exponent in the second destination";
    DLDEXP "O=WI" Wide(WideOp::double(Op::Ldexp)), "each double times 2^integer, x and z of the second source";
    DMIN "O=WW" Wide(WideOp::double(Op::Min)), "smaller of each double";
    DMAX "O=WW" Wide(WideOp::double(Op::Max)), "larger of each double";
    DMUL "O=WW" Wide(WideOp::double(Op::Mul)), "product of doubles";
    DMAD "O=WWW" Wide(WideOp::double(Op::Mad)), "product of doubles plus third source, rounded once or twice";
    DFMA "O=WWW" Wide(WideOp::double(Op::Fma)), "product of doubles plus third source, rounded once";
    DDIV "O=WW" Wide(WideOp::double(Op::Div)), "quotient of doubles";
    DRCP "O=W" Wide(WideOp::double(Op::Rcp)), "1 / double";
    DSQRT "O=W" Wide(WideOp::double(Op::Sqrt)), "square root of each double";
    DRSQ "O=W" Wide(WideOp::double(Op::Rsq)), "1 / sqrt(double)";
    F2D "O=F" Wide(WideOp::double(Op::Cvt)), "doubles of the floats x and y";
    D2F "O=W" Wide(WideOp::float(Op::Cvt)), "floats of both doubles, in the first two written components";
    I2D "O=I" Wide(WideOp::double(Op::I2f)), "doubles of the signed integers x and y";
    D2I "O=W" Wide(WideOp::double(Op::F2iTrunc)), "signed integers of both doubles, toward zero, in the first two written components";
    U2D "O=I" Wide(WideOp::double(Op::U2f)), "doubles of the unsigned integers x and y";
    D2U "O=W" Wide(WideOp::double(Op::F2uTrunc)), "unsigned integers of both doubles, toward zero, in the first two written components";

    ["64-bit Integer ISA"]
    I64ABS "O=W" Wide(WideOp::long(Op::Iabs64)), "signed magnitude, 64 bits";
    I64NEG "O=W" Wide(WideOp::long(Op::Ineg64)), "two's complement negation, 64 bits";
    I64SSG "O=W" Wide(WideOp::long(Op::Isign64)), "-1, 0 or 1 by the sign, 64 bits";
    U64ADD "O=WW" Wide(WideOp::long(Op::Iadd64)), "sum, wrapping, 64 bits";
    U64MUL "O=WW" Wide(WideOp::long(Op::Imul64)), "low 64 bits of the product";
    U64SEQ "O=WW" Wide(WideOp::SetBits(Op::Ieq64, true)), "all ones where equal, else 0; 64 bits";
    U64SNE "O=WW" Wide(WideOp::SetBits(Op::Ine64, true)), "all ones where different, else 0; 64 bits";
    U64SLT "O=WW" Wide(WideOp::SetBits(Op::Ult64, true)), "all ones where less, else 0; unsigned, 64 bits";
    U64SGE "O=WW" Wide(WideOp::SetBits(Op::Ult64, false)), "all ones where greater or equal, else 0; unsigned, 64 bits";
    I64SLT "O=WW" Wide(WideOp::SetBits(Op::Ilt64, true)), "all ones where less, else 0; signed, 64 bits";
    I64SGE "O=WW" Wide(WideOp::SetBits(Op::Ilt64, false)), "all ones where greater or equal, else 0; signed, 64 bits";
    I64MIN "O=WW" Wide(WideOp::long(Op::Imin64)), "smaller signed integer, 64 bits";
    U64MIN "O=WW" Wide(WideOp::long(Op::Umin64)), "smaller unsigned integer, 64 bits";
    I64MAX "O=WW" Wide(WideOp::long(Op::Imax64)), "larger signed integer, 64 bits";
    U64MAX "O=WW" Wide(WideOp::long(Op::Umax64)), "larger unsigned integer, 64 bits";
    U64SHL "O=WI" Wide(WideOp::long(Op::Shl64)), "shift left by the low six bits of x and z of the second source";
    I64SHR "O=WI" Wide(WideOp::long(Op::Ishr64)), "arithmetic shift right by the low six bits of x and z of the second source";
    U64SHR "O=WI" Wide(WideOp::long(Op::Ushr64)), "logical shift right by the low six bits of x and z of the second source";
    I64DIV "O=WW" Wide(WideOp::long(Op::Idiv64)), "signed quotient, 64 bits; by zero 0";
    U64DIV "O=WW" Wide(WideOp::long(Op::Udiv64)), "unsigned quotient, 64 bits; by zero all ones";
    U64MOD "O=WW" Wide(WideOp::long(Op::Umod64)), "unsigned remainder, 64 bits; by zero all ones";
    I64MOD "O=WW" Wide(WideOp::long(Op::Imod64)), "signed remainder, 64 bits; by zero -1";
    F2U64 "O=F" Wide(WideOp::float(Op::F2u64Trunc)), "unsigned 64-bit integers of the floats x and y, toward zero";
    F2I64 "O=F" Wide(WideOp::float(Op::F2i64Trunc)), "signed 64-bit integers of the floats x and y, toward zero";
    U2I64 "O=I" Wide(WideOp::long(Op::Zext64)), "x and y extended by zeros to 64 bits";
    I2I64 "O=I" Wide(WideOp::long(Op::Sext64)), "x and y extended by their signs to 64 bits";
    D2U64 "O=W" Wide(WideOp::double(Op::F2u64Trunc)), "unsigned 64-bit integers of both doubles, toward zero";
    D2I64 "O=W" Wide(WideOp::double(Op::F2i64Trunc)), "signed 64-bit integers of both doubles, toward zero";
    U642F "O=W" Wide(WideOp::float(Op::U64ToF)), "floats of both unsigned 64-bit integers, in the first two written components";
    I642F "O=W" Wide(WideOp::float(Op::I64ToF)), "floats of both signed 64-bit integers, in the first two written components";
    U642D "O=W" Wide(WideOp::double(Op::U64ToF)), "doubles of both unsigned 64-bit integers";
    I642D "O=W" Wide(WideOp::double(Op::I64ToF)), "doubles of both signed 64-bit integers";

    ["Resource Sampling Opcodes"]
    SAMPLE "O=FVS" Texture(TexMode::Implicit, Lookup::View), "texture lookup through a view";
    SAMPLE_I "O=IV" Texture(TexMode::Fetch, Lookup::View), "texel at integer coordinates, level in w";
    SAMPLE_I_MS "O=IVI" Texture(TexMode::Fetch, Lookup::View), "texel of a multisampled view at integer coordinates";
    SAMPLE_B "O=FVSF" Texture(TexMode::Bias, Lookup::View), "texture lookup through a view with level bias";
    SAMPLE_C "O=FVSF" Texture(TexMode::Implicit, Lookup::Compared), "texture comparison";
    SAMPLE_C_LZ "O=FVSF" Texture(TexMode::Level, Lookup::ComparedLevelZero), "texture comparison at level 0";
    SAMPLE_D "O=FVSFF" Texture(TexMode::Grad, Lookup::View), "texture lookup through a view with derivatives";
    SAMPLE_L "O=FVSF" Texture(TexMode::Level, Lookup::View), "texture lookup through a view at a level";
    GATHER4 "O=FVS" Custom(texture::gather), "red of four texels";
    SVIEWINFO "O=IV" Custom(texture::size), "sides of a view on the level x, and its levels";
    SAMPLE_POS "O=MI" Custom(texture::sample_position), "position of a sample of the render target";
    SAMPLE_INFO "O=M" Custom(texture::sample_count), "number of samples of a view or the render target";
    LOD "O=FVS" Custom(texture::detail), "level of detail of a lookup through a view: the one it takes, the one that is computed";

    ["Resource Access Opcodes"]
    LOAD "O=RI" Custom(memory::load), "words of a buffer by their address, or a texel of an image";
    STORE "R=II" Custom(memory::store), "sets words of a buffer or a texel of an image";
    RESQ "O=R" Custom(memory::size), "bytes of a buffer, or sides and samples of an image";
    FBFETCH "O=M" Unsupported("nothing has been drawn before the pixel: a frame is one draw"), "colour of the pixel before this shader";
    IMG2HND "O=R" HANDLE, "bindless handle of an image";
    SAMP2HND "O=S@" HANDLE, "bindless handle of a sampler";

    ["Inter-thread synchronization opcodes"]
    BARRIER "" Custom(memory::barrier), "waits for the other invocations of the workgroup";
    MEMBAR "=I" Custom(memory::fence), "nothing: every access is seen by all that come behind it";

    ["Atomic opcodes"]
    ATOMUADD "O=RII" Atomic(AtomicOp::Add), "atomic sum, wrapping; gives the old one";
    ATOMFADD "O=RIF" Custom(memory::add_float), "atomic sum of floats; gives the old one";
    ATOMXCHG "O=RII" Atomic(AtomicOp::Exchange), "atomic exchange; gives the old one";
    ATOMCAS "O=RIII" Atomic(AtomicOp::CompareExchange), "atomic compare with the third source and exchange with the fourth; gives the old one";
    ATOMAND "O=RII" Atomic(AtomicOp::And), "atomic bitwise and; gives the old one";
    ATOMOR "O=RII" Atomic(AtomicOp::Or), "atomic bitwise or; gives the old one";
    ATOMXOR "O=RII" Atomic(AtomicOp::Xor), "atomic bitwise exclusive or; gives the old one";
    ATOMUMIN "O=RII" Atomic(AtomicOp::MinU), "atomic unsigned minimum; gives the old one";
    ATOMUMAX "O=RII" Atomic(AtomicOp::MaxU), "atomic unsigned maximum; gives the old one";
    ATOMIMIN "O=RII" Atomic(AtomicOp::MinI), "atomic signed minimum; gives the old one";
    ATOMIMAX "O=RII" Atomic(AtomicOp::MaxI), "atomic signed maximum; gives the old one";
    ATOMINC_WRAP "O=RII" Atomic(AtomicOp::IncWrap), "atomic increment, 0 from the operand on; gives the old one";
    ATOMDEC_WRAP "O=RII" Atomic(AtomicOp::DecWrap), "atomic decrement, the operand from 0 or above it; gives the old one";

    ["Inter-lane opcodes"]
    VOTE_ANY "O=I" Custom(quad::vote_any), "all ones if x is set in any running lane of the quad, else 0";
    VOTE_ALL "O=I" Custom(quad::vote_all), "all ones if x is set in all running lanes of the quad, else 0";
    VOTE_EQ "O=I" Custom(quad::vote_eq), "all ones if x is the same in all running lanes of the quad, else 0";
    BALLOT "O=I" Custom(quad::ballot), "mask of the running lanes of the quad where x is set";
    READ_FIRST "O=I" Custom(quad::read_first), "each component as the first running lane of the quad has it";
    READ_INVOC "O=II" Custom(quad::read_invoc), "each component as the lane named by x of the second source has it";
    DEMOTE "" Custom(quad::kill), "removes the pixel, which goes on as a helper";
    READ_HELPER "O=" Custom(quad::read_helper), "all ones in helper lanes and where the pixel was removed, else 0";

    ["Mesa 7 to 17"]
    SUB "O=FF" Vector(Componentwise(Op::Sub)), "difference of each component";
    ABS "O=F" Vector(Componentwise(Op::Abs)), "magnitude of each component";
    CLAMP "O=FFF" Custom(older::clamp), "each component, not below the second source and not above the third";
    CND "O=FFF" Custom(older::cnd), "first source where the third is above 0.5, else the second";
    DP2A "O=FFF" Vector(Dot(Op::Dp2a)), "two-component dot product plus x of the third source";
    DPH "O=FF" Vector(Dot(Op::Dph)), "three-component dot product plus w of the second source";
    XPD "O=FF" Custom(older::cross), "cross product; w is 1";
    NRM "O=F" Vector(older::NRM), "x, y and z divided by their length; w is 1";
    NRM4 "O=F" Custom(older::nrm4), "each component divided by the length of all four";
    RFL "O=FF" Custom(older::reflect), "second source reflected about the first; w is 1";
    X2D "O=FFF" Vector(VectorOp::Transform2d), "first source plus x and y of the second times the matrix in the third";
    SCS "O=F" Vector(older::SCS), "cosine and sine of x, 0, 1";
    SFL "O=?FF" Vector(VectorOp::ZERO), "0 in each component; sources are not read";
    STR "O=?FF" Vector(VectorOp::ONE), "1 in each component; sources are not read";
    KILP "" Custom(quad::kill), "removes the pixel: older name of `KILL`";
    KIL "=F" Custom(quad::kill_if), "removes the pixel if any component is below zero: older name of `KILL_IF`";
    RCC "O=F" Unsupported("no Mesa driver executes it"), "1 / x, clamped to magnitudes between 2^-64 and 2^64";
    ARA "O=F" Unsupported("no Mesa driver executes it"), "address register plus address register";
    TXQ_LZ "O=IS@" Custom(texture::size), "sides of a texture on its largest level, and its levels";
}
