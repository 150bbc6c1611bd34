//! Modifiers behind mnemonics: flags and spellings.

use super::{NEGATES_48, NEGATES_51, NEGATES_55};
use crate::special::SPECIAL_REGISTERS;
use parallax_isa::{Allowed, Field, Item, operand};

/// Modifiers of one bit, and where each of them stands: in front the operand's name and what is written.
macro_rules! flags {
    ($($name:literal $text:literal: $($id:ident $lo:literal),+;)*) => {
        $($(operand!($id = $name, (concat!("[", $text, "]")): Item::Flag(field!($name, $lo, 1), $text));)+)*
    };
}

/// A modifier with spellings, and its places.
macro_rules! spelled {
    ($name:literal, $notation:literal, $names:expr, $what:literal: $($id:ident($($place:literal),+)),+) => {
        $(operand!($id = $name, $notation: Item::Names(field!($name, $($place),+), $names, $what));)+
    };
}

flags! {
    "aoffi" ".AOFFI": AOFFI_35 35, AOFFI_36 36, AOFFI_51 51, AOFFI_54 54;
    "bf" ".BF": BF_44 44, BF_49 49, BF_52 52, BF_53 53;
    "brev" ".BREV": BREV_40 40;
    "cl" ".CL": CL_54 54;
    "dc" ".DC": DC_50 50;
    "e" ".E": E_45 45, E_48 48, E_52 52;
    "h_and" ".H_AND": H_AND_49 49, H_AND_53 53;
    "ba" ".BA": BA_23 23, BA_28 28;
    "max" ".MX": MX_56 56;
    "result_signed" ".SD": SD_38 38, SD_54 54;
    "u" ".U": U_44 44;
    "ftz" ".FTZ": FTZ_6 6, FTZ_39 39, FTZ_44 44, FTZ_47 47, FTZ_50 50, FTZ_54 54, FTZ_55 55;
    "hi" ".HI": HI_39 39, HI_53 53, HI_54 54;
    "keep" ".KEEPREFCOUNT": KEEPREFCOUNT_5 5;
    "limit" ".LMT": LMT_6 6;
    "mrg" ".MRG": MRG_37 37, MRG_56 56;
    "ms" ".MS": MS_50 50;
    "ndv" ".NDV": NDV_35 35, NDV_38 38;
    "nodep" ".NODEP": NODEP_49 49;
    "psl" ".PSL": PSL_36 36, PSL_55 55;
    "sat" ".SAT": SAT_32 32, SAT_50 50, SAT_51 51, SAT_52 52, SAT_54 54, SAT_55 55;
    "sh" ".SH": SH_41 41;
    "trigger" ".TRIG": TRIG_13 13;
    "uniform" ".U": U_7 7;
    "wrap" ".W": W_39 39, W_49 49, W_50 50;
    "x" ".X": X_38 38, X_43 43, X_46 46, X_48 48, X_49 49, X_53 53, X_54 54, X_56 56, X_57 57;
}

operand!(ADDEND_MODE_50 = "mode", "[.CLO|.CHI|.CSFU|.CBCC]":
    Item::Names(field!("mode", 50, 3), &[("", 0), (".CLO", 1), (".CHI", 2), (".CSFU", 3), (".CBCC", 4), (".???5", 5), (".???6", 6), (".???7", 7)], "a mode such as .CLO"));
operand!(ADDEND_MODE_50_SHORT = "mode", "[.CLO|.CHI|.CSFU]":
    Item::Names(field!("mode", 50, 2), &[("", 0), (".CLO", 1), (".CHI", 2), (".CSFU", 3)], "a mode such as .CLO"));
operand!(BOP1_24 = "bop1", ".AND|.OR|.XOR":
    Item::Names(field!("bop1", 24, 2), &[(".AND", 0), (".OR", 1), (".XOR", 2), (".INVALIDBOP3", 3)], "a boolean operation: .AND, .OR, .XOR"));
operand!(HALVES_BOP_45 = "bop", ".AND|.OR|.XOR":
    Item::Names(field!("bop", 45, 2), &[(".AND", 0), (".OR", 1), (".XOR", 2), (".???3", 3)], "a boolean operation: .AND, .OR, .XOR"));
operand!(BOP_45 = "bop", ".AND|.OR|.XOR":
    Item::Names(field!("bop", 45, 2), &[(".AND", 0), (".OR", 1), (".XOR", 2), (".INVALIDBOP3", 3)], "a boolean operation: .AND, .OR, .XOR"));
operand!(BYTE_41 = "byte", "[.B1|.B2|.B3]":
    Item::Names(field!("byte", 41, 2), &[("", 0), (".B1", 1), (".B2", 2), (".B3", 3)], ".B1, .B2 or .B3"));
