//! Reads lane form.

use crate::ReadError;
use crate::steps::{call, kind};
use crate::words::{Expected, direction_and_flush, string, ty, word};
use parallax_core::SysVal;
use parallax_lane::{Class, Function, Label, Op, Part, Reg, RegData, Site, SiteKind, Source, Stream};
use parallax_num::{Model, Slot};
use parallax_step::{Call, Immediate, Mode, Prim, Ty};
use rustc_hash::{FxHashMap, FxHashSet};

/// Reads what [`parallax_lane::print()`] prints, without places; `models` finds a model by its label. Registers are numbered in the order in
/// which code names them, as [`parallax_lane::lower()`] does; ops of step form that instructions come from are not in the text. The
/// result is not verified.
///
/// # Errors
/// The first line that cannot be read.
pub fn read(source: &str, models: &dyn Fn(&str) -> Option<Model>) -> Result<Function, ReadError> {
    let mut reader: Option<(Reader, Model)> = None;
    let mut last = 1;
    for (n, line) in source.lines().enumerate() {
        last = n + 1;
        let text = line.trim();
        let at = |message: String| ReadError { line: n + 1, message };
        match &mut reader {
            _ if text.is_empty() => {}
            None => {
                let made = Reader::head(text).map_err(at)?;
                let label = &made.made.model;
                let model = models(label).ok_or_else(|| at(format!("unknown model `{label}`")))?;
                reader = Some((made, model));
            }
            Some((reader, model)) => reader.line(text, model).map_err(at)?,
        }
    }
    let end = |message: &str| ReadError { line: last, message: message.to_string() };
    let (mut reader, _) = reader.ok_or_else(|| end("expected `lanes`"))?;
    if reader.inside != Inside::End {
        return Err(end("expected `}` of the body"));
    }
    reader.finish().map_err(|message| end(&message))?;
    Ok(reader.made)
}

/// Which part of the text a line is of.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Inside {
    Head,
    Prologue,
    Body,
    End,
}

struct Reader {
    made: Function,
    regs: FxHashMap<String, Reg>,
    inside: Inside,
    /// Labels that stand somewhere, and those that are jumped to.
    placed: FxHashSet<Label>,
    calls: FxHashMap<Call, u32>,
    aimed: Vec<Label>,
}

/// What never changes, by its spelling; `None`: a register of the code.
fn source(text: &str) -> Expected<Option<Source>> {
    let digits = |digits: &str| u64::from_str_radix(digits, 16).map_err(|_| format!("expected bits, found `{text}`"));
    Ok(Some(if text == "quadlane" {
        Source::QuadLane
    } else if text == "pixel.y" {
        Source::PixelY
    } else if let Some(bits) = text.strip_prefix("0x") {
        match bits.len() {
            8 => Source::Bits32(digits(bits)? as u32),
            16 => Source::Bits64(digits(bits)?),
            _ => return Err(format!("expected 8 or 16 digits, found `{text}`")),
        }
    } else if let Some(n) = text.strip_prefix("uniform") {
        Source::Uniform(number(n)?)
    } else if let Some(n) = text.strip_prefix("keptmask") {
        Source::KeptMask(number(n)?)
    } else if let Some(n) = text.strip_prefix("kept") {
        Source::KeptVector(number(n)?)
    } else {
        return Ok(None);
    }))
}

fn label(text: &str) -> Expected<Label> {
    let digits = text.strip_prefix('L').ok_or_else(|| format!("expected a label, found `{text}`"))?;
    let label: Label = number(digits)?;
    if label > 1 << 24 { Err(format!("labels go to {}, found `{text}`", 1 << 24)) } else { Ok(label) }
}

/// `a.b` as `a * 4 + b`.
fn component(text: &str) -> Expected<u32> {
    let (index, comp) = text.split_once('.').ok_or_else(|| format!("expected a component, found `{text}`"))?;
    let (index, comp): (u16, u8) = (number(index)?, number(comp)?);
    if comp < 4 { Ok(u32::from(index) * 4 + u32::from(comp)) } else { Err(format!("no component {comp}")) }
}

fn halves(text: &str) -> (&str, Part) {
    for (suffix, part) in [(".low", Part::Low), (".high", Part::High)] {
        if let Some(rest) = text.strip_suffix(suffix) {
            return (rest, part);
        }
    }
    (text, Part::Whole)
}

