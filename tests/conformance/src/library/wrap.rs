//! Completes the sources of cases: declarations, and what is done before and after.

use super::parse::{Declared, ValueType, ValuesCase};
use crate::ShaderStage;

/// Where inputs or outputs begin: the location of each.
pub(super) fn locations(declared: &[Declared]) -> Vec<u32> {
    let mut next = 0;
    let mut place = |declared: &Declared| {
        next += declared.ty.columns;
        next - declared.ty.columns
    };
    declared.iter().map(&mut place).collect()
}

/// Booleans pass between stages as integers.
fn passed(ty: ValueType) -> char {
    if ty.kind == 'b' { 'i' } else { ty.kind }
}

/// Declarations and the statements of the beginning and the end.
#[derive(Default)]
struct Parts {
    declarations: String,
    setup: String,
    output: String,
}

impl Parts {
    fn inputs(&mut self, declared: &[Declared], stage: ShaderStage) {
        for (input, location) in declared.iter().zip(locations(declared)) {
            let (ty, name) = (input.ty, &input.name);
            let flat = if stage == ShaderStage::Fragment { "flat " } else { "" };
            let layout = format!("layout(location = {location}) {flat}in highp {}", ty.glsl(passed(ty)));
            if ty.kind == 'b' {
                let own = ty.glsl('b');
                self.declarations.push_str(&format!("{layout} dEQP_{name};\n{own} {name};\n"));
                self.setup.push_str(&format!("{name} = {own}(dEQP_{name});\n"));
            } else {
                self.declarations.push_str(&format!("{layout} {name};\n"));
            }
        }
    }

    fn outputs(&mut self, declared: &[Declared], stage: ShaderStage) {
        for (output, location) in declared.iter().zip(locations(declared)) {
            let (ty, name) = (output.ty, &output.name);
            let precision = if ty.kind == 'b' { "" } else { "highp " };
            self.declarations.push_str(&format!("{precision}{} {name};\n", ty.glsl(ty.kind)));
            let column = ValueType { columns: 1, ..ty }.glsl(passed(ty));
            for n in 0..ty.columns {
                let flat = if stage == ShaderStage::Vertex { "flat " } else { "" };
                let place = location + n;
                let own = format!("dEQP_{name}_{n}");
                self.declarations.push_str(&format!("layout(location = {place}) {flat}out highp {column} {own};\n"));
                let value = if ty.columns > 1 { format!("{name}[{n}]") } else { name.clone() };
                self.output.push_str(&format!("{own} = {column}({value});\n"));
            }
        }
    }

    fn uniforms(&mut self, declared: &[Declared]) {
        if declared.is_empty() {
            return;
        }
        self.declarations.push_str("layout(set = 0, binding = 0, std140) uniform dEQP_Uniforms {\n");
        for uniform in declared {
            let precision = if uniform.ty.kind == 'b' { "" } else { "highp " };
            self.declarations.push_str(&format!("{precision}{} {};\n", uniform.ty.glsl(uniform.ty.kind), uniform.name));
        }
        self.declarations.push_str("};\n");
    }
}

/// The words of the block of uniforms of one run.
pub(super) fn uniform_words(declared: &[Declared], column: usize) -> Vec<u32> {
    let mut words: Vec<u32> = Vec::new();
    for uniform in declared {
        let ty = uniform.ty;
        let value = &uniform.values[column.min(uniform.values.len() - 1)];
        let alignment = match (ty.columns, ty.rows) {
            (2.., _) | (_, 3..) => 4,
            (_, rows) => rows as usize,
        };
        words.resize(words.len().next_multiple_of(alignment), 0);
        for column in value.chunks(ty.rows as usize) {
            words.extend(column);
            if ty.columns > 1 {
                words.resize(words.len().next_multiple_of(4), 0);
            }
        }
    }
    words
}