operand!(CACHE_44_LDL = "cache", "[LU|CI|CV]":
    Item::Names(field!("cache", 44, 2), &[("", 0), (".LU", 1), (".CI", 2), (".CV", 3)], "a cache mode"));
spelled!("cache", "[CG|CS|WT]", &[("", 0), (".CG", 1), (".CS", 2), (".WT", 3)], "a cache mode":
    CACHE_24_SUST(24, 2), CACHE_44_STL(44, 2), CACHE_46_STG(46, 2), CACHE_56_ST(56, 2));
operand!(CHECK_39 = "mode", ".DIVIDE":
    Item::Names(field!("mode", 39, 6), &[(".DIVIDE", 0), (".INVALIDCHKMODE1", 1), (".INVALIDCHKMODE2", 2), (".INVALIDCHKMODE3", 3), (".INVALIDCHKMODE4", 4), (".INVALIDCHKMODE5", 5), (".INVALIDCHKMODE6", 6), (".INVALIDCHKMODE7", 7), (".INVALIDCHKMODE8", 8), (".INVALIDCHKMODE9", 9), (".INVALIDCHKMODE10", 10), (".INVALIDCHKMODE11", 11), (".INVALIDCHKMODE12", 12), (".INVALIDCHKMODE13", 13), (".INVALIDCHKMODE14", 14), (".INVALIDCHKMODE15", 15), (".INVALIDCHKMODE16", 16), (".INVALIDCHKMODE17", 17), (".INVALIDCHKMODE18", 18), (".INVALIDCHKMODE19", 19), (".INVALIDCHKMODE20", 20), (".INVALIDCHKMODE21", 21), (".INVALIDCHKMODE22", 22), (".INVALIDCHKMODE23", 23), (".INVALIDCHKMODE24", 24), (".INVALIDCHKMODE25", 25), (".INVALIDCHKMODE26", 26), (".INVALIDCHKMODE27", 27), (".INVALIDCHKMODE28", 28), (".INVALIDCHKMODE29", 29), (".INVALIDCHKMODE30", 30), (".INVALIDCHKMODE31", 31), (".INVALIDCHKMODE32", 32), (".INVALIDCHKMODE33", 33), (".INVALIDCHKMODE34", 34), (".INVALIDCHKMODE35", 35), (".INVALIDCHKMODE36", 36), (".INVALIDCHKMODE37", 37), (".INVALIDCHKMODE38", 38), (".INVALIDCHKMODE39", 39), (".INVALIDCHKMODE40", 40), (".INVALIDCHKMODE41", 41), (".INVALIDCHKMODE42", 42), (".INVALIDCHKMODE43", 43), (".INVALIDCHKMODE44", 44), (".INVALIDCHKMODE45", 45), (".INVALIDCHKMODE46", 46), (".INVALIDCHKMODE47", 47), (".INVALIDCHKMODE48", 48), (".INVALIDCHKMODE49", 49), (".INVALIDCHKMODE50", 50), (".INVALIDCHKMODE51", 51), (".INVALIDCHKMODE52", 52), (".INVALIDCHKMODE53", 53), (".INVALIDCHKMODE54", 54), (".INVALIDCHKMODE55", 55), (".INVALIDCHKMODE56", 56), (".INVALIDCHKMODE57", 57), (".INVALIDCHKMODE58", 58), (".INVALIDCHKMODE59", 59), (".INVALIDCHKMODE60", 60), (".INVALIDCHKMODE61", 61), (".INVALIDCHKMODE62", 62), (".INVALIDCHKMODE63", 63)], ".DIVIDE"));
spelled!("component", ".R|.G|.B|.A", &[(".R", 0), (".G", 1), (".B", 2), (".A", 3)], ".R, .G, .B or .A":
    COMPONENT_52(52, 2), COMPONENT_56(56, 2));
operand!(DIMENSION_28 = "dim", "1D|2D|3D|CUBE|ARRAY_...":
    Item::Names(field!("dim", 28, 3), &[("1D", 0), ("ARRAY_1D", 1), ("2D", 2), ("ARRAY_2D", 3), ("3D", 4), ("ARRAY_3D", 5), ("CUBE", 6), ("ARRAY_CUBE", 7)], "a texture type: 1D, 2D, 3D, CUBE, ARRAY_..."));
operand!(EXTEND_43 = "extend", "[.XLO|.XMED|.XHI]":
    Item::Names(field!("extend", 43, 2), &[("", 0), (".XLO", 1), (".XMED", 2), (".XHI", 3)], ".XLO, .XMED or .XHI"));
