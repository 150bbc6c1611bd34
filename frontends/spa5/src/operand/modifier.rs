//! Modifiers behind mnemonics: flags and spellings.

use super::{Kind, NEGATES_48, NEGATES_51};
use crate::special::SPECIAL_REGISTERS;
use parallax_isa::{Field, Item, Operand, Syntax};

operand!(ADDEND_MODE_50 = "mode", "[.CLO|.CHI|.CSFU|.CBCC]":
    Item::Names(field!("mode", 50, 3), &[("", 0), (".CLO", 1), (".CHI", 2), (".CSFU", 3), (".CBCC", 4), (".???5", 5), (".???6", 6), (".???7", 7)], "a mode such as .CLO"));
operand!(ADDEND_MODE_50_SHORT = "mode", "[.CLO|.CHI|.CSFU]":
    Item::Names(field!("mode", 50, 2), &[("", 0), (".CLO", 1), (".CHI", 2), (".CSFU", 3)], "a mode such as .CLO"));
operand!(AOFFI_35 = "aoffi", "[.AOFFI]": Item::Flag(field!("aoffi", 35, 1), ".AOFFI"));
operand!(AOFFI_36 = "aoffi", "[.AOFFI]": Item::Flag(field!("aoffi", 36, 1), ".AOFFI"));
operand!(AOFFI_51 = "aoffi", "[.AOFFI]": Item::Flag(field!("aoffi", 51, 1), ".AOFFI"));
operand!(AOFFI_54 = "aoffi", "[.AOFFI]": Item::Flag(field!("aoffi", 54, 1), ".AOFFI"));
operand!(BF_44 = "bf", "[.BF]": Item::Flag(field!("bf", 44, 1), ".BF"));
operand!(BF_52 = "bf", "[.BF]": Item::Flag(field!("bf", 52, 1), ".BF"));
operand!(BOP1_24 = "bop1", ".AND|.OR|.XOR":
    Item::Names(field!("bop1", 24, 2), &[(".AND", 0), (".OR", 1), (".XOR", 2), (".INVALIDBOP3", 3)], "a boolean operation: .AND, .OR, .XOR"));
operand!(BOP_45 = "bop", ".AND|.OR|.XOR":
    Item::Names(field!("bop", 45, 2), &[(".AND", 0), (".OR", 1), (".XOR", 2), (".INVALIDBOP3", 3)], "a boolean operation: .AND, .OR, .XOR"));
operand!(BREV_40 = "brev", "[.BREV]": Item::Flag(field!("brev", 40, 1), ".BREV"));
operand!(BYTE_41 = "byte", "[.B1|.B2|.B3]":
    Item::Names(field!("byte", 41, 2), &[("", 0), (".B1", 1), (".B2", 2), (".B3", 3)], ".B1, .B2 or .B3"));
operand!(CACHE_44_LDL = "cache", "[LU|CI|CV]":
    Item::Names(field!("cache", 44, 2), &[("", 0), (".LU", 1), (".CI", 2), (".CV", 3)], "a cache mode"));
operand!(CACHE_44_STL = "cache", "[CG|CS|WT]":
    Item::Names(field!("cache", 44, 2), &[("", 0), (".CG", 1), (".CS", 2), (".WT", 3)], "a cache mode"));
operand!(CACHE_46_LDG = "cache", "[CG|CI|CV]":
    Item::Names(field!("cache", 46, 2), &[("", 0), (".CG", 1), (".CI", 2), (".CV", 3)], "a cache mode"));
operand!(CACHE_46_STG = "cache", "[CG|CS|WT]":
    Item::Names(field!("cache", 46, 2), &[("", 0), (".CG", 1), (".CS", 2), (".WT", 3)], "a cache mode"));
operand!(CHECK_39 = "mode", ".DIVIDE":
    Item::Names(field!("mode", 39, 1), &[(".DIVIDE", 0), (".INVALIDCHKMODE1", 1)], ".DIVIDE"));
