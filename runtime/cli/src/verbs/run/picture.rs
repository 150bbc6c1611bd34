//! What `parallax run` says and writes of a picture, frame by frame: one that is too large to be held is never whole.

use super::{Endless, Expected, Run, was_cancelled};
use crate::args::RunArgs;
use crate::exit::{Exit, Failure};
use crate::load::frame_over;
use crate::term::{Paint, Table, Term, write_in_parts};
use indicatif::{ProgressBar, ProgressDrawTarget};
use parallax::{Channel, Compiled, Control, Frame, MAX_ENDLESS, MAX_PIXELS, Problems, cut_into_frames};
use parallax_core::OutputRole;
use parallax_num::{Storage, ulp};
use parallax_report::{FrameRead, PictureFile, PictureForm, ValueRange};
use parallax_text::{Diag, clean};
use serde_json::{Value, json};
use std::io::{self, Write};

/// Samples up to which a picture is one frame, and those of a frame of a larger one.
const ONE_FRAME: u64 = 1 << 22;
const OF_A_FRAME: u64 = 1 << 20;

/// Why no picture was written.
enum Ended {
    Interrupted,
    Draw(Problems),
    Write(io::Error),
}

impl From<io::Error> for Ended {
    fn from(error: io::Error) -> Ended {
        Ended::Write(error)
    }
}

impl Run<'_> {
    /// Draws a picture, writes it, and says what is in it.
    pub(super) fn picture(
        &self,
        args: &RunArgs,
        form: Option<PictureForm>,
        pixels: &[(u32, u32)],
        term: &Term,
    ) -> Result<Exit, Failure> {
        let model = self.compiled.model();
        let expects = self.program.manifest().map_or(0, |manifest| manifest.expectations(model));
        let samples = u64::from(self.draw.width) * u64::from(self.draw.height) * u64::from(self.draw.samples.count());
        // What a manifest expects may be anywhere in the picture.
        let most = if expects > 0 { MAX_PIXELS } else { ONE_FRAME };
        let frames = match samples > most {
            true => cut_into_frames(self.compiled, self.draw, OF_A_FRAME),
            false => vec![[0, self.draw.height]],
        };
        if let (true, Some(manifest)) = (expects > 0 && frames.len() > 1, self.program.manifest()) {
            let message = format!("a manifest's expectations are checked in pictures of at most {MAX_PIXELS} samples");
            let diag = Diag { span: None, ..Diag::unsupported("run-expect", parallax_text::Span::default(), message) };
            return Err(Problems::new(&manifest.name, &manifest.text, vec![diag]).into());
        }
        let mut summary = Summary::new(self, pixels);
        let mut expected = None;
        let mut ended = None;
        let bar = bar(&frames, term);
        let mut draw = |out: Option<&mut dyn Write>| -> io::Result<()> {
            let whole = frames.len() == 1;
            let drawn = self.frames(&frames, out.zip(form), &mut summary, |frame| {
                bar.inc(1);
                if whole {
                    expected = Some(Expected::of(self.program, frame, model));
                }
            });
            match drawn {
                Ok(()) => Ok(()),
                Err(Ended::Write(error)) => Err(error),
                Err(other) => {
                    ended = Some(other);
                    Err(io::ErrorKind::Interrupted.into())
                }
            }
        };
        let written = match &args.output {
            Some(path) => write_in_parts(path, |out| draw(Some(out))),
            None => draw(None).map_err(Failure::from),
        };
        bar.finish_and_clear();
        match ended {
            Some(Ended::Interrupted) => return Ok(Exit::Interrupted),
            Some(Ended::Draw(found)) => return Err(self.program.problems(found.diags).into()),
            Some(Ended::Write(_)) | None => written?,
        }
        let expected = expected.unwrap_or_else(|| Ok(Expected::none()))?;
        let endless = Endless { lanes: summary.out_of_fuel, of: summary.fragments, what: "fragments" };
        self.tell(args, &endless, &expected, || summary.human(term), || summary.value(), term)
    }

    /// Draws all frames and writes them.
    fn frames(
        &self,
        frames: &[[u32; 2]],
        to: Option<(&mut dyn Write, PictureForm)>,
        summary: &mut Summary<'_>,
        mut done: impl FnMut(&Frame),
    ) -> Result<(), Ended> {
        let is_from_below = to.as_ref().is_some_and(|(_, form)| form.is_from_below());
        // Nothing is written before there is something to write.
        let (mut to, mut file) = (to, None);
        let mut order: Vec<[u32; 2]> = frames.to_vec();
        if is_from_below {
            order.reverse();
        }
        let mut earlier = Frame::default();
        for rows in order {
            let rows_alone = (frames.len() > 1).then_some(rows);
            let control = Control { cancel: Some(crate::signal::watch()), rows: rows_alone, ..Control::default() };
            let frame = match frame_over(self.compiled, self.draw, self.workers, control, earlier) {
                Ok(frame) => frame,
                Err(found) if was_cancelled(&found) => return Err(Ended::Interrupted),
                Err(found) => return Err(Ended::Draw(found)),
            };
            summary.add(&frame, rows[0]);
            if frames.len() > 1 && summary.out_of_fuel > MAX_ENDLESS {
                let who = format!("more than {MAX_ENDLESS} fragments");
                let diag = parallax::endless(&self.compiled.shader.func, self.draw.fuel, &who);
                return Err(Ended::Draw(Problems::new(&self.program.name, "", vec![diag])));
            }
            if let Some((out, form)) = to.take() {
                let height = if frames.len() > 1 { self.draw.height } else { frame.height };
                file = Some(PictureFile::new(out, form, (frame.width, height))?);
            }
            if let Some(file) = &mut file {
                file.add(&FrameRead::new(&frame))?;
            }
            done(&frame);
            earlier = frame;
        }
        Ok(file.map_or(Ok(()), PictureFile::finish)?)
    }
}