spelled!("cmp", ".LT|.EQ|...", &[(".F", 0), (".LT", 1), (".EQ", 2), (".LE", 3), (".GT", 4), (".NE", 5), (".GE", 6), (".NUM", 7), (".NAN", 8), (".LTU", 9), (".EQU", 10), (".LEU", 11), (".GTU", 12), (".NEU", 13), (".GEU", 14), (".T", 15)], "a comparison such as .LT":
    FLOAT_COMPARE_35(35, 4), FLOAT_COMPARE_48(48, 4), FLOAT_COMPARE_49(49, 4));
operand!(FLOAT_COMPARE_48_FCMP = "cmp", "[.LT|.EQ|...]":
    Item::Names(field!("cmp", 48, 4), &[(".F", 0), (".LT", 1), (".EQ", 2), (".LE", 3), ("", 4), (".NE", 5), (".GE", 6), (".NUM", 7), (".NAN", 8), (".LTU", 9), (".EQU", 10), (".LEU", 11), (".GTU", 12), (".NEU", 13), (".GEU", 14), (".T", 15), (".GT", 4)], "a comparison such as .LT"));
operand!(FLOAT_FROM_10 = "from", ".F16|.F32|.F64":
    Item::Names(field!("from", 10, 2), &[(".INVALIDFPSRC0", 0), (".F16", 1), (".F32", 2), (".F64", 3)], "a float format: .F16, .F32, .F64"));
operand!(FLOAT_TO_8 = "to", ".F16|.F32|.F64":
    Item::Names(field!("to", 8, 2), &[(".INVALIDFPSRC0", 0), (".F16", 1), (".F32", 2), (".F64", 3)], "a float format: .F16, .F32, .F64"));
spelled!("fmz", "[.FTZ|.FMZ]", &[("", 0), (".FTZ", 1), (".FMZ", 2), (".INVALIDFMZ3", 3)], ".FTZ or .FMZ":
    FMZ_44(44, 2), FMZ_53(53, 2), FMZ_55(55, 2), FMZ_57(57, 2));
spelled!("fmz", "[.FTZ|.FMZ]", &[("", 0), (".FTZ", 1), (".FMZ", 2), (".INVALID", 3)], ".FTZ or .FMZ":
    HALF_FMZ_37(37, 2), HALF_FMZ_39(39, 2), HALF_FMZ_55(55, 2), HALF_FMZ_57(57, 2));
spelled!("merge", "[.F32|.MRG_H0|.MRG_H1]", &[("", 0), (".F32", 1), (".MRG_H0", 2), (".MRG_H1", 3)], ".F32, .MRG_H0 or .MRG_H1":
    MERGE_49(49, 2));
spelled!("cache", "[CG|CI|CV]", &[("", 0), (".CG", 1), (".CI", 2), (".CV", 3)], "a cache mode":
    CACHE_24_SULD(24, 2), CACHE_46_LDG(46, 2), CACHE_56_LD(56, 2));
spelled!("type", "[.S32|.U64|.F32.FTZ.RN|.F16x2.RN|.S64|.F64.RN]", &[("", 0), (".S32", 1), (".U64", 2), (".F32.FTZ.RN", 3), (".F16x2.RN", 4), (".S64", 5), (".F64.RN", 6), (".INVALIDATOMICSIZE7", 7), (".F16x2.FTZ.RN", 4), (".U128", 4), (".INVALIDATOMICSIZE6", 6)], "a type such as .S32":
    ATOM_TYPE_20(20, 3), ATOM_TYPE_49(49, 3));
spelled!("type", "[.S32|.U64|.F32.FTZ.RN|.F16x2.RN|.S64|.SD32|.SD64]", &[("", 0), (".S32", 1), (".U64", 2), (".F32.FTZ.RN", 3), (".F16x2.RN", 4), (".S64", 5), (".SD32", 6), (".SD64", 7), (".F16x2.FTZ.RN", 4), (".U128", 4)], "a type such as .S32":
    SURFACE_TYPE_20(20, 3), SURFACE_TYPE_36(36, 3), SURFACE_TYPE_51(51, 3));
spelled!("operation", ".ADD|.MIN|.MAX|.INC|.DEC|.AND|.OR|.XOR", &[(".ADD", 0), (".MIN", 1), (".MAX", 2), (".INC", 3), (".DEC", 4), (".AND", 5), (".OR", 6), (".XOR", 7)], "an operation such as .ADD":
    REDUCTION_23(23, 3), REDUCTION_24(24, 3));
spelled!("operation", ".ADD|.MIN|.MAX|.INC|.DEC|.AND|.OR|.XOR|.EXCH|.SAFEADD", &[(".ADD", 0), (".MIN", 1), (".MAX", 2), (".INC", 3), (".DEC", 4), (".AND", 5), (".OR", 6), (".XOR", 7), (".EXCH", 8), (".INVALIDATOMOP9", 9), (".SAFEADD", 10), (".INVALIDATOMOP11", 11), (".INVALIDATOMOP12", 12), (".INVALIDATOMOP13", 13), (".INVALIDATOMOP14", 14), (".INVALIDATOMOP15", 15)], "an operation such as .ADD":
    ATOMIC_44(44, 4), ATOMIC_52(52, 4));