operand!(CL_54 = "cl", "[.CL]": Item::Flag(field!("cl", 54, 1), ".CL"));
operand!(COMPONENT_52 = "component", ".R|.G|.B|.A":
    Item::Names(field!("component", 52, 2), &[(".R", 0), (".G", 1), (".B", 2), (".A", 3)], ".R, .G, .B or .A"));
operand!(COMPONENT_56 = "component", ".R|.G|.B|.A":
    Item::Names(field!("component", 56, 2), &[(".R", 0), (".G", 1), (".B", 2), (".A", 3)], ".R, .G, .B or .A"));
operand!(DC_50 = "dc", "[.DC]": Item::Flag(field!("dc", 50, 1), ".DC"));
operand!(DIMENSION_28 = "dim", "1D|2D|3D|CUBE|ARRAY_...":
    Item::Names(field!("dim", 28, 3), &[("1D", 0), ("ARRAY_1D", 1), ("2D", 2), ("ARRAY_2D", 3), ("3D", 4), ("ARRAY_3D", 5), ("CUBE", 6), ("ARRAY_CUBE", 7)], "a texture type: 1D, 2D, 3D, CUBE, ARRAY_..."));
operand!(EXTEND_43 = "extend", "[.XLO|.XMED|.XHI]":
    Item::Names(field!("extend", 43, 2), &[("", 0), (".XLO", 1), (".XMED", 2), (".XHI", 3)], ".XLO, .XMED or .XHI"));
operand!(E_45 = "e", "[.E]": Item::Flag(field!("e", 45, 1), ".E"));
operand!(FLOAT_COMPARE_48 = "cmp", ".LT|.EQ|...":
    Item::Names(field!("cmp", 48, 4), &[(".F", 0), (".LT", 1), (".EQ", 2), (".LE", 3), (".GT", 4), (".NE", 5), (".GE", 6), (".NUM", 7), (".NAN", 8), (".LTU", 9), (".EQU", 10), (".LEU", 11), (".GTU", 12), (".NEU", 13), (".GEU", 14), (".T", 15)], "a comparison such as .LT"));
operand!(FLOAT_COMPARE_48_FCMP = "cmp", "[.LT|.EQ|...]":
    Item::Names(field!("cmp", 48, 4), &[(".F", 0), (".LT", 1), (".EQ", 2), (".LE", 3), ("", 4), (".NE", 5), (".GE", 6), (".NUM", 7), (".NAN", 8), (".LTU", 9), (".EQU", 10), (".LEU", 11), (".GTU", 12), (".NEU", 13), (".GEU", 14), (".T", 15), (".GT", 4)], "a comparison such as .LT"));
operand!(FLOAT_FROM_10 = "from", ".F16|.F32|.F64":
    Item::Names(field!("from", 10, 2), &[(".INVALIDFPSRC0", 0), (".F16", 1), (".F32", 2), (".F64", 3)], "a float format: .F16, .F32, .F64"));
operand!(FLOAT_TO_8 = "to", ".F16|.F32|.F64":
    Item::Names(field!("to", 8, 2), &[(".INVALIDFPDST0", 0), (".F16", 1), (".F32", 2), (".F64", 3)], "a float format: .F16, .F32, .F64"));
operand!(FMZ_44 = "fmz", "[.FTZ|.FMZ]":
    Item::Names(field!("fmz", 44, 2), &[("", 0), (".FTZ", 1), (".FMZ", 2), (".INVALIDFMZ3", 3)], ".FTZ or .FMZ"));
operand!(FMZ_53 = "fmz", "[.FTZ|.FMZ]":
    Item::Names(field!("fmz", 53, 2), &[("", 0), (".FTZ", 1), (".FMZ", 2), (".INVALIDFMZ3", 3)], ".FTZ or .FMZ"));