/// Progress in frames; hidden where there is one, and where standard error is no terminal.
fn bar(frames: &[[u32; 2]], term: &Term) -> ProgressBar {
    let bar = ProgressBar::new(frames.len() as u64);
    let hidden = term.quiet || frames.len() < 2;
    bar.set_draw_target(if hidden { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() });
    bar
}

/// What is known of the frames so far.
struct Summary<'a> {
    name: &'a str,
    isa: &'a str,
    compiled: &'a Compiled,
    /// Width and height so far.
    size: (u32, u32),
    /// In words, and for machines; of pixels with several samples.
    sampling: Option<(String, Value)>,
    fragments: u64,
    discarded: u64,
    out_of_fuel: u64,
    channels: Vec<ChannelRange>,
    /// The pixels that were asked for; those of frames to come are `None`.
    pixels: Vec<((u32, u32), Option<Pixel>)>,
}

/// A component and what it holds.
struct ChannelRange {
    name: String,
    ty: &'static str,
    target: Option<&'static str>,
    range: ValueRange,
}

/// A pixel that was asked for.
struct Pixel {
    /// How it is covered, behind its place.
    covered: String,
    rows: Vec<Vec<(Paint, String)>>,
    value: Value,
}

/// Container of a channel's declared words.
fn declared(channel: &Channel) -> Storage {
    channel.ty.decl().map_or(Storage::F32, |d| d.format().storage())
}

/// Channels with their numbers in the frame.
fn numbered(frame: &Frame) -> impl Iterator<Item = (usize, &Channel)> {
    frame.channels.iter().enumerate().filter(|(_, c)| c.role != OutputRole::Watch)
}

