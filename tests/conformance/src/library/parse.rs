//! Reads `.test` files.

use crate::ShaderStage;

/// A case that lists values.
#[derive(Clone, Debug, PartialEq)]
pub struct ValuesCase {
    /// Its groups and its own name.
    pub name: String,
    /// What shaders read.
    pub inputs: Vec<Declared>,
    /// What they should write.
    pub outputs: Vec<Declared>,
    /// What they read and that is the same for all invocations.
    pub uniforms: Vec<Declared>,
    /// The shaders.
    pub source: Source,
}

/// A variable and its values.
#[derive(Clone, Debug, PartialEq)]
pub struct Declared {
    /// Its type.
    pub ty: ValueType,
    /// Its name.
    pub name: String,
    /// For each time the shader runs the words of its scalars: binary32 patterns, integers, 0 or 1.
    pub values: Vec<Vec<u32>>,
}

/// A type of GLSL.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct ValueType {
    /// The letter vectors of it begin with, `v` for floats.
    pub kind: char,
    /// Columns.
    pub columns: u32,
    /// Scalars of a column.
    pub rows: u32,
}

/// The shaders of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// One for either stage.
    Both(String),
    /// One for one stage.
    One(ShaderStage, String),
    /// Two that belong together.
    Pair {
        /// The first.
        vertex: String,
        /// The second.
        fragment: String,
    },
}

impl ValueType {
    fn named(name: &str) -> Option<ValueType> {
        let of = |kind, columns, rows| Some(ValueType { kind, columns, rows });
        let side = |text: &str| text.parse().ok().filter(|side| (2..=4).contains(side));
        match name {
            "float" => return of('v', 1, 1),
            "int" => return of('i', 1, 1),
            "uint" => return of('u', 1, 1),
            "bool" => return of('b', 1, 1),
            _ => {}
        }
        if let Some(sides) = name.strip_prefix("mat") {
            let (columns, rows) = sides.split_once('x').unwrap_or((sides, sides));
            return of('v', side(columns)?, side(rows)?);
        }
        let (kind, rows) = match name.strip_prefix("vec") {
            Some(rows) => ('v', rows),
            None => (name.chars().next()?, name.get(1..)?.strip_prefix("vec")?),
        };
        if matches!(kind, 'v' | 'i' | 'u' | 'b') { of(kind, 1, side(rows)?) } else { None }
    }

    /// Its name, or that of the type with another letter.
    pub fn glsl(self, kind: char) -> String {
        let scalar = match kind {
            'v' => "float",
            'i' => "int",
            'u' => "uint",
            _ => "bool",
        };
        match (self.columns, self.rows) {
            (1, 1) => scalar.to_string(),
            (1, rows) if kind == 'v' => format!("vec{rows}"),
            (1, rows) => format!("{kind}vec{rows}"),
            (columns, rows) => format!("mat{columns}x{rows}"),
        }
    }

    /// Scalars.
    pub fn size(self) -> usize {
        (self.columns * self.rows) as usize
    }
}

