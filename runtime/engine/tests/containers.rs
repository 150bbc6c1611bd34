//! Programs in containers: found, named, read as if they lay alone.

use parallax::{File, LoadOptions, Loaded, Status, load, load_source};
use parallax_core::text::print;
use parallax_pack::{Elf, Fpo, Order, Parameter, archive, code_bytes};

const HALF: &str = "!!FP1.0\nMOVH o[COLH], f[TEX0];\nEND\n";
const TGSI: &str = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n";

fn mov() -> Vec<[u32; 4]> {
    vec![[0x0100_1e81, 0x1c9d_c802, 0x0001_c800, 0x0001_c800], [0; 4]]
}

fn all(file: &File) -> Vec<Loaded> {
    file.contents().sources.iter().map(|source| load_source(source, &LoadOptions::default())).collect()
}

fn codes(loaded: &Loaded) -> Vec<&'static str> {
    loaded.diags.iter().map(|d| d.code).collect()
}

#[test]
fn members_read_as_the_files_they_were() {
    let attila = parallax_corpus::get("attila/blend.attila").expect("a corpus file");
    let members: &[(&str, &[u8])] =
        &[("half.fp", HALF.as_bytes()), ("copy.tgsi", TGSI.as_bytes()), ("blend.attila", attila.bytes)];
    let file = File::open("d/captured.a", archive(members));
    let found = all(&file);
    let names: Vec<&str> = found.iter().map(|l| l.name.as_str()).collect();
    assert_eq!(names, ["d/captured.a:half.fp", "d/captured.a:copy.tgsi", "d/captured.a:blend.attila"]);
    for (loaded, (name, bytes)) in found.iter().zip(members) {
        let alone = load(name, bytes, &LoadOptions::default());
        assert_eq!((loaded.isa, loaded.status(), &loaded.text), (alone.isa, Status::Ok, &alone.text));
        let (a, b) = (loaded.shader.as_ref().expect("a shader"), alone.shader.as_ref().expect("a shader"));
        assert_eq!(print(a), print(b));
    }
    // The same through ELF sections.
    let mut elf = Elf::plain(true, false);
    for (name, bytes) in members {
        elf = elf.section(&format!(".text.{name}"), bytes);
    }
    for (loaded, inside) in all(&File::open("x.elf", elf.write())).iter().zip(&found) {
        assert_eq!((loaded.isa, loaded.status()), (inside.isa, Status::Ok));
    }
}

#[test]
fn what_is_no_program_loses_nothing_of_the_others() {
    let mut object = Elf::plain(true, false).section(".text.main", &[0; 16]);
    object.machine = 62;
    let object = object.write();
    let mut broken = Elf::cubin(50).kernel("k", 1, 8, &[0; 32]).write();
    broken[40] = 0xff;
    let inner = archive(&[("a.fp", HALF.as_bytes())]);
    let file = File::open(
        "c.a",
        archive(&[
            ("main.o", &object),
            ("broken.cubin", &broken),
            ("readme.txt", b"nothing"),
            ("half.fp", HALF.as_bytes()),
            ("inner.a", &inner),
            ("noise.fp", b"!!FP1.0\nNOPE\n"),
        ]),
    );
    let contents = file.contents();
    assert_eq!(contents.skipped, ["c.a:main.o", "c.a:readme.txt"]);
    let found = all(&file);
    let rows: Vec<(&str, Status)> = found.iter().map(|l| (l.name.as_str(), l.status())).collect();
    assert_eq!(
        rows,
        [
            ("c.a:broken.cubin", Status::Invalid),
            ("c.a:half.fp", Status::Ok),
            ("c.a:inner.a", Status::Unsupported),
            ("c.a:noise.fp", Status::Invalid),
        ]
    );
    assert_eq!((codes(&found[0]), codes(&found[2])), (vec!["elf-range"], vec!["archive-nested"]));
    // One by name, also where it is none.
    let member = |path: &str| file.member(path).map(|c| load_source(&c.sources[0], &LoadOptions::default()));
    assert_eq!(member("half.fp").expect("a member").status(), Status::Ok);
    assert_eq!(codes(&member("main.o").expect("a member")), ["engine-foreign"]);
    assert_eq!(codes(&member("readme.txt").expect("a member")), ["engine-unrecognised"]);
    let diag = member("hafl.fp").expect_err("no member");
    assert_eq!((diag.code, diag.help[0].as_str()), ("engine-member", "did you mean `half.fp`?"));
}

