//! The instruction set, as `parallax_isa` sees it.

use super::TABLE;
use super::fields::*;
use super::operand::{ADDRESS_SOURCE, DESTINATION, JUMP_ADDRESS, SOURCE_KINDS};
use parallax_isa::{Code, Codec, Field, Isa, Row, Syntax, SyntaxKind};
use parallax_text::{Comments, LexOptions};
use std::sync::LazyLock;

/// The instruction set, for `parallax_isa`.
pub struct NvVertex;

/// Everything that is read from [`TABLE`].
pub fn codec() -> &'static Codec<NvVertex> {
    static CODEC: LazyLock<Codec<NvVertex>> = LazyLock::new(|| Codec::new(&TABLE));
    &CODEC
}

/// Which sources an operation of a row reads; the scalar one beside it is left out.
pub(super) fn sources(row: &Row<NvVertex>) -> [bool; 3] {
    SOURCE_KINDS.map(|kind| row.operands.contains(&kind))
}

impl Isa for NvVertex {
    type Kind = SyntaxKind;
    /// The row of the same operation in the text dialects.
    type Lift = &'static crate::table::Row;

    // `//` and `#` start comments.
    const LEXER: LexOptions =
        LexOptions { comments: Comments::SlashesOr(b'#'), newlines: true, carriage_return: true, floats: true };

    fn syntax(kind: SyntaxKind) -> &'static Syntax {
        kind.0
    }

    fn canonical(row: &Row<NvVertex>, mut code: Code) -> Code {
        let (vector, second) = (VECTOR_OPCODE.get(&code), SCALAR_OPCODE.get(&code));
        let computes = scalar::has(scalar::DATA, second);
        let jumps = scalar::has(scalar::JUMPS, second);
        let is_free = |field: &Field| field.mask().without(Code::from(row.pattern.free)).is_zero();
        let put = |code: &mut Code, field: &Field, value: u64| {
            if is_free(field) {
                field.put(code, value);
            }
        };
        let vector_reads = sources(row);
        let mut reads = vector_reads;
        if vector != 0 && !vector_reads[2] {
            reads[2] = computes;
            // What stands where the third source would.
            if !computes {
                put(&mut code, &THIRD_FILE, file::INPUT);
                if !scalar::has(scalar::BOOLEAN, second) {
                    put(&mut code, &SOURCES[2].register, 0);
                }
                if !jumps || second == scalar::RETURN {
                    put(&mut code, &SOURCES[2].swizzle, if jumps { 0 } else { IDENTITY });
                    put(&mut code, &SOURCES[2].negate, 0);
                    put(&mut code, &SOURCES[2].absolute, 0);
                }
            }
        }
        let mut held = [false; 4];
        for (fields, _) in SOURCES.iter().zip(reads).filter(|(_, reads)| *reads) {
            if fields.file.get(&code) == 0 {
                put(&mut code, &fields.file, file::CONSTANT);
            }
            let kind = fields.file.get(&code);
            held[kind as usize] = true;
            if kind != file::REGISTER {
                put(&mut code, &fields.register, 0);
            }
        }
        if !held[file::INPUT as usize] {
            put(&mut code, &INPUT, 0);
            put(&mut code, &INDEX_INPUT, 0);
        }
        if !held[file::CONSTANT as usize] {
            put(&mut code, &CONSTANT, 0);
            put(&mut code, &INDEX_CONSTANT, 0);
        }
        let indexes = INDEX_INPUT.get(&code) + INDEX_CONSTANT.get(&code) != 0;
        let names_address = row.operands.iter().any(|o| [ADDRESS_SOURCE, JUMP_ADDRESS].contains(o));
        if !names_address && !indexes {
            put(&mut code, &ADDRESS, 0);
        }
        // Destinations.
        if vector != 0 && !computes {
            put(&mut code, &SCALAR_REGISTER, NO_REGISTER);
            put(&mut code, &SCALAR_MASK, 0);
        }
        let has_result = row.operands.contains(&DESTINATION);
        let scalar_result = computes && SCALAR_REGISTER.get(&code) == NO_REGISTER;
        if has_result {
            if VECTOR_RESULT.get(&code) == 0 && !scalar_result {
                put(&mut code, &RESULT, NO_RESULT);
            }
        } else if !scalar_result || VECTOR_RESULT.get(&code) != 0 {
            put(&mut code, &VECTOR_RESULT, 0);
            put(&mut code, &RESULT, NO_RESULT);
        }
        // The test.
        let tested_jump = scalar::has(scalar::TESTED, second);
        let always = TEST.get(&code) == ALWAYS && TEST_SWIZZLE.get(&code) == IDENTITY;
        if vector == 0 && (tested_jump || second == scalar::INDIRECT) {
            put(&mut code, &TESTED, u64::from(!always));
        } else if TESTED.get(&code) == 0 && !tested_jump {
            put(&mut code, &TEST, ALWAYS);
            put(&mut code, &TEST_SWIZZLE, IDENTITY);
        }
        code
    }

    fn implicit(_: &Row<NvVertex>) -> Option<u128> {
        None
    }
}