spelled!("operation", ".ADD|.MIN|.MAX|.INC|.DEC|.AND|.OR|.XOR|.EXCH", &[(".ADD", 0), (".MIN", 1), (".MAX", 2), (".INC", 3), (".DEC", 4), (".AND", 5), (".OR", 6), (".XOR", 7), (".EXCH", 8), (".INVALIDATOMSOP9", 9), (".INVALIDATOMSOP10", 10), (".INVALIDATOMSOP11", 11), (".INVALIDATOMSOP12", 12), (".INVALIDATOMSOP13", 13), (".INVALIDATOMSOP14", 14), (".INVALIDATOMSOP15", 15)], "an operation such as .ADD":
    SHARED_ATOMIC_52(52, 4), SURFACE_ATOMIC_29(29, 4));
operand!(SHARED_TYPE_28 = "type", "[.S32|.U64|.S64]":
    Item::Names(field!("type", 28, 2), &[("", 0), (".S32", 1), (".U64", 2), (".S64", 3)], "a type such as .S32"));
spelled!("wide", "[.64]", &[("", 0), (".64", 1)], ".64":
    WIDE_49(49, 1), WIDE_52(52, 1));
operand!(SPIN_53 = "spin", "[.SPIN]": Item::Flag(field!("spin", 53, 1), ".SPIN"));
spelled!("surface", "1D|1D_BUFFER|1D_ARRAY|2D|2D_ARRAY|3D", &[(".1D", 0), (".1D_BUFFER", 1), (".1D_ARRAY", 2), (".2D", 3), (".2D_ARRAY", 4), (".3D", 5), (".INVALIDSURFACEDIM6", 6), (".INVALIDSURFACEDIM7", 7)], "a surface such as .2D":
    SURFACE_33(33, 3));
spelled!("clamp", "[.IGN|.TRAP]", &[(".IGN", 0), ("", 1), (".TRAP", 2), (".INVALIDSURFACECLAMP3", 3)], ".IGN or .TRAP":
    SURFACE_CLAMP_49(49, 2));
spelled!("channels", "[.R|.G|.RG|...]", &[(".???0", 0), (".R", 1), (".G", 2), (".RG", 3), (".B", 4), (".RB", 5), (".GB", 6), (".RGB", 7), (".A", 8), (".RA", 9), (".GA", 10), (".RGA", 11), (".BA", 12), (".RBA", 13), (".GBA", 14), ("", 15)], "channels such as .RG":
    SURFACE_CHANNELS_20(20, 4));
operand!(UNNAMED_ATOMIC_29 = "operation", ".CAS": Item::Names(field!("operation", 29, 4), &[(".CAS", 0), (".???1", 1), (".???2", 2), (".???3", 3), (".???4", 4), (".???5", 5), (".???6", 6), (".???7", 7), (".???8", 8), (".???9", 9), (".???10", 10), (".???11", 11), (".???12", 12), (".???13", 13), (".???14", 14), (".???15", 15)], ".CAS"));
operand!(LOCAL_CACHE_OPERATION_0 = "operation", ".PF1|.PF1.5|.PF2|.WB|.IV|.RS|.RSLB":
    Item::Names(&const { Field::new("operation", 0, 4).only(&[1, 2, 3, 4, 5, 7, 9, 10, 11, 12, 13, 14, 15]) }, &[(".PF1", 1), (".PF1.5", 2), (".PF2", 3), (".WB", 4), (".IV", 5), (".RS", 7), (".RSLB", 9), (".INVALIDCCTLOP10", 10), (".INVALIDCCTLOP11", 11), (".INVALIDCCTLOP12", 12), (".INVALIDCCTLOP13", 13), (".INVALIDCCTLOP14", 14), (".INVALIDCCTLOP15", 15)], "a cache operation such as .IV"));
const CACHE_OPERATION: Field = Field::new("operation", 0, 4).only(&[0, 1, 2, 3, 4, 5, 7, 9, 10, 11, 12, 13, 14, 15]);
// There is no blank in front of the address where the line is asked for.
operand!(CACHE_OPERATION_0 = "operation", ".QRY1|.PF1|.PF1.5|.PF2|.WB|.IV|.RS|.RSLB":
    Item::Names(&CACHE_OPERATION, &[(".QRY1", 0), (".PF1", 1), (".PF1.5", 2), (".PF2", 3), (".WB", 4), (".IV", 5), (".RS", 7), (".RSLB", 9), (".INVALIDCCTLOP10", 10), (".INVALIDCCTLOP11", 11), (".INVALIDCCTLOP12", 12), (".INVALIDCCTLOP13", 13), (".INVALIDCCTLOP14", 14), (".INVALIDCCTLOP15", 15)], "a cache operation such as .IV"),
    Item::If(&CACHE_OPERATION, Allowed::Max(0), &[], &[Item::Text(" ")]));