operand!(FTZ_44 = "ftz", "[.FTZ]": Item::Flag(field!("ftz", 44, 1), ".FTZ"));
operand!(FTZ_47 = "ftz", "[.FTZ]": Item::Flag(field!("ftz", 47, 1), ".FTZ"));
operand!(FTZ_55 = "ftz", "[.FTZ]": Item::Flag(field!("ftz", 55, 1), ".FTZ"));
operand!(FUNCTION_20 = "function", ".COS|.SIN|.EX2|.LG2|.RCP|.RSQ|.RCP64H|.RSQ64H":
    Item::Names(field!("function", 20, 4), &[(".COS", 0), (".SIN", 1), (".EX2", 2), (".LG2", 3), (".RCP", 4), (".RSQ", 5), (".RCP64H", 6), (".RSQ64H", 7), (".INVALID8", 8), (".INVALID9", 9), (".INVALID10", 10), (".INVALID11", 11), (".INVALID12", 12), (".INVALID13", 13), (".INVALID14", 14), (".INVALID15", 15)], "a function such as .RCP"));
operand!(HALF_SIGNS_48 = "signed", "[.S16.S16|.S16.U16|.U16.S16]":
    Item::Names(field!("signed", 48, 2), &[("", 0), (".S16.S16", 3), (".S16.U16", 1), (".U16.S16", 2)], "the signs of both factors, such as .S16.S16"));
operand!(HIGH_48 = "high", "[.HI|.X|.XHI]":
    Item::Names(field!("high", 48, 2), &[("", 0), (".HI", 1), (".X", 2), (".XHI", 3)], ".HI, .X or .XHI"));
operand!(HI_39 = "hi", "[.HI]": Item::Flag(field!("hi", 39, 1), ".HI"));
operand!(HI_53 = "hi", "[.HI]": Item::Flag(field!("hi", 53, 1), ".HI"));
operand!(HI_54 = "hi", "[.HI]": Item::Flag(field!("hi", 54, 1), ".HI"));
operand!(INDEX_MODE_44 = "index", "[.IL|.IS|.ISL]":
    Item::Names(field!("index", 44, 2), &[("", 0), (".IL", 1), (".IS", 2), (".ISL", 3)], ".IL, .IS or .ISL"));
operand!(INT_COMPARE_49 = "cmp", ".LT|.EQ|...":
    Item::Names(field!("cmp", 49, 3), &[(".F", 0), (".LT", 1), (".EQ", 2), (".LE", 3), (".GT", 4), (".NE", 5), (".GE", 6), (".T", 7)], "a comparison such as .LT"));
operand!(INT_FROM_10 = "from", ".U8|.S8|.U16|.S16|.U32|.S32|.U64|.S64":
    Item::Names(field!("from", 10, 2, 13, 1), &[(".U8", 0), (".U16", 1), (".U32", 2), (".U64", 3), (".S8", 4), (".S16", 5), (".S32", 6), (".S64", 7)], "an integer format such as .S32"));
operand!(INT_FROM_10_I2I = "from", ".U8|.S8|.U16|.S16|.U32|.S32":
    Item::Names(field!("from", 10, 2, 13, 1), &[(".U8", 0), (".U16", 1), (".U32", 2), (".???3", 3), (".S8", 4), (".S16", 5), (".S32", 6), (".???7", 7)], "an integer format such as .S32"));
operand!(INT_ROUND_39 = "rnd", "[.FLOOR|.CEIL|.TRUNC]":
    Item::Names(field!("rnd", 39, 2), &[("", 0), (".FLOOR", 1), (".CEIL", 2), (".TRUNC", 3)], "a rounding"));
operand!(INT_TO_8 = "to", ".U16|.S16|.U32|.S32|.U64|.S64":
    Item::Names(field!("to", 8, 2, 12, 1), &[(".INVALID0", 0), (".U16", 1), (".U32", 2), (".U64", 3), (".INVALID1", 4), (".S16", 5), (".S32", 6), (".S64", 7)], "an integer format such as .S32"));
