//! Constants by register, local, shared and global memory, atomics, caches.

use crate::operand::*;

rows! {
    "LDC" Ldc, "{guard}LDC{size}{index} {d}, {address}", "A constant, addressed by a register.",
        [GUARD, SIZE_48_LDC, INDEX_MODE_44, RESULT, CONST_ADDRESS] { "" top(0xfff8, 0xef90); }
    "LD" Ld, "{guard}LD{e}{cache}{size} {d}, {address}{predicate}", "A word of memory at a generic address.",
        [GUARD, E_52, CACHE_56_LD, SIZE_53_LD, RESULT, ADDRESS_32, MEMORY_PREDICATE_58] { "" top(0xe000, 0x8000); }
    "ST" St, "{guard}ST{e}{cache}{size} {address}, {d}{predicate}", "Writes a word of memory at a generic address.",
        [GUARD, E_52, CACHE_56_ST, SIZE_53, ADDRESS_32, RESULT, MEMORY_PREDICATE_58] { "" top(0xe000, 0xa000); }
    "LDG" Ldg, "{guard}LDG{e}{cache}{size} {pd}, {d}, {address}", "A word of global memory, and whether it is there.",
        [GUARD, E_45, CACHE_46_LDG, SIZE_48_LDG, FLIPPED_PREDICATE_41, RESULT, ADDRESS_20] { "predicate" top(0xfff8, 0xeec8); }
    "LDG" Ldg, "{guard}LDG{e}{cache}{size} {d}, {address}", "A word of global memory.",
        [GUARD, E_45, CACHE_46_LDG, SIZE_48_LDG, RESULT, ADDRESS_24] { "" top(0xfff8, 0xeed0); }
    "STG" Stg, "{guard}STG{e}{cache}{size} {address}, {d}", "Writes a word of global memory.",
        [GUARD, E_45, CACHE_46_STG, SIZE_48, ADDRESS_24, RESULT] { "" top(0xfff8, 0xeed8); }
    "LDS" Lds, "{guard}LDS{u}{size} {d}, {address}", "A word of shared memory.",
        [GUARD, U_44, SIZE_48_SHARED, RESULT, ADDRESS_24] { "" top(0xfff8, 0xef48); }
    "STS" Sts, "{guard}STS{size} {address}, {d}", "Writes a word of shared memory.",
        [GUARD, SIZE_48, ADDRESS_24, RESULT] { "" top(0xfff8, 0xef58); }
    "LDL" Ldl, "{guard}LDL{cache}{size} {d}, {address}", "A word of local memory.",
        [GUARD, CACHE_44_LDL, SIZE_48, RESULT, ADDRESS_24] { "" top(0xfff8, 0xef40); }
    "STL" Stl, "{guard}STL{cache}{size} {address}, {d}", "Writes a word of local memory.",
        [GUARD, CACHE_44_STL, SIZE_48, ADDRESS_24, RESULT] { "" top(0xfff8, 0xef50); }
    "ATOM" Atom, "{guard}ATOM{e}{operation}{type} {d}, {address}, {b}", "Combines a word of memory with b, and gives what was there.",
        [GUARD, E_48, ATOMIC_52, ATOM_TYPE_49, RESULT, ADDRESS_20_AT_28, SECOND_REGISTER_ONCE] { "" top(0xff00, 0xed00); }
    "ATOM" Atom, "{guard}ATOM{e}{operation}{type} {pd}, {d}, {address}, {b}", "Combines a word of memory with b, and gives what was there, and whether it is there.",
        [GUARD, E_48, ATOMIC_44, ATOM_TYPE_49, FLIPPED_PREDICATE_41, RESULT, ADDRESS_REGISTER, SECOND_REGISTER_ONCE] { "predicate" top(0xfff0, 0xee60); }
    "ATOM" AtomCas, "{guard}ATOM{e}.CAS{wide} {d}, {address}, {b}", "Exchanges a word of memory if it is as expected, and gives what was there.",
        [GUARD, E_48, WIDE_49, RESULT, ADDRESS_20_AT_28, SECOND] {
            "CAS" top(0xfffc, 0xeef0), SECOND = EXCHANGE_49;
            "CAS with zero" top(0xfffc, 0xeef4), SECOND = EXCHANGE_WITH_ZERO;
            "CAS of zero" top(0xfffc, 0xeef8), SECOND = EXCHANGE_OF_ZERO;
        }
    "ATOM" AtomCas, "{guard}ATOM{e}.CAS{wide} {pd}, {d}, {address}, {b}", "Exchanges a word of memory if it is as expected, and gives what was there, and whether it is there.",
        [GUARD, E_48, WIDE_49, FLIPPED_PREDICATE_41, RESULT, ADDRESS_REGISTER, SECOND] {
            "predicate CAS" top(0xfffc, 0xee70), SECOND = EXCHANGE_49;
            "predicate CAS with zero" top(0xfffc, 0xee74), SECOND = EXCHANGE_WITH_ZERO;
            "predicate CAS of zero" top(0xfffc, 0xee78), SECOND = EXCHANGE_OF_ZERO;
        }
    "ATOMS" Atoms, "{guard}ATOMS{operation}{type} {d}, {address}, {b}", "Combines a word of shared memory with b, and gives what was there.",
        [GUARD, SHARED_ATOMIC_52, SHARED_TYPE_28, RESULT, ADDRESS_WORDS_30, SECOND_REGISTER_ONCE] { "" top(0xff00, 0xec00); }
    "ATOMS" "no document says what the lock gives", "{guard}ATOMS.CAST{spin}{wide} {d}, {address}, {b}", "Exchanges a word of shared memory if it is as expected, with a lock.",
        [GUARD, SPIN_53, WIDE_52, RESULT, ADDRESS_WORDS_30, SECOND] {
            "CAST" word(0xffc0000030000000, 0xee00000000000000), SECOND = EXCHANGE_52;
            "CAST with zero" word(0xffc0000030000000, 0xee00000010000000), SECOND = EXCHANGE_WITH_ZERO;
            "CAST of zero" word(0xffc0000030000000, 0xee00000020000000), SECOND = EXCHANGE_OF_ZERO;
        }
    "ATOMS" AtomsCas, "{guard}ATOMS.CAS{wide} {d}, {address}, {b}", "Exchanges a word of shared memory if it is as expected, and gives what was there.",
        [GUARD, WIDE_52, RESULT, ADDRESS_WORDS_30, SECOND] {
            "CAS" word(0xffe0000030000000, 0xee40000000000000), SECOND = EXCHANGE_52;
            "CAS with zero" word(0xffe0000030000000, 0xee40000010000000), SECOND = EXCHANGE_WITH_ZERO;
            "CAS of zero" word(0xffe0000030000000, 0xee40000020000000), SECOND = EXCHANGE_OF_ZERO;
        }
    "RED" Red, "{guard}RED{e}{operation}{type} {address}, {d}", "Combines a word of memory with d.",
        [GUARD, E_48, REDUCTION_23, ATOM_TYPE_20, ADDRESS_20_AT_28, RESULT] { "" top(0xfff8, 0xebf8); }
    "CCTL" Cache, "{guard}CCTL{e}{kind}{operation}{address}", "Does something with a line of a cache.",
        [GUARD, E_52, CACHE_KIND_4, CACHE_OPERATION_0, ADDRESS_WORDS_22] { "" top(0xffe0, 0xef60); }
    "CCTLL" Cache, "{guard}CCTLL{kind}{operation} {address}", "Does something with a line of local memory in a cache.",
        [GUARD, LOCAL_CACHE_KIND_4, LOCAL_CACHE_OPERATION_0, ADDRESS_LOCAL_WORDS_22] { "" top(0xfff8, 0xef80); }
    "CCTLT" Cache, "{guard}CCTLT{operation} {c}", "Drops what a cache has of a texture.",
        [GUARD, TEXTURE_CACHE_0, THIRD_REGISTER_ONCE] { "R" top(0xfff8, 0xebe8); }
    "CCTLT" Cache, "{guard}CCTLT.IVALL", "Drops what a cache has of textures.",
        [GUARD] { "all" word(0xfff9fff000000003, 0xebf0000000000000); }
    "CCTLT" Cache, "{guard}CCTLT{operation} {handle}", "Drops what a cache has of a texture.",
        [GUARD, TEXTURE_CACHE_0, TEXTURE_CACHE_HANDLE_36] { "" top(0xfff8, 0xebf0); }
}