fn number<T: std::str::FromStr>(text: &str) -> Expected<T> {
    crate::words::number(text, "a number")
}

impl Reader {
    fn head(text: &str) -> Expected<Reader> {
        let (name, rest) = string(text, "lanes ")?;
        let (model, rest) = string(rest, "model(")?;
        let rest = rest.strip_prefix(')').ok_or("expected `)`")?.trim();
        let mode = match rest.strip_prefix("mode(") {
            Some(words) => direction_and_flush(words.strip_suffix(')').ok_or("expected `)`")?.split('.'))?,
            None if rest.is_empty() => Mode::PLAIN,
            None => return Err(format!("expected `mode(`, found `{rest}`")),
        };
        let made = Function {
            name,
            model,
            regs: Vec::new(),
            prologue: Stream::default(),
            body: Stream::default(),
            labels: 0,
            mode,
            uniforms: Vec::new(),
            kept: (0, 0),
            sites: Vec::new(),
            calls: Vec::new(),
            slots: Vec::new(),
            arrays: Vec::new(),
            attributes: 0,
            outputs: Vec::new(),
            has_loops: false,
        };
        let regs = FxHashMap::default();
        Ok(Reader {
            made,
            regs,
            inside: Inside::Head,
            placed: FxHashSet::default(),
            calls: FxHashMap::default(),
            aimed: Vec::new(),
        })
    }

    fn line(&mut self, text: &str, model: &Model) -> Expected<()> {
        match (self.inside, text) {
            (Inside::Head, "prologue {") if self.made.prologue.code.is_empty() => self.inside = Inside::Prologue,
            (Inside::Head, "body {") => self.inside = Inside::Body,
            (Inside::Prologue, "}") => self.inside = Inside::Head,
            (Inside::Body, "}") => self.inside = Inside::End,
            (Inside::Head, _) => self.declaration(text)?,
            (Inside::Prologue | Inside::Body, _) => self.instruction(text, model)?,
            (Inside::End, _) => return Err("expected nothing after the body".to_string()),
        }
        Ok(())
    }

    fn declaration(&mut self, text: &str) -> Expected<()> {
        let (first, rest) = word(text);
        let made = &mut self.made;
        match first {
            "attributes" => made.attributes = number(rest)?,
            "outputs" => {
                let bits = |word: &str| if word == "-" { Ok(None) } else { number(word).map(Some) };
                made.outputs = rest.split_whitespace().map(bits).collect::<Expected<_>>()?;
            }
            "kept" => {
                let (vectors, masks) = word(rest);
                made.kept = (number(vectors)?, number(masks)?);
            }
            "slot" => {
                let (name, slot) = rest.split_once('=').ok_or("expected `=`")?;
                if name.trim() != format!("p{}", made.slots.len()) {
                    return Err(format!("expected slot p{}", made.slots.len()));
                }
                let slot = slot.trim();
                made.slots.push(Slot::parse(slot).ok_or_else(|| format!("expected a slot, found `{slot}`"))?);
            }
            "array" => {
                let (name, len) = word(rest);
                made.arrays.push((ty(name)?, number(len)?));
            }
            _ if first == format!("uniform{}:", made.uniforms.len()) => {
                let parts = rest.strip_prefix("bank ").and_then(|rest| {
                    let (bank, rest) = rest.split_once('[')?;
                    let (index, comp) = rest.split_once("].")?;
                    Some((bank, index, comp))
                });
                let (bank, index, comp) = parts.ok_or("expected `bank b[n].c`")?;
                made.uniforms.push((number(bank)?, number(index)?, number(comp)?));
            }
            _ => return Err(format!("expected a declaration or `body {{`, found `{first}`")),
        }
        Ok(())
    }

