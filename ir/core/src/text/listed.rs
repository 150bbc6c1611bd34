//! Immediates as a list of words: how the forms that are made of the same ops write them in parentheses.

use super::comp_name;
use crate::{ArrayId, EntityRef, Immediates, OpId, Reduction, Scan, SysVal, TexMode, TexOp, TexTarget};
use parallax_num as num;
use std::fmt::Display;

/// Writes or reads the words of immediates.
pub trait ImmediateWords {
    /// Why it was given up.
    type Stop;
    /// A number.
    fn number<T: Display + Copy + TryFrom<i128>>(&mut self, number: &mut T) -> Result<(), Self::Stop>;
    /// The name of one of these.
    fn name<T: Copy>(
        &mut self,
        value: &mut T,
        all: &[T],
        name: fn(T) -> &'static str,
        what: &str,
    ) -> Result<(), Self::Stop>;
    /// The op a terminator leaves or starts again.
    fn target(&mut self, target: &mut OpId) -> Result<(), Self::Stop>;
    /// What a texture unit does: names of fields, each in front of its value, of those that are not as in `ieee`. The last words.
    fn texture(&mut self, rule: &mut num::TextureRule) -> Result<(), Self::Stop>;
}

/// Immediates as words. Operands that stand between immediates are not among them.
pub struct Listed<W>(pub W);

impl<W: ImmediateWords> Immediates for Listed<W> {
    type Stop = W::Stop;

    fn literal(&mut self, bits: &mut u64) -> Result<(), W::Stop> {
        self.0.number(bits)
    }
    fn bank(&mut self, bank: &mut u16) -> Result<(), W::Stop> {
        self.0.number(bank)
    }
    fn vector(&mut self, index: &mut u32) -> Result<(), W::Stop> {
        self.0.number(index)
    }
    fn index(&mut self, base: &mut i32) -> Result<(), W::Stop> {
        self.0.number(base)
    }
    fn comp(&mut self, comp: &mut u8) -> Result<(), W::Stop> {
        self.0.name(comp, &[0, 1, 2, 3], comp_name, "`x`, `y`, `z` or `w`")
    }
    fn attr(&mut self, index: &mut u16) -> Result<(), W::Stop> {
        self.0.number(index)
    }
    fn attr_at(&mut self, base: &mut i32) -> Result<(), W::Stop> {
        self.0.number(base)
    }
    fn sys(&mut self, value: &mut SysVal) -> Result<(), W::Stop> {
        self.0.name(value, &SysVal::ALL, SysVal::name, "a system value")
    }
    fn mask(&mut self, mask: &mut u8) -> Result<(), W::Stop> {
        self.0.number(mask)
    }
    fn tex(&mut self, tex: &mut TexOp) -> Result<(), W::Stop> {
        self.0.number(&mut tex.unit)?;
        self.0.name(&mut tex.target, &TexTarget::ALL, TexTarget::name, "a texture target")?;
        self.0.name(&mut tex.mode, &TexMode::ALL, TexMode::name, "a texture mode")?;
        let bits = |bits| if bits { "bits" } else { "numbers" };
        self.0.name(&mut tex.bits, &[false, true], bits, "`numbers` or `bits`")?;
        let project = |project| if project { "project" } else { "plain" };
        self.0.name(&mut tex.project, &[false, true], project, "`plain` or `project`")?;
        let moved = |moved| if moved { "moved" } else { "fixed" };
        self.0.name(&mut tex.moved, &[false, true], moved, "`fixed` or `moved`")?;
        let least = |least| if least { "least" } else { "any" };
        self.0.name(&mut tex.least_level, &[false, true], least, "`any` or `least`")?;
        tex.offset.iter_mut().try_for_each(|offset| self.0.number(offset))?;
        self.0.texture(&mut tex.rule)
    }
    fn reduction(&mut self, reduction: &mut Reduction) -> Result<(), W::Stop> {
        self.0.name(&mut reduction.op, &Reduction::OPS, num::Op::name, "an operation that subgroups reduce by")?;
        self.0.name(&mut reduction.scan, &Scan::ALL, Scan::name, "`all`, `inclusive` or `exclusive`")?;
        self.0.number(&mut reduction.cluster)
    }
    fn array(&mut self, array: &mut ArrayId) -> Result<(), W::Stop> {
        let mut number = array.index() as u32;
        self.0.number(&mut number)?;
        *array = ArrayId::new(number as usize);
        Ok(())
    }
    fn buffer(&mut self, buffer: &mut u16) -> Result<(), W::Stop> {
        self.0.number(buffer)
    }
    fn whole_buffer(&mut self, buffer: &mut u16) -> Result<(), W::Stop> {
        self.0.number(buffer)
    }
    fn unit(&mut self, unit: &mut u16) -> Result<(), W::Stop> {
        self.0.number(unit)
    }
    fn output(&mut self, index: &mut u16) -> Result<(), W::Stop> {
        self.0.number(index)
    }
    fn target(&mut self, target: &mut OpId) -> Result<(), W::Stop> {
        self.0.target(target)
    }
}
