//! Pieces of both forms.

use crate::ReadError;
use parallax_core::text::{ImmediateWords, Listed};
use parallax_core::{EntityRef, OpId, OpKind};
use parallax_num::{Decl, Format, Model, Op, Rule, Slot, Storage, TextureRule};
use parallax_step::{Call, Direction, Mode, Ty};
use parallax_text::{Comments, Diag, FormReader, LexOptions, Token, Tokens, lex};
use rustc_hash::FxHashMap;

/// Why a text is no function: with its place, or somewhere in the statement that is being read.
pub(crate) struct Problem {
    at: Option<u32>,
    message: String,
}

impl From<String> for Problem {
    fn from(message: String) -> Problem {
        Problem { at: None, message }
    }
}

impl From<&str> for Problem {
    fn from(message: &str) -> Problem {
        message.to_string().into()
    }
}

impl From<Box<Diag>> for Problem {
    fn from(diag: Box<Diag>) -> Problem {
        Problem { at: diag.span.map(|span| span.start), message: diag.message }
    }
}

/// What was read, or what is wrong with it.
pub(crate) type Expected<T> = Result<T, Problem>;

/// Cuts a text into tokens, line ends among them.
pub(crate) fn tokens(source: &str) -> Vec<Token> {
    let comments = Comments::Line(b';');
    lex(source, LexOptions { comments, newlines: true, carriage_return: true, floats: false })
}

/// Reads the first statement with `head`, and all others with `statement`, which says whether there may be more.
pub(crate) fn read<'a, R>(
    source: &'a str,
    tokens: &'a [Token],
    head: impl FnOnce(&mut FormReader<'a>) -> Expected<R>,
    mut statement: impl FnMut(&mut R, &mut FormReader<'a>) -> Expected<bool>,
) -> Result<R, ReadError> {
    let mut r = FormReader::new(Tokens::new(source, tokens), "form-syntax");
    r.empty_lines();
    let mut start = r.t.span().start;
    let all = || {
        let mut made = head(&mut r)?;
        r.line_end()?;
        loop {
            start = r.t.span().start;
            let more = statement(&mut made, &mut r)?;
            r.line_end()?;
            if !more {
                break;
            }
        }
        start = r.t.span().start;
        if r.t.at_end() { Ok(made) } else { Err(Problem::from("expected nothing after the body")) }
    };
    let read = all();
    read.map_err(|problem| ReadError::new(source, problem.at.unwrap_or(start), problem.message))
}

/// The model of a label, read as `model("label")`.
pub(crate) fn model(r: &mut FormReader<'_>, models: &dyn Fn(&str) -> Option<Model>) -> Expected<(String, Model)> {
    let label = r.string_in("model")?;
    let model = models(&label).ok_or_else(|| format!("unknown model `{label}`"))?;
    Ok((label, model))
}

/// A number that is part of a word.
pub(crate) fn number<T: std::str::FromStr>(text: &str) -> Expected<T> {
    text.parse().map_err(|_| format!("expected a number, found `{text}`").into())
}

/// A type.
pub(crate) fn ty(text: &str) -> Expected<Ty> {
    Ty::from_name(text).ok_or_else(|| format!("expected a type, found `{text}`").into())
}

/// `slot p0 = fp32`: the next slot.
pub(crate) fn slot(r: &mut FormReader<'_>, slots: &mut Vec<Slot>) -> Expected<()> {
    r.word("slot")?;
    if let Some(diag) = r.entity("p", slots.len())? {
        return Err(diag.into());
    }
    r.punct(b'=')?;
    let text = r.joined(b"").0;
    slots.push(Slot::parse(text).ok_or_else(|| format!("expected a slot, found `{text}`"))?);
    Ok(())
}

/// The direction and the flushing that words behind points say.
pub(crate) fn direction_and_flush<'t>(words: impl Iterator<Item = &'t str>) -> Expected<Mode> {
    let mut mode = Mode::PLAIN;
    for word in words {
        match Direction::ALL.into_iter().find(|d| d.suffix() == word && !word.is_empty()) {
            Some(direction) => mode.direction = direction,
            None if word == "ftz" => mode.flush = true,
            None if word == "nearest" => {}
            None => return Err(format!("expected a direction or `ftz`, found `{word}`").into()),
        }
    }
    Ok(mode)
}

