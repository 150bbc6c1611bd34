//! Modules that compute one result for each element of their operands: types and constants are declared as the body names
//! them.
//!
//! | name | stands for |
//! |---|---|
//! | `%f32` `%u16` `%bool` | a scalar type |
//! | `%v3f32` | a vector |
//! | `%m2x3f32` | a matrix of 2 columns of 3 |
//! | `%a4f32` | an array |
//! | `%s_u32_u32` | a structure |
//! | `%fn_f32_u32` | a function of a `u32` that gives an `f32` |
//! | `%p_f32` | a pointer to a variable of the function |
//! | `%c_f32_m1p5` | the constant -1.5; `true`, `false`, `inf` and `nan` are others |
//! | `%var_f32_0` | a variable of the function |
//! | `%a` `%b` `%c` ... | the operands |
//! | `%r` | the result |
//! | `%i` | the number of the element |

use std::collections::BTreeSet;
use std::fmt::Write;

/// Invocations of a workgroup.
pub(crate) const GROUP: u32 = 64;

/// What a program computes for each element.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    /// Its name in reports.
    pub(crate) name: String,
    /// Types of the operands, each with the kind of numbers it takes: `f32`, `i32:shift`.
    pub(crate) operands: Vec<String>,
    /// Type of the result.
    pub(crate) result: String,
    /// Instructions that end where `%r` is known.
    pub(crate) body: String,
    /// Lines among the decorations.
    pub(crate) decorations: String,
    /// Functions behind `main`.
    pub(crate) functions: String,
}

impl Program {
    /// Operands are separated by blanks.
    pub(crate) fn new(name: impl Into<String>, operands: &str, result: &str, body: impl Into<String>) -> Program {
        Program {
            name: name.into(),
            operands: operands.split_whitespace().map(str::to_string).collect(),
            result: result.to_string(),
            body: body.into(),
            decorations: String::new(),
            functions: String::new(),
        }
    }

    pub(crate) fn with_decorations(mut self, lines: &str) -> Program {
        self.decorations = lines.to_string();
        self
    }

    pub(crate) fn with_functions(mut self, lines: &str) -> Program {
        self.functions = lines.to_string();
        self
    }
}

/// A type by its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ty {
    Scalar(String),
    Vector(u32, String),
    Matrix(u32, String),
    Array(u32, String),
    Struct(Vec<String>),
    Pointer(String),
}

const SCALARS: [&str; 12] = ["f16", "f32", "f64", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "bool"];

/// What a name stands for; `None` where it is no type.
pub(crate) fn ty(name: &str) -> Option<Ty> {
    if SCALARS.contains(&name) {
        return Some(Ty::Scalar(name.into()));
    }
    if let Some(members) = name.strip_prefix("s_") {
        return Some(Ty::Struct(members.split('_').map(str::to_string).collect()));
    }
    if let Some(to) = name.strip_prefix("p_") {
        return ty(to).map(|_| Ty::Pointer(to.into()));
    }
    let count = name.get(1..2).and_then(|digit| digit.parse().ok())?;
    let rest = name.get(2..)?;
    match &name[..1] {
        "v" if SCALARS.contains(&rest) => Some(Ty::Vector(count, rest.into())),
        "m" => {
            let column = format!("v{}", rest.strip_prefix('x')?);
            ty(&column).map(|_| Ty::Matrix(count, column))
        }
        "a" => ty(rest).map(|_| Ty::Array(count, rest.into())),
        _ => None,
    }
}

/// The scalars of a type, in order.
pub(crate) fn scalars(name: &str) -> Vec<String> {
    let times = |count: u32, part: &str| vec![scalars(part); count as usize].concat();
    match ty(name) {
        Some(Ty::Vector(count, part) | Ty::Matrix(count, part) | Ty::Array(count, part)) => times(count, &part),
        Some(Ty::Struct(members)) => members.iter().flat_map(|member| scalars(member)).collect(),
        _ => vec![name.to_string()],
    }
}

/// Words that a scalar takes.
pub(crate) fn words(scalar: &str) -> u32 {
    if scalar.ends_with("64") { 2 } else { 1 }
}

/// Words that an element of a type takes.
pub(crate) fn size(name: &str) -> u32 {
    scalars(name).iter().map(|scalar| words(scalar)).sum()
}

#[derive(Default)]
struct Text {
    known: BTreeSet<String>,
    declarations: String,
    variables: String,
    code: String,
    next: u32,
}

