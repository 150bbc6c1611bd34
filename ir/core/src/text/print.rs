//! From shader to text.

use super::{CODES, INTERPS, LOCATIONS, comp_name, number, word_of};
use crate::op::Immediates;
use crate::verify::{MAX_DEPTH, State};
use crate::{
    ArrayId, AttrSemantic, Bound, EntityRef, Func, ImageDecl, OpData, OpId, OpKind, OutputRole, Reduction, RegionId,
    SecondaryMap, Shader, SysVal, TexOp, Type, ValueId,
};
use parallax_text::quote;
use std::convert::Infallible;
use std::fmt::Write;

/// A number not given yet.
const UNNUMBERED: u32 = u32::MAX;

/// Prints a shader. Any shader prints, also one the verifier refuses; names of what does not exist end in `?`.
pub fn print<S: State>(shader: &Shader<S>) -> String {
    let mut printer = Printer::new(&shader.func, shader.state.bound());
    printer.shader();
    printer.out
}

/// Prints a shader with a remark behind every op that has one. Values have their ids, so that texts of a shader before and after a
/// change name them alike.
pub fn print_with_notes<S: State>(shader: &Shader<S>, note: &dyn Fn(OpId) -> Option<String>) -> String {
    let mut printer = Printer::new(&shader.func, shader.state.bound());
    printer.by_id = true;
    printer.note = Some(note);
    printer.shader();
    printer.out
}

/// Prints one op without its regions, on one line, naming values and labels by their ids. For messages and listings.
pub fn print_op<S: State>(shader: &Shader<S>, op: OpId) -> String {
    let mut printer = Printer::new(&shader.func, shader.state.bound());
    printer.by_id = true;
    printer.head(op);
    printer.out
}

struct Printer<'a> {
    func: &'a Func,
    bound: Option<&'a Bound>,
    out: String,
    depth: usize,
    values: SecondaryMap<ValueId, u32>,
    labels: SecondaryMap<OpId, u32>,
    value_count: u32,
    label_count: u32,
    seen: SecondaryMap<RegionId, bool>,
    /// Print ids instead of numbers in order of appearance.
    by_id: bool,
    /// Remarks behind ops.
    note: Option<&'a dyn Fn(OpId) -> Option<String>>,
}

impl<'a> Printer<'a> {
    fn new(func: &'a Func, bound: Option<&'a Bound>) -> Self {
        Printer {
            func,
            bound,
            out: String::new(),
            depth: 0,
            values: SecondaryMap::with_default(UNNUMBERED),
            labels: SecondaryMap::with_default(UNNUMBERED),
            value_count: 0,
            label_count: 0,
            seen: SecondaryMap::default(),
            by_id: false,
            note: None,
        }
    }

    /// Appends formatted text.
    fn put(&mut self, text: impl std::fmt::Display) {
        // Writing to a string cannot fail.
        let _ = write!(self.out, "{text}");
    }

    fn line(&mut self, text: impl std::fmt::Display) {
        self.indent();
        self.put(text);
        self.out.push('\n');
    }

    fn indent(&mut self) {
        for _ in 0..self.depth {
            self.out.push_str("  ");
        }
    }

    fn shader(&mut self) {
        let func = self.func;
        let (name, isa) = (quote(&func.name, &[]), quote(&func.isa, &[]));
        let uncompiled = if func.uncompiled { " uncompiled" } else { "" };
        self.line(format_args!("shader {name} stage({}) from({isa}){uncompiled} {{", func.iface.stage.name()));
        self.depth = 1;
        if let Some(bound) = self.bound {
            self.line(format_args!("bind {}", quote(&bound.model, &[])));
        }
        self.interface();
        for (id, slot) in func.slots.iter() {
            self.line(format_args!("slot {id} = {slot}"));
        }
        for (id, array) in func.arrays.iter() {
            self.line(format_args!("array {id} {} {} len({})", quote(&array.name, &[]), array.ty, array.len));
        }
        for (id, source) in func.sources.iter() {
            let text = quote(source.text, &[]);
            self.line(format_args!("source {id} line({}) offset({}) {text}", source.line, source.offset));
        }
        self.region(func.body);
        self.depth = 0;
        self.line("}");
    }

