//! Listing and assembling.

use super::Result2;
use super::answer::{Error, string};
use super::request::{Request, Verb, hex_bytes};
use parallax::LoadOptions;
use serde_json::Value;

/// Listing and assembling.
pub(super) fn machine(request: &Request) -> Result2 {
    let frontend = request.frontend()?;
    let Some(machine) = frontend.machine else {
        let message = format!("op `{}` is not supported for {}", request.op.name(), request.isa);
        return Err(Error::unsupported("op", message));
    };
    let layout = request.layout().of(frontend).map_err(|diag| Error::of(&[diag], ""))?;
    let name = if request.op == Verb::Dis { "exact" } else { "end" };
    let option = match request.options.0.as_slice() {
        [] => None,
        [(given, value)] if given == name => match value {
            Value::Bool(value) => Some(*value),
            Value::String(word) if word == "true" || word == "false" => Some(word == "true"),
            _ => return Err(Error::invalid("option", format!("option `{name}` must be true or false"))),
        },
        given => {
            let given = given.iter().map(|(given, _)| given).find(|given| *given != name);
            let message = match given {
                Some(given) => format!("op `{}` has no option `{given}`; it has `{name}`", request.op.name()),
                None => format!("option `{name}` is given twice"),
            };
            return Err(Error::invalid("option-unknown", message));
        }
    };
    match (request.op, &request.text, &request.hex) {
        (Verb::Dis, None, Some(hex)) => {
            let bytes = hex_bytes(hex)
                .ok_or_else(|| Error::invalid("hex", "`hex` must consist of pairs of hexadecimal digits"))?;
            // Words without anything around them may begin like a container.
            let asked =
                LoadOptions { isa: Some(request.isa.clone()), layout: request.layout(), ..LoadOptions::default() };
            let found = match request.bare {
                Some(true) => None,
                _ => Some(parallax::resolve_only(&bytes, &asked).map_err(|diag| Error::of(&[diag], ""))?),
            };
            let (bytes, layout) = match &found {
                None => (bytes.as_slice(), layout),
                Some(found) => (&*found.bytes, found.layout.of(frontend).map_err(|diag| Error::of(&[diag], ""))?),
            };
            let (mut lines, mut diags) = (Vec::new(), Vec::new());
            for line in (machine.list)(bytes, &layout, option.unwrap_or(false)) {
                lines.push(string(&line.unwrap_or_else(|(text, diag)| {
                    diags.push(*diag);
                    text
                })));
            }
            let members = format!(r#""text":[{}]"#, lines.join(","));
            if diags.is_empty() { Ok(members) } else { Err(Error::of(&diags, "").with_members(members)) }
        }
        (Verb::As, Some(text), None) => {
            // Unless the request says what it wants, one instruction is assembled as it stands and a program gets its
            // end.
            let whole = option.unwrap_or_else(|| text.trim().lines().count() != 1);
            let (bytes, diags) = (machine.assemble)(text, &layout, whole);
            let bytes = bytes.ok_or_else(|| Error::of(&diags, text))?;
            let hex: String = bytes.iter().map(|b| format!("{b:02x}")).collect();
            let warnings = Error::warnings(&diags, text);
            let warnings =
                if warnings.is_empty() { String::new() } else { format!(r#","warnings":[{}]"#, warnings.join(",")) };
            Ok(format!(r#""hex":{}{warnings}"#, string(&hex)))
        }
        (Verb::Dis, ..) => Err(Error::invalid("request", "op `dis` takes the program as `hex`")),
        _ => Err(Error::invalid("request", "op `as` takes the program as `text`")),
    }
}
