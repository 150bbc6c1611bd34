//! `[vertex]`: the vertex program in front of a fragment program, and what it is given.

use super::tree::{self, Tree, Value};
use super::{MAX_TRIANGLES, Manifest};
use crate::draw::{CORNERS, Draw};
use crate::frontend::LayoutRequest;
use crate::load::{LoadOptions, load};
use crate::problem::Problems;
use crate::read_file::read_file;
use crate::vertex_stage::VertexStage;
use crate::vertices::MAX_VERTICES;
use parallax_core::Stage;
use parallax_lift::Options;
use parallax_text::{Diag, Span};
use std::sync::Arc;

/// The vertex program of a manifest.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Vertex {
    /// Its file, beside the manifest unless the caller gives its bytes.
    file: String,
    pub(super) span: Span,
    given: Option<Vec<u8>>,
    isa: Option<String>,
    dialect: Option<String>,
    triangles: Option<Vec<[u32; 3]>>,
    clamp_colors: bool,
    /// What the program reads, as in a manifest of its own.
    inputs: Manifest,
}

const KEYS: &[&str] = &[
    "program",
    "isa",
    "dialect",
    "grid",
    "triangles",
    "clamp_colors",
    "attributes",
    "constants",
    "textures",
    "binding",
    "options",
];

impl Manifest {
    /// The file of the vertex program that it names, relative to the manifest's folder.
    pub fn vertex_program(&self) -> Option<&str> {
        self.vertex.as_ref().map(|vertex| vertex.file.as_str())
    }

    /// Gives the bytes of that file, which is then not read.
    pub fn give_vertex_program(&mut self, bytes: &[u8]) {
        if let Some(vertex) = &mut self.vertex {
            vertex.given = Some(bytes.to_vec());
        }
    }

    pub(super) fn vertex(&mut self, tree: &mut Tree, value: &Value<'_>) {
        let Some(table) = tree.table(value) else { return };
        let mut inputs = Manifest { name: self.name.clone(), text: self.text.clone(), ..Manifest::default() };
        let (mut file, mut isa, mut dialect) = (None, None, None);
        let (mut grid, mut triangles, mut clamp_colors) = (None, None, true);
        for (key, value) in tree.entries(table, KEYS) {
            match key.name {
                "program" => file = tree.string(value).map(|file| (file, tree::span(value))),
                "isa" => isa = tree.string(value),
                "dialect" => dialect = tree.string(value),
                "grid" => grid = tree.size(value).map(|size| (size, tree::span(value))),
                "triangles" => triangles = read_triangles(tree, value),
                "clamp_colors" => clamp_colors = tree.boolean(value).unwrap_or(true),
                name => inputs.input(tree, name, value),
            }
        }
        if let Some(((columns, rows), span)) = grid {
            let vertices = (u64::from(columns) + 1).saturating_mul(u64::from(rows) + 1);
            if columns == 0 || rows == 0 || vertices > MAX_VERTICES as u64 {
                let message = format!("a grid of {columns}x{rows} cells: expected 1 to {MAX_VERTICES} vertices");
                tree.error(span, "manifest-grid", message);
                return;
            }
            inputs.places = Some(places(columns, rows));
            triangles.get_or_insert_with(|| cells(columns, rows));
        }
        match file {
            None => tree.error(tree::span(value), "manifest-missing", "`vertex` needs `program`, a file"),
            Some((file, span)) => {
                let given = None;
                let vertex = Vertex { file, span, given, isa, dialect, triangles, clamp_colors, inputs };
                self.vertex = Some(Box::new(vertex));
            }
        }
    }

    /// The vertex stage of a draw.
    pub(super) fn vertex_stage(&self, vertex: &Vertex) -> Result<VertexStage, Problems> {
        let problem = |code, message: String| {
            Problems::new(&self.name, &self.text, vec![Diag::invalid(code, vertex.span, message)])
        };
        let path = self.folder.join(&vertex.file);
        let read;
        let bytes = match &vertex.given {
            Some(bytes) => bytes,
            None => {
                read = read_file(&path)
                    .map_err(|e| problem("manifest-vertex", format!("{}: cannot be read: {e}", path.display())))?;
                &read
            }
        };
        let options = LoadOptions {
            isa: vertex.isa.clone(),
            layout: LayoutRequest { dialect: vertex.dialect.clone(), ..LayoutRequest::default() },
            lift: Options { stage: Some(Stage::Vertex), settings: vertex.inputs.options.clone(), ..Options::default() },
        };
        let name = path.display().to_string();
        let loaded = load(&name, bytes, &options);
        let shader = loaded.runnable()?;
        let iface = &shader.func.iface;
        if iface.stage != Stage::Vertex {
            let message = format!("{name} is a {} program: expected a vertex program", iface.stage.name());
            return Err(problem("manifest-vertex", message));
        }
        let inputs = Draw::new(iface, &Manifest { folder: self.folder.clone(), ..vertex.inputs.clone() })?;
        let count = inputs.attributes.iter().map(Vec::len).max().unwrap_or(CORNERS.len());
        let triangles = match &vertex.triangles {
            Some(triangles) => triangles.clone(),
            // The corners of the quad that a bare draw has.
            None if count == CORNERS.len() => vec![[0, 2, 1], [1, 2, 3]],
            None if count.is_multiple_of(3) => (0..count as u32 / 3).map(|n| [3 * n, 3 * n + 1, 3 * n + 2]).collect(),
            None => {
                let message = format!("{count} vertices: expected a multiple of three, `triangles` or `grid`");
                return Err(problem("manifest-triangles", message));
            }
        };
        Ok(VertexStage {
            shader: Arc::new(shader.clone()),
            inputs: Box::new(inputs),
            triangles,
            clamp_colors: vertex.clamp_colors,
        })
    }
}

/// `[[a, b, c], ...]`, numbers of vertices.
fn read_triangles(tree: &mut Tree, value: &Value<'_>) -> Option<Vec<[u32; 3]>> {
    let before = tree.errors();
    let items = tree.items(value, "an array of [a, b, c], numbers of vertices");
    let triangles: Vec<[u32; 3]> = items
        .iter()
        .map(|item| {
            let sides = tree.sides(item).unwrap_or_default();
            <[u32; 3]>::try_from(sides).unwrap_or_else(|found| {
                if !found.is_empty() {
                    tree.error(tree::span(item), "manifest-triangles", "a triangle has three vertices");
                }
                [0; 3]
            })
        })
        .collect();
    if triangles.len() > MAX_TRIANGLES {
        tree.error(tree::span(value), "manifest-triangles", format!("more than {MAX_TRIANGLES} triangles"));
    }
    (tree.errors() == before).then_some(triangles)
}

/// The vertices of a grid over the unit square, row by row from the top left.
fn places(columns: u32, rows: u32) -> Vec<[f32; 2]> {
    let step = |n: u32, all: u32| (f64::from(n) / f64::from(all)) as f32;
    (0..=rows).flat_map(|y| (0..=columns).map(move |x| [step(x, columns), step(y, rows)])).collect()
}

/// Two triangles for each cell, split as a quad is.
fn cells(columns: u32, rows: u32) -> Vec<[u32; 3]> {
    let cell = |x: u32, y: u32| {
        let at = |right: u32, down: u32| (y + down) * (columns + 1) + x + right;
        [[at(0, 0), at(0, 1), at(1, 0)], [at(1, 0), at(0, 1), at(1, 1)]]
    };
    (0..rows).flat_map(|y| (0..columns).flat_map(move |x| cell(x, y))).collect()
}
