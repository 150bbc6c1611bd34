use super::*;
use parallax_num::{Accuracy, Decl, Format, ModelSpec, Op, Round, Slot, Storage, Tier};

const FP24: &str = include_str!("../../../../docs/models/fp24.toml");

fn problems(text: &str) -> String {
    match parse_model_file("m.toml", text, Path::new("")) {
        Ok(read) => panic!("accepted as {}", read.model.label()),
        Err(problems) => problems.to_string(),
    }
}

#[test]
fn the_documented_example_is_a_model_like_any_other() {
    let model = parse_model_file("fp24.toml", FP24, Path::new("")).unwrap().model;
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
            "name = \"x\"\ninherited_tier = \"asumed\"",
            "m.toml:2:18: error[model-key]: unknown tier `asumed`\n  help: did you mean `assumed`?",
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
    let model = read_model_file(&folder.join("a.toml")).unwrap().model;
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
    let model = parse_model_file("tf.toml", text, Path::new("")).unwrap().model;
    let (_, tier) = model.rule(Op::Add, &Slot::plain(Decl::F32), Storage::F32);
    assert_eq!(tier, Tier::Exact);
}

#[test]
fn what_is_inherited_counts_for_no_more_than_the_file_says() {
    let tier = |more: &str| {
        let text = format!("name = \"x\"\ninherits = \"maxwell\"\n{more}");
        let model = parse_model_file("m.toml", &text, Path::new("")).unwrap().model;
        model.rule(Op::Fma, &Slot::plain(Decl::F32), Storage::F32).1
    };
    assert_eq!(tier(""), Tier::Exact);
    assert_eq!(tier("inherited_tier = \"format\""), Tier::Format);
}

fn warnings(text: &str) -> String {
    match parse_model_file("m.toml", text, Path::new("")) {
        Ok(read) => read.warnings.to_string(),
        Err(problems) => panic!("{problems}"),
    }
}

/// A field where no operation can look at it, and an accuracy where nothing is approximated, are mistakes.
#[test]
fn settings_that_no_operation_ever_looks_at_are_refused() {
    for (ops, field, value, others) in [
        ("floor", "mad", "fused", "it affects fma mad lrp"),
        ("[\"floor\", \"cvt\"]", "accuracy", "2^-22", "it affects recipe add"),
        ("compare", "round", "rtz", "it affects arith"),
        ("min", "trig", "turns(3e22f983)", "it affects sin cos"),
    ] {
        let ops = if ops.starts_with('[') { ops.to_string() } else { format!("\"{ops}\"") };
        let text = problems(&format!("name = \"x\"\n[[set]]\nops = {ops}\n{field} = \"{value}\""));
        let place = format!("m.toml:4:{}: error[model-unread]", field.len() + 4);
        assert!(text.starts_with(&place) && text.contains(others), "{text}");
    }
}

/// What the other fields of the model leave without effect is warned of, with the way out; saying a default again is not.
#[test]
fn settings_without_effect_are_warned_of() {
    let set = |field: &str, value: &str| format!("\n[[set]]\nops = \"recipe\"\n{field} = \"{value}\"\n");
    let text =
        format!("name = \"x\"\ninherits = \"swiftshader\"{}", "\n[[set]]\nops = \"mad\"\nzero_mul_add = \"addend\"");
    let found = warnings(&text);
    assert!(
        found.starts_with("m.toml:5:16: warning[model-idle]: `zero_mul_add` = \"addend\" has no effect"),
        "{found}"
    );
    assert!(found.contains("help: remove it, or set the field that makes it matter"), "{found}");
    let found = warnings(&format!("name = \"x\"{}{}", set("round", "rtz"), set("round", "rup")));
    assert!(
        found.starts_with("m.toml:4:9: warning[model-idle]: `round` has no effect: a later table sets it again"),
        "{found}"
    );
    assert_eq!(warnings(&format!("name = \"x\"{}", set("infinite", "keep"))), "");
    assert_eq!(warnings(&format!("name = \"x\"{}", set("accuracy", "2ulp"))), "");
    assert_eq!(warnings(FP24), "");
}

/// Bounds that nothing can lie in, or that say two things at once, and files that inherit from themselves.
#[test]
fn impossible_bounds_are_refused() {
    for value in [
        "[-0,+0]ulp",
        "-2ulp",
        "2ulp<=0",
        "2ulp<=inf",
        "2^-61",
        "2^-0",
        "<2ulp",
        "2ulp<=3;1ulp<=2",
        "[+1,-1]ulp",
        "2",
        "2^-22:2000",
        "1rel:9999",
        "nan",
        "",
    ] {
        let text = problems(&format!("name = \"x\"\n[[set]]\nops = \"rcp\"\naccuracy = \"{value}\""));
        assert!(text.starts_with("m.toml:4:12: error[model-value]: field \"accuracy\" cannot be"), "{value}: {text}");
    }
    let folder = std::env::temp_dir().join(format!("parallax-self-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("a.toml"), "name = \"a\"\ninherits = \"a.toml\"").unwrap();
    let text = read_model_file(&folder.join("a.toml")).unwrap_err().to_string();
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(text.contains("a.toml:2:12: error[model-cycle]: `a.toml` inherits"), "{text}");
}