operand!(CACHE_KIND_4 = "kind", "[.U|.C|.I|.CRS]":
    Item::Names(field!("kind", 4, 3), &[("", 0), (".U", 1), (".C", 2), (".I", 3), (".CRS", 4), (".INVALIDCACHETYPE5", 5), (".INVALIDCACHETYPE6", 6), (".INVALIDCACHETYPE7", 7)], "a cache: .U, .C, .I or .CRS"));
operand!(LOCAL_CACHE_KIND_4 = "kind", "": Item::Names(field!("kind", 4, 2), &[("", 0), (".???1", 1), (".INVALIDLCACHETYPE2", 2), (".INVALIDLCACHETYPE3", 3)], "a cache"));
operand!(TEXTURE_CACHE_0 = "operation", ".IVTH": Item::Names(&const { Field::new("operation", 0, 2).only(&[1, 2, 3]) }, &[(".IVTH", 1), (".INVALIDCCTLTOP2", 2), (".INVALIDCCTLTOP3", 3)], ".IVTH"));
operand!(MEMBAR_LEVEL_8 = "level", ".CTA|.GL|.SYS|.VC": Item::Names(field!("level", 8, 2), &[(".CTA", 0), (".GL", 1), (".SYS", 2), (".VC", 3)], ".CTA, .GL or .SYS"));
operand!(MEMBAR_INVALIDATE_0 = "invalidate", "[.IVALLD|.IVALLT|.IVALLTD]": Item::Names(field!("invalidate", 0, 2), &[("", 0), (".IVALLD", 1), (".IVALLT", 2), (".IVALLTD", 3)], ".IVALLD, .IVALLT or .IVALLTD"));
operand!(BARRIER_REDUCTION_35 = "mode", ".POPC|.AND|.OR": Item::Names(field!("mode", 35, 2), &[(".POPC", 0), (".AND", 1), (".OR", 2), (".INVALIDBARMODE3", 3)], ".POPC, .AND or .OR"));
operand!(R2B_MODE_32 = "mode", "[.RESULT|.WARP]": Item::Names(field!("mode", 32, 2), &[("", 0), (".RESULT", 1), (".WARP", 2), (".INVALID", 3)], ".RESULT or .WARP"));
operand!(B2R_MODE_32 = "mode", "[.INVALID]": Item::Names(&const { Field::new("mode", 32, 2).only(&[0, 3]) }, &[("", 0), (".INVALID", 3)], ""));
operand!(TRAP_6 = "mode", ".DRAIN_ILLEGAL|.CAL|.PAUSE|.TRAP|.INT|.DRAIN|.PAUSE_QUIET": Item::Names(field!("mode", 6, 3), &[(".DRAIN_ILLEGAL", 0), (".CAL", 1), (".PAUSE", 2), (".TRAP", 3), (".INT", 4), (".DRAIN", 5), (".PAUSE_QUIET", 6), (".???7", 7)], "a mode such as .TRAP"));
operand!(UD_54 = "result_signed", "[.UD]": Item::Names(field!("result_signed", 54, 1), &[(".UD", 0), ("", 1)], ".UD"));

operand!(FUNCTION_20 = "function", ".COS|.SIN|.EX2|.LG2|.RCP|.RSQ|.RCP64H|.RSQ64H":
    Item::Names(field!("function", 20, 4), &[(".COS", 0), (".SIN", 1), (".EX2", 2), (".LG2", 3), (".RCP", 4), (".RSQ", 5), (".RCP64H", 6), (".RSQ64H", 7), (".SQRT", 8), (".INVALIDMUFUOPCODE9", 9), (".INVALIDMUFUOPCODEA", 10), (".INVALIDMUFUOPCODEB", 11), (".INVALIDMUFUOPCODEC", 12), (".INVALIDMUFUOPCODED", 13), (".INVALIDMUFUOPCODEE", 14), (".INVALIDMUFUOPCODEF", 15)], "a function such as .RCP"));
operand!(HALF_SIGNS_48 = "signed", "[.S16.S16|.S16.U16|.U16.S16]":
    Item::Names(field!("signed", 48, 2), &[("", 0), (".S16.S16", 3), (".S16.U16", 1), (".U16.S16", 2)], "the signs of both factors, such as .S16.S16"));
operand!(HIGH_48 = "high", "[.HI|.X|.XHI]":
    Item::Names(field!("high", 48, 2), &[("", 0), (".HI", 1), (".X", 2), (".XHI", 3)], ".HI, .X or .XHI"));