/// Vulkan's GLSL begins with these versions.
fn with_version(source: &str) -> String {
    let mut out = String::new();
    for line in source.trim_start().lines() {
        let line = match line.trim().strip_prefix("#version") {
            Some(version) if version.trim() == "300 es" => "#version 310 es",
            Some(version) if version.trim().parse::<u32>().is_ok_and(|version| version < 450) => "#version 450",
            _ => line,
        };
        out.push_str(line);
        out.push('\n');
    }
    out
}

/// The source of a shader that is all of a case.
pub(super) fn alone(case: &ValuesCase, stage: ShaderStage, source: &str) -> String {
    let mut parts = Parts::default();
    parts.inputs(&case.inputs, stage);
    parts.outputs(&case.outputs, stage);
    parts.uniforms(&case.uniforms);
    if stage == ShaderStage::Vertex {
        parts.output.push_str("gl_Position = vec4(0.0);\n");
    }
    let colour = if stage == ShaderStage::Vertex { "gl_Position" } else { "dEQP_FragColor" };
    if stage == ShaderStage::Fragment && source.contains("${POSITION_FRAG_COLOR}") {
        parts.declarations.push_str("layout(location = 15) out mediump vec4 dEQP_FragColor;\n");
    }
    with_version(source)
        .replace("${DECLARATIONS}", &parts.declarations)
        .replace("${SETUP}", &parts.setup)
        .replace("${OUTPUT}", &parts.output)
        .replace("${POSITION_FRAG_COLOR}", colour)
}

/// The sources of two shaders that belong together.
pub(super) fn pair(case: &ValuesCase, vertex: &str, fragment: &str) -> [String; 2] {
    let (mut first, mut second) = (Parts::default(), Parts::default());
    first.inputs(&case.inputs, ShaderStage::Vertex);
    first.uniforms(&case.uniforms);
    second.uniforms(&case.uniforms);
    second.outputs(&case.outputs, ShaderStage::Fragment);
    let first = with_version(vertex)
        .replace("${VERTEX_DECLARATIONS}", &first.declarations)
        .replace("${VERTEX_SETUP}", &first.setup)
        .replace("${VERTEX_OUTPUT}", "gl_Position = vec4(0.0);\n");
    let second = with_version(fragment)
        .replace("${FRAGMENT_DECLARATIONS}", &second.declarations)
        .replace("${FRAGMENT_OUTPUT}", &second.output);
    [first, second]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared(kind: char, columns: u32, rows: u32, name: &str) -> Declared {
        let ty = ValueType { kind, columns, rows };
        Declared { ty, name: name.into(), values: vec![(1..=columns * rows).collect()] }
    }

    #[test]
    fn uniforms_lie_as_the_layout_says() {
        let all =
            [declared('v', 1, 1, "a"), declared('v', 1, 3, "b"), declared('i', 1, 1, "c"), declared('v', 2, 2, "m")];
        assert_eq!(uniform_words(&all, 0), [1, 0, 0, 0, 1, 2, 3, 1, 1, 2, 0, 0, 3, 4, 0, 0]);
        assert_eq!(locations(&all), [0, 1, 2, 3]);
    }

    #[test]
    fn booleans_and_matrices_pass_as_vectors() {
        let case = ValuesCase {
            name: "c".into(),
            inputs: vec![declared('b', 1, 2, "in0")],
            outputs: vec![declared('v', 2, 3, "out0"), declared('b', 1, 1, "out1")],
            uniforms: Vec::new(),
            source: super::super::parse::Source::Both(String::new()),
        };
        let source = "\n#version 300 es\n${DECLARATIONS}void main() {\n${SETUP}${OUTPUT}}\n";
        let text = alone(&case, ShaderStage::Fragment, source);
        assert!(text.starts_with("#version 310 es\nlayout(location = 0) flat in highp ivec2 dEQP_in0;\nbvec2 in0;\n"));
        assert!(text.contains("in0 = bvec2(dEQP_in0);\ndEQP_out0_0 = vec3(out0[0]);\ndEQP_out0_1 = vec3(out0[1]);\n"));
        assert!(text.contains("layout(location = 2) out highp int dEQP_out1_0;\n"));
    }
}
