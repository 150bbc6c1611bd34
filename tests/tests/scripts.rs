//! The scripts beside the benchmarks: the shell reads them, and they say what they lack, before anything is built.
#![cfg(unix)]

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").to_path_buf()
}

/// A folder with no programs but these.
fn only(name: &str, programs: &[&str]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder for links");
    let path = std::env::var_os("PATH").expect("a search path");
    for program in programs {
        let found = std::env::split_paths(&path).map(|from| from.join(program)).find(|from| from.is_file());
        symlink(found.expect(program), folder.join(program)).expect("a link");
    }
    folder
}

fn run(shell: &str, arguments: &[&str], path: &Path) -> (Output, String) {
    let shell = path.join(shell);
    let output = Command::new(shell).args(arguments).current_dir(root()).env("PATH", path).env_remove("CC").output();
    let output = output.expect("a shell");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (output, said)
}

const SCRIPTS: [(&str, &str, i32); 3] = [
    ("bash", "benches/cranelift/run.sh", 1),
    ("sh", "benches/kernels/run.sh", 77),
    ("sh", "benches/llvmpipe/run.sh", 77),
];

#[test]
fn the_shell_reads_them() {
    let path = only("shells", &["bash", "sh"]);
    for (shell, script, _) in SCRIPTS {
        let (output, said) = run(shell, &["-n", script], &path);
        assert!(output.status.success(), "{script}: {said}");
    }
}

#[test]
fn without_a_compiler_they_say_so() {
    let path = only("no-compiler", &["bash", "sh", "dirname", "mktemp", "rm"]);
    for (shell, script, code) in SCRIPTS {
        let (output, said) = run(shell, &[script], &path);
        assert_eq!(output.status.code(), Some(code), "{script}: {said}");
        assert!(said.contains("no C compiler") && said.lines().count() == 1, "{script}: {said}");
        assert!(output.stdout.is_empty(), "{script}");
    }
}