operand!(INDEX_MODE_44 = "index", "[.IL|.IS|.ISL]":
    Item::Names(field!("index", 44, 2), &[("", 0), (".IL", 1), (".IS", 2), (".ISL", 3)], ".IL, .IS or .ISL"));
operand!(INT_COMPARE_49 = "cmp", ".LT|.EQ|...":
    Item::Names(field!("cmp", 49, 3), &[(".F", 0), (".LT", 1), (".EQ", 2), (".LE", 3), (".GT", 4), (".NE", 5), (".GE", 6), (".T", 7)], "a comparison such as .LT"));
operand!(INT_FROM_10 = "from", ".U8|.S8|.U16|.S16|.U32|.S32|.U64|.S64":
    Item::Names(field!("from", 10, 2, 13, 1), &[(".U8", 0), (".U16", 1), (".U32", 2), (".U64", 3), (".S8", 4), (".S16", 5), (".S32", 6), (".S64", 7)], "an integer format such as .S32"));
operand!(INT_FROM_10_I2I = "from", ".U8|.S8|.U16|.S16|.U32|.S32":
    Item::Names(field!("from", 10, 2, 13, 1), &[(".U8", 0), (".U16", 1), (".U32", 2), (".INVALID6", 3), (".S8", 4), (".S16", 5), (".S32", 6), (".INVALID7", 7)], "an integer format such as .S32"));
operand!(INT_ROUND_39 = "rnd", "[.FLOOR|.CEIL|.TRUNC]":
    Item::Names(field!("rnd", 39, 2), &[("", 0), (".FLOOR", 1), (".CEIL", 2), (".TRUNC", 3)], "a rounding"));
operand!(INT_TO_8 = "to", ".U16|.S16|.U32|.S32|.U64|.S64":
    Item::Names(field!("to", 8, 2, 12, 1), &[(".INVALID0", 0), (".U16", 1), (".U32", 2), (".U64", 3), (".INVALID1", 4), (".S16", 5), (".S32", 6), (".S64", 7)], "an integer format such as .S32"));
operand!(INT_TO_8_I2I = "to", ".U8|.S8|.U16|.S16|.U32|.S32":
    Item::Names(field!("to", 8, 2, 12, 1), &[(".U8", 0), (".U16", 1), (".U32", 2), (".???6", 3), (".S8", 4), (".S16", 5), (".S32", 6), (".???7", 7)], "an integer format such as .S32"));
operand!(IPA_LOCATION = "location", "[.CENTROID|.OFFSET]":
    Item::Names(field!("location", 52, 2), &[("", 0), (".CENTROID", 1), (".OFFSET", 2), (".INVALID", 3)], ".CENTROID or .OFFSET"));
operand!(IPA_MODE = "mode", "[.PASS|.CONSTANT|.SC]":
    Item::Names(field!("mode", 54, 2), &[(".PASS", 0), ("", 1), (".CONSTANT", 2), (".SC", 3)], ".PASS, .CONSTANT or .SC"));
spelled!("lod", "[.LZ|.LB|.LL|.LBA|.LLA]", &[("", 0), (".LZ", 1), (".LB", 2), (".LL", 3), (".INVALIDBLOD4", 4), (".INVALIDBLOD5", 5), (".LBA", 6), (".LLA", 7)], "a level of detail: .LZ, .LB, .LL, .LBA, .LLA":
    LOD_37(37, 3), LOD_55(55, 3));
operand!(LOD_55_TLD = "lod", ".LZ|.LL":
    Item::Names(field!("lod", 55, 1), &[(".LZ", 0), (".LL", 1)], ".LZ or .LL"));
spelled!("logic", ".AND|.OR|.XOR|.PASS_B", &[(".AND", 0), (".OR", 1), (".XOR", 2), (".PASS_B", 3)], ".AND, .OR, .XOR or .PASS_B":
    LOGIC_41(41, 2), LOGIC_53(53, 2));
operand!(MAX_SHIFT_37 = "max", "[.U64|.S64]":
    Item::Names(field!("max", 37, 2), &[("", 0), (".INVALIDMAXSHIFT3", 1), (".U64", 2), (".S64", 3)], ".U64 or .S64"));
operand!(NOINC_6 = "increment", "[.NOINC]":
    Item::Names(field!("increment", 6, 1), &[("", 1), (".NOINC", 0)], ".NOINC"));
operand!(OFFSETS_54 = "offsets", "[.AOFFI|.PTP]":
    Item::Names(field!("offsets", 54, 2), &[("", 0), (".AOFFI", 1), (".PTP", 2), (".INVALIDBTOFF03", 3)], ".AOFFI or .PTP"));
