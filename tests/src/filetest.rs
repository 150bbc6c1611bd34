//! Filetests: small files that say what to do with them and what comes out.
//!
//! Files `*.plx` hold a shader in the textual IR, files `*.test` programs of an instruction set, see [`vendor`].
//!
//! A shader's file starts with `; test KIND [OPTION]...`. Comments before the shader describe it; everything behind its closing
//! brace is expectation, as comments, and is compared to the letter. `PARALLAX_BLESS=1 cargo test -p parallax-tests --test
//! filetests` rewrites the expectations that differ; without the variable a difference fails.
//!
//! | kind | options | expectation |
//! |---|---|---|
//! | `parse` | | the text printed again, or the errors of the reader |
//! | `verify` | model: bind first | `ok`, or the errors of the verifier, in order |
//! | `canonicalise` | | the shader after `canonicalise` |
//! | `bind` | model | the bound shader, which must read back as itself |
//! | `opt` | pass or `all`, model | the shader after one pass, or after all |
//! | `lanes` | model, `few`: of three vector and two mask registers; `few-avx2`: of three vector registers, with directions of rounding as state | the optimised shader in lane form, with places if there are few registers |
//! | `run` | model | one line per run, see [`run`] |
//!
//! Wherever a shader is expected and comes out as it went in, the expectation is `unchanged`.

mod container;
mod quad;
pub mod run;
pub mod vendor;

use parallax_core::text::{AnyShader, print, read, read_any};
use parallax_core::{Bound, Shader, State, Symbolic, verify};
use parallax_lane::Directions;
use parallax_num::Model;
use parallax_opt::{NoObserver, PASSES, canonicalise, optimise};
use parallax_text::{Diag, LineMap};
use std::fmt::Write;

/// A file cut into its parts.
pub struct FileTest<'a> {
    /// The word behind `test`.
    pub kind: &'a str,
    /// Words behind the kind.
    pub options: Vec<&'a str>,
    /// Everything up to and with the shader's closing brace.
    pub head: &'a str,
    /// What follows.
    pub expected: &'a str,
}

