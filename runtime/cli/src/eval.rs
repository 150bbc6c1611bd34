//! `parallax eval`: JSON lines in, one JSON line out per case, in the same order. `docs/eval.md` describes the protocol.

mod answer;
mod machine;
mod memory;
#[cfg(test)]
mod mutated;
mod quad;
mod registers;
mod request;
mod session;
mod texture;

use crate::args::EvalArgs;
use crate::exit::{Exit, Failure};
use crate::load::models;
use crate::registry::Registry;
use crate::term::Term;
use answer::Error;
use parallax::Engine;
use parallax_text::clean_json;
use session::Session;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};

/// Longest line that is read.
const MAX_LINE: u64 = 256 << 20;

pub(crate) fn run(args: &EvalArgs, engine: Engine, term: &Term) -> Result<Exit, Failure> {
    let registry = Registry::new(models(&args.model_file, term)?, &[])?;
    let mut session = Session::new(registry, engine);
    let mut input = BufReader::with_capacity(1 << 16, io::stdin().lock());
    let mut output = BufWriter::new(io::stdout().lock());
    let mut line = Vec::new();
    loop {
        line.clear();
        let unreadable = |e| Failure::invalid(format_args!("cannot read standard input: {e}"));
        let read = (&mut input).take(MAX_LINE).read_until(b'\n', &mut line).map_err(unreadable)?;
        if read == 0 {
            break;
        }
        if read as u64 == MAX_LINE && line.last() != Some(&b'\n') {
            let message = format!("the line has more than {MAX_LINE} bytes");
            output.write_all(answer::answer("null", &Err(Error::invalid("json", message))).as_bytes())?;
            output.write_all(b"\n")?;
            input.skip_until(b'\n').map_err(unreadable)?;
            continue;
        }
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        output.write_all(clean_json(session.line(&line)).as_bytes())?;
        output.write_all(b"\n")?;
        // A caller that waits for this answer has it at once; one that sends many gets them in large pieces.
        if !input.buffer().contains(&b'\n') {
            output.flush()?;
        }
    }
    output.flush()?;
    Ok(Exit::Done)
}

/// What a case comes to: members of the answer after `"ok":true`, or an error.
type Result2 = Result<String, Error>;