operand!(INT_TO_8_I2I = "to", ".U8|.S8|.U16|.S16|.U32|.S32":
    Item::Names(field!("to", 8, 2, 12, 1), &[(".U8", 0), (".U16", 1), (".U32", 2), (".???3", 3), (".S8", 4), (".S16", 5), (".S32", 6), (".???7", 7)], "an integer format such as .S32"));
operand!(IPA_LOCATION = "location", "[.CENTROID|.OFFSET]":
    Item::Names(field!("location", 52, 2), &[("", 0), (".CENTROID", 1), (".OFFSET", 2), (".INVALID", 3)], ".CENTROID or .OFFSET"));
operand!(IPA_MODE = "mode", "[.PASS|.CONSTANT|.SC]":
    Item::Names(field!("mode", 54, 2), &[(".PASS", 0), ("", 1), (".CONSTANT", 2), (".SC", 3)], ".PASS, .CONSTANT or .SC"));
operand!(KEEPREFCOUNT_5 = "keep", "[.KEEPREFCOUNT]": Item::Flag(field!("keep", 5, 1), ".KEEPREFCOUNT"));
operand!(LMT_6 = "limit", "[.LMT]": Item::Flag(field!("limit", 6, 1), ".LMT"));
operand!(LOD_37 = "lod", "[.LZ|.LB|.LL|.LBA|.LLA]":
    Item::Names(field!("lod", 37, 3), &[("", 0), (".LZ", 1), (".LB", 2), (".LL", 3), (".INVALIDBLOD4", 4), (".INVALIDBLOD5", 5), (".LBA", 6), (".LLA", 7)], "a level of detail: .LZ, .LB, .LL, .LBA, .LLA"));
operand!(LOD_55 = "lod", "[.LZ|.LB|.LL|.LBA|.LLA]":
    Item::Names(field!("lod", 55, 3), &[("", 0), (".LZ", 1), (".LB", 2), (".LL", 3), (".INVALIDBLOD4", 4), (".INVALIDBLOD5", 5), (".LBA", 6), (".LLA", 7)], "a level of detail: .LZ, .LB, .LL, .LBA, .LLA"));
operand!(LOD_55_TLD = "lod", ".LZ|.LL": Item::Names(field!("lod", 55, 1), &[(".LZ", 0), (".LL", 1)], ".LZ or .LL"));
operand!(LOGIC_41 = "logic", ".AND|.OR|.XOR|.PASS_B":
    Item::Names(field!("logic", 41, 2), &[(".AND", 0), (".OR", 1), (".XOR", 2), (".PASS_B", 3)], ".AND, .OR, .XOR or .PASS_B"));
operand!(LOGIC_53 = "logic", ".AND|.OR|.XOR|.PASS_B":
    Item::Names(field!("logic", 53, 2), &[(".AND", 0), (".OR", 1), (".XOR", 2), (".PASS_B", 3)], ".AND, .OR, .XOR or .PASS_B"));
operand!(MAX_SHIFT_37 = "max", "[.U64|.S64]":
    Item::Names(field!("max", 37, 2), &[("", 0), (".INVALIDMAXSHIFT3", 1), (".U64", 2), (".S64", 3)], ".U64 or .S64"));
operand!(MRG_37 = "mrg", "[.MRG]": Item::Flag(field!("mrg", 37, 1), ".MRG"));
operand!(MRG_56 = "mrg", "[.MRG]": Item::Flag(field!("mrg", 56, 1), ".MRG"));
operand!(MS_50 = "ms", "[.MS]": Item::Flag(field!("ms", 50, 1), ".MS"));
operand!(NDV_35 = "ndv", "[.NDV]": Item::Flag(field!("ndv", 35, 1), ".NDV"));
operand!(NDV_38 = "ndv", "[.NDV]": Item::Flag(field!("ndv", 38, 1), ".NDV"));
operand!(NODEP_49 = "nodep", "[.NODEP]": Item::Flag(field!("nodep", 49, 1), ".NODEP"));
operand!(NOINC_6 = "increment", "[.NOINC]":
    Item::Names(field!("increment", 6, 1), &[("", 1), (".NOINC", 0)], ".NOINC"));
