//! Names, and places in the source that a module was compiled from.

use crate::module::{Module, string};
use rspirv::spirv::Op;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A place in a source text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SourcePlace {
    /// Name of the file, as the module has it; empty where it has none.
    pub file: Arc<str>,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1; 0 where it is not known.
    pub column: u32,
    /// The line itself, where the module carries its source.
    pub text: Arc<str>,
}

/// What a module says of itself for people.
#[derive(Clone, Debug, Default)]
pub(crate) struct Debug {
    names: FxHashMap<u32, String>,
    members: FxHashMap<(u32, u32), String>,
    /// Names of extended instruction sets, by id.
    sets: FxHashMap<u32, String>,
    strings: FxHashMap<u32, Arc<str>>,
    /// Lines of each source, by the id of its file name or of its `DebugSource`.
    sources: FxHashMap<u32, Vec<Arc<str>>>,
    /// For a `DebugSource` its file name.
    files: FxHashMap<u32, u32>,
}

/// Instructions of `NonSemantic.Shader.DebugInfo.100` that places need.
mod debug_info {
    pub(super) const SOURCE: u32 = 35;
    pub(super) const SOURCE_CONTINUED: u32 = 102;
    pub(super) const LINE: u32 = 103;
    pub(super) const NO_LINE: u32 = 104;
}

/// Name of the extended instruction set with places.
const DEBUG_INFO: &str = "NonSemantic.Shader.DebugInfo.100";

impl Debug {
    pub(crate) fn of(module: &Module) -> Debug {
        let mut debug = Debug::default();
        let (mut open, mut texts): (u32, FxHashMap<u32, String>) = (0, FxHashMap::default());
        for instruction in &module.instructions {
            let words = module.operands(instruction);
            match instruction.op {
                Op::Name => {
                    debug.names.insert(words[0], string(&words[1..]).0);
                }
                Op::MemberName => {
                    debug.members.insert((words[0], words[1]), string(&words[2..]).0);
                }
                Op::String => {
                    debug.strings.insert(instruction.id, string(words).0.into());
                }
                Op::ExtInstImport => {
                    debug.sets.insert(instruction.id, string(words).0);
                }
                Op::Source => {
                    open = words.get(2).copied().unwrap_or(0);
                    if let Some(text) = words.get(3..) {
                        texts.entry(open).or_default().push_str(&string(text).0);
                    }
                }
                Op::SourceContinued => texts.entry(open).or_default().push_str(&string(words).0),
                Op::ExtInst if debug.is_debug_info(words[0]) => match (words[1], &words[2..]) {
                    (debug_info::SOURCE, [file, text @ ..]) => {
                        open = instruction.id;
                        debug.files.insert(open, *file);
                        if let Some(text) = text.first().and_then(|id| debug.strings.get(id)) {
                            texts.entry(open).or_default().push_str(text);
                        }
                    }
                    (debug_info::SOURCE_CONTINUED, [text]) => {
                        if let Some(text) = debug.strings.get(text) {
                            texts.entry(open).or_default().push_str(text);
                        }
                    }
                    _ => {}
                },
                Op::Function => break,
                _ => {}
            }
        }
        debug.sources = texts.into_iter().map(|(id, text)| (id, lines(&text))).collect();
        debug
    }

    /// The name of an id, unless it is empty.
    pub(crate) fn name(&self, id: u32) -> Option<&str> {
        self.names.get(&id).map(String::as_str).filter(|name| !name.is_empty())
    }

    /// The name of a member of a structure, unless it is empty.
    pub(crate) fn member(&self, structure: u32, member: u32) -> Option<&str> {
        self.members.get(&(structure, member)).map(String::as_str).filter(|name| !name.is_empty())
    }

    /// The name of an extended instruction set.
    pub(crate) fn set(&self, id: u32) -> Option<&str> {
        self.sets.get(&id).map(String::as_str)
    }

    fn is_debug_info(&self, set: u32) -> bool {
        self.set(set) == Some(DEBUG_INFO)
    }

    /// What an instruction says of the place of those that follow: `None` if nothing, `Some(None)` if they have none.
    /// `integer` is the value of a constant.
    pub(crate) fn place(
        &self,
        op: Op,
        words: &[u32],
        integer: impl Fn(u32) -> Option<u32>,
    ) -> Option<Option<SourcePlace>> {
        match (op, words) {
            (Op::Line, [file, line, column, ..]) => Some(Some(self.at(*file, *file, *line, *column))),
            (Op::NoLine | Op::FunctionEnd, _) => Some(None),
            (Op::ExtInst, [set, number, rest @ ..]) if self.is_debug_info(*set) => match (*number, rest) {
                (debug_info::LINE, [source, line, _, column, ..]) => {
                    let file = self.files.get(source).copied().unwrap_or(0);
                    Some(Some(self.at(*source, file, integer(*line)?, integer(*column).unwrap_or(0))))
                }
                (debug_info::NO_LINE, _) => Some(None),
                _ => None,
            },
            _ => None,
        }
    }

    fn at(&self, source: u32, file: u32, line: u32, column: u32) -> SourcePlace {
        let lines = self.sources.get(&source).or_else(|| self.sources.get(&0));
        let text = lines.and_then(|lines| lines.get((line as usize).checked_sub(1)?)).cloned();
        let file = self.strings.get(&file).cloned().unwrap_or_else(|| "".into());
        SourcePlace { file, line, column, text: text.unwrap_or_else(|| "".into()) }
    }
}

/// The lines of a source, blanks around them left out. Compilers put comments before it and say by `#line 1` where it begins.
fn lines(text: &str) -> Vec<Arc<str>> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let preamble = lines.iter().take_while(|line| line.is_empty() || line.starts_with("//")).count();
    let begins = if lines.get(preamble) == Some(&"#line 1") { preamble + 1 } else { 0 };
    lines[begins..].iter().map(|line| Arc::from(*line)).collect()
}
