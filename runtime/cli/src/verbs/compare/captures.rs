//! Pictures of other renderers as columns of a comparison.

use crate::exit::Failure;
use crate::input::Input;
use parallax::{Capture, Draw, Frame, OutputRole, Target, Targets, Unit, unorm8};
use parallax_core::exec::Plane;
use parallax_num::{Decl, Format, Rule, ulp};
use parallax_report::{Distance, Report, ShaderReport, words};
use parallax_text::clean;
use std::path::Path;

/// A column's name and its picture.
pub(super) struct Column {
    pub(super) name: String,
    picture: Capture,
}

/// Reads `NAME=FILE` of each; `models` are names that are taken.
pub(super) fn read(args: &[String], models: &[String], inputs: &[Input]) -> Result<Vec<Column>, Failure> {
    let mut out: Vec<Column> = Vec::new();
    for text in args {
        let fail = |message: String| Failure::invalid(format_args!("--capture {}: {message}", clean(text)));
        let Some((name, file)) = text.split_once('=').filter(|(name, file)| !name.is_empty() && !file.is_empty())
        else {
            return Err(fail("expected NAME=FILE, such as `console=shot.png`".into()));
        };
        if models.iter().any(|model| model == name) || out.iter().any(|column| column.name == name) {
            return Err(fail(format!("`{}` is the name of another column", clean(name))));
        }
        let picture = Capture::read(Path::new(file)).map_err(fail)?;
        if let Some(first) = out.first().map(|column| &column.picture) {
            let kind = |of: &Capture| (of.width, of.height, of.unit == Unit::Bytes);
            if kind(first) != kind(&picture) {
                return Err(fail("is of another size than the first capture, or not of bytes as that is".into()));
            }
        }
        out.push(Column { name: clean(name), picture });
    }
    match inputs.len() {
        _ if out.is_empty() => Ok(out),
        1 => Ok(out),
        count => {
            Err(Failure::invalid(format_args!("--capture: a picture is of one program, and {count} are compared")))
        }
    }
}

/// The size that captures ask for.
pub(super) fn size(columns: &[Column]) -> Option<(u32, u32)> {
    columns.first().map(|column| (column.picture.width, column.picture.height))
}

impl Column {
    /// Stores colours as the picture does, unless a target was asked for.
    pub(super) fn store(&self, draw: &mut Draw) {
        if draw.targets == Targets::default() {
            let target = if self.picture.unit == Unit::Bytes { Target::Unorm8 } else { Target::Fp32 };
            draw.targets = Targets::all(target);
        }
    }

    /// The picture in the place of a frame's first colour. Components that it does not have, and what is drawn nowhere, are the frame's.
    ///
    /// # Errors
    /// A frame of another size or without a colour; targets that hold other numbers.
    pub(super) fn frame(&self, like: &Frame) -> Result<Frame, String> {
        let picture = &self.picture;
        if (picture.width, picture.height) != (like.width, like.height) {
            let (width, height) = (picture.width, picture.height);
            return Err(format!("the capture has {width}x{height} pixels, the draw {}x{}", like.width, like.height));
        }
        if like.samples.is_some() {
            return Err("captures have one sample for each pixel: leave --samples away".into());
        }
        let colours = like.channels.iter().filter_map(|channel| match channel.role {
            OutputRole::Color(number) => Some(number),
            _ => None,
        });
        let first = colours.min().ok_or("captures are pictures: the program has no colour")?;
        let mut frame = like.clone();
        for channel in frame.channels.iter_mut().filter(|channel| channel.role == OutputRole::Color(first)) {
            let comp = usize::from(channel.comp);
            // Without an alpha of its own the picture has the frame's.
            if comp == 3 && picture.components < 4 {
                continue;
            }
            let one = picture.unit.one();
            let values = (0..like.pixels()).map(|at| {
                let place = (at as u32 % picture.width, at as u32 / picture.width);
                if like.covered[at] { picture.pixel(place)[comp] / one } else { 0.0 }
            });
            let stored = channel.stored.as_mut().ok_or("the program has no colour of numbers")?;
            let half = Rule::ieee(Decl::F16, Format::F16);
            stored.words = match stored.target {
                Target::Unorm8 => Plane::U8(values.map(unorm8).collect()),
                Target::Fp32 => Plane::U32(values.map(|value| (value as f32).to_bits()).collect()),
                Target::Fp16 => Plane::U16(values.map(|value| ulp::from_f64(value, &half) as u16).collect()),
                other => return Err(format!("captures are compared in unorm8, fp16 or fp32, not in {other}")),
            };
        }
        Ok(frame)
    }
}

/// The model whose picture is closest to a capture's row, with their distance.
pub(super) fn closest(shader: &ShaderReport, row: usize, models: usize) -> Option<(usize, Distance)> {
    let rows = shader.rows();
    let own = rows.get(row)?.same_as;
    let distance = |other: usize| {
        let other = rows[other].same_as;
        let (a, b) = (own.min(other), own.max(other));
        shader.pairs.iter().find(|pair| (pair.a, pair.b) == (a, b)).map(|pair| pair.distance)
    };
    let found = (0..models.min(rows.len())).filter(|n| rows[*n].refused.is_none());
    found.filter_map(|n| Some((n, distance(n)?))).min_by_key(|(n, d)| (d.visible(), d.differ, d.max8, *n))
}

/// A line for each capture: what is closest to it, and how close.
pub(super) fn said(report: &Report, captures: usize) -> String {
    let models = report.models.len() - captures;
    let mut out = String::new();
    for shader in &report.shaders {
        for row in models..report.models.len() {
            let Some((best, distance)) = closest(shader, row, models) else { continue };
            let rows = shader.rows();
            let alike = (0..models).filter(|n| rows[*n].same_as == rows[best].same_as).count() - 1;
            let more = if alike > 0 { format!(" and {alike} more") } else { String::new() };
            let how = match distance.visible() {
                0 => "the same picture".to_string(),
                other => format!(
                    "{} of pixels differ, by up to {}/255",
                    words::percent(other, distance.pixels),
                    distance.max8
                ),
            };
            out.push_str(&format!("  {}: closest is {}{more}: {how}\n", report.models[row], report.models[best]));
        }
    }
    out
}
