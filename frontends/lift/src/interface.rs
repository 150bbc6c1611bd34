//! Interface building: attributes, constants, textures, outputs.

use crate::variable::DeferredKind;
use crate::{lifter::Lifter, variable::Deferred};
use parallax_core::{AttrDecl, BankDecl, OpKind, OutputDecl, OutputRole, TexDecl, TexTarget, Type, ValueId};

impl Lifter<'_> {
    /// Adds an attribute; the result is its index.
    pub fn add_attr(&mut self, attr: AttrDecl) -> u16 {
        let attrs = self.b.func.iface.attrs.to_mut();
        attrs.push(attr);
        attrs.len() as u16 - 1
    }

    /// Component `comp` of vector `index` of bank `bank`, not read yet. The bank grows to hold the vector.
    #[inline]
    pub fn constant(&mut self, bank: u16, index: u32, comp: u8) -> Deferred {
        if let Some(decl) = self.b.func.iface.banks.get_mut(usize::from(bank)) {
            decl.len = decl.len.max(index.saturating_add(1));
        }
        Deferred::of(DeferredKind::Const { comp, bank, index })
    }

    /// Component `comp` of vector `base` + `at` of a constant bank, not read yet.
    pub fn constant_at(&mut self, bank: u16, base: i32, comp: u8, at: ValueId) -> Deferred {
        Deferred::of(DeferredKind::At(self.reads.intern(OpKind::ConstAt { bank, base, comp }, at)))
    }

    /// Component `comp` of attribute `base` + `at`, not read yet.
    pub fn attr_at(&mut self, base: i32, comp: u8, at: ValueId) -> Deferred {
        Deferred::of(DeferredKind::At(self.reads.intern(OpKind::AttrAt { base, comp }, at)))
    }

    /// Makes sure bank `bank` exists, with at least `len` vectors; banks below it get `name` of their number.
    pub fn need_bank(&mut self, bank: u16, len: u32, name: impl Fn(u16) -> String) {
        let banks = &mut self.b.func.iface.banks;
        while banks.len() <= usize::from(bank) {
            let next = banks.len() as u16;
            banks.push(BankDecl { name: name(next), len: 0, by_bytes: false });
        }
        let decl = &mut banks[usize::from(bank)];
        decl.len = decl.len.max(len);
    }

    /// Notes that a texture unit is sampled with this shape.
    pub fn need_texture(&mut self, unit: u16, target: TexTarget) {
        let decl = TexDecl { unit, target };
        let textures = &mut self.b.func.iface.textures;
        if !textures.contains(&decl) {
            textures.push(decl);
        }
    }

    /// Adds an output and sets its components, their bits unchanged. Components of undecided type become `default`.
    pub fn output(&mut self, name: impl Into<String>, role: OutputRole, comps: [Option<Deferred>; 4], default: Type) {
        let index = self.b.func.iface.outputs.len() as u16;
        let mut types = [None; 4];
        for (comp, val) in comps.into_iter().enumerate() {
            let Some(val) = val else { continue };
            let ty = self.type_of(val).unwrap_or(default);
            let value = match ty {
                Type::Float(decl) => self.moved(val, decl),
                _ => self.force(val, ty),
            };
            types[comp] = Some(ty);
            self.b.op(OpKind::Out { index, comp: comp as u8 }, None, &[value], &[]);
        }
        self.b.func.iface.outputs.push(OutputDecl { name: name.into(), role, types });
    }
}
