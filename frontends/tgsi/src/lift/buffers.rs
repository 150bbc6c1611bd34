//! Buffers of the registers that hold memory: buffers, shared memory, counters, images.

use crate::ast::{DeclDim, Declaration, Program, Resource};
use crate::words::{File, MemoryKind};
use parallax_core::BufferDecl;
use parallax_lift::{Lifter, Options, Setting};
use parallax_text::Diag;
use rustc_hash::{FxHashMap, FxHashSet};

/// How much shared memory a workgroup has. The text leaves it to the caller; the default is what OpenGL 4.3 asks of every
/// implementation (MAX_COMPUTE_SHARED_MEMORY_SIZE).
pub(crate) const SHARED_BYTES: Setting = Setting {
    name: "shared-bytes",
    values: &["32768", "1024", "2048", "4096", "8192", "16384", "49152", "65536"],
    doc: "bytes of each MEMORY register that a workgroup shares; texts do not say how many",
};

/// Buffers by register: file, first index of counters or number.
#[derive(Default)]
pub(crate) struct Memories {
    of_register: FxHashMap<(File, u32), u16>,
    /// What is stored in which buffer, where that is known.
    stored: FxHashSet<(u16, Stored)>,
}

/// A word that is stored.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub(super) enum Stored {
    Float,
    Integer,
    /// As it was loaded from another buffer.
    Of(u16),
}

impl Memories {
    /// Makes the buffers of the declared registers.
    pub(crate) fn new(l: &mut Lifter<'_>, program: &Program, options: &Options, diags: &mut Vec<Diag>) -> Memories {
        let mut memories = Memories::default();
        let bytes: u32 = options.value(&SHARED_BYTES).parse().unwrap_or_default();
        for decl in &program.declarations {
            match decl.file {
                File::Buffer | File::Memory | File::Image => {
                    for index in decl.first..=decl.last {
                        let name = format!("{}[{index}]", decl.file);
                        if let Some(buffer) = declared(program, decl, index, name, bytes, diags) {
                            memories.add(l, decl.file, index, buffer);
                        }
                    }
                }
                File::HwAtomic => {
                    let counters = counters_of(decl);
                    memories.add(l, File::HwAtomic, counters, BufferDecl::new(format!("HWATOMIC[{counters}]")));
                }
                _ => {}
            }
        }
        memories
    }

    /// Makes the buffer of a register, unless it has one.
    pub(super) fn add(&mut self, l: &mut Lifter<'_>, file: File, index: u32, decl: BufferDecl) -> u16 {
        let buffers = &mut l.b.func.iface.buffers;
        *self.of_register.entry((file, index)).or_insert_with(|| {
            buffers.push(decl);
            buffers.len() as u16 - 1
        })
    }

    /// Notes which buffers of the caller hold floats: those in which floats are stored, or words of such buffers, and no
    /// integers.
    pub(super) fn note_floats(&self, buffers: &mut [BufferDecl]) {
        let says = |n: u16, what: Stored| self.stored.contains(&(n, what));
        let mut floats: Vec<bool> = (0..buffers.len() as u16).map(|n| says(n, Stored::Float)).collect();
        let mut changes = true;
        // Each round reaches buffers that take words of those before.
        while changes {
            changes = false;
            for &(n, what) in &self.stored {
                let is_float = match what {
                    Stored::Float => true,
                    Stored::Of(of) => floats[usize::from(of)] && !says(of, Stored::Integer),
                    Stored::Integer => false,
                };
                let known = &mut floats[usize::from(n)];
                changes |= is_float && !*known;
                *known |= is_float;
            }
        }
        for ((n, buffer), floats) in (0..).zip(buffers).zip(floats) {
            buffer.floats |=
                floats && !says(n, Stored::Integer) && buffer.workgroup.is_none() && buffer.image.is_none();
        }
    }

    /// Notes what is stored in a buffer.
    pub(super) fn note(&mut self, buffer: u16, stored: Stored) {
        self.stored.insert((buffer, stored));
    }

    /// The numbers of a file that have buffers, in order.
    pub(super) fn numbers(&self, file: File) -> Vec<u32> {
        let mut numbers: Vec<u32> = self.of_register.keys().filter(|key| key.0 == file).map(|key| key.1).collect();
        numbers.sort_unstable();
        numbers
    }

    /// The buffer of a register.
    pub(super) fn find(&self, file: File, index: u32) -> Option<u16> {
        self.of_register.get(&(file, index)).copied()
    }
}

/// The group of counters that a declaration belongs to.
fn counters_of(decl: &Declaration) -> u32 {
    match decl.dim {
        Some(DeclDim::Number(n)) => n,
        _ => 0,
    }
}

/// The buffer of a declared register; nothing if it is not executed.
fn declared(
    program: &Program,
    decl: &Declaration,
    index: u32,
    name: String,
    bytes: u32,
    diags: &mut Vec<Diag>,
) -> Option<BufferDecl> {
    let plain = BufferDecl::new(name);
    let kind = match &decl.resource {
        Resource::Image { .. } => {
            let image = super::image::declared(program, decl, index, diags)?;
            let floats = ["r32f", "rg32f", "rgba32f"].contains(&image.format.name()) && !image.any_format;
            return Some(BufferDecl { image: Some(image), floats, ..plain });
        }
        Resource::Memory(kind) => *kind,
        _ if decl.file == File::Memory => MemoryKind::Global,
        _ => return Some(plain),
    };
    let why = match kind {
        MemoryKind::Shared => return Some(BufferDecl { workgroup: Some(bytes / 4), ..plain }),
        MemoryKind::Input => return Some(plain),
        MemoryKind::Global => "global memory has raw addresses, and there are none",
        MemoryKind::Private => "nothing says how much private memory there is",
    };
    let message = format!("{}: {why}", plain.name);
    diags.push(Diag::unsupported("tgsi-memory-unsupported", decl.span, message));
    None
}