operand!(OFFSETS_54 = "offsets", "[.AOFFI|.PTP]":
    Item::Names(field!("offsets", 54, 2), &[("", 0), (".AOFFI", 1), (".PTP", 2), (".???3", 3)], ".AOFFI or .PTP"));
operand!(PERMUTE_MODE_48 = "mode", "[.F4E|.B4E|.RC8|.ECL|.ECR|.RC16]":
    Item::Names(field!("mode", 48, 4), &[("", 0), (".F4E", 1), (".B4E", 2), (".RC8", 3), (".ECL", 4), (".ECR", 5), (".RC16", 6), (".???7", 7), (".???8", 8), (".???9", 9), (".???10", 10), (".???11", 11), (".???12", 12), (".???13", 13), (".???14", 14), (".???15", 15)], "a permutation mode"));
operand!(PIXLD_MODE = "mode", "[.MSCOUNT|.COVMASK|.COVERED|.OFFSET|.CENTROID_OFFSET|.MY_INDEX]":
    Item::Names(field!("mode", 31, 3), &[("", 0), (".MSCOUNT", 0), (".COVMASK", 1), (".COVERED", 2), (".OFFSET", 3), (".CENTROID_OFFSET", 4), (".MY_INDEX", 5), (".INVALID0", 6), (".INVALID1", 7)], "a mode such as .COVMASK"));
operand!(PLUS_ONE_48 = "po", "[.PO]": Item::When(&NEGATES_48, 3, ".PO"));
operand!(PLUS_ONE_51 = "po", "[.PO]": Item::When(&NEGATES_51, 3, ".PO"));
operand!(PR_CC = "what", "PR|CC": Item::Names(field!("what", 40, 1), &[("PR", 0), ("CC", 1)], "PR or CC"));
operand!(PSL_36 = "psl", "[.PSL]": Item::Flag(field!("psl", 36, 1), ".PSL"));
operand!(PSL_55 = "psl", "[.PSL]": Item::Flag(field!("psl", 55, 1), ".PSL"));
operand!(QUERY_23 = "query", "TEX_name|n":
    Item::Names(field!("query", 23, 5), &[("0", 0), ("TEX_HEADER_TEXTURE_TYPE", 1), ("2", 2), ("3", 3), ("4", 4), ("5", 5), ("6", 6), ("7", 7), ("TEX_SAMPLER_FILTER", 8), ("TEX_SAMPLER_LOD", 9), ("TEX_SAMPLER_WRAP", 10), ("TEX_SAMPLER_BORDER_COLOR", 11), ("12", 12), ("13", 13), ("14", 14), ("15", 15), ("16", 16), ("17", 17), ("18", 18), ("19", 19), ("20", 20), ("21", 21), ("22", 22), ("23", 23), ("24", 24), ("25", 25), ("26", 26), ("27", 27), ("28", 28), ("29", 29), ("30", 30), ("31", 31)], "a query such as TEX_SAMPLER_LOD"));
operand!(RANGE_39 = "range", ".SINCOS|.EX2":
    Item::Names(field!("range", 39, 1), &[(".SINCOS", 0), (".EX2", 1)], ".SINCOS or .EX2"));
operand!(ROUND_39 = "rnd", "[.RM|.RP|.RZ]":
    Item::Names(field!("rnd", 39, 2), &[("", 0), (".RM", 1), (".RP", 2), (".RZ", 3)], "a rounding"));