    fn interface(&mut self) {
        let iface = &self.func.iface;
        if let [x, y, z] = iface.workgroup
            && iface.workgroup != [1; 3]
        {
            self.line(format_args!("workgroup {x} {y} {z}"));
        }
        if let Some(subgroup) = iface.subgroup {
            self.line(format_args!("subgroup {}", subgroup.name()));
        }
        if iface.in_subgroups {
            self.line(format_args!("subgroups"));
        }
        for (n, attr) in iface.attrs.iter().enumerate() {
            let semantic = match attr.semantic {
                AttrSemantic::Position => "position".into(),
                AttrSemantic::Color(n) => format!("color({n})"),
                AttrSemantic::Fog => "fog".into(),
                AttrSemantic::TexCoord(n) => format!("texcoord({n})"),
                AttrSemantic::Generic(n) => format!("generic({n})"),
                AttrSemantic::Face => "face".into(),
                AttrSemantic::PointCoord => "point_coord".into(),
                AttrSemantic::Preset => "preset".to_string(),
            };
            let (interp, location) = (word_of(INTERPS, &attr.interp), word_of(LOCATIONS, &attr.location));
            let mediump = if attr.mediump { " mediump" } else { "" };
            self.line(format_args!("attr {n} {} {semantic} {interp} {location}{mediump}", quote(&attr.name, &[])));
        }
        for (n, bank) in iface.banks.iter().enumerate() {
            let bytes = if bank.by_bytes { " bytes" } else { "" };
            self.line(format_args!("bank {n} {} len({}){bytes}", quote(&bank.name, &[]), bank.len));
        }
        for constant in &iface.constants {
            let value = constant.default.map(|words| words.map(|word| format!(" {word:#010x}")).concat());
            let value = value.map_or(String::new(), |words| format!(" ={words}"));
            let name = quote(&constant.name, &[]);
            let comp = if constant.comp == 0 { String::new() } else { format!(" comp({})", constant.comp) };
            let (bank, index) = (constant.bank, constant.index);
            let ty = match (constant.ty, constant.count) {
                (Type::F32, 4) => String::new(),
                (ty, count) => format!(" {} count({count})", ty.name()),
            };
            self.line(format_args!("constant {name} bank({bank}) index({index}){comp}{ty}{value}"));
        }
        for tex in &iface.textures {
            self.line(format_args!("texture {} {}", tex.unit, tex.target.name()));
        }
        for (n, out) in iface.outputs.iter().enumerate() {
            let role = match out.role {
                OutputRole::Color(n) => format!("color({n})"),
                OutputRole::Depth => "depth".into(),
                OutputRole::SampleDepth(n) => format!("sample_depth({n})"),
                OutputRole::SampleMask => "sample_mask".into(),
                OutputRole::Stencil => "stencil".into(),
                OutputRole::Position => "position".into(),
                OutputRole::FrontColor(n) => format!("front_color({n})"),
                OutputRole::Fog => "fog".into(),
                OutputRole::TexCoord(n) => format!("texcoord({n})"),
                OutputRole::Generic(n) => format!("generic({n})"),
                OutputRole::PointSize => "point_size".into(),
                OutputRole::ClipDistance(n) => format!("clip_distance({n})"),
                OutputRole::FixedFunction(n) => format!("fixed_function({n})"),
                OutputRole::Watch => "watch".to_string(),
            };
            let types = out.types.map(|ty| ty.map_or("-", Type::name)).join(" ");
            self.line(format_args!("output {n} {} {role} {types}", quote(&out.name, &[])));
        }
        for (n, buffer) in iface.buffers.iter().enumerate() {
            let words = buffer.workgroup.map_or(String::new(), |words| format!(" workgroup({words})"));
            let image = buffer.image.map_or(String::new(), |ImageDecl { shape, format, any_format }| {
                let any = if any_format { " any" } else { "" };
                format!(" image {} {}{any}", shape.name(), format.name())
            });
            let floats = if buffer.floats { " floats" } else { "" };
            self.line(format_args!("buffer {n} {}{words}{floats}{image}", quote(&buffer.name, &[])));
        }
        for unit in &iface.units {
            self.line(format_args!("unit {} {}", unit.unit, quote(&unit.name, &[])));
        }
        for alias in &iface.aliases {
            self.line(format_args!("alias {} {}", quote(&alias.name, &[]), quote(&alias.of, &[])));
        }
    }

