//! Shading languages that modules are written in.

/// A shading language.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// WebGPU's.
    Wgsl,
    /// OpenGL's, version 4.50 of the core profile.
    Glsl,
    /// Direct3D's, shader model 6.0.
    Hlsl,
    /// Metal's, version 2.1.
    Msl,
}

impl Language {
    /// All of them.
    pub const ALL: [Language; 4] = [Language::Wgsl, Language::Glsl, Language::Hlsl, Language::Msl];

    /// Its name, as people write it.
    pub const fn title(self) -> &'static str {
        match self {
            Language::Wgsl => "WGSL",
            Language::Glsl => "GLSL",
            Language::Hlsl => "HLSL",
            Language::Msl => "MSL",
        }
    }
}