impl Text {
    fn declare(&mut self, name: &str) {
        if self.known.contains(name) {
            return;
        }
        if let Some(rest) = name.strip_prefix("var_") {
            self.known.insert(name.to_string());
            let of = rest.rsplit_once('_').map_or(rest, |(of, _)| of);
            self.declare(&format!("p_{of}"));
            let _ = writeln!(self.variables, "%{name} = OpVariable %p_{of} Function");
            return;
        }
        if let Some((of, value)) = name.strip_prefix("c_").and_then(|rest| rest.rsplit_once('_')) {
            self.known.insert(name.to_string());
            self.declare(of);
            let value = match value {
                "inf" if of == "f64" => "0x1p+1024".to_string(),
                "inf" => "0x1p+128".to_string(),
                "nan" => "0x1.8p+128".to_string(),
                "true" | "false" => String::new(),
                value => value.replace('m', "-").replace('p', "."),
            };
            let op = match name {
                name if name.ends_with("_true") => "OpConstantTrue",
                name if name.ends_with("_false") => "OpConstantFalse",
                _ => "OpConstant",
            };
            let _ = writeln!(self.declarations, "%{name} = {op} %{of} {value}");
            return;
        }
        if let Some(parts) = name.strip_prefix("fn_") {
            self.known.insert(name.to_string());
            let parts: Vec<&str> = parts.split('_').collect();
            parts.iter().for_each(|part| self.declare(part));
            let _ = writeln!(self.declarations, "%{name} = OpTypeFunction %{}", parts.join(" %"));
            return;
        }
        let Some(kind) = ty(name) else { return };
        self.known.insert(name.to_string());
        let line = match kind {
            Ty::Scalar(scalar) if scalar == "bool" => "OpTypeBool".to_string(),
            Ty::Scalar(scalar) => match scalar.split_at(1) {
                ("f", bits) => format!("OpTypeFloat {bits}"),
                ("i", bits) => format!("OpTypeInt {bits} 1"),
                (_, bits) => format!("OpTypeInt {bits} 0"),
            },
            Ty::Vector(count, part) => {
                self.declare(&part);
                format!("OpTypeVector %{part} {count}")
            }
            Ty::Matrix(count, part) => {
                self.declare(&part);
                format!("OpTypeMatrix %{part} {count}")
            }
            Ty::Array(count, part) => {
                self.declare(&part);
                self.declare(&format!("c_u32_{count}"));
                format!("OpTypeArray %{part} %c_u32_{count}")
            }
            Ty::Struct(members) => {
                members.iter().for_each(|member| self.declare(member));
                format!("OpTypeStruct %{}", members.join(" %"))
            }
            Ty::Pointer(to) => {
                self.declare(&to);
                format!("OpTypePointer Function %{to}")
            }
        };
        let _ = writeln!(self.declarations, "%{name} = {line}");
    }

    fn declare_all(&mut self, text: &str) {
        for token in text.split(|c: char| c.is_whitespace()) {
            if let Some(name) = token.strip_prefix('%') {
                self.declare(name);
            }
        }
    }

    fn line(&mut self, line: &str) {
        self.declare_all(line);
        self.code.push_str(line);
        self.code.push('\n');
    }

    /// An id of its own.
    fn id(&mut self) -> String {
        self.next += 1;
        format!("%x{}", self.next)
    }

    fn made(&mut self, what: &str) -> String {
        let id = self.id();
        self.line(&format!("{id} = {what}"));
        id
    }

    /// The place of a word of the element of a buffer.
    fn place(&mut self, buffer: &str, size: u32, word: u32) -> String {
        let first = self.made(&format!("OpIMul %u32 %i %c_u32_{size}"));
        let at = self.made(&format!("OpIAdd %u32 {first} %c_u32_{word}"));
        self.made(&format!("OpAccessChain %place %{buffer} %c_u32_0 {at}"))
    }

    fn word(&mut self, buffer: &str, size: u32, word: u32) -> String {
        let place = self.place(buffer, size, word);
        self.made(&format!("OpLoad %u32 {place}"))
    }

    /// The value of a type whose words stand in a buffer from `at`.
    fn read(&mut self, buffer: &str, size: u32, at: &mut u32, name: &str) -> String {
        match ty(name) {
            Some(Ty::Scalar(scalar)) => {
                let word = self.word(buffer, size, *at);
                *at += words(&scalar);
                match scalar.as_str() {
                    "u32" => word,
                    "bool" => self.made(&format!("OpINotEqual %bool {word} %c_u32_0")),
                    "f32" | "i32" => self.made(&format!("OpBitcast %{scalar} {word}")),
                    "i64" | "u64" | "f64" => {
                        let high = self.word(buffer, size, *at - 1);
                        let both = self.made(&format!("OpCompositeConstruct %v2u32 {word} {high}"));
                        self.made(&format!("OpBitcast %{scalar} {both}"))
                    }
                    narrow => {
                        let bits = &narrow[1..];
                        let cut = self.made(&format!("OpUConvert %u{bits} {word}"));
                        if narrow.starts_with('u') { cut } else { self.made(&format!("OpBitcast %{narrow} {cut}")) }
                    }
                }
            }
            Some(Ty::Vector(count, part) | Ty::Matrix(count, part) | Ty::Array(count, part)) => {
                let parts: Vec<String> = (0..count).map(|_| self.read(buffer, size, at, &part)).collect();
                self.made(&format!("OpCompositeConstruct %{name} {}", parts.join(" ")))
            }
            Some(Ty::Struct(members)) => {
                let parts: Vec<String> = members.iter().map(|part| self.read(buffer, size, at, part)).collect();
                self.made(&format!("OpCompositeConstruct %{name} {}", parts.join(" ")))
            }
            _ => panic!("no operand has the type {name}"),
        }
    }

