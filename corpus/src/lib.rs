//! The embedded shader corpus: every file under `corpus/<isa>/`, as it is on disk.
//!
//! Adding a file is one line in the table below; a test fails while the table and the folders disagree.

/// One file of the corpus.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Path below `corpus`, with forward slashes: `tgsi/blend.tgsi`.
    pub path: &'static str,
    /// Contents.
    pub bytes: &'static [u8],
}

impl File {
    /// The folder, which names the instruction set: `tgsi`.
    pub fn folder(&self) -> &'static str {
        self.path.split('/').next().unwrap_or("")
    }

    /// The name without folder and extension: `blend`.
    pub fn stem(&self) -> &'static str {
        let name = self.path.rsplit('/').next().unwrap_or("");
        name.rsplit_once('.').map_or(name, |(stem, _)| stem)
    }

    /// The extension without its point: `tgsi`; empty where there is none.
    pub fn extension(&self) -> &'static str {
        let name = self.path.rsplit('/').next().unwrap_or("");
        name.rsplit_once('.').map_or("", |(_, extension)| extension)
    }

    /// The contents as text, if they are UTF-8.
    pub fn text(&self) -> Option<&'static str> {
        std::str::from_utf8(self.bytes).ok()
    }

    /// Whether it is a shader, not a manifest or a picture.
    pub fn is_shader(&self) -> bool {
        !matches!(self.extension(), "toml" | "png" | "md")
    }
}

macro_rules! corpus {
    ($($path:literal,)*) => {
        /// Every file, sorted by path.
        pub const FILES: &[File] = &[$(File { path: $path, bytes: include_bytes!(concat!("../", $path)) }),*];
    };
}

