//! What `parallax run` says and writes of a kernel: the buffers that it leaves behind.

use crate::args::RunArgs;
use crate::exit::Failure;
use crate::load::sides;
use crate::term::{Paint, Table, Term};
use parallax::{Channel, Compiled, Draw, Frame, Interface};
use parallax_report::{PictureForm, ValueRange, picture};
use parallax_text::clean;
use serde_json::{Value, json};
use std::path::Path;

/// `X`, `X,Y` or `X,Y,Z` workgroups.
pub(super) fn grid(text: &str) -> Result<[u32; 3], Failure> {
    sides("--grid", text)
}

/// Sets the parameters of the command line. Who gives any, there or in the manifest, gives all.
pub(super) fn set_params(
    texts: &[String],
    iface: &Interface,
    draw: &mut Draw,
    of_manifest: impl Iterator<Item = u32>,
) -> Result<(), Failure> {
    let mut given: Vec<u32> = Vec::new();
    for text in texts {
        let pair = text.split_once('=').and_then(|(number, value)| Some((number.trim().parse().ok()?, value)));
        let Some((number, value)) = pair else {
            return Err(Failure::invalid(format_args!("--param {text}: expected N=VALUE, such as 1=f32:2.5")));
        };
        if given.contains(&number) {
            return Err(Failure::invalid(format_args!("--param {text}: parameter {number} is given twice")));
        }
        parallax::set_param(draw, iface, number, value, Path::new(""))
            .map_err(|message| Failure::invalid(format_args!("--param {text}: {message}")))?;
        given.push(number);
    }
    given.extend(of_manifest);
    let all = parallax::params(iface);
    // Images of surfaces are bound by their names, or are what images are by default.
    let missing = all.iter().find(|param| !param.is_surface && !given.contains(&param.number));
    match missing {
        Some(param) if !given.is_empty() => {
            let (number, bytes) = (param.number, 4 * param.words.1);
            let kind = if param.may_point { "zeros:1024" } else { "u32:1" };
            Err(Failure::invalid(format_args!(
                "parameter {number} ({bytes} bytes at c[0x0][{:#x}]) is not given: add --param {number}=VALUE, such as {number}={kind}",
                4 * param.words.0
            )))
        }
        _ => Ok(()),
    }
}

/// Options that belong to pictures.
pub(super) fn check(args: &RunArgs) -> Result<(), Failure> {
    let given = [("--size", args.size.is_some()), ("--pixel", !args.pixel.is_empty())];
    match given.into_iter().find(|(_, given)| *given) {
        Some((option, _)) => Err(Failure::invalid(format_args!("{option}: a kernel writes buffers, not a picture"))),
        None => Ok(()),
    }
}

/// A kernel that was run.
pub(super) struct Summary<'a> {
    pub(super) name: &'a str,
    pub(super) isa: &'a str,
    pub(super) compiled: &'a Compiled,
    pub(super) draw: &'a Draw,
    pub(super) frame: &'a Frame,
}

impl Summary<'_> {
    /// The words of a written buffer.
    fn words(&self, channel: &Channel) -> &[u32] {
        let buffers = &self.compiled.shader.func.iface.buffers;
        let number = buffers.iter().position(|buffer| buffer.name == channel.output);
        number.map_or(&[], |number| &self.frame.buffers[number])
    }

    /// A NumPy array of one dimension: of the buffer that is named, or of the only one that is written.
    pub(super) fn array(&self, form: PictureForm, asked: Option<&str>) -> Result<Vec<u8>, Failure> {
        if form != PictureForm::Npy {
            return Err(Failure::invalid("a kernel's buffer is written as .npy"));
        }
        let channels = &self.frame.channels;
        let names = || channels.iter().map(|channel| channel.output.as_str()).collect::<Vec<_>>().join(", ");
        let iface = &self.compiled.shader.func.iface;
        let found = match (asked, channels.as_slice()) {
            (Some(name), _) => channels.iter().find(|channel| channel.output == iface.resolve(name)),
            (None, [only]) => Some(only),
            (None, _) => None,
        };
        let Some(channel) = found else {
            return Err(Failure::invalid(match (asked, channels.is_empty()) {
                (_, true) => "the kernel writes no buffer".to_string(),
                (Some(name), _) => format!("--buffer {name}: the kernel writes {}", names()),
                (None, _) => format!("the kernel writes {}: choose one with --buffer", names()),
            }));
        };
        let kind = if channel.ty.decl().is_some() { "<f4" } else { "<u4" };
        Ok(picture::npy_words(kind, self.words(channel)))
    }

    pub(super) fn human(&self, term: &Term) -> String {
        let ([x, y, z], [a, b, c]) = (self.draw.grid, self.compiled.shader.func.iface.workgroup);
        let mut out = format!(
            "{} under {} (tier {}): {x}x{y}x{z} workgroups of {a}x{b}x{c}, {} invocations",
            term.paint(Paint::Bold, &clean(self.name)),
            term.paint(Paint::Bold, self.compiled.model()),
            self.compiled.tier(),
            self.frame.fragments,
        );
        if self.frame.out_of_fuel > 0 {
            out.push_str(&format!(", {} out of fuel", self.frame.out_of_fuel));
        }
        out.push('\n');
        let mut table = Table::new(&["buffer", ">words", "type", ">least", ">greatest", ">NaN", ">infinite"]);
        for channel in &self.frame.channels {
            let words = self.words(channel).len();
            let values: Vec<f64> = match channel.ty.decl() {
                Some(_) => channel.values()[..words].to_vec(),
                None => self.words(channel).iter().map(|&word| f64::from(word)).collect(),
            };
            let range = ValueRange::of(&values, &vec![true; words]);
            let number = |v: Option<f64>| (Paint::Plain, v.map_or("–".into(), |v| v.to_string()));
            table.row(vec![
                (Paint::Plain, channel.output.clone()),
                (Paint::Plain, words.to_string()),
                (Paint::Plain, channel.ty.name().to_string()),
                number(range.low),
                number(range.high),
                (Paint::Plain, range.nan.to_string()),
                (Paint::Plain, range.infinite.to_string()),
            ]);
        }
        out.push_str(&table.print(term, "  "));
        out
    }

    pub(super) fn value(&self) -> Value {
        let hex = |channel: &Channel| self.words(channel).iter().map(|word| format!("{word:08x}")).collect::<Vec<_>>();
        let buffers: serde_json::Map<String, Value> =
            self.frame.channels.iter().map(|channel| (channel.output.clone(), json!(hex(channel)))).collect();
        json!({
            "shader": self.name, "isa": self.isa, "model": self.compiled.model(), "tier": self.compiled.tier().name(),
            "grid": self.draw.grid, "workgroup": self.compiled.shader.func.iface.workgroup,
            "invocations": self.frame.fragments, "out_of_fuel": self.frame.out_of_fuel, "buffers": buffers,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_have_one_to_three_sides() {
        assert_eq!(grid("7").ok(), Some([7, 1, 1]));
        assert_eq!(grid("4, 5").ok(), Some([4, 5, 1]));
        assert_eq!(grid("2x3x4").ok(), Some([2, 3, 4]));
        assert!(["", "a", "1,2,3,4", "-1"].into_iter().all(|text| grid(text).is_err()));
    }
}