impl<'a> FileTest<'a> {
    /// Cuts a file.
    ///
    /// # Errors
    /// What is missing.
    pub fn parse(source: &'a str) -> Result<FileTest<'a>, String> {
        let first = source.lines().next().unwrap_or("");
        let mut words = first.strip_prefix("; test ").ok_or("the first line is not `; test KIND`")?.split_whitespace();
        let kind = words.next().ok_or("no kind")?;
        // The last line that is a brace alone ends the shader.
        let at = source.rfind("\n}\n").ok_or("no line with the closing brace alone")?;
        let (head, expected) = source.split_at(at + 3);
        Ok(FileTest { kind, options: words.collect(), head, expected })
    }

    /// Carries the test out and gives what should stand behind the shader.
    ///
    /// # Errors
    /// What went wrong beyond a mere difference.
    pub fn actual(&self) -> Result<String, String> {
        let option = |n: usize| self.options.get(n).copied();
        match self.kind {
            "parse" => Ok(match read_either(self.head) {
                Ok(AnyShader::Symbolic(shader)) => self.listing(&print(&shader)),
                Ok(AnyShader::Bound(shader)) => self.listing(&print(&shader)),
                Err(diags) => errors(self.head, &diags),
            }),
            "verify" => {
                let shader = read(self.head).map_err(|diags| errors(self.head, &diags))?;
                let diags = match option(0) {
                    None => verify(&shader).err(),
                    Some(name) => verify(&shader.bind(&model(name)?)).err(),
                };
                Ok(diags.map_or("; ok\n".into(), |diags| errors(self.head, &diags)))
            }
            "canonicalise" => Ok(self.listing(&print(&canonicalise(self.symbolic()?)))),
            "bind" => {
                let bound = self.symbolic()?.bind(&model(option(0).ok_or("no model")?)?);
                let text = print(&bound);
                match read_either(&text) {
                    Ok(AnyShader::Bound(again)) if print(&again) == text => Ok(self.listing(&text)),
                    _ => Err(format!("does not read back:\n{text}")),
                }
            }
            "opt" => {
                let bound = self.symbolic()?.bind(&model(option(1).unwrap_or("ieee"))?);
                let before = print(&bound);
                let after = match option(0).ok_or("no pass")? {
                    "all" => optimise(bound, &mut NoObserver),
                    name => {
                        let pass = PASSES.iter().find(|p| p.name == name).ok_or(format!("no pass `{name}`"))?;
                        let mut shader = bound;
                        (pass.run)(&mut shader);
                        shader
                    }
                };
                sound(&after)?;
                let after = print(&after);
                Ok(if after == before { "; unchanged\n".into() } else { listing(&after) })
            }
            "lanes" => {
                let bound = canonicalise(self.symbolic()?).bind(&model(option(0).ok_or("no model")?)?);
                lanes(&optimise(bound, &mut NoObserver), option(1))
            }
            "run" => {
                let shader = self.symbolic()?;
                let name = option(0).unwrap_or("ieee");
                self.expected.lines().map(|line| run::line(&shader, name, line).map(|l| l + "\n")).collect()
            }
            other => Err(format!("unknown kind `{other}`")),
        }
    }

    /// The shader, verified.
    fn symbolic(&self) -> Result<Shader<Symbolic>, String> {
        let shader = read(self.head).map_err(|diags| errors(self.head, &diags))?;
        sound(&shader)?;
        Ok(shader)
    }

    /// A text as expectation: nothing but a word when it is the file's own, comments aside.
    fn listing(&self, text: &str) -> String {
        let own: String = self.head.lines().filter(|l| !l.starts_with(';')).map(|l| format!("{l}\n")).collect();
        if own == text { "; unchanged\n".into() } else { listing(text) }
    }
}

/// Lane form as expectation; with `few` registers also where everything is, with `few-avx2` as for a machine without mask
/// registers that rounds as its state says.
fn lanes(shader: &Shader<Bound>, few: Option<&str>) -> Result<String, String> {
    let steps = parallax_step::legalise(verified(shader)?, &mut parallax_step::Programs::default());
    let mut function = match parallax_lane::lower_groups(&steps, 16) {
        Ok(function) => function,
        Err(reason) => return Ok(format!("; {reason}\n")),
    };
    let (directions, masks): (_, Option<&[u8]>) = match few {
        Some("few-avx2") => (Directions::State, None),
        None | Some("few") => (Directions::Instruction, Some(&[1, 2])),
        Some(other) => return Err(format!("unknown option `{other}`")),
    };
    parallax_lane::place_modes(&mut function, directions);
    let registers = parallax_lane::Registers { vectors: &[0, 1, 2], masks };
    let allocate = |stream| -> Result<parallax_lane::Allocation, String> {
        let allocation = parallax_lane::allocate(&function, stream, registers);
        parallax_lane::check(&function, stream, &allocation)?;
        Ok(allocation)
    };
    let (prologue, body) = (allocate(&function.prologue)?, allocate(&function.body)?);
    let text = parallax_lane::print(&function, None);
    let again = parallax_forms::lanes::read(&text, &|label| model(label).ok()).map_err(|error| error.to_string())?;
    if parallax_lane::print(&again, None) != text {
        return Err(format!("does not read back:\n{text}"));
    }
    Ok(listing(&parallax_lane::print(&function, few.map(|_| [&prologue, &body]))))
}

fn listing(text: &str) -> String {
    text.lines().map(|line| format!("; {line}\n")).collect()
}

fn read_either(text: &str) -> Result<AnyShader, Vec<Diag>> {
    read_any(text, &|label| Model::parse(label).ok())
}

fn model(name: &str) -> Result<Model, String> {
    Model::parse(name).map_err(|e| format!("{name}: {e}"))
}

fn sound<S: State>(shader: &Shader<S>) -> Result<(), String> {
    match verify(shader) {
        Ok(_) => Ok(()),
        Err(diags) => Err(format!("{}{}", errors("", &diags), print(shader))),
    }
}

/// A shader that passed, for engines.
fn verified(shader: &Shader<Bound>) -> Result<parallax_core::Verified<'_, Bound>, String> {
    verify(shader).map_err(|diags| format!("{}{}", errors("", &diags), print(shader)))
}

/// Problems one per line, with code and place.
fn errors(source: &str, diags: &[Diag]) -> String {
    let map = LineMap::new(source);
    let mut out = String::new();
    for diag in diags {
        let place = diag.span.map(|span| map.place(source, span.start));
        let place = place.map_or(String::new(), |p| format!("{}:{}: ", p.line, p.column));
        // Writing to a string cannot fail.
        let _ = writeln!(out, "; error[{}] {place}{}", diag.code, diag.message);
        for help in &diag.help {
            let _ = writeln!(out, ";   {help}");
        }
    }
    out
}