// One line per file, sorted.
corpus! {
    "attila/blend.attila",
    "attila/blend.toml",
    "attila/blinn_phong.attila",
    "attila/blinn_phong.toml",
    "attila/checker_aa.attila",
    "attila/checker_aa.toml",
    "attila/eclipse.attila",
    "attila/eclipse.toml",
    "attila/envmap.attila",
    "attila/envmap.toml",
    "attila/fixed_star.attila",
    "attila/fixed_star.toml",
    "attila/fixed_zone.attila",
    "attila/fixed_zone.toml",
    "attila/fog.attila",
    "attila/fog.toml",
    "attila/gear.attila",
    "attila/gear.toml",
    "attila/julia.attila",
    "attila/julia.toml",
    "attila/mandelbrot.attila",
    "attila/mandelbrot.toml",
    "attila/marble.attila",
    "attila/marble.toml",
    "attila/molecule.attila",
    "attila/molecule.toml",
    "attila/nebula.attila",
    "attila/nebula.toml",
    "attila/newton.attila",
    "attila/newton.toml",
    "attila/parallax.attila",
    "attila/parallax.toml",
    "attila/plasma.attila",
    "attila/plasma.toml",
    "attila/raymarch.attila",
    "attila/raymarch.toml",
    "attila/sine_hash.attila",
    "attila/sine_hash.toml",
    "attila/soap_bubble.attila",
    "attila/soap_bubble.toml",
    "attila/specular_sweep.attila",
    "attila/specular_sweep.toml",
    "attila/tangle.attila",
    "attila/tangle.toml",
    "attila/tonemap.attila",
    "attila/tonemap.toml",
    "attila/toon.attila",
    "attila/toon.toml",
    "attila/ulp_rings.attila",
    "attila/ulp_rings.toml",
    "attila/voronoi.attila",
    "attila/voronoi.toml",
    "attila/warp.attila",
    "attila/warp.toml",
    "nv40/blend.nv40",
    "nv40/blend.toml",
    "nv40/eclipse.nv40",
    "nv40/eclipse.toml",
    "nv40/envmap.nv40",
    "nv40/envmap.toml",
    "nv40/marble.nv40",
    "nv40/marble.toml",
    "nv40/nebula.nv40",
    "nv40/nebula.toml",
    "nv40/plasma.nv40",
    "nv40/plasma.toml",
    "nv40/sine_hash.nv40",
    "nv40/sine_hash.toml",
    "nv40/toon.nv40",
    "nv40/toon.toml",
    "nv40/ulp_rings.nv40",
    "nv40/ulp_rings.toml",
    "nv40/warp.nv40",
    "nv40/warp.toml",
    "nvfp/blend.nvfp",
    "nvfp/blend.toml",
    "nvfp/blinn_phong.nvfp",
    "nvfp/blinn_phong.toml",
    "nvfp/checker_aa.nvfp",
    "nvfp/checker_aa.toml",
    "nvfp/eclipse.nvfp",
    "nvfp/eclipse.toml",
    "nvfp/envmap.nvfp",
    "nvfp/envmap.toml",
    "nvfp/gear.nvfp",
    "nvfp/gear.toml",
    "nvfp/marble.nvfp",
    "nvfp/marble.toml",
    "nvfp/nan_sign.nvfp",
    "nvfp/nan_sign.toml",
    "nvfp/nebula.nvfp",
    "nvfp/nebula.toml",
    "nvfp/plasma.nvfp",
    "nvfp/plasma.toml",
    "nvfp/sine_hash.nvfp",
    "nvfp/sine_hash.toml",
    "nvfp/soap_bubble.nvfp",
    "nvfp/soap_bubble.toml",
    "nvfp/specular_sweep.nvfp",
    "nvfp/specular_sweep.toml",
    "nvfp/tonemap.nvfp",
    "nvfp/tonemap.toml",
    "nvfp/toon.nvfp",
    "nvfp/toon.toml",
    "nvfp/ulp_rings.nvfp",
    "nvfp/ulp_rings.toml",
    "nvfp/warp.nvfp",
    "nvfp/warp.toml",
    "spa5/blend.spa5",
    "spa5/blend.toml",
    "spa5/centroid_edge.spa5",
    "spa5/centroid_edge.toml",
    "spa5/eclipse.spa5",
    "spa5/eclipse.toml",
    "spa5/envmap.spa5",
    "spa5/envmap.toml",
    "spa5/fog.spa5",
    "spa5/fog.toml",
    "spa5/int_hash.spa5",
    "spa5/int_hash.toml",
    "spa5/julia.spa5",
    "spa5/julia.toml",
    "spa5/mandelbrot.spa5",
    "spa5/mandelbrot.toml",
    "spa5/marble.spa5",
    "spa5/marble.toml",
    "spa5/nebula.spa5",
    "spa5/nebula.toml",
    "spa5/needle_fan.spa5",
    "spa5/needle_fan.toml",
    "spa5/plasma.spa5",
    "spa5/plasma.toml",
    "spa5/sample_rings.spa5",
    "spa5/sample_rings.toml",
    "spa5/soap_bubble.spa5",
    "spa5/soap_bubble.toml",
    "spa5/soft_shadow.spa5",
    "spa5/soft_shadow.toml",
    "spa5/ulp_rings.spa5",
    "spa5/ulp_rings.toml",
    "tgsi/blend.tgsi",
    "tgsi/blend.toml",
    "tgsi/blinn_phong.tgsi",
    "tgsi/blinn_phong.toml",
    "tgsi/bump.tgsi",
    "tgsi/bump.toml",
    "tgsi/checker_aa.tgsi",
    "tgsi/checker_aa.toml",
    "tgsi/eclipse.tgsi",
    "tgsi/eclipse.toml",
    "tgsi/envmap.tgsi",
    "tgsi/envmap.toml",
    "tgsi/fog.tgsi",
    "tgsi/fog.toml",
    "tgsi/gamma.tgsi",
    "tgsi/gamma.toml",
    "tgsi/gear.tgsi",
    "tgsi/gear.toml",
    "tgsi/int_hash.tgsi",
    "tgsi/int_hash.toml",
    "tgsi/julia.tgsi",
    "tgsi/julia.toml",
    "tgsi/mandelbrot.tgsi",
    "tgsi/mandelbrot.toml",
    "tgsi/marble.tgsi",
    "tgsi/marble.toml",
    "tgsi/molecule.tgsi",
    "tgsi/molecule.toml",
    "tgsi/nebula.tgsi",
    "tgsi/nebula.toml",
    "tgsi/newton.tgsi",
    "tgsi/newton.toml",
    "tgsi/parallax.tgsi",
    "tgsi/parallax.toml",
    "tgsi/plasma.tgsi",
    "tgsi/plasma.toml",
    "tgsi/raymarch.tgsi",
    "tgsi/raymarch.toml",
    "tgsi/sine_hash.tgsi",
    "tgsi/sine_hash.toml",
    "tgsi/soap_bubble.tgsi",
    "tgsi/soap_bubble.toml",
    "tgsi/soft_shadow.tgsi",
    "tgsi/soft_shadow.toml",
    "tgsi/specular_sweep.tgsi",
    "tgsi/specular_sweep.toml",
    "tgsi/test_card.tgsi",
    "tgsi/test_card.toml",
    "tgsi/tonemap.tgsi",
    "tgsi/tonemap.toml",
    "tgsi/toon.tgsi",
    "tgsi/toon.toml",
    "tgsi/ulp_rings.tgsi",
    "tgsi/ulp_rings.toml",
    "tgsi/voronoi.tgsi",
    "tgsi/voronoi.toml",
    "tgsi/warp.tgsi",
    "tgsi/warp.toml",
    "tgsi/wheel.tgsi",
    "tgsi/wheel.toml",
    "usc/blend.toml",
    "usc/blend.usc",
    "usc/checker_aa.toml",
    "usc/checker_aa.usc",
    "usc/envmap.toml",
    "usc/envmap.usc",
    "usc/gear.toml",
    "usc/gear.usc",
    "usc/int_hash.toml",
    "usc/int_hash.usc",
    "usc/julia.toml",
    "usc/julia.usc",
    "usc/marble.toml",
    "usc/marble.usc",
    "usc/molecule.toml",
    "usc/molecule.usc",
    "usc/nebula.toml",
    "usc/nebula.usc",
    "usc/newton.toml",
    "usc/newton.usc",
    "usc/parallax.toml",
    "usc/parallax.usc",
    "usc/plasma.toml",
    "usc/plasma.usc",
    "usc/raymarch.toml",
    "usc/raymarch.usc",
    "usc/soap_bubble.toml",
    "usc/soap_bubble.usc",
    "usc/specular_sweep.toml",
    "usc/specular_sweep.usc",
    "usc/tonemap.toml",
    "usc/tonemap.usc",
    "usc/toon.toml",
    "usc/toon.usc",
}

