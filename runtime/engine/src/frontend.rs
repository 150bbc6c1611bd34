//! The instruction sets that can be read. A new one is a line of [`FRONTENDS`] and a feature of the crate.

use crate::problem::{invalid, unsupported};
use parallax_container::{Foreign, Node};
use parallax_lift::{Frontend, Layout};
use parallax_text::{Diag, closest};

/// Every frontend, in the order of sniffing. References, since what a constant mentions is compiled in each crate that uses it.
pub static FRONTENDS: &[&Frontend] = &[
    #[cfg(feature = "tgsi")]
    &parallax_tgsi::FRONTEND,
    #[cfg(feature = "nvfp")]
    &parallax_nvfp::FRONTEND,
    #[cfg(feature = "usc")]
    &parallax_usc::FRONTEND,
    #[cfg(feature = "attila")]
    &parallax_attila::FRONTEND,
    #[cfg(feature = "spa5")]
    &parallax_spa5::FRONTEND,
    #[cfg(feature = "gcn")]
    &parallax_gcn::FRONTEND,
    #[cfg(feature = "spirv")]
    &parallax_spirv::FRONTEND,
];

/// The frontend of this name.
pub fn frontend(name: &str) -> Option<&'static Frontend> {
    FRONTENDS.iter().copied().find(|f| f.name == name)
}

/// The frontend of this name, or what is wrong with it.
///
/// # Errors
/// There is none.
pub fn named_frontend(name: &str) -> Result<&'static Frontend, Diag> {
    frontend(name).ok_or_else(|| {
        let diag = invalid("engine-isa", format!("unknown instruction set `{name}`"));
        let names = || FRONTENDS.iter().map(|f| f.name);
        match closest(name, names()) {
            Some(near) => diag.with_help(format!("did you mean `{near}`?")),
            None => diag.with_help(format!("instruction sets: {}", names().collect::<Vec<_>>().join(", "))),
        }
    })
}

/// What bytes without a container are.
pub(crate) enum Recognised {
    /// A program of this instruction set, perhaps a damaged one.
    Frontend(&'static Frontend),
    /// Machine words with something around them.
    Program(Box<Node>),
    /// A file of another tool.
    Foreign(Foreign),
    /// Nothing that anybody knows.
    Unknown,
}

/// What bytes without a container are: what a sniffer knows, that of the file's extension first, else a file of another tool, else
/// what the extension says, else what a frontend takes for a damaged program of its own.
pub(crate) fn recognise(name: &str, bytes: &[u8]) -> Recognised {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension).to_ascii_lowercase();
    let by_name = || FRONTENDS.iter().find(|f| f.extensions.contains(&extension.as_str()));
    let damaged = || FRONTENDS.iter().find(|f| (f.guess)(bytes));
    if let Some(found) = by_name().into_iter().chain(FRONTENDS).find(|f| (f.sniff)(bytes)) {
        Recognised::Frontend(found)
    } else if let Some(found) = parallax_container::foreign(bytes) {
        Recognised::Foreign(found)
    } else if let Some(found) = parallax_container::with_control_word(bytes) {
        Recognised::Program(Box::new(found))
    } else if let Some(found) = by_name().or_else(damaged) {
        Recognised::Frontend(found)
    } else {
        Recognised::Unknown
    }
}

/// How the words of a program lie, as a caller says it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct LayoutRequest {
    /// Dialect; sniffed when absent.
    pub dialect: Option<String>,
    /// Byte order; the frontend's first when absent.
    pub order: Option<String>,
    /// Byte address of the first word; 0 when absent.
    pub base: Option<u64>,
    /// Whether words come without the control words between them.
    pub bare: Option<bool>,
}

impl LayoutRequest {
    /// The layout in the terms of a frontend.
    ///
    /// # Errors
    /// What the frontend does not have.
    pub fn of(&self, frontend: &Frontend) -> Result<Layout, Diag> {
        let (orders, addressed, bare) =
            frontend.machine.map_or((&[][..], false, false), |m| (m.orders, m.addressed, m.bare));
        let none = |what: &str| unsupported("engine-layout", format!("{} has no {what}", frontend.name));
        if self.base.is_some() && !addressed {
            return Err(none("base address").with_help("leave out `base`"));
        }
        if self.bare.is_some() && !bare {
            return Err(none("control words").with_help("leave out `bare`"));
        }
        Ok(Layout {
            dialect: one_of(frontend, "dialect", self.dialect.as_deref(), frontend.dialects)?,
            order: one_of(frontend, "byte order", self.order.as_deref(), orders)?,
            base: self.base.unwrap_or(0),
            bare: self.bare.unwrap_or(false),
        })
    }
}

/// The known name that was asked for.
fn one_of(
    frontend: &Frontend,
    what: &str,
    asked: Option<&str>,
    known: &'static [&'static str],
) -> Result<Option<&'static str>, Diag> {
    let Some(asked) = asked else { return Ok(None) };
    if let Some(found) = known.iter().find(|name| **name == asked) {
        return Ok(Some(found));
    }
    let message = format!("{} has no {what} `{asked}`", frontend.name);
    let diag =
        if what == "dialect" { invalid("engine-dialect", message) } else { unsupported("engine-layout", message) };
    Err(match closest(asked, known.iter().copied()) {
        Some(near) => diag.with_help(format!("did you mean `{near}`?")),
        None if known.is_empty() => diag.with_help(format!("it has one {what}, which needs no name")),
        None => diag.with_help(format!("it has: {}", known.join(", "))),
    })
}
