//! WGSL by the library naga.

use naga::back::spv;
use naga::valid::{Capabilities, ValidationFlags, Validator};
use parallax_text::{Diag, Span};

/// A module in bytes, or located problems.
pub(super) fn compile(text: &str) -> Result<Vec<u8>, Vec<Diag>> {
    let module = naga::front::wgsl::parse_str(text).map_err(|error| {
        let labels = error.labels().map(|(span, label)| (span.to_range(), label.to_string()));
        vec![diag(error.message().to_string(), labels)]
    })?;
    let info = Validator::new(ValidationFlags::all(), Capabilities::all()).validate(&module).map_err(|error| {
        let spans: Vec<_> = error.spans().map(|(span, label)| (span.to_range(), label.clone())).collect();
        // What is wrong is at the end of the chain of reasons.
        let mut message = error.as_inner().to_string();
        let mut reason = std::error::Error::source(error.as_inner());
        while let Some(inner) = reason {
            message = format!("{message}: {inner}");
            reason = inner.source();
        }
        vec![diag(message, spans.into_iter())]
    })?;
    let options = spv::Options {
        flags: spv::WriterFlags::DEBUG,
        debug_info: Some(spv::DebugInfo {
            source_code: text,
            file_name: "shader.wgsl",
            language: naga::back::spv::SourceLanguage::WGSL,
        }),
        ..spv::Options::default()
    };
    let words = spv::write_vec(&module, &info, &options, None)
        .map_err(|error| vec![super::unplaced_error(error.to_string())])?;
    Ok(words.iter().flat_map(|word| word.to_le_bytes()).collect())
}

/// A problem at the first of its places; the others are named.
fn diag(message: String, mut places: impl Iterator<Item = (Option<std::ops::Range<usize>>, String)>) -> Diag {
    let first = places.find_map(|(range, _)| range);
    let mut diag = Diag::invalid("compiler", Span::default(), message);
    diag.span = first.map(|range| Span::new(range.start, range.end));
    places.fold(diag, |diag, (range, label)| match range {
        Some(range) => diag.with_label(Span::new(range.start, range.end), label),
        None => diag,
    })
}