    fn region(&mut self, region: RegionId) {
        let Some(data) = self.func.regions.get(region) else {
            return self.line(format_args!("{region}?"));
        };
        if self.depth > MAX_DEPTH + 1 || std::mem::replace(&mut self.seen[region], true) {
            return self.line(format_args!("{region}?"));
        }
        for &op in &data.ops {
            self.op(op);
        }
    }

    fn op(&mut self, op: OpId) {
        self.indent();
        self.head(op);
        let Some(data) = self.func.ops.get(op) else {
            self.out.push('\n');
            return;
        };
        let note = self.note.and_then(|note| note(op)).map(|note| format!(" ; {note}")).unwrap_or_default();
        if data.regions.is_empty() {
            self.put(format_args!("{note}\n"));
            return;
        }
        for (n, &region) in data.regions.iter().enumerate() {
            self.out.push_str(if n == 0 { " {\n" } else { " else {\n" });
            self.depth += 1;
            self.region(region);
            self.depth -= 1;
            self.indent();
            self.out.push('}');
        }
        self.put(format_args!("{note}\n"));
    }

    /// Everything of an op but its regions.
    fn head(&mut self, op: OpId) {
        let func = self.func;
        let Some(data) = func.ops.get(op) else {
            return self.put(format_args!("{op}?"));
        };
        let slot = data.slot.and_then(|s| func.slots.get(s)).map(|s| s.decl);
        let mut shown = false;
        for (n, &result) in data.results.iter().enumerate() {
            if n > 0 {
                self.out.push_str(", ");
            }
            self.define(result);
            let ty = func.values.get(result).map(|v| v.ty);
            match (data.slot, ty) {
                (Some(id), Some(Type::Float(decl))) if slot == Some(decl) => {
                    shown = true;
                    self.put(format_args!(": {id}"));
                }
                _ => self.put(format_args!(": {}", ty.map_or("?", Type::name))),
            }
        }
        if !data.results.is_empty() {
            self.out.push_str(" = ");
        }
        self.put(data.kind);
        self.operands(op, data.kind);
        if let Some(id) = data.slot.filter(|_| !shown) {
            self.put(format_args!(" under {id}"));
        }
        for origin in &data.origins {
            self.put(format_args!(" {origin}"));
        }
    }

    fn operands(&mut self, op: OpId, mut kind: OpKind) {
        let data = &self.func.ops[op];
        let mut immediates = ImmediatePrinter { printer: self, data, rest: &data.args, comma: false };
        let Ok(()) = kind.immediates(&mut immediates);
        let ImmediatePrinter { mut rest, comma, .. } = immediates;
        if comma && !rest.is_empty() {
            self.out.push(',');
        }
        match kind {
            OpKind::Loop => {
                let body = self.func.ops[op].regions.first().and_then(|&body| self.func.regions.get(body));
                if let Some(cost) = body.map(|body| body.cost).filter(|&cost| cost > 0) {
                    self.put(format_args!(" cost({cost})"));
                }
                self.out.push(' ');
                self.define_label(op);
                rest = self.params(op, rest);
            }
            OpKind::Block => {
                self.out.push(' ');
                self.define_label(op);
            }
            _ => {}
        }
        let initial = if data.regions.is_empty() { &[] } else { data.initial() };
        let (plain, initial) = rest.split_at(rest.len().saturating_sub(initial.len()));
        for (n, &value) in plain.iter().enumerate() {
            self.out.push_str(if n == 0 { " " } else { ", " });
            self.value(value);
        }
        for (n, &value) in initial.iter().enumerate() {
            self.out.push_str(if n == 0 { " initial(" } else { ", " });
            self.value(value);
        }
        if !initial.is_empty() {
            self.out.push(')');
        }
    }

