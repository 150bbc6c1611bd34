//! Files that are whole or not there.

use std::fs::{File, OpenOptions};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::path::Path;

/// Writes a file under a name that nobody can guess, and gives it its name when it is complete. Others may write the same file at the
/// same time: the last one stays, whole. A link of the name is replaced and not followed.
///
/// # Errors
/// As the system says; nothing half written stays behind.
pub fn write_whole(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    /// Names that exist already are met by chance alone.
    const TRIES: usize = 8;
    let mut tries = 0;
    let (mut file, part) = loop {
        // Not the name itself with an ending: it may be as long as names can be.
        let part = path.with_file_name(format!(".parallax-{:016x}.part", RandomState::new().build_hasher().finish()));
        match OpenOptions::new().write(true).create_new(true).open(&part) {
            Ok(file) => break (file, part),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && tries < TRIES => tries += 1,
            Err(error) => return Err(error),
        }
    };
    let written = write(&mut file).and_then(|()| std::fs::rename(&part, path));
    if written.is_err() {
        // The write's own error matters more than this one's.
        let _ = std::fs::remove_file(&part);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn nothing_half_written_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a");
        write_whole(&path, |file| file.write_all(b"whole")).expect("written");
        let failed = write_whole(&path, |file| file.write_all(b"half").and(Err(io::Error::other("full"))));
        assert_eq!(failed.expect_err("it fails").to_string(), "full");
        assert_eq!(std::fs::read(&path).expect("a file"), b"whole");
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, other) = (folder.path().join("a"), folder.path().join("other"));
        std::fs::write(&other, "untouched").expect("written");
        std::os::unix::fs::symlink(&other, &path).expect("a link");
        write_whole(&path, |file| file.write_all(b"new")).expect("written");
        assert_eq!(std::fs::read(&other).expect("a file"), b"untouched");
        assert!(path.symlink_metadata().expect("a file").is_file());
    }
}
