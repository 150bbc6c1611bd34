//! Reads commands and expectations.

use super::parse::{Parsed, Parser, number};
use super::script::{Command, Comparator, Expectation, ExpectationKind, Run, Tolerance, Topology};
use super::tokens::Token;

impl Parser<'_> {
    /// A command; `None` for one that does nothing here.
    pub(super) fn command(&mut self, word: &str) -> Parsed<Option<Command>> {
        Ok(Some(match word {
            "RUN" => self.run()?,
            "CLEAR" => Command::Clear(self.word()?.to_string()),
            "CLEAR_COLOR" => {
                let pipeline = self.word()?.to_string();
                let mut colour = [0.0; 4];
                for value in &mut colour {
                    *value = self.number::<f64>()? / 255.0;
                }
                Command::ClearColour { pipeline, colour }
            }
            "CLEAR_DEPTH" => Command::ClearDepth { pipeline: self.word()?.to_string(), depth: self.number()? },
            "CLEAR_STENCIL" => {
                self.tokens.rest_of_line();
                return Ok(None);
            }
            "COPY" => {
                let from = self.word()?.to_string();
                self.expect("TO")?;
                Command::Copy { from, to: self.word()?.to_string() }
            }
            "EXPECT" => Command::Expect(self.expectation()?),
            "REPEAT" => {
                let times = self.number()?;
                let mut commands = Vec::new();
                loop {
                    match self.word()? {
                        "END" => break,
                        word => commands.extend(self.command(word)?),
                    }
                }
                Command::Repeat(times, commands)
            }
            word => return Err(format!("the command {word}")),
        }))
    }

    fn run(&mut self) -> Parsed<Command> {
        let mut pipeline = self.word()?;
        if pipeline == "TIMED_EXECUTION" {
            pipeline = self.word()?;
        }
        let run = match self.word()? {
            "DRAW_RECT" => {
                self.expect("POS")?;
                let [left, top] = [self.number()?, self.number()?];
                self.expect("SIZE")?;
                Run::Rect([left, top, self.number()?, self.number()?])
            }
            "DRAW_GRID" => {
                self.expect("POS")?;
                let [left, top] = [self.number()?, self.number()?];
                self.expect("SIZE")?;
                let rect = [left, top, self.number()?, self.number()?];
                self.expect("CELLS")?;
                Run::Grid(rect, [self.number()?, self.number()?])
            }
            "DRAW_ARRAY" => {
                self.expect("AS")?;
                let name = self.word()?;
                let topology = Topology::named(name).ok_or_else(|| format!("a draw of {name}"))?;
                let (mut first, mut count, mut indexed) = (0, None, false);
                while let Some(word) = self.tokens.word_of_line() {
                    match word {
                        "INDEXED" => indexed = true,
                        "START_IDX" => first = self.number()?,
                        "COUNT" => count = Some(self.number()?),
                        word => return Err(format!("a draw with {word}")),
                    }
                }
                Run::Array { topology, first, count, indexed }
            }
            word if word.parse::<u32>().is_ok() => Run::Dispatch([number(word)?, self.number()?, self.number()?]),
            word => return Err(format!("a run with {word}")),
        };
        Ok(Command::Run { pipeline: pipeline.to_string(), run })
    }

    fn tolerances(&mut self) -> Parsed<Vec<Tolerance>> {
        let mut tolerances = Vec::new();
        while let Token::Word(word) = self.tokens.peek() {
            let (digits, percent) = match word.strip_suffix('%') {
                Some(digits) => (digits, true),
                None => (word, false),
            };
            let Ok(value) = digits.parse() else { break };
            tolerances.push(Tolerance { value, percent });
            self.tokens.next();
        }
        Ok(tolerances)
    }

    fn expectation(&mut self) -> Parsed<Expectation> {
        let line = self.tokens.line();
        let buffer = self.word()?.to_string();
        let other = |parser: &mut Self| -> Parsed<(String, f64)> {
            let name = parser.word()?.to_string();
            parser.expect("TOLERANCE")?;
            Ok((name, parser.number()?))
        };
        let kind = match self.word()? {
            "EQ_BUFFER" => ExpectationKind::Same(self.word()?.to_string()),
            "RMSE_BUFFER" => {
                let (name, most) = other(self)?;
                ExpectationKind::Near(name, most)
            }
            "EQ_HISTOGRAM_EMD_BUFFER" => {
                let (name, most) = other(self)?;
                ExpectationKind::Histogram(name, most)
            }
            "IDX" => {
                let at = self.number()?;
                let y = match self.tokens.peek() {
                    Token::Word(word) => word.parse::<usize>().ok(),
                    _ => None,
                };
                if let Some(y) = y {
                    self.tokens.next();
                    self.expect("SIZE")?;
                    let rect = [at, y, self.number()?, self.number()?];
                    let count = match self.word()? {
                        "EQ_RGBA" => 4,
                        "EQ_RGB" => 3,
                        word => return Err(format!("colours compared by {word}")),
                    };
                    let colour = (0..count).map(|_| Ok(self.number::<f64>()? / 255.0)).collect::<Parsed<_>>()?;
                    let tolerances = if self.tokens.accept("TOLERANCE") { self.tolerances()? } else { Vec::new() };
                    ExpectationKind::Colours { rect, colour, tolerances }
                } else {
                    let tolerances = if self.tokens.accept("TOLERANCE") { self.tolerances()? } else { Vec::new() };
                    let comparator = match self.word()? {
                        "EQ" => Comparator::Eq,
                        "NE" => Comparator::Ne,
                        "LT" => Comparator::Lt,
                        "LE" => Comparator::Le,
                        "GT" => Comparator::Gt,
                        "GE" => Comparator::Ge,
                        word => return Err(format!("numbers compared by {word}")),
                    };
                    let values = self.tokens.rest_of_line().iter().map(|word| word.to_string()).collect();
                    ExpectationKind::Numbers { at, format: None, comparator, values, tolerances }
                }
            }
            word => return Err(format!("an expectation of {word}")),
        };
        Ok(Expectation { line, buffer, kind })
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;
    use std::path::Path;

    #[test]
    fn draws_are_read() {
        let script = parse(
            "CLEAR_DEPTH p 0.5\nRUN p DRAW_GRID POS 1 2 SIZE 3 4 CELLS 5 6\n\
             RUN p DRAW_ARRAY AS LINE_STRIP INDEXED START_IDX 1 COUNT 2\n",
            Path::new(""),
        );
        let commands = script.unwrap().commands;
        assert!(matches!(commands[0], Command::ClearDepth { depth: 0.5, .. }));
        assert!(matches!(commands[1], Command::Run { run: Run::Grid([1.0, 2.0, 3.0, 4.0], [5, 6]), .. }));
        let run = Run::Array { topology: Topology::LineStrip, first: 1, count: Some(2), indexed: true };
        assert!(matches!(&commands[2], Command::Run { run: found, .. } if *found == run));
        let refused = parse("RUN p DRAW_ARRAY AS PATCH_LIST", Path::new("")).unwrap_err();
        assert_eq!(refused, "a draw of PATCH_LIST");
    }
}
