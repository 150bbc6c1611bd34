//! Video instructions: on bytes, halves and words of registers.

use crate::operand::*;

rows! {
    "VADD" Vadd, "{guard}VADD{result_signed}{types}{po}{sat}{what} {d}, {a}, {b}, {c}", "a + b of parts of registers, then merged into c or combined with it.",
        [GUARD, UD_54, TYPES, PLUS_ONE_56, SAT_55, VIDEO_RESULT_51, RESULT_CC47, VIDEO_FIRST_NEGATED_56, SECOND, VIDEO_THIRD] {
            "R" top(0xfc04, 0x2004), TYPES = VIDEO_TYPES, SECOND = VIDEO_SECOND_NEGATED_56;
            "I" top(0xfc04, 0x2000), TYPES = VIDEO_TYPES_LITERAL, SECOND = VIDEO_LITERAL_NEGATED_56;
        }
    "VABSDIFF" Vabsdiff, "{guard}VABSDIFF{result_signed}{types}{sat}{what} {d}, {a}, {b}, {c}", "The distance between parts of registers, then merged into c or combined with it.",
        [GUARD, SD_54, TYPES, SAT_55, VIDEO_RESULT_51, RESULT_CC47, VIDEO_FIRST, SECOND, VIDEO_THIRD] {
            "R" top(0xff04, 0x5404), TYPES = VIDEO_TYPES, SECOND = VIDEO_SECOND;
            "I" top(0xff04, 0x5400), TYPES = VIDEO_TYPES_LITERAL, SECOND = VIDEO_LITERAL;
        }
    "VABSDIFF4" Vabsdiff4, "{guard}VABSDIFF4{result_signed}{types}{sat}{sum}{lanes} {d}, {a}, {b}, {c}", "The distances between four bytes each, or their sum.",
        [GUARD, SD_38, VIDEO_TYPES_BYTES, SAT_50, VIDEO_SUM_53, VIDEO_LANES, RESULT_CC47, VIDEO_BYTES_FIRST, SECOND, VIDEO_THIRD] {
            "I" word(0xff800000f0000000, 0x50000000f0000000), SECOND = VIDEO_BYTES_LITERAL;
            "R" top(0xff80, 0x5000), SECOND = VIDEO_BYTES_SECOND;
        }
    "VMNMX" Vmnmx, "{guard}VMNMX{result_signed}{types}{max}{sat}{what} {d}, {a}, {b}, {c}", "The lesser or greater of parts of registers, then merged into c or combined with it.",
        [GUARD, UD_54, TYPES, MX_56, SAT_55, VIDEO_RESULT_51, RESULT_CC47, VIDEO_FIRST, SECOND, VIDEO_THIRD] {
            "R" top(0xfe04, 0x3a04), TYPES = VIDEO_TYPES, SECOND = VIDEO_SECOND;
            "I" top(0xfe04, 0x3a00), TYPES = VIDEO_TYPES_LITERAL, SECOND = VIDEO_LITERAL;
        }
    "VSHL" Vshl, "{guard}VSHL{result_signed}{types}{wrap}{sat}{what} {d}, {a}, {b}, {c}", "A part of a register shifted left, then merged into c or combined with it.",
        [GUARD, UD_54, TYPES, W_49, SAT_55, VIDEO_RESULT_51, RESULT_CC47, VIDEO_FIRST, SECOND, VIDEO_THIRD] {
            "R" top(0xff04, 0x5704), TYPES = VIDEO_TYPES_SHIFT, SECOND = VIDEO_SECOND;
            "I" top(0xff04, 0x5700), TYPES = VIDEO_TYPES_SHIFT_LITERAL, SECOND = VIDEO_LITERAL_PLAIN;
        }
    "VSHR" Vshr, "{guard}VSHR{result_signed}{types}{wrap}{sat}{what} {d}, {a}, {b}, {c}", "A part of a register shifted right, then merged into c or combined with it.",
        [GUARD, UD_54, TYPES, W_49, SAT_55, VIDEO_RESULT_51, RESULT_CC47, VIDEO_FIRST, SECOND, VIDEO_THIRD] {
            "R" top(0xff04, 0x5604), TYPES = VIDEO_TYPES_SHIFT, SECOND = VIDEO_SECOND;
            "I" top(0xff04, 0x5600), TYPES = VIDEO_TYPES_SHIFT_LITERAL, SECOND = VIDEO_LITERAL_PLAIN;
        }
    "VMAD" Vmad, "{guard}VMAD{types}{po}{scale}{sat} {d}, {a}, {b}, {c}", "a * b + c of parts of registers, shifted right.",
        [GUARD, TYPES, PLUS_ONE_53, SAT_55, VIDEO_SCALE_51, RESULT_CC47, VIDEO_FIRST_NEGATED_53, SECOND, VIDEO_THIRD_NEGATED_53] {
            "R" top(0xff04, 0x5f04), TYPES = VIDEO_TYPES_ALWAYS, SECOND = VIDEO_SECOND;
            "I" top(0xff04, 0x5f00), TYPES = VIDEO_TYPES_LITERAL_ALWAYS, SECOND = VIDEO_LITERAL_PLAIN;
        }
    "VSET" Vset, "{guard}VSET{cmp}{types}{what} {d}, {a}, {b}, {c}", "Whether parts of registers compare so, then merged into c or combined with it.",
        [GUARD, VIDEO_COMPARE_54, TYPES, VIDEO_RESULT_51, RESULT_CC47, VIDEO_FIRST, SECOND, VIDEO_THIRD] {
            "R" top(0xfe04, 0x4004), TYPES = VIDEO_TYPES, SECOND = VIDEO_SECOND;
            "I" top(0xfe04, 0x4000), TYPES = VIDEO_TYPES_LITERAL, SECOND = VIDEO_LITERAL;
        }
    "VSETP" Vsetp, "{guard}VSETP{cmp}{types}{bop} {pd}, {pd2}, {a}, {b}, {pc}", "Whether parts of registers compare so, combined with a predicate, and the opposite.",
        [GUARD, VIDEO_COMPARE_43, TYPES, BOP_45, PREDICATE_RESULT_3, OPPOSITE_RESULT_0, VIDEO_FIRST, SECOND, LAST_PREDICATE_39] {
            "R" top(0xfffc, 0x50f4), TYPES = VIDEO_TYPES, SECOND = VIDEO_SECOND;
            "I" top(0xfffc, 0x50f0), TYPES = VIDEO_TYPES_LITERAL_ALWAYS, SECOND = VIDEO_LITERAL;
        }
}
