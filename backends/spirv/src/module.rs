//! A module in the making: its sections, ids, types and constants.

use rspirv::spirv::{
    AddressingModel, BuiltIn, Capability, Decoration, ExecutionMode, ExecutionModel, MemoryModel, Op, StorageClass,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// An id of the module.
pub(crate) type Id = u32;

/// The header's number of SPIR-V 1.3, which Vulkan 1.1 reads.
const VERSION: u32 = 0x0001_0300;
/// The header's magic number.
const MAGIC: u32 = 0x0723_0203;
/// The least number of ids that an implementation has to accept as a bound.
const MOST_IDS: u32 = 4_194_303;

/// Instructions of a section, as words.
#[derive(Clone, Debug, Default)]
pub(crate) struct Section(Vec<u32>);

impl Section {
    /// Adds an instruction.
    pub(crate) fn op(&mut self, op: Op, operands: &[u32]) {
        self.0.push((operands.len() as u32 + 1) << 16 | op as u32);
        self.0.extend_from_slice(operands);
    }

    /// Adds all instructions of another.
    pub(crate) fn append(&mut self, other: &Section) {
        self.0.extend_from_slice(&other.0);
    }

    /// Number of words.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}

/// A text as words: UTF-8 with a zero behind it.
fn literal(text: &str) -> Vec<u32> {
    let mut bytes = text.as_bytes().to_vec();
    bytes.resize((bytes.len() / 4 + 1) * 4, 0);
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect()
}

/// A module in the making.
#[derive(Debug, Default)]
pub(crate) struct Module {
    last: Id,
    capabilities: Vec<Capability>,
    extensions: Section,
    extended: Option<Id>,
    modes: Section,
    names: Section,
    remarks: Section,
    decorations: Section,
    globals: Section,
    functions: Section,
    known: FxHashMap<(Op, Vec<u32>), Id>,
    laid_out: FxHashSet<Id>,
    interface: Vec<Id>,
}

impl Module {
    /// A new id.
    pub(crate) fn id(&mut self) -> Id {
        self.last += 1;
        self.last
    }

    /// Whether there are more ids than every implementation accepts.
    pub(crate) fn is_too_long(&self) -> bool {
        self.last >= MOST_IDS
    }

    pub(crate) fn capability(&mut self, capability: Capability) {
        if !self.capabilities.contains(&capability) {
            self.capabilities.push(capability);
        }
    }

    pub(crate) fn extension(&mut self, name: &str) {
        self.extensions.op(Op::Extension, &literal(name));
    }

    /// A remark on how the module was made.
    pub(crate) fn processed(&mut self, remark: &str) {
        self.remarks.op(Op::ModuleProcessed, &literal(remark));
    }

    /// The instructions of `GLSL.std.450`.
    pub(crate) fn extended(&mut self) -> Id {
        match self.extended {
            Some(id) => id,
            None => {
                let id = self.id();
                self.extended = Some(id);
                id
            }
        }
    }

    pub(crate) fn name(&mut self, id: Id, name: &str) {
        let mut operands = vec![id];
        operands.extend(literal(name));
        self.names.op(Op::Name, &operands);
    }

    pub(crate) fn member_name(&mut self, ty: Id, member: u32, name: &str) {
        let mut operands = vec![ty, member];
        operands.extend(literal(name));
        self.names.op(Op::MemberName, &operands);
    }

    pub(crate) fn decorate(&mut self, id: Id, decoration: Decoration, literals: &[u32]) {
        let operands = [&[id, decoration as u32], literals].concat();
        self.decorations.op(Op::Decorate, &operands);
    }

    pub(crate) fn decorate_member(&mut self, ty: Id, member: u32, decoration: Decoration, literals: &[u32]) {
        let operands = [&[ty, member, decoration as u32], literals].concat();
        self.decorations.op(Op::MemberDecorate, &operands);
    }

    pub(crate) fn built_in(&mut self, id: Id, built_in: BuiltIn) {
        self.decorate(id, Decoration::BuiltIn, &[built_in as u32]);
    }

    pub(crate) fn mode(&mut self, function: Id, mode: ExecutionMode, literals: &[u32]) {
        let operands = [&[function, mode as u32], literals].concat();
        self.modes.op(Op::ExecutionMode, &operands);
    }

    // ---- types and constants, each made once ----

    /// A type.
    pub(crate) fn ty(&mut self, op: Op, operands: &[u32]) -> Id {
        if let Some(&known) = self.known.get(&(op, operands.to_vec())) {
            return known;
        }
        let id = self.id();
        self.globals.op(op, &[&[id], operands].concat());
        self.known.insert((op, operands.to_vec()), id);
        id
    }

    pub(crate) fn void(&mut self) -> Id {
        self.ty(Op::TypeVoid, &[])
    }

    pub(crate) fn bool(&mut self) -> Id {
        self.ty(Op::TypeBool, &[])
    }

    pub(crate) fn word(&mut self) -> Id {
        self.ty(Op::TypeInt, &[32, 0])
    }

    pub(crate) fn signed(&mut self) -> Id {
        self.ty(Op::TypeInt, &[32, 1])
    }

    pub(crate) fn float(&mut self) -> Id {
        self.ty(Op::TypeFloat, &[32])
    }

    pub(crate) fn vector(&mut self, of: Id, count: u32) -> Id {
        self.ty(Op::TypeVector, &[of, count])
    }

    pub(crate) fn pointer(&mut self, class: StorageClass, to: Id) -> Id {
        self.ty(Op::TypePointer, &[class as u32, to])
    }

    /// An array whose elements lie one after the other, in a block or not.
    pub(crate) fn array(&mut self, of: Id, count: u32, stride: Option<u32>) -> Id {
        let count = self.constant(count);
        let Some(stride) = stride else { return self.ty(Op::TypeArray, &[of, count]) };
        let id = self.id();
        self.globals.op(Op::TypeArray, &[id, of, count]);
        self.decorate(id, Decoration::ArrayStride, &[stride]);
        id
    }

    /// A list of words that is as long as its buffer.
    pub(crate) fn list(&mut self) -> Id {
        let (word, before) = (self.word(), self.last);
        let id = self.ty(Op::TypeRuntimeArray, &[word]);
        if id > before {
            self.decorate(id, Decoration::ArrayStride, &[4]);
        }
        id
    }

    /// A structure of its own, that is not shared with others like it.
    pub(crate) fn structure(&mut self, members: &[Id]) -> Id {
        let id = self.id();
        self.globals.op(Op::TypeStruct, &[&[id], members].concat());
        self.laid_out.insert(id);
        id
    }

    fn value(&mut self, op: Op, ty: Id, operands: &[u32]) -> Id {
        let key = (op, [&[ty], operands].concat());
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let id = self.id();
        self.globals.op(op, &[&[ty, id], operands].concat());
        self.known.insert(key, id);
        id
    }

    /// A word.
    pub(crate) fn constant(&mut self, word: u32) -> Id {
        let ty = self.word();
        self.value(Op::Constant, ty, &[word])
    }

    /// A signed number.
    pub(crate) fn signed_constant(&mut self, v: i32) -> Id {
        let ty = self.signed();
        self.value(Op::Constant, ty, &[v as u32])
    }

    pub(crate) fn truth(&mut self, v: bool) -> Id {
        let ty = self.bool();
        self.value(if v { Op::ConstantTrue } else { Op::ConstantFalse }, ty, &[])
    }

    pub(crate) fn composite(&mut self, ty: Id, members: &[Id]) -> Id {
        self.value(Op::ConstantComposite, ty, members)
    }

    /// A variable outside of functions; `class` and `ty` are those of the pointer.
    pub(crate) fn variable(&mut self, class: StorageClass, ty: Id, first: Option<Id>) -> Id {
        let pointer = self.pointer(class, ty);
        let id = self.id();
        let mut operands = vec![pointer, id, class as u32];
        operands.extend(first);
        self.globals.op(Op::Variable, &operands);
        // Until SPIR-V 1.4 only inputs and outputs are listed.
        if matches!(class, StorageClass::Input | StorageClass::Output) {
            self.interface.push(id);
        }
        id
    }

    /// Adds a finished function.
    pub(crate) fn function(&mut self, code: &Section) {
        self.functions.append(code);
    }

    /// The words of the module.
    pub(crate) fn finish(self, model: ExecutionModel, main: Id, name: &str) -> Vec<u32> {
        let mut head = Section::default();
        for &capability in &self.capabilities {
            head.op(Op::Capability, &[capability as u32]);
        }
        head.append(&self.extensions);
        if let Some(extended) = self.extended {
            head.op(Op::ExtInstImport, &[&[extended], &literal("GLSL.std.450")[..]].concat());
        }
        head.op(Op::MemoryModel, &[AddressingModel::Logical as u32, MemoryModel::GLSL450 as u32]);
        head.op(Op::EntryPoint, &[&[model as u32, main], &literal(name)[..], &self.interface].concat());
        let mut words = vec![MAGIC, VERSION, 0, self.last + 1, 0];
        for section in [head, self.modes, self.names, self.remarks, self.decorations, self.globals, self.functions] {
            words.extend(section.0);
        }
        words
    }
}