    /// Parameters of a loop with their first values; gives operands without parameter.
    fn params(&mut self, op: OpId, args: &'a [ValueId]) -> &'a [ValueId] {
        let func = self.func;
        let region = func.ops[op].regions.first().and_then(|&r| func.regions.get(r));
        let params: &[ValueId] = region.map_or(&[], |r| &r.params);
        if params.is_empty() {
            return args;
        }
        self.out.push_str(" (");
        for (n, &param) in params.iter().enumerate() {
            if n > 0 {
                self.out.push_str(", ");
            }
            self.define(param);
            let ty = func.values.get(param).map_or("?", |v| v.ty.name());
            self.put(format_args!(": {ty} = "));
            match args.get(n) {
                Some(&arg) => self.value(arg),
                None => self.out.push('?'),
            }
        }
        self.out.push(')');
        args.get(params.len()..).unwrap_or(&[])
    }

    fn index(&mut self, value: Option<ValueId>, base: i32) {
        match value {
            Some(value) => self.value(value),
            None => self.out.push('?'),
        }
        match base {
            0 => {}
            b if b > 0 => self.put(format_args!(" + {b}")),
            b => self.put(format_args!(" - {}", b.unsigned_abs())),
        }
    }

    fn literal(&mut self, bits: u64, result: Option<ValueId>) {
        let ty = result.and_then(|r| self.func.values.get(r)).map(|v| v.ty);
        match ty {
            Some(Type::Float(decl)) if self.bound.is_none() => {
                let text = number::print_float(decl, bits);
                self.put(format_args!(" {text}"));
            }
            Some(Type::Pred) if bits <= 1 => self.put(if bits == 1 { " true" } else { " false" }),
            Some(Type::Cc) if bits <= 3 => self.put(format_args!(" {}", word_of(CODES, &bits))),
            Some(Type::I16 | Type::I32 | Type::I64) if bits < 0x1_0000 => self.put(format_args!(" {bits}")),
            _ => self.put(format_args!(" {bits:#x}")),
        }
    }

    /// Numbers a value and prints it.
    fn define(&mut self, value: ValueId) {
        if !self.by_id && self.func.values.get(value).is_some() && self.values[value] == UNNUMBERED {
            self.values[value] = self.value_count;
            self.value_count += 1;
        }
        self.value(value);
    }

    fn value(&mut self, value: ValueId) {
        if self.by_id {
            return self.put(value);
        }
        match self.values[value] {
            UNNUMBERED => self.put(format_args!("{value}?")),
            n => self.put(format_args!("{}", ValueId::new(n as usize))),
        }
    }

    fn define_label(&mut self, op: OpId) {
        if !self.by_id && self.labels[op] == UNNUMBERED {
            self.labels[op] = self.label_count;
            self.label_count += 1;
        }
        self.label(op);
    }

    fn label(&mut self, op: OpId) {
        if self.by_id {
            return self.put(op);
        }
        match self.labels[op] {
            UNNUMBERED => self.put(format_args!("{op}?")),
            n => self.put(format_args!("{}", OpId::new(n as usize))),
        }
    }
}

/// Prints immediates and the operands that stand between them.
struct ImmediatePrinter<'p, 'a> {
    printer: &'p mut Printer<'a>,
    data: &'a OpData,
    /// Operands not printed yet.
    rest: &'a [ValueId],
    /// Whether a comma separates what was printed from the other operands.
    comma: bool,
}

impl ImmediatePrinter<'_, '_> {
    /// Prints one that is set off from operands by a comma.
    fn put(&mut self, text: impl std::fmt::Display) -> Result<(), Infallible> {
        self.printer.put(text);
        self.comma = true;
        Ok(())
    }