operand!(ROUND_51 = "rnd", "[.RM|.RP|.RZ]":
    Item::Names(field!("rnd", 51, 2), &[("", 0), (".RM", 1), (".RP", 2), (".RZ", 3)], "a rounding"));
operand!(SAT_50 = "sat", "[.SAT]": Item::Flag(field!("sat", 50, 1), ".SAT"));
operand!(SAT_51 = "sat", "[.SAT]": Item::Flag(field!("sat", 51, 1), ".SAT"));
operand!(SAT_54 = "sat", "[.SAT]": Item::Flag(field!("sat", 54, 1), ".SAT"));
operand!(SAT_55 = "sat", "[.SAT]": Item::Flag(field!("sat", 55, 1), ".SAT"));
operand!(SCALE_41 = "scale", "[.D2|.D4|.D8|.M8|.M4|.M2]":
    Item::Names(field!("scale", 41, 3), &[("", 0), (".D2", 1), (".D4", 2), (".D8", 3), (".M8", 4), (".M4", 5), (".M2", 6), (".INVALIDSCALE37", 7)], "a scale such as .D2"));
operand!(SCOREBOARD_26 = "barrier", "SBn":
    Item::Names(field!("barrier", 26, 3), &[("SB0", 0), ("SB1", 1), ("SB2", 2), ("SB3", 3), ("SB4", 4), ("SB5", 5), ("SB6", 6), ("SB7", 7)], "a barrier such as SB0"));
operand!(SHIFT_EXTEND_43 = "x", "[.X]":
    Item::Names(field!("x", 43, 2), &[("", 0), (".INVALIDSHRXMODE1", 1), (".X", 2), (".XHI", 3)], ".X"));
operand!(SHUFFLE_30 = "mode", ".IDX|.UP|.DOWN|.BFLY":
    Item::Names(field!("mode", 30, 2), &[(".IDX", 0), (".UP", 1), (".DOWN", 2), (".BFLY", 3)], ".IDX, .UP, .DOWN or .BFLY"));
operand!(SH_41 = "sh", "[.SH]": Item::Flag(field!("sh", 41, 1), ".SH"));
operand!(SIGNS_40 = "signed", "[.U32.U32|.S32.U32|.U32.S32]":
    Item::Names(field!("signed", 40, 1, 41, 1), &[("", 3), (".U32.U32", 0), (".S32.U32", 1), (".U32.S32", 2)], "the signs of both factors, such as .U32.U32"));
operand!(SIGNS_48 = "signed", "[.U32.U32|.S32.U32|.U32.S32]":
    Item::Names(field!("signed", 48, 1, 53, 1), &[("", 3), (".U32.U32", 0), (".S32.U32", 1), (".U32.S32", 2)], "the signs of both factors, such as .U32.U32"));
operand!(SIGNS_54 = "signed", "[.U32.U32|.S32.U32|.U32.S32]":
    Item::Names(field!("signed", 54, 1, 55, 1), &[("", 3), (".U32.U32", 0), (".S32.U32", 1), (".U32.S32", 2)], "the signs of both factors, such as .U32.U32"));
operand!(SIZE_48 = "size", "[.U8|.S8|.U16|.S16|.64|.128]":
    Item::Names(field!("size", 48, 3), &[(".U8", 0), (".S8", 1), (".U16", 2), (".S16", 3), ("", 4), (".64", 5), (".128", 6), (".INVALIDSIZE7", 7)], "a size such as .64"));
operand!(SIZE_48_LDC = "size", "[.U8|.S8|.U16|.S16|.64]":
    Item::Names(field!("size", 48, 3), &[(".U8", 0), (".S8", 1), (".U16", 2), (".S16", 3), ("", 4), (".64", 5), (".INVALIDSIZE6", 6), (".INVALIDSIZE7", 7)], "a size such as .U8"));