/// The file at `path` (`tgsi/blend.tgsi`).
pub fn get(path: &str) -> Option<&'static File> {
    FILES.binary_search_by(|f| f.path.cmp(path)).ok().map(|at| &FILES[at])
}

/// The shaders of the corpus, sorted by path.
pub fn shaders() -> impl Iterator<Item = &'static File> {
    FILES.iter().filter(|f| f.is_shader())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn the_table_lists_every_file_on_disk_sorted() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut found = Vec::new();
        for folder in std::fs::read_dir(root).unwrap() {
            let folder = folder.unwrap();
            let name = folder.file_name().into_string().unwrap();
            if name == "src" || !folder.file_type().unwrap().is_dir() {
                continue;
            }
            for file in std::fs::read_dir(folder.path()).unwrap() {
                let file = file.unwrap();
                assert!(file.file_type().unwrap().is_file(), "{name} holds a folder");
                found.push(format!("{name}/{}", file.file_name().into_string().unwrap()));
            }
        }
        found.sort();
        let listed: Vec<&str> = FILES.iter().map(|f| f.path).collect();
        assert_eq!(listed, found, "the table in corpus/src/lib.rs and the folders disagree");
    }

    #[test]
    fn every_shader_has_its_manifest_and_the_other_way_round() {
        for file in FILES.iter().filter(|f| f.extension() == "toml" || f.is_shader()) {
            let wanted = if file.is_shader() { "toml".to_string() } else { file.folder().to_string() };
            let path = format!("{}/{}.{wanted}", file.folder(), file.stem());
            assert!(get(&path).is_some(), "{} stands without {path}", file.path);
        }
    }

    #[test]
    fn paths_come_apart_into_folder_stem_and_extension() {
        let file = File { path: "tgsi/blend.tgsi", bytes: b"FRAG" };
        assert_eq!((file.folder(), file.stem(), file.extension()), ("tgsi", "blend", "tgsi"));
        assert!(file.is_shader());
        assert!(!File { path: "tgsi/blend.toml", bytes: b"" }.is_shader());
    }
}