    fn write(&mut self, size: u32, at: &mut u32, name: &str, value: &str) {
        let parts = match ty(name) {
            Some(Ty::Scalar(scalar)) => {
                let bits = scalar[1..].to_string();
                let words = match scalar.as_str() {
                    "u32" => vec![value.to_string()],
                    "bool" => vec![self.made(&format!("OpSelect %u32 {value} %c_u32_1 %c_u32_0"))],
                    "f32" | "i32" => vec![self.made(&format!("OpBitcast %u32 {value}"))],
                    "i64" | "u64" | "f64" => {
                        let both = self.made(&format!("OpBitcast %v2u32 {value}"));
                        [0, 1].map(|n| self.made(&format!("OpCompositeExtract %u32 {both} {n}"))).into()
                    }
                    narrow if narrow.starts_with('u') => vec![self.made(&format!("OpUConvert %u32 {value}"))],
                    _ => {
                        let bits = self.made(&format!("OpBitcast %u{bits} {value}"));
                        vec![self.made(&format!("OpUConvert %u32 {bits}"))]
                    }
                };
                for word in words {
                    let place = self.place("out", size, *at);
                    self.line(&format!("OpStore {place} {word}"));
                    *at += 1;
                }
                return;
            }
            Some(Ty::Vector(count, part) | Ty::Matrix(count, part) | Ty::Array(count, part)) => {
                vec![part; count as usize]
            }
            Some(Ty::Struct(members)) => members,
            _ => panic!("no result has the type {name}"),
        };
        for (n, part) in parts.iter().enumerate() {
            let value = self.made(&format!("OpCompositeExtract %{part} {value} {n}"));
            self.write(size, at, part, &value);
        }
    }
}

/// The names of operands.
const NAMES: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

/// The type of an operand, without the kind of its numbers.
pub(crate) fn type_of(operand: &str) -> &str {
    operand.split_once(':').map_or(operand, |(ty, _)| ty)
}

/// The text of a program. Operand n is the storage buffer 0.n; the result is the buffer behind the last operand.
pub(crate) fn text(program: &Program) -> String {
    let mut text = Text::default();
    for (name, operand) in NAMES.iter().zip(&program.operands) {
        let ty = type_of(operand);
        let value = text.read(&format!("in{name}"), size(ty), &mut 0, ty);
        text.line(&format!("%{name} = OpCopyObject %{ty} {value}"));
    }
    for line in program.body.lines() {
        text.line(line.trim());
    }
    text.declare_all(&program.functions);
    text.write(size(&program.result), &mut 0, &program.result, "%r");
    let mut all = String::new();
    let capabilities = [
        ("Shader", true),
        ("Int8", text.known.contains("u8") || text.known.contains("i8")),
        ("Int16", text.known.contains("u16") || text.known.contains("i16")),
        ("Int64", text.known.contains("u64") || text.known.contains("i64")),
        ("Float16", text.known.contains("f16")),
        ("Float64", text.known.contains("f64")),
    ];
    for (capability, _) in capabilities.iter().filter(|(_, needed)| *needed) {
        let _ = writeln!(all, "OpCapability {capability}");
    }
    all.push_str("OpExtension \"SPV_KHR_storage_buffer_storage_class\"\n");
    all.push_str("%glsl = OpExtInstImport \"GLSL.std.450\"\nOpMemoryModel Logical GLSL450\n");
    let _ = writeln!(all, "OpEntryPoint GLCompute %main \"main\" %number\nOpExecutionMode %main LocalSize {GROUP} 1 1");
    all.push_str(&program.decorations);
    all.push_str("OpDecorate %number BuiltIn GlobalInvocationId\nOpDecorate %list ArrayStride 4\n");
    all.push_str("OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n");
    let count = program.operands.len();
    let buffers: Vec<String> =
        NAMES[..count].iter().map(|name| format!("in{name}")).chain(["out".to_string()]).collect();
    for (n, name) in buffers.iter().enumerate() {
        let _ = writeln!(all, "OpDecorate %{name} DescriptorSet 0\nOpDecorate %{name} Binding {n}");
    }
    ["u32", "v3u32", "c_u32_0"].iter().for_each(|name| text.declare(name));
    all.push_str(&text.declarations);
    all.push_str(
        "%void = OpTypeVoid\n%function = OpTypeFunction %void\n%list = OpTypeRuntimeArray %u32\n\
         %block = OpTypeStruct %list\n%blocks = OpTypePointer StorageBuffer %block\n\
         %place = OpTypePointer StorageBuffer %u32\n%inputs = OpTypePointer Input %v3u32\n\
         %number = OpVariable %inputs Input\n",
    );
    for name in &buffers {
        let _ = writeln!(all, "%{name} = OpVariable %blocks StorageBuffer");
    }
    all.push_str("%main = OpFunction %void None %function\n%first = OpLabel\n");
    all.push_str(&text.variables);
    all.push_str("%where = OpLoad %v3u32 %number\n%i = OpCompositeExtract %u32 %where 0\n");
    all.push_str(&text.code);
    all.push_str("OpReturn\nOpFunctionEnd\n");
    all.push_str(&program.functions);
    all
}