operand!(PERMUTE_MODE_48 = "mode", "[.F4E|.B4E|.RC8|.ECL|.ECR|.RC16]":
    Item::Names(field!("mode", 48, 4), &[("", 0), (".F4E", 1), (".B4E", 2), (".RC8", 3), (".ECL", 4), (".ECR", 5), (".RC16", 6), (".INVALIDPMODE7", 7), (".???8", 8), (".???9", 9), (".???10", 10), (".???11", 11), (".???12", 12), (".???13", 13), (".???14", 14), (".???15", 15)], "a permutation mode"));
operand!(PIXLD_MODE = "mode", "[.MSCOUNT|.COVMASK|.COVERED|.OFFSET|.CENTROID_OFFSET|.MY_INDEX]":
    Item::Names(field!("mode", 31, 3), &[("", 0), (".MSCOUNT", 0), (".COVMASK", 1), (".COVERED", 2), (".OFFSET", 3), (".CENTROID_OFFSET", 4), (".MY_INDEX", 5), (".INVALID0", 6), (".INVALID1", 7)], "a mode such as .COVMASK"));
operand!(PLUS_ONE_48 = "po", "[.PO]": Item::When(&NEGATES_48, 3, ".PO"));
operand!(PLUS_ONE_55 = "po", "[.PO]": Item::When(&NEGATES_55, 3, ".PO"));
operand!(PLUS_ONE_51 = "po", "[.PO]": Item::When(&NEGATES_51, 3, ".PO"));
operand!(PR_CC = "what", "PR|CC":
    Item::Names(field!("what", 40, 1), &[("PR", 0), ("CC", 1)], "PR or CC"));
operand!(QUERY_23 = "query", "TEX_name|n":
    Item::Names(field!("query", 23, 5), &[("0", 0), ("TEX_HEADER_TEXTURE_TYPE", 1), ("2", 2), ("3", 3), ("4", 4), ("5", 5), ("6", 6), ("7", 7), ("TEX_SAMPLER_FILTER", 8), ("TEX_SAMPLER_LOD", 9), ("TEX_SAMPLER_WRAP", 10), ("TEX_SAMPLER_BORDER_COLOR", 11), ("12", 12), ("13", 13), ("14", 14), ("15", 15), ("16", 16), ("17", 17), ("18", 18), ("19", 19), ("20", 20), ("21", 21), ("22", 22), ("23", 23), ("24", 24), ("25", 25), ("26", 26), ("27", 27), ("28", 28), ("29", 29), ("30", 30), ("31", 31)], "a query such as TEX_SAMPLER_LOD"));
// The signs of both factors: bit 49 is that of the first, bit 47 that of the second.
operand!(DOT_TYPES_OF_BYTES = "types", ".U8.U8|.S8.U8|.U8.S8|.S8.S8":
    Item::Names(field!("types", 49, 1, 47, 1), &[(".U8.U8", 0), (".S8.U8", 1), (".U8.S8", 2), (".S8.S8", 3)], "the types of both factors, such as .U8.S8"));
operand!(DOT_TYPES_OF_HALVES = "types", ".U16.U8|.S16.U8|.U16.S8|.S16.S8":
    Item::Names(field!("types", 49, 1, 47, 1), &[(".U16.U8", 0), (".S16.U8", 1), (".U16.S8", 2), (".S16.S8", 3)], "the types of both factors, such as .U16.S8"));
operand!(DOT_HALF_50 = "half", ".LO|.HI": Item::Names(field!("half", 50, 1), &[(".LO", 0), (".HI", 1)], ".LO or .HI"));
operand!(RANGE_39 = "range", ".SINCOS|.EX2":
    Item::Names(field!("range", 39, 1), &[(".SINCOS", 0), (".EX2", 1)], ".SINCOS or .EX2"));
spelled!("rnd", "[.RM|.RP|.RZ]", &[("", 0), (".RM", 1), (".RP", 2), (".RZ", 3)], "a rounding":
    ROUND_39(39, 2), ROUND_50(50, 2), ROUND_51(51, 2));
operand!(SCALE_41 = "scale", "[.D2|.D4|.D8|.M8|.M4|.M2]":
    Item::Names(field!("scale", 41, 3), &[("", 0), (".D2", 1), (".D4", 2), (".D8", 3), (".M8", 4), (".M4", 5), (".M2", 6), (".INVALIDSCALE37", 7)], "a scale such as .D2"));
operand!(SCOREBOARD_26 = "barrier", "SBn":
    Item::Names(field!("barrier", 26, 3), &[("SB0", 0), ("SB1", 1), ("SB2", 2), ("SB3", 3), ("SB4", 4), ("SB5", 5), ("???6", 6), ("???7", 7)], "a barrier such as SB0"));
