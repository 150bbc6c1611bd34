//! How programs of instruction sets are written: as text, as words, or in a container.

use crate::args::FormArg;
use crate::exit::{Exit, Failure};
use parallax::{FRONTENDS, Layout, Machine, Shader, Symbolic, module_of_deko3d};
use parallax_emit::{Target, Translation, translate, translate_to_words};
use parallax_text::Diag;
use std::borrow::Cow;

/// Whether programs of a target are files of a container, unless they are asked for otherwise.
pub(super) fn has_container(target: &Target) -> bool {
    target.name == "nv40"
}

/// The assembler of a target, if what it writes is a listing of words.
fn machine(target: &Target) -> Option<Machine> {
    let frontend = FRONTENDS.iter().find(|frontend| frontend.name == target.isa)?;
    // Texts of NV programs are no listings of NV40.
    frontend.machine.filter(|machine| machine.dialect.is_none() || has_container(target))
}

/// The extension of a file of this form.
///
/// # Errors
/// A form that the target does not have.
pub(super) fn extension(target: &Target, form: Option<FormArg>) -> Result<&'static str, Failure> {
    let refuse = |what: String| Err(Failure::invalid(what));
    let title = target.title;
    let has_words = machine(target).is_some();
    match form {
        None => Ok(target.extension),
        Some(FormArg::Text) if has_container(target) => Ok("asm"),
        Some(FormArg::Text) => Ok(target.extension),
        Some(FormArg::Words) if has_words => Ok("bin"),
        Some(FormArg::Words) => refuse(format!("--form words: {title} has no binary form; use --form text")),
        Some(FormArg::Container) if has_container(target) => Ok(target.extension),
        Some(FormArg::Container) if target.isa == "spa5" => Ok("dksh"),
        Some(FormArg::Container) => {
            let others = if has_words { "--form text or words" } else { "--form text" };
            refuse(format!("--form container: no container for {title} is known; use {others}"))
        }
    }
}

/// Says that a kernel does not have this form: words alone, and modules of this kind, leave out the parameters and the workgroup.
///
/// # Errors
/// A form that it does not have.
pub(super) fn check_kernel(target: &Target, form: Option<FormArg>) -> Result<(), Failure> {
    let word = match form {
        Some(FormArg::Words) => "words",
        Some(FormArg::Container) => "container",
        None | Some(FormArg::Text) => return Ok(()),
    };
    let title = target.title;
    Err(Failure::invalid(format!("--form {word}: a kernel of {title} has its parameters in the text; use --form text")))
}

/// Whether a form leaves out what a container says besides.
pub(super) fn is_bare(form: Option<FormArg>) -> bool {
    matches!(form, Some(FormArg::Text | FormArg::Words))
}

/// A shader in the encoding that a form is made of.
///
/// # Errors
/// What the target cannot express.
pub(super) fn translated(
    shader: &Shader<Symbolic>,
    target: &Target,
    form: Option<FormArg>,
) -> Result<Translation, Vec<Diag>> {
    match form {
        Some(FormArg::Words | FormArg::Container) => translate_to_words(shader, target),
        None | Some(FormArg::Text) => translate(shader, target),
    }
}

/// The words of a program whose file is a container.
fn assembled(made: &Translation, target: &Target) -> Result<Vec<u8>, Failure> {
    let Some(machine) = machine(target) else { return Ok(Vec::new()) };
    let layout = Layout { dialect: target.dialect.or(machine.dialect), ..Layout::default() };
    let (words, diags) = (machine.assemble)(&made.text, &layout, true);
    words.ok_or_else(|| {
        let found = diags.first().map_or("", |diag| &diag.message);
        Failure::Stop(Exit::Internal, format!("the text of a translation does not assemble: {found}"))
    })
}

/// The bytes of a translation in a form that its target has.
pub(super) fn written<'m>(
    made: &'m Translation,
    target: &Target,
    form: Option<FormArg>,
) -> Result<Cow<'m, [u8]>, Failure> {
    Ok(match form {
        None => Cow::Borrowed(made.file()),
        Some(FormArg::Text) => Cow::Borrowed(made.text.as_bytes()),
        Some(FormArg::Words) if has_container(target) => Cow::Owned(assembled(made, target)?),
        Some(FormArg::Container) if !has_container(target) => Cow::Owned(module_of_deko3d(made.registers, made.file())),
        Some(FormArg::Words | FormArg::Container) => Cow::Borrowed(made.file()),
    })
}
