//! Reads lane form.

use crate::ReadError;
use crate::pieces::{self, Expected, call, direction_and_flush, kind, number, ty};
use parallax_core::SysVal;
use parallax_lane::{
    Class, Exchange, Function, Group, Label, Op, Part, Reg, RegData, Site, SiteKind, Source, Stream, Stride, Turns,
};
use parallax_num::Model;
use parallax_step::{Call, Immediate, Mode, Prim, Ty};
use parallax_text::{FormReader, TokenKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// Reads what [`parallax_lane::print()`] prints, without places; `models` finds a model by its label. Registers are numbered in the order in
/// which code names them, as [`parallax_lane::lower()`] does; ops of step form that instructions come from are not in the text. The
/// result is not verified.
///
/// # Errors
/// The first statement that cannot be read.
pub fn read(source: &str, models: &dyn Fn(&str) -> Option<Model>) -> Result<Function, ReadError> {
    let tokens = pieces::tokens(source);
    let reader = pieces::read(source, &tokens, |r| Reader::head(r, models), Reader::statement)?;
    Ok(reader.made)
}

/// Which part of the text a line is of.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Inside {
    Head,
    Prologue,
    Body,
}

struct Reader {
    made: Function,
    model: Model,
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
            _ => return Err(format!("expected 8 or 16 digits, found `{text}`").into()),
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
    if label > 1 << 24 { Err(format!("labels go to {}, found `{text}`", 1 << 24).into()) } else { Ok(label) }
}

/// `a.b` as `a * 4 + b`.
fn component(text: &str) -> Expected<u32> {
    let (index, comp) = text.split_once('.').ok_or_else(|| format!("expected a component, found `{text}`"))?;
    let (index, comp): (u16, u8) = (number(index)?, number(comp)?);
    if comp < 4 { Ok(u32::from(index) * 4 + u32::from(comp)) } else { Err(format!("no component {comp}").into()) }
}

fn halves(text: &str) -> (&str, Part) {
    for (suffix, part) in [(".low", Part::Low), (".high", Part::High)] {
        if let Some(rest) = text.strip_suffix(suffix) {
            return (rest, part);
        }
    }
    (text, Part::Whole)
}

/// Types up to a character.
fn types(r: &mut FormReader<'_>, end: u8) -> Expected<Vec<Ty>> {
    let mut all = Vec::new();
    while r.t.peek().kind != TokenKind::Punct(end) {
        all.push(ty(r.joined(&[end]).0)?);
    }
    Ok(all)
}

impl Reader {
    fn head(r: &mut FormReader<'_>, models: &dyn Fn(&str) -> Option<Model>) -> Expected<Reader> {
        r.word("lanes")?;
        let name = r.string()?;
        let (label, model) = pieces::model(r, models)?;
        let mut mode = Mode::PLAIN;
        if r.eat_word("mode") {
            r.punct(b'(')?;
            mode = direction_and_flush(r.joined(b")").0.split('.'))?;
            r.punct(b')')?;
        }
        let made = Function {
            name,
            model: label,
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
            turns: None,
            group: None,
            subgroup: 4,
            stops: 0,
        };
        Ok(Reader {
            made,
            model,
            regs: FxHashMap::default(),
            inside: Inside::Head,
            placed: FxHashSet::default(),
            calls: FxHashMap::default(),
            aimed: Vec::new(),
        })
    }

    /// Reads a statement; `false` behind the last.
    fn statement(&mut self, r: &mut FormReader<'_>) -> Expected<bool> {
        if self.inside == Inside::Head {
            self.declaration(r)?;
        } else if !r.t.eat(b'}') {
            if r.t.at_end() {
                return Ok(r.fail("`}` of the body")?);
            }
            self.instruction(r)?;
        } else if self.inside == Inside::Body {
            self.finish()?;
            return Ok(false);
        } else {
            self.inside = Inside::Head;
        }
        Ok(true)
    }

    fn declaration(&mut self, r: &mut FormReader<'_>) -> Expected<()> {
        if r.at_word("slot") {
            return pieces::slot(r, &mut self.made.slots);
        }
        let made = &mut self.made;
        match r.joined(b":").0 {
            "prologue" if made.prologue.code.is_empty() => {
                r.punct(b'{')?;
                self.inside = Inside::Prologue;
            }
            "body" => {
                r.punct(b'{')?;
                self.inside = Inside::Body;
            }
            "attributes" => made.attributes = r.int()?,
            "outputs" => {
                while !matches!(r.t.peek().kind, TokenKind::Newline | TokenKind::End) {
                    made.outputs.push(if r.t.eat(b'-') { None } else { Some(r.int()?) });
                }
            }
            "group" => {
                let size = [r.int()?, r.int()?, r.int()?];
                r.word("interleaved")?;
                made.group = Some(Group { size, interleaved: r.int()? });
            }
            "turns" => made.turns = Some(r.named(&Turns::ALL, Turns::name, "who runs together")?),
            "subgroup" => made.subgroup = r.int()?,
            "kept" => made.kept = (r.int()?, r.int()?),
            "array" => made.arrays.push((ty(r.joined(b"").0)?, r.int()?)),
            first if first == format!("uniform{}", made.uniforms.len()) => {
                r.punct(b':')?;
                r.word("bank")?;
                let bank = r.int()?;
                r.punct(b'[')?;
                let index = r.int()?;
                r.punct(b']')?;
                r.punct(b'.')?;
                made.uniforms.push((bank, index, r.int()?));
            }
            first => return Err(format!("expected a declaration or `body {{`, found `{first}`").into()),
        }
        Ok(())
    }