#[test]
fn containers_without_a_program_say_so() {
    let mut object = Elf::plain(true, false).section(".text.main", &[0; 16]);
    object.machine = 62;
    let object = object.write();
    let only = |bytes: Vec<u8>| {
        let found = all(&File::open("x", bytes));
        assert_eq!(found.len(), 1);
        (codes(&found[0]), found[0].status(), found[0].diags[0].message.clone())
    };
    let (code, status, message) = only(object.clone());
    assert_eq!((code, status), (vec!["engine-foreign"], Status::Unsupported));
    assert!(message.contains("x86-64"), "{message}");
    let (code, status, message) = only(archive(&[("main.o", &object)]));
    assert_eq!((code, status), (vec!["engine-foreign"], Status::Unsupported));
    assert!(message.contains("main.o") && message.contains("x86-64"), "{message}");
    let (code, status, _) = only(archive(&[("a.txt", b"nothing"), ("b.txt", b"nothing")]));
    assert_eq!((code, status), (vec!["engine-no-program"], Status::Unsupported));
    assert_eq!(only(Elf::cubin(50).write()).0, ["elf-no-code"]);
    assert_eq!(only(vec![0; 100]).0, ["engine-unrecognised"]);
    assert_eq!(only(b"#version 330\nvoid main() {}\n".to_vec()).0, ["engine-foreign"]);
}

#[test]
fn one_program_is_asked_for_and_several_are_there() {
    let two = archive(&[("a.fp", HALF.as_bytes()), ("b.fp", HALF.as_bytes())]);
    let loaded = load("c.a", &two, &LoadOptions::default());
    assert_eq!(
        (codes(&loaded), loaded.diags[0].help[0].as_str()),
        (vec!["engine-several"], "select one with a colon, such as `:a.fp`")
    );
    let one = archive(&[("readme.txt", b"nothing"), ("b.fp", HALF.as_bytes())]);
    let loaded = load("c.a", &one, &LoadOptions::default());
    assert_eq!((loaded.isa, loaded.status()), ("nvfp", Status::Ok));
    assert_eq!(loaded.shader.expect("a shader").func.name, "b");
}

#[test]
fn the_limit_on_sizes_holds_for_containers() {
    let loaded = load("x", &vec![0; parallax::MAX_BYTES + 1], &LoadOptions::default());
    assert_eq!((codes(&loaded), loaded.status()), (vec!["engine-size"], Status::Invalid));
}

#[test]
fn instruction_sets_that_nobody_reads_are_named() {
    // A container may know more instruction sets and dialects than there are frontends.
    let read = |isa: &str, dialect: Option<&str>| {
        parallax::frontend(isa).is_some_and(|f| dialect.is_none_or(|d| f.dialects.contains(&d)))
    };
    let cubin = Elf::cubin(50).kernel("k", 1, 8, &[0; 32]).write();
    let fpo = Fpo::new(Order::Big, vec![Parameter::vector("tint", Some([1.0; 4]), &[16])], mov()).write();
    let words = [&0x0200_0000u32.to_be_bytes(), code_bytes(Order::Big, &mov()).as_slice()].concat();
    for (bytes, isa, dialect) in [(cubin, "spa5", None), (fpo, "nvfp", Some("nv40")), (words, "nvfp", Some("nv40"))] {
        let loaded = &all(&File::open("x", bytes))[0];
        match read(isa, dialect) {
            true => assert_eq!(loaded.isa, isa),
            false => {
                assert_eq!((codes(loaded), loaded.status()), (vec!["engine-no-frontend"], Status::Unsupported));
                assert!(loaded.diags[0].message.contains(isa), "{}", loaded.diags[0].message);
            }
        }
    }
}

#[test]
fn manifests_in_an_archive_belong_to_their_members() {
    let members: &[(&str, &[u8])] =
        &[("a.fp", HALF.as_bytes()), ("a.toml", b"size = [2, 2]"), ("b.fp", HALF.as_bytes()), ("manifest.toml", b"")];
    let contents = File::open("c.a", archive(members)).contents();
    let found: Vec<_> = contents.sources.iter().map(|s| s.manifest().map(|(name, text)| (name, text.len()))).collect();
    assert_eq!((found, contents.skipped.len()), (vec![Some(("c.a:a.toml", 13)), Some(("c.a:manifest.toml", 0))], 0));
}
