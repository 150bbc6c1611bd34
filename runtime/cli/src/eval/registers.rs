//! Registers by spelling: which input of a shader a name means, and how values are written.

use super::answer::{Error, string};
use super::request::{Words, hex32};
use parallax_core::exec::PlaneType;
use parallax_core::{Interface, Type};
use parallax_num::{Storage, ulp};

/// What a name in `state` or `lanes` sets.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// An attribute, presets included, by number.
    Attr(usize),
    /// A vector of a constant bank.
    Const(usize, u32),
    /// No input of the program: a register whose initial value must be asked for.
    Preset,
}

/// Constants beyond this are no addresses any program can mean.
const MOST_CONSTANTS: u32 = 1 << 16;

/// Finds what a spelling means.
pub(super) fn find(iface: &Interface, name: &str) -> Result<Target, Error> {
    if let Some(at) = iface.attrs.iter().position(|a| a.name == name) {
        return Ok(Target::Attr(at));
    }
    let Some((bank, index)) = name.strip_suffix(']').and_then(|n| n.rsplit_once('[')) else {
        return Ok(Target::Preset);
    };
    let Ok(index) = index.parse::<u32>() else { return Ok(Target::Preset) };
    // One bracket means buffer 0.
    let first = format!("{bank}[0]");
    let found = iface.banks.iter().position(|b| b.name == bank);
    let found = found.or_else(|| iface.banks.iter().position(|b| b.name == first));
    match found {
        Some(_) if index >= MOST_CONSTANTS => {
            Err(Error::invalid("register", format!("`{name}`: constants end at {}", MOST_CONSTANTS - 1)))
        }
        Some(bank) => Ok(Target::Const(bank, index)),
        None => Ok(Target::Preset),
    }
}

/// Digits of a word of a register that is no attribute and no constant; `None` where the spelling does not tell.
fn digits(isa: &str, dialect: &str, name: &str) -> Option<usize> {
    let numbered = |letter: char| {
        name.strip_prefix(letter).is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
    };
    match isa {
        "tgsi" | "attila" => Some(8),
        "nvfp" if numbered('R') => Some(8),
        "nvfp" if numbered('H') => Some(4),
        "nvfp" if numbered('I') && dialect == "patent" => Some(3),
        _ => None,
    }
}

/// The four components of a register's value.
pub(super) fn words(name: &str, words: &Words, target: Target, isa: &str, dialect: &str) -> Result<[u32; 4], Error> {
    let wrong = |message: String| Error::invalid("value", format!("`{name}`: {message}"));
    let list = match words {
        Words::Many(list) => list,
        Words::One(word) => return Err(wrong(format!("expected 4 components, found the word {}", string(word)))),
    };
    if list.len() != 4 {
        return Err(wrong(format!("expected 4 components, found {}", list.len())));
    }
    let want = match target {
        Target::Attr(_) | Target::Const(..) => Some(8),
        Target::Preset => digits(isa, dialect, name),
    };
    let mut out = [0; 4];
    for (word, text) in out.iter_mut().zip(list) {
        let value = hex32(text)
            .ok_or_else(|| wrong(format!("{} is no hexadecimal word: up to 8 digits without 0x", string(text))))?;
        if let Some(want) = want.filter(|want| text.len() != *want) {
            return Err(wrong(format!("{} has {} digits, expected {want}", string(text), text.len())));
        }
        *word = value;
    }
    Ok(out)
}

/// A lane word as it is written in answers: hexadecimal bits of the declared format, or a condition.
pub(super) fn print(ty: PlaneType, bits: u64) -> String {
    match ty.ty {
        Type::Float(decl) => ulp::hex(bits, decl.format().storage()),
        Type::I64 => format!("{bits:016x}"),
        Type::I32 => format!("{:08x}", bits as u32),
        Type::I16 => format!("{:04x}", bits as u16),
        Type::Pred => (if bits == 0 { "0" } else { "1" }).to_string(),
        Type::Cc => ["LT", "EQ", "GT", "UN"][(bits & 3) as usize].to_string(),
    }
}

/// Zero bits of a component that was not written.
pub(super) fn unwritten(like: Option<PlaneType>) -> String {
    print(like.unwrap_or(PlaneType { ty: Type::F32, storage: Some(Storage::F32) }), 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use parallax_core::{AttrDecl, AttrSemantic, BankDecl, Interp, Location, Stage};
    use parallax_num::Decl;

    fn iface() -> Interface {
        let mut iface = Interface::new(Stage::Fragment);
        iface.attrs.push(AttrDecl {
            name: "IN[0]".into(),
            semantic: AttrSemantic::Generic(0),
            interp: Interp::Linear,
            location: Location::Center,
        });
        iface.banks.push(BankDecl { name: "CONST[0]".into(), len: 4 });
        iface.banks.push(BankDecl { name: "CONST[1]".into(), len: 4 });
        iface.banks.push(BankDecl { name: "program.local".into(), len: 1 });
        iface
    }

    #[test]
    fn spellings_find_their_inputs() {
        let find = |name| super::find(&iface(), name);
        assert_eq!(find("IN[0]"), Ok(Target::Attr(0)));
        assert_eq!(find("CONST[3]"), Ok(Target::Const(0, 3)));
        assert_eq!(find("CONST[1][9]"), Ok(Target::Const(1, 9)));
        assert_eq!(find("program.local[0]"), Ok(Target::Const(2, 0)));
        assert_eq!(find("TEMP[0]"), Ok(Target::Preset));
        assert_eq!(find("CONST[-1]"), Ok(Target::Preset));
        assert!(find("CONST[65536]").is_err());
    }

    #[test]
    fn values_have_four_components_of_full_width() {
        let many = |list: &[&str]| Words::Many(list.iter().map(|s| s.to_string()).collect());
        let read = |name, w: &Words, target| words(name, w, target, "nvfp", "patent");
        assert_eq!(
            read("x", &many(&["3f800000", "0000000A", "00000000", "ffffffff"]), Target::Attr(0)).unwrap()[1],
            10
        );
        for bad in [&["3f800000"] as &[&str], &["0", "0", "0", "0"], &["0x000000", "00000000", "00000000", "00000000"]]
        {
            assert!(read("x", &many(bad), Target::Attr(0)).is_err());
        }
        assert!(read("x", &Words::One("00000000".into()), Target::Attr(0)).is_err());
        assert!(read("H3", &many(&["3c00"; 4]), Target::Preset).is_ok());
        assert!(read("I3", &many(&["3ff"; 4]), Target::Preset).is_ok());
        assert!(read("H3", &many(&["00003c00"; 4]), Target::Preset).is_err());
    }

    #[test]
    fn words_are_printed_in_their_width() {
        let float = |decl: Decl| PlaneType { ty: Type::Float(decl), storage: Some(decl.format().storage()) };
        assert_eq!(print(float(Decl::F32), 0x7fc0_0000), "7fc00000");
        assert_eq!(print(float(Decl::F16), 0x3c00), "3c00");
        assert_eq!(print(float(Decl::Fx12), 0xffff_ffff), "fff");
        assert_eq!(print(PlaneType { ty: Type::Cc, storage: None }, 3), "UN");
        assert_eq!(print(PlaneType { ty: Type::Pred, storage: None }, 1), "1");
        assert_eq!(unwritten(None), "00000000");
    }
}
