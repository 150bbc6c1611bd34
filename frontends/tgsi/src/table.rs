//! The opcode table: one row per opcode.

use crate::lift::{alu, quad, texture};
use crate::opcode::{Row, Sem, Sem::*, Shape};
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

const DOUBLE: Sem = Unsupported("64-bit floats are not executed");
const WIDE: Sem = Unsupported("64-bit integers are not executed");
const MEMORY: Sem = Unsupported("buffers, images and shared memory are not executed");
const GEOMETRY: Sem = Unsupported("geometry shaders are not executed");
const COMPUTE: Sem = Unsupported("compute shaders are not executed");
const QUERY: Sem = Unsupported("texture queries are not executed");
const GATHER: Sem = Unsupported("texture gathers are not executed");
const COMPARE: Sem = Unsupported("texture comparisons are not executed");
const SAMPLES: Sem = Unsupported("multisampled resources are not executed");
const INTERP: Sem = Unsupported("interpolation at a place chosen by the program is not executed");
const HANDLE: Sem = Unsupported("bindless handles are not executed");

rows! {
    ["Core ISA"]
    ARL "O=F" ToInt(Op::F2iFloor), "address register from the floor of each component";
    MOV "O=M" Custom(alu::mov), "each component, bits unchanged";
    LIT "O=F" Custom(alu::lit), "light coefficients: 1, max(x, 0), specular term, 1";
    RCP "O=F" Scalar(Op::Rcp), "1 / x";
    RSQ "O=F" Scalar(Op::Rsq), "1 / sqrt(x)";
    SQRT "O=F" Scalar(Op::Sqrt), "square root of x";
    EXP "O=F" Custom(alu::exp), "2^floor(x), fraction of x, 2^x, 1";
    LOG "O=F" Custom(alu::log), "exponent and mantissa of |x|, log2 |x|, 1";
    MUL "O=FF" Float(Op::Mul), "product of each component";
    ADD "O=FF" Float(Op::Add), "sum of each component";
    DP2 "O=FF" Dot(Op::Dot2, 2), "two-component dot product";
    DP3 "O=FF" Dot(Op::Dot3, 3), "three-component dot product";
    DP4 "O=FF" Dot(Op::Dot4, 4), "four-component dot product";
    DST "O=FF" Custom(alu::dst), "distance vector: 1, y * y, z of the first, w of the second";
    MIN "O=FF" Float(Op::Min), "smaller of each component";
    MAX "O=FF" Float(Op::Max), "larger of each component";
    SLT "O=FF" SetFloat(Op::FLt), "1.0 where less, else 0.0";
    SGE "O=FF" SetFloat(Op::FGe), "1.0 where greater or equal, else 0.0";
    SEQ "O=FF" SetFloat(Op::FEq), "1.0 where equal, else 0.0";
    SGT "O=FF" SetFloat(Op::FGt), "1.0 where greater, else 0.0";
    SLE "O=FF" SetFloat(Op::FLe), "1.0 where less or equal, else 0.0";
    SNE "O=FF" SetFloat(Op::FNe), "1.0 where different or unordered, else 0.0";
    MAD "O=FFF" Float(Op::Mad), "product plus third source, rounded once or twice";
    LRP "O=FFF" Float(Op::Lrp), "blend of second and third source by the first";
    FMA "O=FFF" Float(Op::Fma), "product plus third source, rounded once";
    FRC "O=F" Float(Op::Frac), "each component minus its floor";
    FLR "O=F" Float(Op::Floor), "largest integer not above each component";
    ROUND "O=F" Float(Op::Rint), "nearest integer of each component, ties to even";
    EX2 "O=F" Scalar(Op::Exp2), "2^x";
    LG2 "O=F" Scalar(Op::Log2), "log2 of x";
    POW "O=FF" Scalar(Op::Pow), "x of the first source to the power x of the second";
    LDEXP "O=FI" Custom(alu::ldexp), "each component times 2^integer";
    COS "O=F" Scalar(Op::Cos), "cosine of x, radians";
    SIN "O=F" Scalar(Op::Sin), "sine of x, radians";
    DDX "O=F" Custom(quad::ddx), "difference along x, one for the quad";
    DDX_FINE "O=F" Custom(quad::ddx_fine), "difference along x, one per row";
    DDY "O=F" Custom(quad::ddy), "difference along y, one for the quad";
    DDY_FINE "O=F" Custom(quad::ddy_fine), "difference along y, one per column";
    PK2H "O=F" Custom(alu::pk2h), "two halves from x and y";
    PK2US "O=F" Custom(alu::pk2us), "two unsigned normalised 16-bit fields from x and y";
    PK4B "O=F" Custom(alu::pk4b), "four biased 8-bit fields";
    PK4UB "O=F" Custom(alu::pk4ub), "four unsigned normalised 8-bit fields";
    UP2H "O=I" Custom(alu::up2h), "halves of x: low, high, low, high";
    UP2US "O=I" Custom(alu::up2us), "unsigned normalised 16-bit fields of x: low, high, low, high";
    UP4B "O=I" Custom(alu::up4b), "biased 8-bit fields of x, lowest first";
    UP4UB "O=I" Custom(alu::up4ub), "unsigned normalised 8-bit fields of x, lowest first";
    ARR "O=F" Custom(alu::arr), "address register from each component plus a half, floored";
    SSG "O=F" Float(Op::Sign), "-1, 0 or 1 by the sign of each component";
    CMP "O=FFF" Custom(alu::cmp), "second source where the first is below zero, else the third";
    KILL_IF "=F" Custom(quad::kill_if), "removes the pixel if any component is below zero";
    KILL "" Custom(quad::kill), "removes the pixel";
    DIV "O=FF" Float(Op::Div), "quotient of each component";
    TEX "O=FS@" Custom(texture::tex), "texture lookup";
    TEX2 "O=FFS@" COMPARE, "texture lookup, reference value in x of the second source";
    TXD "O=FFFS@" Custom(texture::txd), "texture lookup with derivatives";
    TXP "O=FS@" Custom(texture::txp), "texture lookup, coordinates divided by w";
    TXB "O=FS@" Custom(texture::txb), "texture lookup, level bias in w";
    TXB2 "O=FFS@" Unsupported("texture shapes beyond 1D, 2D and RECT are not executed"), "texture lookup, level bias in x of the second source";
    TEX_LZ "O=FS@" Custom(texture::tex_lz), "texture lookup at level 0";
    TXL "O=FS@" Custom(texture::txl), "texture lookup, level in w";
    TXL2 "O=FFS@" Unsupported("texture shapes beyond 1D, 2D and RECT are not executed"), "texture lookup, level in x of the second source";

    ["Compute ISA"]
    CEIL "O=F" Float(Op::Ceil), "smallest integer not below each component";
    TRUNC "O=F" Float(Op::Trunc), "each component without its fraction";
    MOD "O=II" Int(Op::Imod), "signed remainder; by zero -1";
    UARL "O=I" Custom(alu::uarl), "address register from integers";
    TXF "O=IS@" Custom(texture::txf), "texel at integer coordinates, level in w";
    TXF_LZ "O=IS@" Custom(texture::txf_lz), "texel at integer coordinates of level 0";
    TXQ "O=IS@" QUERY, "texture size and levels";
    TXQS "O=S@" QUERY, "number of samples of a texture";
    TG4 "O=FIS@" GATHER, "one component of four texels";
    LODQ "O=FS@" QUERY, "level of detail a lookup would use";
    CLOCK "O=" Unsupported("there is no clock: results would not repeat"), "shader time";

    ["Integer ISA"]
    I2F "O=I" ToFloat(Op::I2f), "signed integer to float";
    U2F "O=I" ToFloat(Op::U2f), "unsigned integer to float";
    F2I "O=F" ToInt(Op::F2iTrunc), "float to signed integer, toward zero";
    F2U "O=F" ToInt(Op::F2uTrunc), "float to unsigned integer, toward zero";
    UADD "O=II" Int(Op::Iadd), "sum, wrapping";
    UMAD "O=III" Custom(alu::umad), "product plus third source, wrapping";
    UMUL "O=II" Int(Op::Imul), "low 32 bits of the product";
    IMUL_HI "O=II" Int(Op::ImulHi), "high 32 bits of the signed product";
    UMUL_HI "O=II" Int(Op::UmulHi), "high 32 bits of the unsigned product";
    IDIV "O=II" Int(Op::Idiv), "signed quotient; by zero 0";
    UDIV "O=II" Int(Op::Udiv), "unsigned quotient; by zero all ones";
    UMOD "O=II" Int(Op::Umod), "unsigned remainder; by zero all ones";
    NOT "O=I" Int(Op::Inot), "bitwise complement";
    AND "O=II" Int(Op::Iand), "bitwise and";
    OR "O=II" Int(Op::Ior), "bitwise or";
    XOR "O=II" Int(Op::Ixor), "bitwise exclusive or";
    IMAX "O=II" Int(Op::Imax), "larger signed integer";
    UMAX "O=II" Int(Op::Umax), "larger unsigned integer";
    IMIN "O=II" Int(Op::Imin), "smaller signed integer";
    UMIN "O=II" Int(Op::Umin), "smaller unsigned integer";
    SHL "O=II" Int(Op::Shl), "shift left by the low five bits";
    ISHR "O=II" Int(Op::Ishr), "arithmetic shift right by the low five bits";
    USHR "O=II" Int(Op::Ushr), "logical shift right by the low five bits";
    UCMP "O=IMM" Custom(alu::ucmp), "second source where any bit of the first is set, else the third";
    ISSG "O=I" Int(Op::Isign), "-1, 0 or 1 by the sign of each integer";
    FSLT "O=FF" SetBits(Op::FLt), "all ones where less, else 0; floats";
    ISLT "O=II" SetInt(Op::Ilt, false), "all ones where less, else 0; signed";
    USLT "O=II" SetInt(Op::Ult, false), "all ones where less, else 0; unsigned";
    FSGE "O=FF" SetBits(Op::FGe), "all ones where greater or equal, else 0; floats";
    ISGE "O=II" SetInt(Op::Ile, true), "all ones where greater or equal, else 0; signed";
    USGE "O=II" SetInt(Op::Ule, true), "all ones where greater or equal, else 0; unsigned";
    FSEQ "O=FF" SetBits(Op::FEq), "all ones where equal, else 0; floats";
    USEQ "O=II" SetInt(Op::Ieq, false), "all ones where equal, else 0; integers";
    FSNE "O=FF" SetBits(Op::FNe), "all ones where different or unordered, else 0; floats";
    USNE "O=II" SetInt(Op::Ine, false), "all ones where different, else 0; integers";
    INEG "O=I" Int(Op::Ineg), "two's complement negation";
    IABS "O=I" Int(Op::Iabs), "signed magnitude";

    ["Bitwise ISA"]
    IBFE "O=III" Int(Op::Ibfe), "signed bit field";
    UBFE "O=III" Int(Op::Ubfe), "unsigned bit field";
    BFI "O=IIII" Int(Op::Bfi), "bit field inserted into the first source";
    BREV "O=I" Int(Op::Brev), "bits reversed";
    POPC "O=I" Int(Op::Popc), "number of set bits";
    LSB "O=I" Int(Op::Lsb), "index of the lowest set bit, else -1";
    IMSB "O=I" Int(Op::Imsb), "index of the highest bit unlike the sign, else -1";
    UMSB "O=I" Int(Op::Umsb), "index of the highest set bit, else -1";

    ["Geometry ISA"]
    EMIT "=I" GEOMETRY, "emits a vertex";
    ENDPRIM "=I" GEOMETRY, "ends a primitive";

    ["GLSL ISA"]
    CAL ":" Control, "calls a subroutine";
    RET "" Control, "returns; in the main program, stops";
    CONT "" Control, "next round of the innermost loop";
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
    INTERP_CENTROID "O=F" INTERP, "input at the centroid";
    INTERP_SAMPLE "O=FI" INTERP, "input at a sample";
    INTERP_OFFSET "O=FF" INTERP, "input at an offset from the pixel centre";

    ["Double ISA"]
    DABS "O=W" DOUBLE, "magnitude";
    DNEG "O=W" DOUBLE, "negation";
    DADD "O=WW" DOUBLE, "sum";
    DSEQ "O=WW" DOUBLE, "all ones where equal";
    DSNE "O=WW" DOUBLE, "all ones where different";
    DSLT "O=WW" DOUBLE, "all ones where less";
    DSGE "O=WW" DOUBLE, "all ones where greater or equal";
    DFRAC "O=W" DOUBLE, "fraction";
    DTRUNC "O=W" DOUBLE, "without fraction";
    DCEIL "O=W" DOUBLE, "smallest integer not below";
    DFLR "O=W" DOUBLE, "largest integer not above";
    DROUND "O=W" DOUBLE, "nearest integer";
    DSSG "O=W" DOUBLE, "-1, 0 or 1";
    DFRACEXP "OO=W" DOUBLE, "significand and exponent";
    DLDEXP "O=WI" DOUBLE, "times 2^integer";
    DMIN "O=WW" DOUBLE, "smaller";
    DMAX "O=WW" DOUBLE, "larger";
    DMUL "O=WW" DOUBLE, "product";
    DMAD "O=WWW" DOUBLE, "product plus third source";
    DFMA "O=WWW" DOUBLE, "product plus third source, rounded once";
    DDIV "O=WW" DOUBLE, "quotient";
    DRCP "O=W" DOUBLE, "reciprocal";
    DSQRT "O=W" DOUBLE, "square root";
    DRSQ "O=W" DOUBLE, "reciprocal square root";
    F2D "O=F" DOUBLE, "float to double";
    D2F "O=W" DOUBLE, "double to float";
    I2D "O=I" DOUBLE, "signed integer to double";
    D2I "O=W" DOUBLE, "double to signed integer";
    U2D "O=I" DOUBLE, "unsigned integer to double";
    D2U "O=W" DOUBLE, "double to unsigned integer";

    ["64-bit Integer ISA"]
    I64ABS "O=W" WIDE, "magnitude";
    I64NEG "O=W" WIDE, "negation";
    I64SSG "O=W" WIDE, "-1, 0 or 1";
    U64ADD "O=WW" WIDE, "sum";
    U64MUL "O=WW" WIDE, "product";
    U64SEQ "O=WW" WIDE, "all ones where equal";
    U64SNE "O=WW" WIDE, "all ones where different";
    U64SLT "O=WW" WIDE, "all ones where less, unsigned";
    U64SGE "O=WW" WIDE, "all ones where greater or equal, unsigned";
    I64SLT "O=WW" WIDE, "all ones where less, signed";
    I64SGE "O=WW" WIDE, "all ones where greater or equal, signed";
    I64MIN "O=WW" WIDE, "smaller, signed";
    U64MIN "O=WW" WIDE, "smaller, unsigned";
    I64MAX "O=WW" WIDE, "larger, signed";
    U64MAX "O=WW" WIDE, "larger, unsigned";
    U64SHL "O=WI" WIDE, "shift left";
    I64SHR "O=WI" WIDE, "arithmetic shift right";
    U64SHR "O=WI" WIDE, "logical shift right";
    I64DIV "O=WW" WIDE, "signed quotient";
    U64DIV "O=WW" WIDE, "unsigned quotient";
    U64MOD "O=WW" WIDE, "unsigned remainder";
    I64MOD "O=WW" WIDE, "signed remainder";
    F2U64 "O=F" WIDE, "float to unsigned 64-bit integer";
    F2I64 "O=F" WIDE, "float to signed 64-bit integer";
    U2I64 "O=I" WIDE, "zero extension";
    I2I64 "O=I" WIDE, "sign extension";
    D2U64 "O=W" WIDE, "double to unsigned 64-bit integer";
    D2I64 "O=W" WIDE, "double to signed 64-bit integer";
    U642F "O=W" WIDE, "unsigned 64-bit integer to float";
    I642F "O=W" WIDE, "signed 64-bit integer to float";
    U642D "O=W" WIDE, "unsigned 64-bit integer to double";
    I642D "O=W" WIDE, "signed 64-bit integer to double";

    ["Resource Sampling Opcodes"]
    SAMPLE "O=FVS" Custom(texture::sample), "texture lookup through a view";
    SAMPLE_I "O=IV" Custom(texture::sample_i), "texel at integer coordinates, level in w";
    SAMPLE_I_MS "O=IVI" SAMPLES, "texel of a multisampled view";
    SAMPLE_B "O=FVSF" Custom(texture::sample_b), "texture lookup through a view with level bias";
    SAMPLE_C "O=FVSF" COMPARE, "texture comparison";
    SAMPLE_C_LZ "O=FVSF" COMPARE, "texture comparison at level 0";
    SAMPLE_D "O=FVSFF" Custom(texture::sample_d), "texture lookup through a view with derivatives";
    SAMPLE_L "O=FVSF" Custom(texture::sample_l), "texture lookup through a view at a level";
    GATHER4 "O=FVS" GATHER, "one component of four texels";
    SVIEWINFO "O=IV" QUERY, "size and levels of a view";
    SAMPLE_POS "O=MI" SAMPLES, "position of a sample";
    SAMPLE_INFO "O=M" SAMPLES, "number of samples";
    LOD "O=FVS" QUERY, "level of detail a lookup would use";

    ["Resource Access Opcodes"]
    LOAD "O=RI" MEMORY, "data of a buffer or image";
    STORE "R=II" MEMORY, "writes to a buffer or image";
    RESQ "O=R" MEMORY, "size of a buffer or image";
    FBFETCH "O=M" Unsupported("reading the render target is not executed"), "colour of the pixel before this shader";
    IMG2HND "O=R" HANDLE, "bindless handle of an image";
    SAMP2HND "O=S@" HANDLE, "bindless handle of a sampler";

    ["Inter-thread synchronization opcodes"]
    BARRIER "" COMPUTE, "waits for the other threads of the group";
    MEMBAR "=I" MEMORY, "waits for memory accesses";

    ["Atomic opcodes"]
    ATOMUADD "O=RII" MEMORY, "atomic sum";
    ATOMFADD "O=RIF" MEMORY, "atomic float sum";
    ATOMXCHG "O=RII" MEMORY, "atomic exchange";
    ATOMCAS "O=RIII" MEMORY, "atomic compare and exchange";
    ATOMAND "O=RII" MEMORY, "atomic and";
    ATOMOR "O=RII" MEMORY, "atomic or";
    ATOMXOR "O=RII" MEMORY, "atomic exclusive or";
    ATOMUMIN "O=RII" MEMORY, "atomic unsigned minimum";
    ATOMUMAX "O=RII" MEMORY, "atomic unsigned maximum";
    ATOMIMIN "O=RII" MEMORY, "atomic signed minimum";
    ATOMIMAX "O=RII" MEMORY, "atomic signed maximum";
    ATOMINC_WRAP "O=RII" MEMORY, "atomic increment with wrap";
    ATOMDEC_WRAP "O=RII" MEMORY, "atomic decrement with wrap";

    ["Inter-lane opcodes"]
    VOTE_ANY "O=I" Custom(quad::vote_any), "all ones if x is set in any running lane of the quad, else 0";
    VOTE_ALL "O=I" Custom(quad::vote_all), "all ones if x is set in all running lanes of the quad, else 0";
    VOTE_EQ "O=I" Custom(quad::vote_eq), "all ones if x is the same in all running lanes of the quad, else 0";
    BALLOT "O=I" Custom(quad::ballot), "mask of the running lanes of the quad where x is set";
    READ_FIRST "O=I" Custom(quad::read_first), "each component as the first running lane of the quad has it";
    READ_INVOC "O=II" Custom(quad::read_invoc), "each component as the lane named by x of the second source has it";
    DEMOTE "" Custom(quad::kill), "removes the pixel, which goes on as a helper";
    READ_HELPER "O=" Unsupported("asking whether a lane is a helper is not executed"), "all ones in helper lanes, else 0";
}