    fn reg(&mut self, text: &str) -> Expected<Reg> {
        // Behind a colon stands where it is.
        let name = text.split(':').next().unwrap_or("").trim();
        if let Some(&reg) = self.regs.get(name) {
            return Ok(reg);
        }
        let source = source(name)?;
        let exists = match source {
            Some(Source::Uniform(n)) => (n as usize) < self.made.uniforms.len(),
            Some(Source::KeptVector(n)) => n < self.made.kept.0,
            Some(Source::KeptMask(n)) => n < self.made.kept.1,
            Some(_) => true,
            None => name
                .strip_prefix(['v', 'm'])
                .is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())),
        };
        if !exists {
            return Err(format!("expected a register, found `{name}`"));
        }
        let is_mask = matches!(source, Some(Source::KeptMask(_))) || source.is_none() && name.starts_with('m');
        let reg = self.made.regs.len() as Reg;
        self.made.regs.push(RegData { class: if is_mask { Class::Mask } else { Class::Vector }, source });
        self.regs.insert(name.to_string(), reg);
        Ok(reg)
    }

    fn list(&mut self, text: &str) -> Expected<Vec<Reg>> {
        text.split(',').filter(|word| !word.trim().is_empty()).map(|word| self.reg(word)).collect()
    }

    fn instruction(&mut self, text: &str, model: &Model) -> Expected<()> {
        if let Some(name) = text.strip_suffix(':').filter(|name| name.starts_with('L')) {
            let label = label(name)?;
            if self.placed.contains(&label) {
                return Err(format!("`{name}` stands twice"));
            }
            self.placed.insert(label);
            return self.add(Op::Label(label), &[], &[]);
        }
        let (defs, body) = text.split_once(" = ").unwrap_or(("", text));
        let (head, rest) = word(body);
        let (plain, half) = halves(head);
        let (op, rest) = match head {
            "move" => (Op::Move, rest),
            "without" => (Op::Without, rest),
            "vote.any" => (Op::Vote { all: false }, rest),
            "vote.all" => (Op::Vote { all: true }, rest),
            "helper.lanes" => (Op::HelperLanes, rest),
            "pixel.x" => (Op::PixelX, rest),
            "fuel" => (Op::Fuel, rest),
            "discard" => (Op::Discard, rest),
            "attr" => {
                let (name, rest) = word(rest);
                (Op::Attr(component(name)?), rest)
            }
            "system" => {
                let (name, rest) = word(rest);
                let value = SysVal::ALL.into_iter().find(|value| value.name() == name);
                (Op::System(value.ok_or_else(|| format!("expected a system value, found `{name}`"))?), rest)
            }
            "out" => self.out(rest)?,
            "keep" => {
                let (name, rest) = word(rest);
                let kept = source(name)?.filter(|s| matches!(s, Source::KeptVector(_) | Source::KeptMask(_)));
                (Op::Keep(kept.ok_or_else(|| format!("expected what is kept, found `{name}`"))?), rest)
            }
            "jump" | "jump.unless.any" | "jump.if.any" => {
                let (name, rest) = word(rest);
                let to = label(name)?;
                self.aimed.push(to);
                let op = match head {
                    "jump" => Op::Jump(to),
                    "jump.unless.any" => Op::JumpUnlessAny(to),
                    _ => Op::JumpIfAny(to),
                };
                (op, rest)
            }
            "mode" => {
                let (name, rest) = word(rest);
                (Op::Mode(direction_and_flush(name.split('.'))?), rest)
            }
            "redo" | "call" => {
                let (call, rest) = call(rest, &self.made.slots, model)?;
                let number = self.call(call);
                let kind = if head == "redo" { SiteKind::Redo(number) } else { SiteKind::Call(number) };
                self.site(kind, rest)?
            }
            "op" => {
                let (kind, rest) = kind(rest)?;
                self.site(SiteKind::Ir(kind), rest)?
            }
            _ if plain == "merge" => (Op::Merge(half), rest),
            _ if plain == "quad.shuffle" => (Op::QuadShuffle(half), rest),
            _ if plain.starts_with("quad.xor.") => (Op::QuadXor(number(&plain["quad.xor.".len()..])?, half), rest),
            _ => (self.step(plain, half)?, rest),
        };
        let (uses, defs) = (self.list(rest)?, self.list(defs)?);
        let op = match op {
            Op::Step(Prim::First, ty, _, half) => {
                // Its NaN is its second operand.
                let nan = uses.get(1).and_then(|&reg| self.made.regs[reg as usize].source);
                let bits = match nan {
                    Some(Source::Bits32(bits)) => u64::from(bits),
                    Some(Source::Bits64(bits)) => bits,
                    _ => return Err("expected a NaN as second operand of `first`".to_string()),
                };
                Op::Step(Prim::First, ty, bits, half)
            }
            op => op,
        };
        self.add(op, &uses, &defs)
    }

    fn add(&mut self, op: Op, uses: &[Reg], defs: &[Reg]) -> Expected<()> {
        let made = &mut self.made;
        let stream = if self.inside == Inside::Prologue { &mut made.prologue } else { &mut made.body };
        if uses.len().max(defs.len()) > usize::from(u16::MAX) {
            return Err("too many operands".to_string());
        }
        stream.push(op, uses, defs, 0);
        Ok(())
    }

    fn out<'t>(&self, rest: &'t str) -> Expected<(Op, &'t str)> {
        let (name, rest) = word(rest);
        let plane = component(name)?;
        let (bits, rest) = word(rest.strip_prefix("bits ").ok_or("expected `bits`")?);
        let bits = number(bits)?;
        if self.made.outputs.get(plane as usize) != Some(&Some(bits)) {
            return Err(format!("no output {name} of {bits} bits is declared"));
        }
        let (name, rest) = word(rest);
        let (masked, rest) = match rest.strip_prefix("masked ") {
            Some(rest) => (true, rest),
            None => (false, rest),
        };
        Ok((Op::Out { plane, bits, ty: ty(name)?, masked }, rest))
    }

    fn call(&mut self, call: Call) -> u32 {
        let calls = &mut self.made.calls;
        *self.calls.entry(call).or_insert_with(|| {
            calls.push(call);
            (calls.len() - 1) as u32
        })
    }

    /// A site with the types of operands and results, which stand in front of the operands.
    fn site<'t>(&mut self, kind: SiteKind, rest: &'t str) -> Expected<(Op, &'t str)> {
        let types = rest.trim_start().strip_prefix('(').and_then(|rest| rest.split_once(')'));
        let (types, rest) = types.ok_or("expected `(types -> types)`")?;
        let (args, results) = types.split_once("->").ok_or("expected `->`")?;
        let all = |text: &str| text.split_whitespace().map(ty).collect::<Expected<Vec<Ty>>>();
        self.made.sites.push(Site { kind, args: all(args)?, results: all(results)? });
        Ok((Op::Call((self.made.sites.len() - 1) as u32), rest))
    }

    /// A primitive: its name, the type it is taken at, what the immediate adds.
    fn step(&self, head: &str, half: Part) -> Expected<Op> {
        // The longest name that the head starts with: some have points in them.
        let fits = |row: &&parallax_step::Row| head.strip_prefix(row.name).is_some_and(|tail| tail.starts_with('.'));
        let row = Prim::ALL.iter().filter(fits).max_by_key(|row| row.name.len());
        let row = row.ok_or_else(|| format!("expected an instruction, found `{head}`"))?;
        let mut words = head[row.name.len() + 1..].split('.');
        let at = ty(words.next().unwrap_or(""))?;
        if !row.over.contains(&at) {
            return Err(format!("`{}` is not defined over {at}", row.name));
        }
        let imm = match row.immediate {
            Immediate::Mode | Immediate::Direction => direction_and_flush(words)?.word(),
            Immediate::Table => {
                let name = words.next().unwrap_or("");
                let n = name.strip_prefix("table").ok_or_else(|| format!("expected a table, found `{name}`"))?;
                let n: u64 = number(n)?;
                if n as usize >= parallax_step::Table::ALL.len() {
                    return Err(format!("no table {n}"));
                }
                n
            }
            Immediate::Bits => number(words.next().unwrap_or(""))?,
            Immediate::None | Immediate::Nan => match words.next() {
                Some(word) => return Err(format!("expected nothing after the type of `{}`, found `{word}`", row.name)),
                None => 0,
            },
        };
        Ok(Op::Step(row.prim, at, imm, half))
    }

    fn finish(&mut self) -> Expected<()> {
        if let Some(missing) = self.aimed.iter().find(|label| !self.placed.contains(label)) {
            return Err(format!("`L{missing}` stands nowhere"));
        }
        self.made.labels = self.placed.iter().max().map_or(0, |most| most + 1);
        self.made.has_loops = self.made.body.code.iter().any(|inst| matches!(inst.op, Op::JumpIfAny(_)));
        Ok(())
    }
}