operand!(SIZE_48_LDG = "size", "[.U8|.S8|.U16|.S16|.64|.128]":
    Item::Names(field!("size", 48, 3), &[(".U8", 0), (".S8", 1), (".U16", 2), (".S16", 3), ("", 4), (".64", 5), (".128", 6), (".U.128", 7)], "a size such as .64"));
operand!(SPECIAL = "special", "SR_name":
    Item::Names(field!("special", 20, 8), SPECIAL_REGISTERS, "a special register such as `SR_TID.X`"));
operand!(SUM_SHIFT_37 = "shift", "[.RS|.LS]":
    Item::Names(field!("shift", 37, 2), &[("", 0), (".RS", 1), (".LS", 2), (".???3", 3)], ".RS or .LS"));
operand!(TEST_36 = "test", "[.T|.Z|.NZ]":
    Item::Names(field!("test", 36, 2), &[("", 0), (".T", 1), (".Z", 2), (".NZ", 3)], ".T, .Z or .NZ"));
operand!(TEST_44 = "test", "[.T|.Z|.NZ]":
    Item::Names(field!("test", 44, 2), &[("", 0), (".T", 1), (".Z", 2), (".NZ", 3)], ".T, .Z or .NZ"));
operand!(TEST_8 = "test", ".EQ|.LT|...":
    Item::Names(field!("test", 8, 5), &[(".F", 0), (".LT", 1), (".EQ", 2), (".LE", 3), (".GT", 4), (".NE", 5), (".GE", 6), (".NUM", 7), (".NAN", 8), (".LTU", 9), (".EQU", 10), (".LEU", 11), (".GTU", 12), (".NEU", 13), (".GEU", 14), (".T", 15), (".OFF", 16), (".LO", 17), (".SFF", 18), (".LS", 19), (".HI", 20), (".SFT", 21), (".HS", 22), (".OFT", 23), (".CSM_TA", 24), (".CSM_TR", 25), (".CSM_MX", 26), (".FCSM_TA", 27), (".FCSM_TR", 28), (".FCSM_MX", 29), (".RLE", 30), (".RGT", 31)], "a test of the condition codes such as .EQ"));
operand!(TRIG_13 = "trigger", "[.TRIG]": Item::Flag(field!("trigger", 13, 1), ".TRIG"));
operand!(UNSIGNED_48 = "signed", "[.U32]": Item::Names(field!("signed", 48, 1), &[("", 1), (".U32", 0)], ".U32"));
operand!(U_7 = "uniform", "[.U]": Item::Flag(field!("uniform", 7, 1), ".U"));
operand!(VOTE_48 = "mode", ".ALL|.ANY|.EQ":
    Item::Names(field!("mode", 48, 2), &[(".ALL", 0), (".ANY", 1), (".EQ", 2), (".INVALIDVMODE3", 3)], ".ALL, .ANY or .EQ"));
operand!(W_39 = "wrap", "[.W]": Item::Flag(field!("wrap", 39, 1), ".W"));
operand!(W_50 = "wrap", "[.W]": Item::Flag(field!("wrap", 50, 1), ".W"));
operand!(X_38 = "x", "[.X]": Item::Flag(field!("x", 38, 1), ".X"));
operand!(X_43 = "x", "[.X]": Item::Flag(field!("x", 43, 1), ".X"));
operand!(X_46 = "x", "[.X]": Item::Flag(field!("x", 46, 1), ".X"));
operand!(X_48 = "x", "[.X]": Item::Flag(field!("x", 48, 1), ".X"));
operand!(X_49 = "x", "[.X]": Item::Flag(field!("x", 49, 1), ".X"));
operand!(X_53 = "x", "[.X]": Item::Flag(field!("x", 53, 1), ".X"));
operand!(X_54 = "x", "[.X]": Item::Flag(field!("x", 54, 1), ".X"));
operand!(X_56 = "x", "[.X]": Item::Flag(field!("x", 56, 1), ".X"));
operand!(X_57 = "x", "[.X]": Item::Flag(field!("x", 57, 1), ".X"));
