//! Uniforms of structures that sources declare themselves: Vulkan has them in blocks only, whose places std140 gives
//! (OpenGL 4.6, section 7.6.2.2).

use std::collections::BTreeMap;

/// Members of a structure: type, name, and elements of an array.
type Members<'a> = Vec<(&'a str, &'a str, Option<usize>)>;

/// The first words of scalars and vectors by their paths, such as `val.light.color`.
pub(super) type Places = BTreeMap<String, usize>;

/// Puts each uniform of a structure into the block at set 0, binding 1. Gives the places in it, or nothing where a source
/// has several or a member of another kind.
pub(super) fn in_block(source: &str) -> Option<(String, Places)> {
    let structures = structures(source)?;
    let mut found: Option<(String, Places)> = None;
    for line in source.lines() {
        let Some(declared) = line.trim().strip_prefix("uniform ").and_then(|rest| rest.strip_suffix(';')) else {
            continue;
        };
        let [ty, name] = declared.split_whitespace().collect::<Vec<_>>()[..] else { continue };
        if !structures.contains_key(ty) {
            continue;
        }
        if found.is_some() {
            return None;
        }
        let mut places = Places::new();
        place(ty, name, 0, &structures, &mut places)?;
        let block = format!("layout(set = 0, binding = 1, std140) uniform dEQP_Structure {{ {ty} {name}; }};");
        found = Some((source.replace(line, &block), places));
    }
    Some(found.unwrap_or_else(|| (source.to_string(), Places::new())))
}

/// The structures of a source by name.
fn structures(source: &str) -> Option<BTreeMap<&str, Members<'_>>> {
    let mut found = BTreeMap::new();
    for after in source.split("struct ").skip(1) {
        let Some((name, rest)) = after.split_once('{') else { continue };
        let (body, _) = rest.split_once('}')?;
        let mut members = Members::new();
        for member in body.split(';').map(str::trim).filter(|member| !member.is_empty()) {
            let words = member.split_whitespace().filter(|word| !["lowp", "mediump", "highp"].contains(word));
            let [ty, name] = words.collect::<Vec<_>>()[..] else { return None };
            let (name, count) = match name.split_once('[') {
                Some((name, count)) => (name, Some(count.trim_end_matches(']').parse().ok()?)),
                None => (name, None),
            };
            members.push((ty, name, count));
        }
        found.insert(name.trim(), members);
    }
    Some(found)
}

/// Lays out a type from a word on: what it is aligned to, and its words. Vectors and scalars are noted by their paths.
fn place(
    ty: &str,
    path: &str,
    start: usize,
    structures: &BTreeMap<&str, Members<'_>>,
    places: &mut Places,
) -> Option<(usize, usize)> {
    if let Some(members) = structures.get(ty) {
        let mut next = 0;
        for (ty, name, count) in members {
            let one = |path: &str, start, places: &mut Places| place(ty, path, start, structures, places);
            let (mut align, mut size) = one("", 0, &mut Places::new())?;
            if count.is_some() {
                align = align.max(4);
                size = size.next_multiple_of(align);
            }
            next = usize::next_multiple_of(next, align);
            for n in 0..count.unwrap_or(1) {
                let element = if count.is_some() { format!("[{n}]") } else { String::new() };
                one(&format!("{path}.{name}{element}"), start + next, places)?;
                next += size;
            }
        }
        return Some((4, next.next_multiple_of(4)));
    }
    let rows = match ty {
        "float" | "int" | "uint" | "bool" => 1,
        _ => ty
            .trim_start_matches(['i', 'u', 'b'])
            .strip_prefix("vec")?
            .parse()
            .ok()
            .filter(|rows| (2..=4).contains(rows))?,
    };
    places.insert(path.to_string(), start);
    Some((if rows == 3 { 4 } else { rows }, rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_lie_as_std140_has_them() {
        let source = "struct In { mediump vec3 a; float b; };\nstruct Out { vec2 x; In y[2]; bool z; };\n  uniform Out val;\nvoid main() {}\n";
        let (made, places) = in_block(source).expect("known types");
        assert!(made.contains("std140) uniform dEQP_Structure { Out val; };"), "{made}");
        let wanted =
            [("val.x", 0), ("val.y[0].a", 4), ("val.y[0].b", 7), ("val.y[1].a", 8), ("val.y[1].b", 11), ("val.z", 12)];
        assert_eq!(places, wanted.map(|(path, word)| (path.to_string(), word)).into());
    }

    #[test]
    fn other_sources_stay() {
        let source = "uniform float x;\nstruct S { mat2 m; };\n";
        assert_eq!(in_block(source), Some((source.to_string(), Places::new())));
        assert_eq!(in_block("struct S { mat2 m; };\nuniform S val;"), None);
    }
}