/// What [`parallax_step::text::part::print_call`] prints.
pub(crate) fn call(r: &mut FormReader<'_>, slots: &[Slot], model: &Model) -> Expected<Call> {
    let [name, slot, container] = [(); 3].map(|()| r.joined(b"(").0);
    let op = Op::from_name(name).ok_or_else(|| format!("expected an operation, found `{name}`"))?;
    let format = Format::from_name(container).ok_or_else(|| format!("expected a container, found `{container}`"))?;
    let source: Storage = format.storage();
    if source.format() != format {
        return Err(format!("`{container}` is no container").into());
    }
    let plain = Rule::ieee(Decl::F32, Format::F32);
    let (slot, rule) = match slot {
        "-" => (None, if op.has_slot() { Rule { source, ..plain } } else { plain }),
        name => {
            let n = name.strip_prefix('p').and_then(|n| n.parse::<u32>().ok());
            let n = n.ok_or_else(|| format!("expected a slot or `-`, found `{name}`"))?;
            let slot = slots.get(n as usize).ok_or_else(|| format!("slot p{n} does not exist"))?;
            (Some(n), model.rule(op, slot, source).0)
        }
    };
    Ok(Call { op, rule, slot, source })
}

/// The kind of a name with its immediates, as [`parallax_step::text::part::print_kind`] prints them; jumps name these labels.
pub(crate) fn kind(r: &mut FormReader<'_>, name: &str, labels: &FxHashMap<u32, u32>) -> Expected<OpKind> {
    let kind = OpKind::from_word(name).filter(|kind| !matches!(kind, OpKind::Num(_)));
    let mut kind = kind.ok_or_else(|| format!("expected an op, found `{name}`"))?;
    let mut words = Listed(Words { r, labels, any: false });
    kind.immediates(&mut words)?;
    if words.0.any {
        r.punct(b')')?;
    }
    Ok(kind)
}

/// Immediates from words.
struct Words<'r, 'a> {
    r: &'r mut FormReader<'a>,
    labels: &'r FxHashMap<u32, u32>,
    /// Whether one was read.
    any: bool,
}

impl Words<'_, '_> {
    fn before(&mut self) -> Expected<()> {
        let open = if std::mem::replace(&mut self.any, true) { b',' } else { b'(' };
        Ok(self.r.punct(open)?)
    }
}

impl ImmediateWords for Words<'_, '_> {
    type Stop = Problem;

    fn number<T: TryFrom<i128>>(&mut self, number: &mut T) -> Expected<()> {
        self.before()?;
        let negative = self.r.t.eat(b'-');
        let size: u64 = self.r.int()?;
        let signed = if negative { -i128::from(size) } else { i128::from(size) };
        *number = T::try_from(signed).map_err(|_| format!("the number {signed} is too large"))?;
        Ok(())
    }

    fn name<T: Copy>(&mut self, value: &mut T, all: &[T], name: fn(T) -> &'static str, what: &str) -> Expected<()> {
        self.before()?;
        *value = self.r.named(all, name, what)?;
        Ok(())
    }

    fn target(&mut self, target: &mut OpId) -> Expected<()> {
        self.before()?;
        let (label, _) = self.r.label()?;
        let op = self.labels.get(&label).ok_or_else(|| format!("no loop or block `^{label}` is open here"))?;
        *target = OpId::new(*op as usize);
        Ok(())
    }

    fn texture(&mut self, rule: &mut TextureRule) -> Expected<()> {
        while self.r.t.eat(b',') {
            let field = self.r.t.bump();
            self.r.punct(b',')?;
            let field = self.r.t.text(field);
            // Some have a hyphen.
            let (value, _) = self.r.joined(b",)");
            *rule = rule.with(field, value).ok_or_else(|| format!("no texture unit has `{field}, {value}`"))?;
        }
        Ok(())
    }
}
