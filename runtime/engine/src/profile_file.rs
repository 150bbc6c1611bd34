//! Files of profiles, and the built-in ones, which stand in `docs/profiles`. [`Profile::from_toml`] is their schema.

use crate::problem::{Problems, invalid};
use crate::read_file::{check_length, read_text_file};
use parallax_num::Profile;
use std::path::Path;

/// Names and texts of the built-in profiles.
pub const PROFILES: &[(&str, &str)] = &[
    ("d3d11", include_str!("../../../docs/profiles/d3d11.toml")),
    ("gles", include_str!("../../../docs/profiles/gles.toml")),
    ("gles-lowp", include_str!("../../../docs/profiles/gles-lowp.toml")),
    ("metal", include_str!("../../../docs/profiles/metal.toml")),
    ("metal-half", include_str!("../../../docs/profiles/metal-half.toml")),
    ("opencl", include_str!("../../../docs/profiles/opencl.toml")),
    ("opencl-half", include_str!("../../../docs/profiles/opencl-half.toml")),
    ("opencl-unsafe", include_str!("../../../docs/profiles/opencl-unsafe.toml")),
    ("opencl-embedded", include_str!("../../../docs/profiles/opencl-embedded.toml")),
    ("opencl-embedded-half", include_str!("../../../docs/profiles/opencl-embedded-half.toml")),
    ("vulkan-highp", include_str!("../../../docs/profiles/vulkan-highp.toml")),
    ("vulkan-mediump", include_str!("../../../docs/profiles/vulkan-mediump.toml")),
    ("webgpu", include_str!("../../../docs/profiles/webgpu.toml")),
    ("webgpu-f16", include_str!("../../../docs/profiles/webgpu-f16.toml")),
];

/// The built-in profile of this name. Tests read all of them.
pub fn builtin_profile(name: &str) -> Option<Profile> {
    let (_, text) = PROFILES.iter().find(|(known, _)| *known == name)?;
    parse_profile_file(name, text).ok()
}

/// Reads a profile file.
///
/// # Errors
/// All problems of the file, or that it cannot be read.
pub fn read_profile_file(path: &Path) -> Result<Profile, Problems> {
    let name = path.display().to_string();
    let text = read_text_file(path)
        .map_err(|e| Problems::new(&name, "", vec![invalid("profile-read", format!("cannot be read: {e}"))]))?;
    parse_profile_file(&name, &text)
}

/// Reads a profile from text; `name` is for messages.
///
/// # Errors
/// All problems of the text.
pub fn parse_profile_file(name: &str, text: &str) -> Result<Profile, Problems> {
    check_length("profile-read", name, text)?;
    Profile::from_toml(text).map_err(|diags| Problems::new(name, text, diags))
}

#[cfg(test)]
mod tests;
