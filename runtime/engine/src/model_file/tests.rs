use super::*;
use parallax_num::{Accuracy, Format, ModelSpec, Op, Round, Slot, Storage};

const FP24: &str = include_str!("../../../../docs/models/fp24.toml");

fn problems(text: &str) -> String {
    match parse_model_file("m.toml", text, Path::new("")) {
        Ok(model) => panic!("accepted as {}", model.label()),
        Err(problems) => problems.to_string(),
    }
}

#[test]
fn the_documented_example_is_a_model_like_any_other() {
    let model = parse_model_file("fp24.toml", FP24, Path::new("")).unwrap();
    assert_eq!((model.name(), model.inherits()), ("fp24", Some("ieee")));
    assert_eq!(model.value_format(Decl::F32), Format::FP24);
    assert_eq!(model.storage(Decl::F16), Storage::F32);
    let slot = Slot::plain(Decl::F32);
    let (add, tier) = model.rule(Op::Add, &slot, Storage::F32);
    assert_eq!((add.format, add.round, tier), (Format::FP24, Round::Zero, Tier::Assumed));
    let (mul, _) = model.rule(Op::Mul, &slot, Storage::F32);
    assert_eq!(mul.round, Round::NearestEven);
    // 1 + 2^-17 does not fit 16 fraction bits.
    assert_eq!(parallax_num::eval(Op::Add, &add, &[0x3f80_0000, 0x3700_0000]), 0x3f80_0000);
    let spec = ModelSpec::parse("fp24[rcp.accuracy=correct]@low").unwrap();
    let probed = spec.apply(model).unwrap();
    assert_eq!(probed.label(), "fp24[rcp.accuracy=correct]@low");
    let (rsq, _) = probed.rule(Op::Rsq, &slot, Storage::F32);
    assert!(matches!(rsq.accuracy, Accuracy::Bounded { bits: 15, .. }));
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    for (text, expected) in [
        ("", "m.toml:1:1: error[model-name]: a model file needs a `name`"),
        (
            "name = 3",
            "m.toml:1:8: error[model-type]: expected a string, found integer\nm.toml:1:1: error[model-name]: a model file needs a `name`",
        ),
        ("name = \"a b\"", "m.toml:1:8: error[model-name]: a name consists of letters, digits, `-`, `_` and `.`"),
        ("name = \"nv40\"", "m.toml:1:8: error[model-name]: `nv40` is a built-in model; take another name"),
        (
            "name = \"x\"\ntitel = \"y\"",
            "m.toml:2:1: error[model-key]: unknown key `titel`\n  help: did you mean `title`?",
        ),
        (
            "name = \"x\"\n[[set]]\nronud = \"rtz\"",
            "m.toml:3:1: error[model-key]: unknown field `ronud`\n  help: did you mean `round`?",
        ),
        (
            "name = \"x\"\n[[set]]\nround = \"rtx\"",
            "m.toml:3:9: error[model-value]: field \"round\" cannot be \"rtx\" (rne, rna, rtz, rup, rdn, raz)\n  help: did you mean \
             `rtz`?",
        ),
        (
            "name = \"x\"\n[[set]]\nslots = [\"fp32\", \"hafl\"]\nround = \"rtz\"",
            "m.toml:3:18: error[model-key]: unknown slot format `hafl`\n  help: did you mean `half`?",
        ),
        (
            "name = \"x\"\n[[set]]\nops = \"mda\"\nround = \"rtz\"",
            "m.toml:3:7: error[model-key]: unknown operation `mda`\n  help: did you mean `mad`?",
        ),
        (
            "name = \"x\"\n[[set]]\ntier = \"exact\"\nround = \"rtz\"",
            "m.toml:3:8: error[model-source]: tier `exact` needs a `source`: the document that says so",
        ),
        (
            "name = \"x\"\nset = 1",
            "m.toml:2:7: error[model-type]: expected an array of tables, written [[set]], found integer",
        ),
        (
            "name = \"x\"\ninherits = \"nv41\"",
            "m.toml:2:12: error[model-inherits]: unknown model `nv41`\n  help: did you mean `nv40`?",
        ),
        (
            "name = \"x\"\ninherits = \"nv41\"\n[[set]]\nops = \"mda\"\nround = \"rtz\"",
            "m.toml:2:12: error[model-inherits]: unknown model `nv41`\n  help: did you mean `nv40`?\n\
             m.toml:4:7: error[model-key]: unknown operation `mda`\n  help: did you mean `mad`?",
        ),
        (
            "name = \"x\"\n[[set]]\nops = [\"mul\"]\nformat = \"f64\"",
            "m.toml:1:8: error[model-value]: format \"f64\" for single operations does not fit the container of fp32, f32",
        ),
    ] {
        let found = problems(text);
        let mut found: Vec<&str> = found.lines().collect();
        let mut expected: Vec<&str> = expected.lines().collect();
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected, "{text}");
    }
    assert!(problems("name = \"x").contains("error[model-syntax]"));
    assert!(problems("name = \"x\"\nname = \"y\"").contains("error[model-syntax]"));
    assert!(problems("name = \"x\"\ninherits = \"no-such.toml\"").contains("cannot be read"));
}

#[test]
fn files_inherit_from_files_but_not_from_themselves() {
    let folder = std::env::temp_dir().join(format!("parallax-models-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    write("a.toml", "name = \"a\"\ninherits = \"b.toml\"\n[[set]]\nmad = \"fused\"");
    write("b.toml", "name = \"b\"\ninherits = \"nvfp\"\n[[set]]\nround = \"rtz\"");
    let model = read_model_file(&folder.join("a.toml")).unwrap();
    assert_eq!(model.inherits(), Some("b"));
    let (rule, _) = model.rule(Op::Mad, &Slot::plain(Decl::F32), Storage::F32);
    assert_eq!((rule.round, rule.mad), (Round::Zero, parallax_num::Mad::Fused));

    write("b.toml", "name = \"b\"\ninherits = \"c.toml\"");
    write("c.toml", "name = \"c\"\n\ninherits = \"a.toml\"");
    let text = read_model_file(&folder.join("a.toml")).unwrap_err().to_string();
    assert!(text.contains("c.toml:3:12: error[model-cycle]: `a.toml` inherits"), "{text}");

    // Problems of a parent are shown in the parent.
    write("b.toml", "name = \"b\"\n[[set]]\nmad = \"both\"");
    let text = read_model_file(&folder.join("a.toml")).unwrap_err().to_string();
    assert!(text.contains("b.toml:3:7: error[model-value]"), "{text}");
    let text = read_model_file(&folder.join("none.toml")).unwrap_err().to_string();
    assert!(text.contains("none.toml: error[model-read]: cannot be read"), "{text}");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn what_a_definition_inherits_stays_exact() {
    let text = "name = \"tf\"\ndefinition = true\n[[set]]\nslots = \"fp32\"\nformat = \"tf32\"";
    let model = parse_model_file("tf.toml", text, Path::new("")).unwrap();
    let (_, tier) = model.rule(Op::Add, &Slot::plain(Decl::F32), Storage::F32);
    assert_eq!(tier, Tier::Exact);
}