impl ValuesCase {
    /// The stages that it runs as, each with what is added to its name.
    pub fn stages(&self) -> Vec<(Option<ShaderStage>, &'static str)> {
        match &self.source {
            Source::Both(_) => {
                vec![(Some(ShaderStage::Vertex), "_vertex"), (Some(ShaderStage::Fragment), "_fragment")]
            }
            Source::One(stage, _) => vec![(Some(*stage), "")],
            Source::Pair { .. } => vec![(None, "")],
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Token<'a> {
    Word(&'a str),
    Text(&'a str),
    Source(&'a str),
    Sign(char),
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '+');
        let (token, length) = if first == '#' {
            (None, rest.find('\n').unwrap_or(rest.len()))
        } else if let Some(source) = rest.strip_prefix("\"\"") {
            let end = source.find("\"\"").unwrap_or(source.len());
            (Some(Token::Source(&source[..end])), (end + 4).min(rest.len()))
        } else if matches!(first, '"' | '\'') {
            let end = rest[1..].find(first).unwrap_or(rest.len() - 1);
            (Some(Token::Text(&rest[1..=end])), (end + 2).min(rest.len()))
        } else if first.is_ascii_alphanumeric() || first == '-' || first == '.' {
            let mut end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            // Signs belong to names, and to exponents, but a number does not go on after one.
            if first.is_ascii_digit() || first == '-' || first == '.' {
                let is_number = |c: char| c.is_ascii_alphanumeric() || c == '.';
                end = rest[1..].find(|c| !is_number(c)).map_or(rest.len(), |n| n + 1);
                let exponent = rest[..end].ends_with(['e', 'E']) && !rest.starts_with("0x");
                if exponent && rest[end..].starts_with(['-', '+']) {
                    end = rest[end + 1..].find(|c: char| !c.is_ascii_digit()).map_or(rest.len(), |n| end + 1 + n);
                }
            }
            (Some(Token::Word(&rest[..end])), end)
        } else if first.is_whitespace() {
            (None, first.len_utf8())
        } else {
            (Some(Token::Sign(first)), first.len_utf8())
        };
        out.extend(token);
        rest = &rest[length..];
    }
    out
}

/// The cases of a file that list what should be written; for each that the runner does not know, its name and why.
pub fn parse(text: &str) -> Vec<Result<ValuesCase, (String, String)>> {
    let tokens = tokens(text);
    let mut out = Vec::new();
    let mut groups = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        at += 1;
        match token {
            Token::Word("group") => {
                if let Some(Token::Word(name)) = tokens.get(at) {
                    groups.push(*name);
                    at += 1;
                }
            }
            Token::Word("end") => {
                groups.pop();
            }
            Token::Word("case") => {
                let Some(Token::Word(name)) = tokens.get(at) else { continue };
                let name = [&groups[..], &[*name]].concat().join("/");
                at += 1;
                match case(&tokens, &mut at, &name) {
                    Ok(case) => out.extend(case.map(Ok)),
                    Err(reason) => {
                        out.push(Err((name, reason)));
                        // On to the end of the case.
                        while at < tokens.len() && tokens[at - 1] != Token::Word("end") {
                            at += 1;
                        }
                    }
                }
            }
            _ => {}
        }
    }
    out
}

/// A case, up to behind its end; `None` for one without outputs.
fn case(tokens: &[Token<'_>], at: &mut usize, name: &str) -> Result<Option<ValuesCase>, String> {
    let (mut inputs, mut outputs, mut uniforms) = (Vec::new(), Vec::new(), Vec::new());
    let (mut both, mut vertex, mut fragment) = (None, None, None);
    let mut refused = None;
    loop {
        let token = tokens.get(*at).ok_or("the file ends too soon")?;
        *at += 1;
        match token {
            Token::Word("end") => break,
            Token::Word("expect") if tokens.get(*at) != Some(&Token::Word("pass")) => refused = Some(String::new()),
            Token::Word("values") => values(tokens, at, [&mut inputs, &mut outputs, &mut uniforms])?,
            Token::Word("pipeline_program") => refused = Some("several programs".into()),
            Token::Word(stage) if matches!(tokens.get(*at), Some(Token::Source(_))) => {
                let Some(Token::Source(source)) = tokens.get(*at) else { continue };
                *at += 1;
                match *stage {
                    "both" => both = Some(source.to_string()),
                    "vertex" => vertex = Some(source.to_string()),
                    "fragment" => fragment = Some(source.to_string()),
                    stage => refused = Some(format!("a {stage} shader")),
                }
            }
            // What is required, by stage.
            Token::Sign('{') => {
                let length = tokens[*at..].iter().position(|token| *token == Token::Sign('}'));
                *at += length.ok_or("a brace that is not closed")? + 1;
            }
            _ => {}
        }
    }
    if outputs.is_empty() || refused.as_ref().is_some_and(String::is_empty) {
        return Ok(None);
    }
    if let Some(reason) = refused {
        return Err(reason);
    }
    let source = match (both, vertex, fragment) {
        (Some(source), ..) => Source::Both(source),
        (None, Some(vertex), Some(fragment)) => Source::Pair { vertex, fragment },
        (None, Some(vertex), None) => Source::One(ShaderStage::Vertex, vertex),
        (None, None, Some(fragment)) => Source::One(ShaderStage::Fragment, fragment),
        (None, None, None) => return Err("a case without a shader".into()),
    };
    Ok(Some(ValuesCase { name: name.to_string(), inputs, outputs, uniforms, source }))
}

/// A block of values.
fn values(
    tokens: &[Token<'_>],
    at: &mut usize,
    [inputs, outputs, uniforms]: [&mut Vec<Declared>; 3],
) -> Result<(), String> {
    let mut next = || {
        *at += 1;
        tokens.get(*at - 1).cloned().ok_or_else(|| "the file ends too soon".to_string())
    };
    if next()? != Token::Sign('{') {
        return Err("values without a brace".into());
    }
    loop {
        let list = match next()? {
            Token::Sign('}') => return Ok(()),
            Token::Word("input") => &mut *inputs,
            Token::Word("output") => &mut *outputs,
            Token::Word("uniform") => &mut *uniforms,
            token => return Err(format!("values with {token:?}")),
        };
        let ty = match next()? {
            Token::Word(name) => ValueType::named(name).ok_or_else(|| format!("values of type {name}"))?,
            token => return Err(format!("values of type {token:?}")),
        };
        let name = match next()? {
            Token::Word(name) | Token::Text(name) => name.to_string(),
            token => return Err(format!("values named {token:?}")),
        };
        let mut words = Vec::new();
        loop {
            match next()? {
                Token::Sign(';') => break,
                Token::Sign('-') => return Err("a sign alone".into()),
                Token::Sign(_) => {}
                // Of a constructor.
                Token::Word(word) if ValueType::named(word).is_some() => {}
                Token::Word("true") => words.push(1),
                Token::Word("false") => words.push(0),
                Token::Word(word) => {
                    let word = match ty.kind {
                        'v' => word.parse::<f32>().ok().map(f32::to_bits),
                        _ => word.parse::<i64>().ok().map(|value| value as u32),
                    };
                    words.push(word.ok_or("a value that is not a number")?);
                }
                token => return Err(format!("the value {token:?}")),
            }
        }
        if words.is_empty() || words.len() % ty.size() != 0 {
            return Err("values that are too few".into());
        }
        let values = words.chunks(ty.size()).map(<[u32]>::to_vec).collect();
        list.push(Declared { ty, name, values });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# one\ngroup g \"G\"\ncase a-1\n version 300 es\n require extension { \"x\" } in { vertex }\n\
        values {\n input vec2 in0 = [ vec2(0.5, -1.0e-2) | vec2(2.0, 3.0) ];\n output bool out0 = [ true | false ];\n\
        uniform int \"u[0]\" = -3;\n }\n both \"\"\n void main() {}\n \"\"\nend\n\
        case b\n expect compile_fail\n values { output int o = 1; }\n vertex \"\" \"\"\nend\nend\n\
        case c\n values { output int o = 1; }\n geometry \"\" \"\"\nend\n";

    #[test]
    fn cases_with_outputs_are_read() {
        let cases = parse(TEXT);
        assert_eq!(cases.len(), 2);
        let case = cases[0].as_ref().unwrap();
        assert_eq!(case.name, "g/a-1");
        assert_eq!(case.inputs[0].values[0], [0.5f32.to_bits(), (-0.01f32).to_bits()]);
        assert_eq!(case.outputs[0].values, [[1], [0]]);
        assert_eq!((case.uniforms[0].name.as_str(), case.uniforms[0].values[0][0]), ("u[0]", -3i32 as u32));
        assert_eq!(case.source, Source::Both("\n void main() {}\n ".into()));
        assert_eq!(case.stages().len(), 2);
        assert_eq!(cases[1], Err(("c".into(), "a geometry shader".into())));
    }

    #[test]
    fn types_have_their_names() {
        for name in ["float", "ivec3", "bool", "vec4", "mat2x3", "uint", "bvec2"] {
            let ty = ValueType::named(name).unwrap();
            assert_eq!(ty.glsl(ty.kind), name);
        }
        assert_eq!(ValueType::named("mat3").map(|ty| ty.glsl('v')), Some("mat3x3".into()));
        assert_eq!(ValueType::named("sampler2D"), None);
    }
}