    /// The next operand, what is added to it, and a bracket.
    fn indexed(&mut self, base: i32) -> Result<(), Infallible> {
        let index = self.rest.split_first().map(|(&value, others)| {
            self.rest = others;
            value
        });
        self.printer.index(index, base);
        self.put(']')
    }
}

impl Immediates for ImmediatePrinter<'_, '_> {
    type Stop = Infallible;

    fn literal(&mut self, bits: &mut u64) -> Result<(), Infallible> {
        self.printer.literal(*bits, self.data.results.first().copied());
        Ok(())
    }

    fn bank(&mut self, bank: &mut u16) -> Result<(), Infallible> {
        self.put(format_args!(" c{bank}["))
    }

    fn vector(&mut self, index: &mut u32) -> Result<(), Infallible> {
        self.put(format_args!("{index}]"))
    }

    fn index(&mut self, base: &mut i32) -> Result<(), Infallible> {
        self.indexed(*base)
    }

    fn comp(&mut self, comp: &mut u8) -> Result<(), Infallible> {
        self.put(format_args!(".{}", comp_name(*comp)))
    }

    fn attr(&mut self, index: &mut u16) -> Result<(), Infallible> {
        self.put(format_args!(" in{index}"))
    }

    fn attr_at(&mut self, base: &mut i32) -> Result<(), Infallible> {
        self.put(" in[")?;
        self.indexed(*base)
    }

    fn sys(&mut self, value: &mut SysVal) -> Result<(), Infallible> {
        self.put(format_args!(" {}", value.name()))
    }

    fn mask(&mut self, mask: &mut u8) -> Result<(), Infallible> {
        self.put(format_args!(" {mask}"))
    }

    fn reduction(&mut self, reduction: &mut Reduction) -> Result<(), Infallible> {
        let Reduction { op, scan, cluster } = reduction;
        self.put(format_args!(" {} {} {cluster}", op.name(), scan.name()))
    }

    fn tex(&mut self, tex: &mut TexOp) -> Result<(), Infallible> {
        let printer = &mut self.printer;
        printer.put(format_args!(" {} {} unit({})", tex.mode.name(), tex.target.name(), tex.unit));
        if tex.project {
            printer.put(" project");
        }
        if tex.bits {
            printer.put(" bits");
        }
        if tex.offset != [0; 3] {
            let [x, y, z] = tex.offset;
            printer.put(format_args!(" offset({x}, {y}, {z})"));
        }
        if tex.moved {
            printer.put(" moved");
        }
        if tex.least_level {
            printer.put(" least");
        }
        Ok(())
    }

    fn array(&mut self, array: &mut ArrayId) -> Result<(), Infallible> {
        self.put(format_args!(" {array}["))?;
        self.indexed(0)
    }

    fn buffer(&mut self, buffer: &mut u16) -> Result<(), Infallible> {
        self.put(format_args!(" b{buffer}["))?;
        self.indexed(0)
    }

    fn whole_buffer(&mut self, buffer: &mut u16) -> Result<(), Infallible> {
        self.put(format_args!(" b{buffer}"))
    }

    fn unit(&mut self, unit: &mut u16) -> Result<(), Infallible> {
        self.put(format_args!(" unit({unit})"))
    }

    fn output(&mut self, index: &mut u16) -> Result<(), Infallible> {
        self.put(format_args!(" o{index}"))
    }

    fn target(&mut self, target: &mut OpId) -> Result<(), Infallible> {
        self.printer.out.push(' ');
        self.printer.label(*target);
        Ok(())
    }
}
