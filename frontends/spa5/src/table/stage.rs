//! Attributes of the stages in front of the rasteriser, and primitives of geometry shaders.

use crate::operand::*;

rows! {
    "ALD" Ald, "{guard}ALD{o}{size} {d}, {attribute}{c}", "An attribute of a vertex.",
        [GUARD, OUTPUT_32, SIZE_47, RESULT, ATTRIBUTE_20, THIRD_REGISTER_OPTIONAL] { "" word(0xfff800008000ff00, 0xefd800000000ff00); }
    "ALD" "attributes of patches belong to tessellation", "{guard}ALD{o}.P{size} {d}, {attribute}{c}", "An attribute of a patch.",
        [GUARD, OUTPUT_32, SIZE_47, RESULT, PLACE, THIRD_REGISTER_OPTIONAL] {
            "patch" word(0xfff800008000ff00, 0xefd800008000ff00), PLACE = ATTRIBUTE_20;
            "patch, register" word(0xfff8000080000000, 0xefd8000080000000), PLACE = REGISTER_AND_OFFSET_20;
        }
    "ALD" AldPhysical, "{guard}ALD{o}.PHYS{size} {d}, {attribute}{c}", "An attribute of a vertex at an address of AL2P.",
        [GUARD, OUTPUT_32, SIZE_47, RESULT, PHYSICAL_ATTRIBUTE, THIRD_REGISTER_OPTIONAL] { "physical" word(0xfff8000080000000, 0xefd8000000000000); }
    "AST" Ast, "{guard}AST{size} {attribute}, {d}{c}", "Writes an attribute of a vertex.",
        [GUARD, SIZE_47, ATTRIBUTE_20, RESULT, THIRD_REGISTER_OPTIONAL] { "" word(0xfff800008000ff00, 0xeff000000000ff00); }
    "AST" "attributes of patches belong to tessellation", "{guard}AST.P{size} {attribute}, {d}{c}", "Writes an attribute of a patch.",
        [GUARD, SIZE_47, PLACE, RESULT, THIRD_REGISTER_OPTIONAL] {
            "patch" word(0xfff800008000ff00, 0xeff000008000ff00), PLACE = ATTRIBUTE_20;
            "patch, register" word(0xfff8000080000000, 0xeff0000080000000), PLACE = REGISTER_AND_OFFSET_20;
        }
    "AST" AstPhysical, "{guard}AST.PHYS{size} {attribute}, {d}{c}", "Writes an attribute of a vertex at an address of AL2P.",
        [GUARD, SIZE_47, PHYSICAL_ATTRIBUTE, RESULT, THIRD_REGISTER_OPTIONAL] { "physical" word(0xfff8000080000000, 0xeff0000000000000); }
    "AL2P" Al2p, "{guard}AL2P{o}{size} {pd}{d}{attribute}", "The address that ALD.PHYS and AST.PHYS take for an attribute.",
        [GUARD, OUTPUT_32, SIZE_47, PREDICATE_RESULT_FRONT_44, RESULT, PLACE] {
            "" word(0xfff800000000ff00, 0xefa000000000ff00), PLACE = LOGICAL_20;
            "register" top(0xfff8, 0xefa0), PLACE = LOGICAL_REGISTER_20;
        }
    "ISBERD" "primitives belong to geometry shaders and tessellation", "{guard}ISBERD{o}{what}{skew}{size} {d}, {address}", "A word of the internal buffer of primitives.",
        [GUARD, OUTPUT_32, ISBERD_WHAT_33, SKEW_31, ISBERD_SIZE_47, RESULT, ADDRESS_REGISTER] { "" top(0xfff8, 0xefd0); }
    "OUT" "only geometry shaders emit vertices", "{guard}OUT{operation} {d}, {a}, {b}", "Emits a vertex, or ends a primitive.",
        [GUARD, OUT_39, RESULT, FIRST_ONCE, SECOND] {
            "R" top(0xfff8, 0xfbe0), SECOND = SECOND_REGISTER_ONCE;
            "C" top(0xfff8, 0xebe0), SECOND = SECOND_CONSTANT;
            "I" top(0xfef8, 0xf6e0), SECOND = SECOND_INT20;
        }
}