operand!(SHIFT_EXTEND_43 = "x", "[.X]":
    Item::Names(field!("x", 43, 2), &[("", 0), (".INVALIDSHRXMODE1", 1), (".X", 2), (".XHI", 3)], ".X"));
operand!(SHUFFLE_30 = "mode", ".IDX|.UP|.DOWN|.BFLY":
    Item::Names(field!("mode", 30, 2), &[(".IDX", 0), (".UP", 1), (".DOWN", 2), (".BFLY", 3)], ".IDX, .UP, .DOWN or .BFLY"));
spelled!("signed", "[.U32.U32|.S32.U32|.U32.S32]", &[("", 3), (".U32.U32", 0), (".S32.U32", 1), (".U32.S32", 2)], "the signs of both factors, such as .U32.U32":
    SIGNS_40(40, 1, 41, 1), SIGNS_48(48, 1, 53, 1), SIGNS_54(54, 1, 55, 1));
spelled!("size", "[.U8|.S8|.U16|.S16|.64|.128]", &[(".U8", 0), (".S8", 1), (".U16", 2), (".S16", 3), ("", 4), (".64", 5), (".128", 6), (".INVALIDSIZE7", 7)], "a size such as .64":
    SIZE_20(20, 3), SIZE_48(48, 3), SIZE_53(53, 3));
operand!(SIZE_48_LDC = "size", "[.U8|.S8|.U16|.S16|.64]":
    Item::Names(field!("size", 48, 3), &[(".U8", 0), (".S8", 1), (".U16", 2), (".S16", 3), ("", 4), (".64", 5), (".INVALIDSIZE6", 6), (".INVALIDSIZE7", 7)], "a size such as .U8"));
spelled!("size", "[.U8|.S8|.U16|.S16|.64|.128]", &[(".U8", 0), (".S8", 1), (".U16", 2), (".S16", 3), ("", 4), (".64", 5), (".128", 6), (".U.128", 7)], "a size such as .64":
    SIZE_48_LDG(48, 3), SIZE_53_LD(53, 3));
// A load of shared memory that says it is uniform says its size always.
#[rustfmt::skip]
operand!(SIZE_48_SHARED = "size", "[.U8|.S8|.U16|.S16|.64|.128]":
    Item::If(
        field!("u", 44, 1),
        Allowed::Max(0),
        &[Item::Names(field!("size", 48, 3), &[(".U8", 0), (".S8", 1), (".U16", 2), (".S16", 3), ("", 4), (".64", 5), (".128", 6), (".INVALIDSIZE7", 7)], "a size such as .64")],
        &[Item::Names(field!("size", 48, 3), &[(".U8", 0), (".S8", 1), (".U16", 2), (".S16", 3), (".32", 4), (".64", 5), (".128", 6), (".INVALIDSIZE7", 7)], "a size such as .64")]
    ));
operand!(SPECIAL = "special", "SR_name":
    Item::Names(field!("special", 20, 8), SPECIAL_REGISTERS, "a special register such as `SR_TID.X`"));
operand!(SUM_SHIFT_37 = "shift", "[.RS|.LS]":
    Item::Names(field!("shift", 37, 2), &[("", 0), (".RS", 1), (".LS", 2), (".???3", 3)], ".RS or .LS"));
spelled!("test", "[.T|.Z|.NZ]", &[("", 0), (".T", 1), (".Z", 2), (".NZ", 3)], ".T, .Z or .NZ":
    TEST_36(36, 2), TEST_44(44, 2));
operand!(TEST_8 = "test", ".EQ|.LT|...":
    Item::Names(field!("test", 8, 5), &[(".F", 0), (".LT", 1), (".EQ", 2), (".LE", 3), (".GT", 4), (".NE", 5), (".GE", 6), (".NUM", 7), (".NAN", 8), (".LTU", 9), (".EQU", 10), (".LEU", 11), (".GTU", 12), (".NEU", 13), (".GEU", 14), (".T", 15), (".OFF", 16), (".LO", 17), (".SFF", 18), (".LS", 19), (".HI", 20), (".SFT", 21), (".HS", 22), (".OFT", 23), (".CSM_TA", 24), (".CSM_TR", 25), (".CSM_MX", 26), (".FCSM_TA", 27), (".FCSM_TR", 28), (".FCSM_MX", 29), (".RLE", 30), (".RGT", 31)], "a test of the condition codes such as .EQ"));
operand!(UNSIGNED_48 = "signed", "[.U32]":
    Item::Names(field!("signed", 48, 1), &[("", 1), (".U32", 0)], ".U32"));
operand!(VOTE_48 = "mode", ".ALL|.ANY|.EQ":
    Item::Names(field!("mode", 48, 2), &[(".ALL", 0), (".ANY", 1), (".EQ", 2), (".INVALIDVMODE3", 3)], ".ALL, .ANY or .EQ"));