    fn reg(&mut self, text: &str) -> Expected<Reg> {
        // Behind a colon stands where it is.
        let name = text.split(':').next().unwrap_or("");
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
            return Err(format!("expected a register, found `{name}`").into());
        }
        let is_mask = matches!(source, Some(Source::KeptMask(_))) || source.is_none() && name.starts_with('m');
        let reg = self.made.regs.len() as Reg;
        self.made.regs.push(RegData { class: if is_mask { Class::Mask } else { Class::Vector }, source });
        self.regs.insert(name.to_string(), reg);
        Ok(reg)
    }

    /// Registers with commas between them, or nothing.
    fn list(&mut self, r: &mut FormReader<'_>) -> Expected<Vec<Reg>> {
        let mut all = Vec::new();
        while !matches!(r.t.peek().kind, TokenKind::Newline | TokenKind::End) {
            all.push(self.reg(r.joined(b",").0)?);
            if !r.t.eat(b',') {
                break;
            }
        }
        Ok(all)
    }

    /// The number of a stop.
    fn stop(&mut self, r: &mut FormReader<'_>) -> Expected<u32> {
        let number = r.int()?;
        self.made.stops = self.made.stops.max(number + 1);
        Ok(number)
    }

    fn instruction(&mut self, r: &mut FormReader<'_>) -> Expected<()> {
        if let Some(name) = self.label_here(r) {
            let label = label(name)?;
            if !self.placed.insert(label) {
                return Err(format!("`{name}` stands twice").into());
            }
            return self.add(Op::Label(label), &[], &[]);
        }
        // Results, if `=` stands behind them; else the first word is the instruction's.
        let names = r.list(|r| Ok(r.joined(b",").0))?;
        let (defs, head) = if r.t.eat(b'=') { (names, r.joined(b"(").0) } else { (Vec::new(), names[0]) };
        let (plain, half) = halves(head);
        let op = match head {
            "move" => Op::Move,
            "without" => Op::Without,
            "vote.any" => Op::Vote { all: false },
            "vote.all" => Op::Vote { all: true },
            "helper.lanes" => Op::HelperLanes,
            "pixel.x" => Op::PixelX,
            "fuel" => Op::Fuel(r.int()?),
            "turn" => Op::Turn,
            "barrier" => Op::Barrier(self.stop(r)?),
            "exchange.any" => Op::Exchange(Exchange::Any, self.stop(r)?),
            "exchange.nothing" => Op::Exchange(Exchange::Nothing, self.stop(r)?),
            _ if head.starts_with("exchange.shuffle.") => {
                Op::Exchange(Exchange::Shuffle(ty(&head["exchange.shuffle.".len()..])?), self.stop(r)?)
            }
            _ if head.starts_with("exchange.ballot.") => {
                let word = number(&head["exchange.ballot.".len()..])?;
                Op::Exchange(Exchange::Ballot(word), self.stop(r)?)
            }
            "discard" => Op::Discard,
            "attr" => Op::Attr(component(r.joined(b"").0)?),
            "system" => Op::System(r.named(&SysVal::ALL, SysVal::name, "a system value")?),
            "out" => self.out(r)?,
            "keep" => {
                let name = r.joined(b"").0;
                let kept = source(name)?.filter(|s| matches!(s, Source::KeptVector(_) | Source::KeptMask(_)));
                Op::Keep(kept.ok_or_else(|| format!("expected what is kept, found `{name}`"))?)
            }
            "spend" | "fuel.uniform" => {
                let count = r.int()?;
                let to = label(r.joined(b"").0)?;
                self.aimed.push(to);
                if head == "spend" { Op::Spend(to, count) } else { Op::FuelUniform(to, count) }
            }
            "jump" | "jump.unless.any" | "jump.if.any" => {
                let to = label(r.joined(b"").0)?;
                self.aimed.push(to);
                match head {
                    "jump" => Op::Jump(to),
                    "jump.unless.any" => Op::JumpUnlessAny(to),
                    _ => Op::JumpIfAny(to),
                }
            }
            "mode" => Op::Mode(direction_and_flush(r.joined(b"").0.split('.'))?),
            "redo" | "call" => {
                let call = call(r, &self.made.slots, &self.model)?;
                let number = self.call(call);
                self.site(r, if head == "redo" { SiteKind::Redo(number) } else { SiteKind::Call(number) })?
            }
            "op" => {
                let name = r.joined(b"(").0;
                let kind = kind(r, name, &FxHashMap::default())?;
                self.site(r, SiteKind::Ir(kind))?
            }
            _ if plain == "merge" => Op::Merge(half),
            _ if plain == "quad.shuffle" => Op::QuadShuffle(half),
            _ if plain.starts_with("quad.xor.") => Op::QuadXor(number(&plain["quad.xor.".len()..])?, half),
            _ => self.step(plain, half)?,
        };
        let uses = self.list(r)?;
        let defs = defs.into_iter().map(|name| self.reg(name)).collect::<Expected<Vec<Reg>>>()?;
        let op = match op {
            Op::Step(Prim::First, ty, _, half) => {
                // Its NaN is its second operand.
                let nan = uses.get(1).and_then(|&reg| self.made.regs[reg as usize].source);
                let bits = match nan {
                    Some(Source::Bits32(bits)) => u64::from(bits),
                    Some(Source::Bits64(bits)) => bits,
                    _ => return Err("expected a NaN as second operand of `first`".into()),
                };
                Op::Step(Prim::First, ty, bits, half)
            }
            op => op,
        };
        self.add(op, &uses, &defs)
    }

    /// The name of the label that stands here.
    fn label_here<'t>(&self, r: &mut FormReader<'t>) -> Option<&'t str> {
        let mut ahead = *r;
        let (name, _) = ahead.joined(b":");
        let is_label = name.starts_with('L') && ahead.t.eat(b':');
        if is_label {
            *r = ahead;
        }
        is_label.then_some(name)
    }

    fn add(&mut self, op: Op, uses: &[Reg], defs: &[Reg]) -> Expected<()> {
        let made = &mut self.made;
        let stream = if self.inside == Inside::Prologue { &mut made.prologue } else { &mut made.body };
        if uses.len().max(defs.len()) > usize::from(u16::MAX) {
            return Err("too many operands".into());
        }
        stream.push(op, uses, defs, 0);
        Ok(())
    }

    fn out(&self, r: &mut FormReader<'_>) -> Expected<Op> {
        let name = r.joined(b"").0;
        let plane = component(name)?;
        r.word("bits")?;
        let bits = r.int()?;
        if self.made.outputs.get(plane as usize) != Some(&Some(bits)) {
            return Err(format!("no output {name} of {bits} bits is declared").into());
        }
        let ty = ty(r.joined(b"").0)?;
        Ok(Op::Out { plane, bits, ty, masked: r.eat_word("masked") })
    }

    fn call(&mut self, call: Call) -> u32 {
        let calls = &mut self.made.calls;
        *self.calls.entry(call).or_insert_with(|| {
            calls.push(call);
            (calls.len() - 1) as u32
        })
    }

    /// A site with the types of operands and results, which stand in front of the operands.
    fn site(&mut self, r: &mut FormReader<'_>, kind: SiteKind) -> Expected<Op> {
        if !r.t.eat(b'(') {
            return Ok(r.fail("`(types -> types)`")?);
        }
        let args = types(r, b'-')?;
        r.punct(b'-')?;
        r.punct(b'>')?;
        let results = types(r, b')')?;
        r.punct(b')')?;
        let stride = if r.eat_word("stride") {
            let (bytes, is_exact) = (r.int()?, r.eat_word("exact"));
            let offset = if r.eat_word("offset") { r.int()? } else { 0 };
            let (is_aligned, is_inside) = (r.eat_word("aligned"), r.eat_word("inside"));
            Some(Stride { bytes, is_exact, offset, is_aligned, is_inside, is_by_all: r.eat_word("all") })
        } else {
            None
        };
        self.made.sites.push(Site { kind, args, results, stride });
        Ok(Op::Call((self.made.sites.len() - 1) as u32))
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
            return Err(format!("`{}` is not defined over {at}", row.name).into());
        }
        let imm = match row.immediate {
            Immediate::Mode | Immediate::Direction => direction_and_flush(words)?.word(),
            Immediate::Table => {
                let name = words.next().unwrap_or("");
                let n = name.strip_prefix("table").ok_or_else(|| format!("expected a table, found `{name}`"))?;
                let n: u64 = number(n)?;
                if n as usize >= parallax_step::Table::ALL.len() {
                    return Err(format!("no table {n}").into());
                }
                n
            }
            Immediate::Bits => number(words.next().unwrap_or(""))?,
            Immediate::None | Immediate::Nan => match words.next() {
                Some(word) => {
                    return Err(format!("expected nothing after the type of `{}`, found `{word}`", row.name).into());
                }
                None => 0,
            },
        };
        Ok(Op::Step(row.prim, at, imm, half))
    }

    fn finish(&mut self) -> Expected<()> {
        if let Some(missing) = self.aimed.iter().find(|label| !self.placed.contains(label)) {
            return Err(format!("`L{missing}` stands nowhere").into());
        }
        self.made.labels = self.placed.iter().max().map_or(0, |most| most + 1);
        self.made.has_loops =
            self.made.body.code.iter().any(|inst| matches!(inst.op, Op::Fuel(_) | Op::FuelUniform(..)));
        Ok(())
    }
}