impl<'a> Summary<'a> {
    fn new(run: &Run<'a>, pixels: &[(u32, u32)]) -> Summary<'a> {
        Summary {
            name: &run.program.name,
            isa: run.isa,
            compiled: run.compiled,
            size: (0, 0),
            sampling: None,
            fragments: 0,
            discarded: 0,
            out_of_fuel: 0,
            channels: Vec::new(),
            pixels: pixels.iter().map(|pixel| (*pixel, None)).collect(),
        }
    }

    /// Adds a frame whose first row is this one of the picture.
    fn add(&mut self, frame: &Frame, first: u32) {
        self.fragments += frame.fragments;
        self.discarded += frame.discarded;
        self.out_of_fuel += frame.out_of_fuel;
        self.sampling = frame.samples.as_ref().map(|samples| {
            let value = json!({ "positions": samples.positions, "per_sample": samples.per_sample });
            (frame.sampling().unwrap_or_default(), value)
        });
        if self.channels.is_empty() {
            let new = |channel: &Channel| ChannelRange {
                name: channel.name(),
                ty: channel.ty.name(),
                target: channel.stored.as_ref().map(|s| s.target.name()),
                range: ValueRange::default(),
            };
            self.channels = numbered(frame).map(|(_, channel)| new(channel)).collect();
        }
        for (known, (_, channel)) in self.channels.iter_mut().zip(numbered(frame)) {
            known.range.add(&channel.values(), &frame.covered);
        }
        // What the frames have together: a list of vertices is one row, whatever the draw's size.
        self.size = (frame.width, self.size.1.max(first + frame.height));
        for ((x, y), pixel) in &mut self.pixels {
            if (first..first + frame.height).contains(y) {
                let at = (*y - first) as usize * frame.width as usize + *x as usize;
                *pixel = Some(Pixel::new(frame, at, (*x, *y)));
            }
        }
    }

    fn human(&self, term: &Term) -> String {
        let mut out = format!(
            "{} under {} (tier {}): {}x{} pixels{}, {} fragments",
            term.paint(Paint::Bold, &clean(self.name)),
            term.paint(Paint::Bold, self.compiled.model()),
            self.compiled.tier(),
            self.size.0,
            self.size.1,
            self.sampling.as_ref().map(|(text, _)| format!(", {text}")).unwrap_or_default(),
            self.fragments,
        );
        for (n, what) in [(self.discarded, "discarded"), (self.out_of_fuel, "out of fuel")] {
            if n > 0 {
                out.push_str(&format!(", {n} {what}"));
            }
        }
        out.push('\n');
        let mut table = Table::new(&["component", ">least", ">greatest", ">NaN", ">infinite"]);
        for ChannelRange { name, range, .. } in &self.channels {
            let number = |v: Option<f64>| (Paint::Plain, v.map_or("–".into(), |v| v.to_string()));
            let count = |n: u64| (if n > 0 { Paint::Yellow } else { Paint::Plain }, n.to_string());
            table.row(vec![
                (Paint::Plain, name.clone()),
                number(range.low),
                number(range.high),
                count(range.nan),
                count(range.infinite),
            ]);
        }
        out.push_str(&table.print(term, "  "));
        for ((x, y), pixel) in &self.pixels {
            let Some(pixel) = pixel else { continue };
            out.push_str(&format!("pixel {x},{y}{}\n", pixel.covered));
            let mut table = Table::new(&["component", ">bits", ">value", "target", ">stored"]);
            pixel.rows.iter().for_each(|row| table.row(row.clone()));
            out.push_str(&table.print(term, "  "));
        }
        out
    }

    fn value(&self) -> Value {
        let channel = |ChannelRange { name, ty, target, range }: &ChannelRange| {
            json!({
                "component": name, "type": ty, "target": target, "least": range.low, "greatest": range.high,
                "nan": range.nan, "infinite": range.infinite,
            })
        };
        let pixels: Vec<&Value> = self.pixels.iter().filter_map(|(_, pixel)| Some(&pixel.as_ref()?.value)).collect();
        let mut summary = json!({
            "shader": self.name, "isa": self.isa, "model": self.compiled.model(), "tier": self.compiled.tier().name(),
            "width": self.size.0, "height": self.size.1, "fragments": self.fragments,
            "discarded": self.discarded, "out_of_fuel": self.out_of_fuel,
            "channels": self.channels.iter().map(channel).collect::<Value>(), "pixels": pixels,
        });
        if let Some((_, samples)) = &self.sampling {
            summary["samples"] = samples.clone();
        }
        summary
    }
}

impl Pixel {
    fn new(frame: &Frame, at: usize, place: (u32, u32)) -> Pixel {
        let covered = match (frame.covered[at], &frame.samples) {
            (false, _) => ", not covered".to_string(),
            (true, None) => String::new(),
            (true, Some(samples)) => {
                let (mask, count) = (frame.coverage(at), samples.positions.len());
                let (found, digits) = (mask.count_ones(), count.div_ceil(4));
                format!(", {found} of {count} samples covered (mask {mask:0digits$x})")
            }
        };
        let mut rows = Vec::new();
        for (number, channel) in numbered(frame) {
            let stored = channel.stored.as_ref().map(|stored| stored.words.get(at));
            rows.push(row(channel.name(), channel, Some(channel.declared_bits().get(at)), stored));
            let kept = frame.stored_samples(number, at);
            let positions = frame.samples.iter().flat_map(|samples| &samples.positions);
            for (sample, (bits, [x, y])) in frame.sample_bits(number, at).into_iter().zip(positions).enumerate() {
                let name = format!("  sample {sample} ({x}, {y})");
                rows.push(row(name, channel, bits, kept.get(sample).copied().flatten()));
            }
        }
        Pixel { covered, rows, value: pixel_value(frame, at, place) }
    }
}

/// A row of the table of a pixel: bits and value of a component, and what its target holds.
fn row(name: String, channel: &Channel, bits: Option<u64>, stored: Option<u64>) -> Vec<(Paint, String)> {
    let target = channel.stored.as_ref().map(|s| s.target);
    let plain = |text: Option<String>| (Paint::Plain, text.unwrap_or_else(|| "–".into()));
    vec![
        (Paint::Plain, name),
        plain(bits.map(|bits| ulp::hex(bits, declared(channel)))),
        plain(bits.map(|bits| ulp::decimal(bits, declared(channel)))),
        plain(target.map(|target| target.name().to_string())),
        plain(target.zip(stored).map(|(target, word)| target.hex(channel.comp, word))),
    ]
}

/// A pixel for machines.
fn pixel_value(frame: &Frame, at: usize, (x, y): (u32, u32)) -> Value {
    let mut bits = serde_json::Map::new();
    let mut values = serde_json::Map::new();
    let mut kept = serde_json::Map::new();
    for (_, c) in numbered(frame) {
        let word = c.declared_bits().get(at);
        bits.insert(c.name(), json!(ulp::hex(word, declared(c))));
        values.insert(c.name(), json!(ulp::decimal(word, declared(c))));
        if let Some(stored) = &c.stored {
            kept.insert(c.name(), json!(stored.target.hex(c.comp, stored.words.get(at))));
        }
    }
    let mut pixel = json!({
        "x": x, "y": y, "covered": frame.covered[at], "bits": bits, "values": values, "stored": kept,
    });
    if let Some(samples) = samples(frame, at) {
        pixel["coverage"] = json!(format!("{:x}", frame.coverage(at)));
        pixel["samples"] = json!(samples);
    }
    pixel
}

/// The samples of a pixel for machines.
fn samples(frame: &Frame, pixel: usize) -> Option<Vec<Value>> {
    let samples = frame.samples.as_ref()?;
    let mut out: Vec<Value> = Vec::new();
    for (sample, position) in samples.positions.iter().enumerate() {
        let mut bits = serde_json::Map::new();
        let mut values = serde_json::Map::new();
        let mut kept = serde_json::Map::new();
        for (number, c) in numbered(frame) {
            if let Some(Some(word)) = frame.sample_bits(number, pixel).get(sample) {
                bits.insert(c.name(), json!(ulp::hex(*word, declared(c))));
                values.insert(c.name(), json!(ulp::decimal(*word, declared(c))));
            }
            if let (Some(stored), Some(Some(word))) = (&c.stored, frame.stored_samples(number, pixel).get(sample)) {
                kept.insert(c.name(), json!(stored.target.hex(c.comp, *word)));
            }
        }
        let covered = frame.coverage(pixel) >> sample & 1 != 0;
        out.push(json!({ "position": position, "covered": covered, "bits": bits, "values": values, "stored": kept }));
    }
    Some(out)
}
