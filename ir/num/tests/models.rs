//! What every model promises: totality, honest tiers, names that read back.

use parallax_num::{
    Accuracy, Contract, Decl, Denormals, DotOrder, Field, Format, Lrp, Mad, Model, NanBits, Op, Probe, Round, Rule,
    SatNan, Saturate, Scope, Slot, Storage, Tier, ToInt, ZeroMul,
};

fn model(name: &str) -> Model {
    Model::parse(name).unwrap_or_else(|e| panic!("{name}: {e}"))
}

fn rule(name: &str, op: Op, slot: &str) -> (Rule, Tier) {
    let model = model(name);
    let slot = Slot::parse(slot).expect("slot");
    model.rule(op, &slot, model.storage(slot.decl))
}

#[test]
fn every_model_binds_every_operation_under_every_slot() {
    let mut models = Model::builtins();
    models.push(model("nvfp[fp32=half,fx12=fp32]@low"));
    models.push(model("ieee[fp32=float(1.6.9 no-denormals),half=s12]"));
    assert_eq!(models.len(), Model::builtin_names().len() + 2);
    for model in &models {
        for row in Op::ALL.iter().filter(|row| row.op.has_slot()) {
            for decl in Decl::ALL {
                for text in ["", ".sat", ".rtz.ftz.fmz.precise.ssat.x4", ".denorm.d8"] {
                    let slot = Slot::parse(&format!("{decl}{text}")).expect("slot");
                    for from in Decl::ALL {
                        let (rule, _) = model.rule(row.op, &slot, model.storage(from));
                        let place = format!("{} {} {slot}", model.label(), row.name);
                        assert!(rule.format.fits(rule.storage.format()), "{place}");
                        assert_eq!(rule.storage, model.storage(decl), "{place}");
                        assert_eq!(rule.decl, decl, "{place}");
                        let source = if row.op == Op::Cvt { model.storage(from) } else { rule.storage };
                        assert_eq!(rule.source, source, "{place}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_plain_slot_under_ieee_is_the_ieee_rule() {
    let ieee = model("ieee");
    for row in Op::ALL {
        for decl in Decl::ALL {
            let (rule, tier) = ieee.rule(row.op, &Slot::plain(decl), decl.format().storage());
            assert_eq!(rule, Rule::ieee(decl, decl.format()), "{} {decl}", row.name);
            let proven = !matches!(row.op, Op::Pow | Op::LitZ);
            assert_eq!(tier == Tier::Exact, proven, "{} {decl}", row.name);
        }
    }
}

#[test]
fn operations_get_equal_records_for_equal_behaviour() {
    // A comparison does not look at rounding, a move of the sign at nothing, an exact conversion at overflow.
    let plain = model("ieee");
    let other = model("ieee[round=rtz,overflow=largest,sat_nan=one,mad=separate,zero_mul=zero]");
    for (op, slot) in [(Op::FLt, "fp32"), (Op::Neg, "fp32"), (Op::Min, "fp32"), (Op::Cvt, "fp32"), (Op::Floor, "half")]
    {
        let slot = Slot::parse(slot).expect("slot");
        let source = plain.storage(slot.decl);
        assert_eq!(plain.rule(op, &slot, source), other.rule(op, &slot, source), "{op}");
    }
    assert_ne!(rule("ieee", Op::Add, "fp32"), rule("ieee[round=rtz]", Op::Add, "fp32"));
    // The slot's clamp is part of arithmetic, not of comparisons.
    assert_eq!(rule("ieee", Op::FLt, "fp32.sat"), rule("ieee", Op::FLt, "fp32"));
    assert_eq!(rule("ieee", Op::Add, "fp32.sat").0.saturate, Saturate::Unsigned);
}

#[test]
fn the_tier_is_the_worst_of_what_the_operation_looks_at() {
    assert_eq!(rule("attila", Op::Mul, "fp32").1, Tier::Format, "the bits of a new NaN are the host's");
    assert_eq!(rule("attila", Op::FLt, "fp32").1, Tier::Exact);
    assert_eq!(rule("attila", Op::Mul, "half").1, Tier::Assumed, "ATTILA has no half");
    assert_eq!(rule("tgsi", Op::Mad, "fp32").1, Tier::Exact);
    assert_eq!(rule("tgsi", Op::Sin, "fp32").1, Tier::Bounded);
    assert_eq!(rule("maxwell", Op::Fma, "fp32").1, Tier::Exact);
    assert_eq!(rule("maxwell", Op::Rcp, "fp32").1, Tier::Measured, "the unit's results are not rounded");
    assert_eq!(
        rule("maxwell", Op::Div, "fp32.ftz").1,
        Tier::Assumed,
        "where the tininess test stands is not published"
    );
    assert_eq!(rule("maxwell", Op::Add, "fp32.ftz").1, Tier::Assumed);
    assert_eq!(rule("nvfp", Op::Add, "fp32").1, Tier::Assumed, "rounding is not published");
    assert_eq!(rule("nvfp", Op::FLt, "half").1, Tier::Exact);
    // An instruction that names the rounding takes it out of the model's hands.
    assert_eq!(rule("nvfp[denorm_out=keep]", Op::Dst, "fp32").1, Tier::Assumed);
    assert_eq!(rule("binary64", Op::Add, "half").1, Tier::Exact);
    assert_eq!(rule("binary64", Op::Sin, "half").1, Tier::Bounded);
    assert_eq!(rule("ieee[round=rtz]", Op::Add, "fp32").1, Tier::Exact, "a definition stays one");
    assert_eq!(rule("tgsi[round=rtz]", Op::Add, "fp32").1, Tier::Assumed);
}

#[test]
fn the_instruction_overrides_the_model() {
    let (r, _) = rule("ieee", Op::Mad, "fp32.rtz.ftz.fmz.precise.x4");
    assert_eq!((r.round, r.denorm_in, r.denorm_out), (Round::Zero, Denormals::Flush, Denormals::Flush));
    assert_eq!((r.zero_mul, r.mad, r.scale), (ZeroMul::Zero, Mad::Separate, 2));
    let (r, _) = rule("ieee", Op::Dot3, "fp32.precise");
    assert!(!r.dot.fused);
    assert_eq!(rule("ieee[dot_order=exact]", Op::Dot3, "fp32.precise").0.dot.order, DotOrder::LeftToRight);
    assert_eq!(rule("ieee", Op::Lrp, "fp32.precise").0.lrp, Lrp::Blend);
    assert_eq!(rule("tgsi", Op::Lrp, "fp32.precise").0.lrp, Lrp::Difference);
    assert_eq!(rule("nvfp", Op::Add, "fp32.denorm").0.denorm_out, Denormals::Keep);
    assert_eq!(Slot::plain(Decl::F32).contract, Contract::Model);
}

#[test]
fn models_differ_as_their_documents_say() {
    assert_eq!(rule("nvfp", Op::Add, "fp32").0.denorm_in, Denormals::Flush);
    assert_eq!(rule("nvfp", Op::Add, "half").0.denorm_in, Denormals::Keep);
    assert_eq!(rule("nv-patent", Op::Add, "half").0.denorm_in, Denormals::Flush);
    assert_eq!(rule("nv-patent", Op::Mul, "half").0.zero_mul, ZeroMul::Zero);
    assert_eq!(rule("attila", Op::Add, "fp32.sat").0.sat_nan, SatNan::One);
    assert_eq!(rule("nv40", Op::Add, "fp32.sat").0.sat_nan, SatNan::Zero);
    assert_eq!(rule("nvfp", Op::Add, "fp32.sat").0.sat_nan, SatNan::Keep);
    assert_eq!(rule("maxwell", Op::Add, "fp32").0.nan_bits, NanBits::AllOnes);
    assert_eq!(rule("maxwell", Op::Add, "fp32").0.denorm_in, Denormals::Keep);
    assert_eq!(rule("maxwell", Op::Log2, "fp32").0.denorm_in, Denormals::Flush);
    assert_eq!(rule("tgsi", Op::F2iTrunc, "fp32").0.to_int, ToInt::Indefinite);
    assert_eq!(rule("maxwell", Op::F2iTrunc, "fp32").0.to_int, ToInt::Saturate);
    assert_eq!(rule("rogue", Op::Mad, "fp32").0.mad, Mad::Fused);
    assert_eq!(rule("rogue", Op::Mad, "half").0.mad, Mad::Separate);
    assert_eq!(rule("tgsi-mul-zero-wins", Op::Mad, "fp32").0.zero_mul, ZeroMul::Zero);
    assert_eq!(model("binary64").storage(Decl::Fx12), Storage::F64);
    assert_eq!(rule("binary64", Op::Add, "fx12").0.format, Format::F64);
}

#[test]
fn labels_read_back() {
    for text in [
        "nv40",
        "nv40[round=rtz]@low",
        "nv40[round=rtz,fp32.mad=fused,rcp.accuracy=2^-20]",
        "ieee[fp32.lrp=fma(a,b,(1-a)*c),exp2.part.accuracy=2^-11:0]@random:42",
        "nvfp[half.recipe.accuracy=2^-10,pow.pow=exp2(b*log2(a));0^0=1]@high",
        "attila[fp32=half]",
        "attila[fp32=fp24,half=fx12]",
        "rogue[fp32.format=float(1.6.9 no-denormals nan-only)]",
    ] {
        let model = model(text);
        assert_eq!(model.label(), text);
        assert_eq!(self::model(&model.label()).label(), text);
    }
    assert_eq!(model(" nv40[ round = rtz ]@nearest").label(), "nv40[round=rtz]");
    assert_eq!(model("ieee[fp32=s12]").label(), "ieee[fp32=fx12]");
    assert_eq!(model("ieee[fp32=fp32]").label(), "ieee");
}

#[test]
fn a_bad_name_says_what_is_wrong_and_where() {
    for (text, message, at) in [
        ("nv41", "unknown model \"nv41\"", None),
        ("nv40[ronud=rtz]", "unknown field \"ronud\"", Some(5..14)),
        ("nv40[round=rtx]", "field \"round\" cannot be \"rtx\" (rne, rna, rtz, rup, rdn, raz)", Some(5..14)),
        ("nv40[mad=fused,fp31.mad=fused]", "unknown slot or operation \"fp31\"", Some(15..29)),
        ("nv40[fp32.mda.round=rtz]", "unknown operation \"mda\"", Some(5..23)),
        ("nv40[fp32=hafl]", "unknown format \"hafl\"", Some(5..14)),
        ("nv40[round]", "expected FIELD=VALUE", Some(5..10)),
        ("nv40[round=rtz", "expected \"]\" after the settings", Some(14..14)),
        ("nv40@lowest", "unknown probe \"lowest\" (nearest, low, high, random:SEED)", Some(5..11)),
        ("[round=rtz]", "expected a model's name", Some(0..0)),
    ] {
        let error = Model::parse(text).expect_err(text);
        assert_eq!(error.to_string(), message, "{text}");
        assert_eq!(error.at(), at, "{text}");
    }
    let error = Model::parse("ieee[ronud=rtz]").expect_err("bad field");
    assert_eq!(error.found(), "ronud");
    assert!(error.candidates().contains(&"round"));
    let error = Model::parse("ieee[mul.format=f64]").expect_err("too wide for the container");
    assert!(error.to_string().contains("does not fit"), "{error}");
    for text in ["", "[", "]", "@", "a@random:-1", "ieee[]", "ieee[,]", "ieee[=]", "ieee[.=.]", "ieee[)=(]", "ieee]["] {
        assert!(Model::parse(text).is_err(), "{text}");
    }
}

#[test]
fn demotion_takes_the_rules_of_the_other_slot() {
    let (r, _) = rule("nvfp[fp32=half]", Op::Rcp, "fp32");
    assert_eq!((r.format, r.decl, r.denorm_in), (Format::F16, Decl::F32, Denormals::Keep));
    assert_eq!(r.accuracy, Accuracy::Correct, "the bound is stated for fp32 only");
    let (r, _) = rule("nvfp[fp32=fp24]", Op::Rcp, "fp32");
    assert_eq!((r.format, r.storage), (Format::FP24, Storage::F32));
    assert_eq!(r.denorm_out, Denormals::Flush);
    assert_eq!(r.accuracy, Accuracy::Bounded { bits: 21, floor: -200, strict: true });
}

#[test]
fn probes_reach_bounded_fields_only() {
    assert_eq!(rule("nvfp@low", Op::Rcp, "fp32").0.probe, Probe::Lowest);
    assert_eq!(rule("nvfp@low", Op::Add, "fp32"), rule("nvfp", Op::Add, "fp32"));
    assert_eq!(rule("ieee@low", Op::Rcp, "fp32"), rule("ieee", Op::Rcp, "fp32"));
    let nvfp = model("nvfp@high");
    let (r, _) = nvfp.rule(Op::Cvt, &Slot::plain(Decl::F16), Storage::F32);
    assert_eq!(r.round, Round::Up, "a conversion may give either neighbour");
}

#[test]
fn listings_cover_every_operation_once() {
    for model in Model::builtins() {
        let entries = model.entries();
        for field in Field::ALL {
            let own: Vec<_> = entries.iter().filter(|e| e.field == field.name).collect();
            assert!(!own.is_empty(), "{} {}", model.name(), field.name);
            assert!(own.iter().all(|e| !e.source.is_empty() && !e.model.is_empty()));
            for row in Op::ALL.iter().filter(|row| field.concerns(row.op)) {
                for decl in Decl::WITH_RULES {
                    let slot = Slot::plain(decl);
                    let (rule, _) = model.rule(row.op, &slot, model.storage(decl));
                    let found: Vec<_> = own.iter().filter(|e| e.scope.covers(decl, row.op)).collect();
                    if field.read_by(row.op, &rule) {
                        assert_eq!(found.len(), 1, "{} {} {decl} {}", model.name(), field.name, row.name);
                        assert_eq!(
                            found[0].value,
                            field.get(&rule),
                            "{} {} {decl} {}",
                            model.name(),
                            field.name,
                            row.name
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn differences_say_where() {
    let lines: Vec<String> = model("nvfp")
        .diff(&model("nv40[rcp.accuracy=correct]"))
        .iter()
        .map(|d| format!("{} | {} | {} {} | {} {}", d.field, d.scope, d.a.0, d.a.1, d.b.0, d.b.1))
        .collect();
    assert_eq!(
        lines,
        [
            "round | half: arith nrm | rne assumed | rtz measured",
            "lit_clamp | all | none exact | 127.99609 assumed",
            "lit_zero_pow_zero | all | false exact | true assumed",
            "sat_nan | fp32 half fp64 | keep exact | zero format",
            "rsq_negative | all | nan exact | magnitude format",
            "texture_result | all | binary32 assumed | unorm8 format",
            "target_unorm | all | nearest assumed | cut-12 measured",
            "target_alpha | all | value assumed | stored measured",
            "raster_color | all | binary32 assumed | clamped measured",
            "accuracy | fp32: rcp | <2^-21 bounded | correct assumed",
        ]
    );
    for model in Model::builtins() {
        assert_eq!(model.diff(&model), []);
    }
    let rebound = model("ieee").diff(&model("ieee[mediump=half]"));
    let rebound: Vec<String> = rebound.iter().map(|d| format!("{} | {} | {}", d.field, d.scope, d.b.0)).collect();
    assert_eq!(rebound, ["format | mediump | f16"]);
    let demoted = model("ieee").diff(&model("ieee[fp32=half]"));
    assert_eq!(demoted.len(), 1);
    assert_eq!((demoted[0].field, demoted[0].b.0.as_str()), ("format", "f16"));
}

#[test]
fn probes_are_differences() {
    let lines = |a: &str, b: &str| -> Vec<String> {
        let differences = model(a).diff(&model(b));
        differences
            .iter()
            .map(|d| format!("{} | {} | {} {} | {} {}", d.field, d.scope, d.a.0, d.a.1, d.b.0, d.b.1))
            .collect()
    };
    // A documented choice of directions follows the probe, and shows as the direction.
    assert_eq!(
        lines("nvfp", "nvfp@low"),
        [
            "round | fp32 fp64 fx12 fx9: cvt pack.half2 | rne bounded | rdn bounded",
            "round | half: cvt | rne bounded | rdn bounded",
            "probe | fp32: lit.z rcp rsq exp2 log2 sin cos pow | nearest bounded | low bounded",
        ]
    );
    assert_eq!(
        lines("nvfp@random:1", "nvfp@random:2"),
        ["probe | fp32: lit.z rcp rsq exp2 log2 sin cos pow | random:1 bounded | random:2 bounded"]
    );
    // Nothing is bounded.
    assert_eq!(lines("ieee", "ieee@low"), [""; 0]);
}

/// Each setting used to recompute the whole model.
#[test]
fn many_settings_in_a_name_are_read_in_one_go() {
    let many = "fp32.rcp.round=rtz,half.mul.round=rup,fp32=half,".repeat(30_000);
    let model = model(&format!("nv40[{many}round=rdn]"));
    assert_eq!(model.rule(Op::Add, &Slot::plain(Decl::F32), Storage::F16).0.round, parallax_num::Round::Down);
    assert!(model.label().len() > 1_000_000);
}

#[test]
fn every_field_prints_and_reads_its_values() {
    for field in Field::ALL {
        let words: Vec<&str> = match field.values {
            parallax_num::Values::Words(words) => words.to_vec(),
            parallax_num::Values::Pattern(_, examples) => examples.to_vec(),
        };
        assert!(!words.is_empty());
        for word in words {
            let mut rule = Rule::ieee(Decl::F32, Format::F32);
            assert!(field.set(&mut rule, word), "{} {word}", field.name);
            let printed = field.get(&rule);
            let mut again = Rule::ieee(Decl::F32, Format::F32);
            assert!(field.set(&mut again, &printed), "{} {printed}", field.name);
            assert_eq!(rule, again, "{} {word}", field.name);
        }
        let mut rule = Rule::ieee(Decl::F32, Format::F32);
        assert!(!field.set(&mut rule, "no such value"), "{}", field.name);
        assert_eq!(rule, Rule::ieee(Decl::F32, Format::F32));
        assert!(Op::ALL.iter().any(|row| field.concerns(row.op)), "{} concerns nothing", field.name);
    }
}

/// A model remembers what it answered; a model made from it by a change starts anew.
#[test]
fn answers_are_not_carried_over_to_changed_models() {
    let slot = Slot::plain(Decl::F32);
    let ask = |model: &Model| [Op::Add, Op::Rcp].map(|op| model.rule(op, &slot, Storage::F32));
    let plain = model("nv-patent");
    let first = ask(&plain);
    assert_eq!(ask(&plain), first);
    assert_eq!(ask(&plain.clone()), first);
    let demoted = plain.clone().with_demotion(Decl::F32, "half").expect("a format");
    assert_ne!(ask(&demoted)[0].0.format, first[0].0.format);
    let probed = plain.clone().with_probe(Probe::Highest);
    assert_ne!(ask(&probed)[1].0, first[1].0);
    let round = Field::from_name("round").expect("a field");
    let set = plain.with_settings([(Scope::ALL, round, "rtz")]).expect("a value");
    assert_ne!(ask(&set)[0].0.round, first[0].0.round);
}
