//! SPIR-V modules, binary and assembly: reader, checker, printer, assembler, lifting.
//!
//! [`Module`] cuts words into instructions; [`assemble`] and [`disassemble`] read and print what the Khronos tools call
//! `.spvasm`; [`lift`] turns an entry point into the shared IR. Facts follow the SPIR-V specification 1.6 and the Vulkan
//! specification 1.3.
//!
//! ```
//! use parallax_lift::Options;
//! use parallax_spirv::{assemble, disassemble, lift};
//!
//! let text = "OpCapability Shader\nOpMemoryModel Logical GLSL450\n\
//!             OpEntryPoint Fragment %main \"main\" %color\nOpExecutionMode %main OriginUpperLeft\n\
//!             OpDecorate %color Location 0\n%void = OpTypeVoid\n%function = OpTypeFunction %void\n\
//!             %float = OpTypeFloat 32\n%pointer = OpTypePointer Output %float\n%half = OpConstant %float 0.5\n\
//!             %color = OpVariable %pointer Output\n%main = OpFunction %void None %function\n%first = OpLabel\n\
//!             OpStore %color %half\nOpReturn\nOpFunctionEnd\n";
//! let (module, problems) = assemble(text).module();
//! assert!(problems.is_empty());
//! assert_eq!(assemble(&disassemble(&module)).words, module.words);
//! let shader = lift(&module, &Options::default()).expect("nothing unsupported");
//! assert_eq!(shader.func.iface.outputs[0].name, "out[0]");
//! ```

mod constants;
mod debug;
mod decorations;
mod frontend;
mod grammar;
mod id_map;
mod lift;
mod module;
mod text;
mod types;

pub use debug::SourcePlace;
pub use frontend::FRONTEND;
pub use grammar::{Grammar, opcode_row};
pub use lift::{SETTINGS, lift};
pub use module::{HEADER_WORDS, Instruction, MAGIC, MAX_BOUND, Module, Parts, is_binary, string};
pub use text::{Assembled, assemble, disassemble, instruction_text};
