//! Runs the binary in a folder of its own.

#![allow(dead_code, reason = "each test file uses a part of it")]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// A temporary folder with files in it.
pub(crate) struct Place {
    dir: tempfile::TempDir,
}

/// What a run left behind.
#[derive(Debug)]
pub(crate) struct Run {
    /// Exit code; `None` when a signal ended it.
    pub(crate) code: Option<i32>,
    /// Standard output.
    pub(crate) out: Vec<u8>,
    /// Standard error.
    pub(crate) err: String,
}

impl Run {
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.out).expect("standard output is text")
    }

    /// Checks the exit code, showing everything when it is another.
    #[track_caller]
    pub(crate) fn exits(&self, code: i32) -> &Run {
        let out = String::from_utf8_lossy(&self.out);
        assert_eq!(self.code, Some(code), "\nstandard output:\n{out}\nstandard error:\n{}", self.err);
        assert!(!self.err.contains("panicked"), "{}", self.err);
        self
    }

    /// Checks that standard error holds a text.
    #[track_caller]
    pub(crate) fn says(&self, text: &str) -> &Run {
        assert!(self.err.contains(text), "standard error lacks {text:?}:\n{}", self.err);
        self
    }

    /// Checks that standard output holds a text.
    #[track_caller]
    pub(crate) fn prints(&self, text: &str) -> &Run {
        assert!(self.text().contains(text), "standard output lacks {text:?}:\n{}", self.text());
        self
    }

    /// Standard output as JSON lines.
    #[track_caller]
    pub(crate) fn lines(&self) -> Vec<serde_json::Value> {
        self.text().lines().map(|l| serde_json::from_str(l).expect(l)).collect()
    }
}

impl Place {
    pub(crate) fn new() -> Place {
        Place { dir: tempfile::tempdir().expect("a temporary folder") }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(crate) fn put(&self, name: &str, contents: impl AsRef<[u8]>) -> &Place {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("folders can be made");
        std::fs::write(path, contents).expect("files can be written");
        self
    }

    pub(crate) fn get(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).expect(name)
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(binary());
        command.args(args).current_dir(self.dir.path()).stdin(Stdio::piped()).stdout(Stdio::piped());
        command.stderr(Stdio::piped()).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
        command
    }

    /// Starts the binary without waiting.
    pub(crate) fn start(&self, args: &[&str]) -> Child {
        self.command(args).spawn().expect("the binary starts")
    }

    /// Runs the binary with nothing on standard input.
    pub(crate) fn run(&self, args: &[&str]) -> Run {
        self.feed(args, b"")
    }

    /// Runs the binary with this on standard input.
    pub(crate) fn feed(&self, args: &[&str], input: &[u8]) -> Run {
        finish(self.start(args), input)
    }
}

/// Writes standard input, closes it, collects everything.
pub(crate) fn finish(mut child: Child, input: &[u8]) -> Run {
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        // The program may end before it has read everything.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().expect("the binary ends");
    writer.join().expect("the writer ends");
    Run { code: output.status.code(), out: output.stdout, err: String::from_utf8_lossy(&output.stderr).into_owned() }
}

pub(crate) fn binary() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_parallax"))
}
