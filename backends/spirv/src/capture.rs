//! A vertex module that also stores its outputs, for whoever compares it on a device.
//!
//! Clipping and rasterisation take what a vertex shader gives, and nobody sees it. The module is as it was written, but for stores
//! behind everything else: they load every output variable and put its words into a storage buffer.

use crate::Translation;
use parallax_core::{OutputRole, Stage};
use rspirv::binary::Assemble;
use rspirv::dr::{Builder, Error, Operand, load_words};
use rspirv::spirv::{BuiltIn, Decoration, StorageClass, Word};

/// Words that a vertex stores for each output of the interface, in their order.
pub const PER_OUTPUT: usize = 4;

/// Descriptor set and binding of the storage buffer. Vertex n stores from word `n * PER_OUTPUT * outputs` on.
pub const CAPTURED: (u32, u32) = (3, 0);

/// The module of a vertex shader with stores of its outputs behind it; the words that an output does not have stay as they are.
///
/// # Errors
/// A module of another stage, or one that this crate did not write.
pub fn captured(translation: &Translation) -> Result<Vec<u32>, String> {
    if translation.interface.stage != Stage::Vertex {
        return Err("only vertex shaders have outputs that nobody sees".to_string());
    }
    let module = load_words(&translation.words).map_err(|error| error.to_string())?;
    let mut builder = Builder::new_from_module(module);
    add_stores(&mut builder, translation).map_err(|error| format!("the module is not as it was written: {error:?}"))?;
    Ok(builder.module().assemble())
}

/// The variable that is decorated so, of a storage class.
fn decorated(builder: &Builder, class: StorageClass, decoration: Decoration, value: &Operand) -> Option<Word> {
    let module = builder.module_ref();
    let is_variable = |id: Word| {
        let mut globals = module.types_global_values.iter();
        globals.any(|global| {
            global.result_id == Some(id) && global.operands.first() == Some(&Operand::StorageClass(class))
        })
    };
    let wanted = Operand::Decoration(decoration);
    module.annotations.iter().find_map(|annotation| match &annotation.operands[..] {
        [Operand::IdRef(id), found, of] if *found == wanted && of == value && is_variable(*id) => Some(*id),
        _ => None,
    })
}

fn add_stores(b: &mut Builder, translation: &Translation) -> Result<(), Error> {
    let (word, float) = (b.type_int(32, 0), b.type_float(32, None));
    let (list, block) = (b.id(), b.id());
    b.type_runtime_array_id(Some(list), word);
    b.decorate(list, Decoration::ArrayStride, [Operand::LiteralBit32(4)]);
    b.type_struct_id(Some(block), [list]);
    b.decorate(block, Decoration::Block, []);
    b.member_decorate(block, 0, Decoration::Offset, [Operand::LiteralBit32(0)]);
    let pointer = b.type_pointer(None, StorageClass::StorageBuffer, block);
    let buffer = b.variable(pointer, None, StorageClass::StorageBuffer, None);
    let (set, binding) = CAPTURED;
    b.decorate(buffer, Decoration::DescriptorSet, [Operand::LiteralBit32(set)]);
    b.decorate(buffer, Decoration::Binding, [Operand::LiteralBit32(binding)]);
    let to_word = b.type_pointer(None, StorageClass::StorageBuffer, word);
    let to_float = b.type_pointer(None, StorageClass::Output, float);

    let number = Operand::BuiltIn(BuiltIn::VertexIndex);
    let vertex = match decorated(b, StorageClass::Input, Decoration::BuiltIn, &number) {
        Some(known) => known,
        None => {
            let pointer = b.type_pointer(None, StorageClass::Input, word);
            let variable = b.variable(pointer, None, StorageClass::Input, None);
            b.decorate(variable, Decoration::BuiltIn, [number]);
            if let Some(entry) = b.module_mut().entry_points.first_mut() {
                entry.operands.push(Operand::IdRef(variable));
            }
            variable
        }
    };
    // The entry point is the last function, and ends in its last block.
    let functions = &b.module_ref().functions;
    let (last, blocks) =
        (functions.len().wrapping_sub(1), functions.last().map_or(0, |function| function.blocks.len()));
    b.select_function(Some(last))?;
    b.select_block(Some(blocks.wrapping_sub(1)))?;
    b.pop_instruction()?;
    let outputs = &translation.interface.outputs;
    let stride = b.constant_bit32(word, (PER_OUTPUT * outputs.len()) as u32);
    let vertex = b.load(word, None, vertex, None, [])?;
    let first = b.i_mul(word, None, vertex, stride)?;
    for (n, output) in outputs.iter().enumerate() {
        let built_in = |built_in| (Decoration::BuiltIn, Operand::BuiltIn(built_in));
        let ((decoration, value), base, count) = match (output.role, output.location) {
            (_, Some(location)) => ((Decoration::Location, Operand::LiteralBit32(location)), Some(0), PER_OUTPUT),
            (OutputRole::PointSize, _) => (built_in(BuiltIn::PointSize), None, 1),
            (OutputRole::ClipDistance(first), _) => {
                let count = usize::from(output.comps).min(PER_OUTPUT);
                (built_in(BuiltIn::ClipDistance), Some(u32::from(first)), count)
            }
            _ => (built_in(BuiltIn::Position), Some(0), PER_OUTPUT),
        };
        let Some(variable) = decorated(b, StorageClass::Output, decoration, &value) else { continue };
        for comp in 0..count {
            let from = match base {
                Some(base) => {
                    let place = b.constant_bit32(word, base + comp as u32);
                    b.access_chain(to_float, None, variable, [place])?
                }
                None => variable,
            };
            let value = b.load(float, None, from, None, [])?;
            let value = b.bitcast(word, None, value)?;
            let place = b.constant_bit32(word, (PER_OUTPUT * n + comp) as u32);
            let place = b.i_add(word, None, first, place)?;
            let zero = b.constant_bit32(word, 0);
            let to = b.access_chain(to_word, None, buffer, [zero, place])?;
            b.store(to, value, None, [])?;
        }
    }
    b.ret()
}
