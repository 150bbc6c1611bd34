//! The opcode table: one row per opcode.

use crate::lift::{alu, interpolate, older, quad};
use crate::opcode::{Lookup, Row, Sem, Sem::*, Shape};
use parallax_core::{Axis, TexMode};
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

const DOUBLE: Sem = Unsupported("64-bit floats are not executed");
const WIDE: Sem = Unsupported("64-bit integers are not executed");
const MEMORY: Sem = Unsupported("buffers, images and shared memory are not executed");
const GEOMETRY: Sem = Unsupported("geometry shaders are not executed");
const COMPUTE: Sem = Unsupported("compute shaders are not executed");
const QUERY: Sem = Unsupported("texture queries are not executed");
const GATHER: Sem = Unsupported("texture gathers are not executed");
const SAMPLES: Sem = Unsupported("multisampled resources are not executed");
const HANDLE: Sem = Unsupported("bindless handles are not executed");

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
    TXQ "O=IS@" QUERY, "texture size and levels";
    TXQS "O=S@" QUERY, "number of samples of a texture";
    TG4 "O=FIS@" GATHER, "one component of four texels";
    LODQ "O=FS@" QUERY, "level of detail a lookup would use";
    CLOCK "O=" Unsupported("there is no clock: results would not repeat"), "shader time";

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
    SAMPLE "O=FVS" Texture(TexMode::Implicit, Lookup::View), "texture lookup through a view";
    SAMPLE_I "O=IV" Texture(TexMode::Fetch, Lookup::View), "texel at integer coordinates, level in w";
    SAMPLE_I_MS "O=IVI" SAMPLES, "texel of a multisampled view";
    SAMPLE_B "O=FVSF" Texture(TexMode::Bias, Lookup::View), "texture lookup through a view with level bias";
    SAMPLE_C "O=FVSF" Texture(TexMode::Implicit, Lookup::Compared), "texture comparison";
    SAMPLE_C_LZ "O=FVSF" Texture(TexMode::Level, Lookup::ComparedLevelZero), "texture comparison at level 0";
    SAMPLE_D "O=FVSFF" Texture(TexMode::Grad, Lookup::View), "texture lookup through a view with derivatives";
    SAMPLE_L "O=FVSF" Texture(TexMode::Level, Lookup::View), "texture lookup through a view at a level";
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
    TXQ_LZ "O=IS@" QUERY, "texture size at level 0";
}
