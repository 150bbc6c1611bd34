//! Surfaces: images that are read and written as memory.

use crate::operand::*;

rows! {
    "SULD" Suld, "{guard}SULD.P{surface}{cache}{channels}{clamp} {pd}{d}, {address}, {handle}", "A texel of a surface in its format.",
        [GUARD, SURFACE_33, CACHE_24_SULD, SURFACE_CHANNELS_20, SURFACE_CLAMP_49, FLIPPED_PREDICATE_30, RESULT, ADDRESS_REGISTER, SURFACE_HANDLE_36] { "P" top(0xfff8, 0xeb08); }
    "SULD" Suld, "{guard}SULD.P{surface}{cache}{channels}{clamp} {pd}{d}, {address}, {c}", "A texel of a surface in its format.",
        [GUARD, SURFACE_33, CACHE_24_SULD, SURFACE_CHANNELS_20, SURFACE_CLAMP_49, FLIPPED_PREDICATE_30, RESULT, ADDRESS_REGISTER, SURFACE_REGISTER] { "P.R" top(0xfff8, 0xeb00); }
    "SULD" SuldBytes, "{guard}SULD.D{ba}{surface}{cache}{size}{clamp} {pd}{d}, {address}, {handle}", "Bytes of a surface.",
        [GUARD, BA_23, SURFACE_33, CACHE_24_SULD, SIZE_20, SURFACE_CLAMP_49, FLIPPED_PREDICATE_30, RESULT, ADDRESS_REGISTER, SURFACE_HANDLE_36] { "D" top(0xfff8, 0xeb18); }
    "SULD" SuldBytes, "{guard}SULD.D{ba}{surface}{cache}{size}{clamp} {pd}{d}, {address}, {c}", "Bytes of a surface.",
        [GUARD, BA_23, SURFACE_33, CACHE_24_SULD, SIZE_20, SURFACE_CLAMP_49, FLIPPED_PREDICATE_30, RESULT, ADDRESS_REGISTER, SURFACE_REGISTER] { "D.R" top(0xfff8, 0xeb10); }
    "SUST" Sust, "{guard}SUST.P{surface}{cache}{channels}{clamp} {address}, {d}, {handle}", "Writes a texel of a surface in its format.",
        [GUARD, SURFACE_33, CACHE_24_SUST, SURFACE_CHANNELS_20, SURFACE_CLAMP_49, ADDRESS_REGISTER, RESULT, SURFACE_HANDLE_36] { "P" top(0xfff8, 0xeb28); }
    "SUST" Sust, "{guard}SUST.P{surface}{cache}{channels}{clamp} {address}, {d}, {c}", "Writes a texel of a surface in its format.",
        [GUARD, SURFACE_33, CACHE_24_SUST, SURFACE_CHANNELS_20, SURFACE_CLAMP_49, ADDRESS_REGISTER, RESULT, SURFACE_REGISTER] { "P.R" top(0xfff8, 0xeb20); }
    "SUST" SustBytes, "{guard}SUST.D{ba}{surface}{cache}{size}{clamp} {address}, {d}, {handle}", "Writes bytes of a surface.",
        [GUARD, BA_23, SURFACE_33, CACHE_24_SUST, SIZE_20, SURFACE_CLAMP_49, ADDRESS_REGISTER, RESULT, SURFACE_HANDLE_36] { "D" top(0xfff8, 0xeb38); }
    "SUST" SustBytes, "{guard}SUST.D{ba}{surface}{cache}{size}{clamp} {address}, {d}, {c}", "Writes bytes of a surface.",
        [GUARD, BA_23, SURFACE_33, CACHE_24_SUST, SIZE_20, SURFACE_CLAMP_49, ADDRESS_REGISTER, RESULT, SURFACE_REGISTER] { "D.R" top(0xfff8, 0xeb30); }
    "SURED" "no document says how atomics of texels in their format work", "{guard}SURED.P{surface}{operation}{clamp} {address}, {d}, {handle}", "Combines a texel of a surface with d.",
        [GUARD, SURFACE_33, REDUCTION_24, SURFACE_CLAMP_49, ADDRESS_REGISTER, RESULT, SURFACE_HANDLE_36] { "P" top(0xfff8, 0xeb48); }
    "SURED" "no document says how atomics of texels in their format work", "{guard}SURED.P{surface}{operation}{clamp} {address}, {d}, {c}", "Combines a texel of a surface with d.",
        [GUARD, SURFACE_33, REDUCTION_24, SURFACE_CLAMP_49, ADDRESS_REGISTER, RESULT, SURFACE_REGISTER] { "P.R" top(0xfff8, 0xeb40); }
    "SURED" Sured, "{guard}SURED.D{ba}{surface}{operation}{type}{clamp} {address}, {d}, {handle}", "Combines a word of a surface with d.",
        [GUARD, BA_23, SURFACE_33, REDUCTION_24, SURFACE_TYPE_20, SURFACE_CLAMP_49, ADDRESS_REGISTER, RESULT, SURFACE_HANDLE_36] { "D" top(0xfff8, 0xeb58); }
    "SURED" Sured, "{guard}SURED.D{ba}{surface}{operation}{type}{clamp} {address}, {d}, {c}", "Combines a word of a surface with d.",
        [GUARD, BA_23, SURFACE_33, REDUCTION_24, SURFACE_TYPE_20, SURFACE_CLAMP_49, ADDRESS_REGISTER, RESULT, SURFACE_REGISTER] { "D.R" top(0xfff8, 0xeb50); }
    "SUATOM" Suatom, "{guard}SUATOM.D{ba}{surface}{operation}{type}{clamp} {d}, {address}, {b}, {handle}", "Combines a word of a surface with b, and gives what was there.",
        [GUARD, BA_28, SURFACE_33, SURFACE_ATOMIC_29, SURFACE_TYPE_51, SURFACE_CLAMP_49, RESULT, ADDRESS_REGISTER, SECOND_REGISTER_ONCE, SURFACE_HANDLE_36] { "D" top(0xffc0, 0xea00); }
    "SUATOM" Suatom, "{guard}SUATOM.D{ba}{surface}{operation}{type}{clamp} {d}, {address}, {b}, {c}", "Combines a word of a surface with b, and gives what was there.",
        [GUARD, BA_28, SURFACE_33, SURFACE_ATOMIC_29, SURFACE_TYPE_36, SURFACE_CLAMP_49, RESULT, ADDRESS_REGISTER, SECOND_REGISTER_ONCE, SURFACE_REGISTER] { "D.R" top(0xfff8, 0xea70); }
    "SUATOM" Suatom, "{guard}SUATOM.D{ba}{surface}{operation}{type}{clamp} {pd}, {d}, {address}, {b}, {c}", "Combines a word of a surface with b, and gives what was there, and whether it is there.",
        [GUARD, BA_28, SURFACE_33, SURFACE_ATOMIC_29, SURFACE_TYPE_36, SURFACE_CLAMP_49, FLIPPED_PREDICATE_51, RESULT, ADDRESS_REGISTER, SECOND_REGISTER_ONCE, SURFACE_REGISTER] { "predicate D.R" top(0xffc0, 0xeb80); }
    "SUATOM" "no document says how atomics of texels in their format work", "{guard}SUATOM.P{surface}{operation}{clamp} {d}, {address}, {b}, {handle}", "Combines a texel of a surface with b, and gives what was there.",
        [GUARD, SURFACE_33, SURFACE_ATOMIC_29, SURFACE_CLAMP_49, RESULT, ADDRESS_REGISTER, SECOND_REGISTER_ONCE, SURFACE_HANDLE_36] { "P" top(0xfff8, 0xea68); }
    "SUATOM" "no document says how atomics of texels in their format work", "{guard}SUATOM.P{surface}{operation}{clamp} {d}, {address}, {b}, {c}", "Combines a texel of a surface with b, and gives what was there.",
        [GUARD, SURFACE_33, SURFACE_ATOMIC_29, SURFACE_CLAMP_49, RESULT, ADDRESS_REGISTER, SECOND_REGISTER_ONCE, SURFACE_REGISTER] { "P.R" top(0xfff8, 0xea60); }
    "SUATOM" SuatomCas, "{guard}SUATOM.D{ba}{surface}.CAS{type}{clamp} {pd}{d}, {address}, {b}, {handle}", "Exchanges a word of a surface if it is as expected, and gives what was there.",
        [GUARD, BA_28, SURFACE_33, SURFACE_TYPE_51, SURFACE_CLAMP_49, FLIPPED_PREDICATE_30, RESULT, ADDRESS_REGISTER, SECOND_REGISTER_ONCE, SURFACE_HANDLE_36] { "D CAS" top(0xffc0, 0xea80); }
    "SUATOM" SuatomCas, "{guard}SUATOM.D{ba}{surface}.CAS{type}{clamp} {pd}{d}, {address}, {b}, {c}", "Exchanges a word of a surface if it is as expected, and gives what was there.",
        [GUARD, BA_28, SURFACE_33, SURFACE_TYPE_36, SURFACE_CLAMP_49, FLIPPED_PREDICATE_30, RESULT, ADDRESS_REGISTER, SECOND_REGISTER_ONCE, SURFACE_REGISTER] { "D.R CAS" top(0xfff8, 0xead0); }
    "SUATOM" "no document says how atomics of texels in their format work", "{guard}SUATOM.P{surface}{operation}{clamp} {d}, {address}, {b}, {handle}", "Exchanges a texel of a surface if it is as expected, and gives what was there.",
        [GUARD, SURFACE_33, UNNAMED_ATOMIC_29, SURFACE_CLAMP_49, RESULT, ADDRESS_REGISTER, SECOND_REGISTER_ONCE, SURFACE_HANDLE_36] { "P CAS" top(0xfff8, 0xeac8); }
    "SUATOM" "no document says how atomics of texels in their format work", "{guard}SUATOM.P{surface}{operation}{clamp} {d}, {address}, {b}, {c}", "Exchanges a texel of a surface if it is as expected, and gives what was there.",
        [GUARD, SURFACE_33, UNNAMED_ATOMIC_29, SURFACE_CLAMP_49, RESULT, ADDRESS_REGISTER, SECOND_REGISTER_ONCE, SURFACE_REGISTER] { "P.R CAS" top(0xfff8, 0xeac0); }
}
