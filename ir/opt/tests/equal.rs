//! Passes change no bit: random shaders, every built-in model, outputs, coverage and fuel status.

use parallax_core::exec::{Memory, Outputs};
use parallax_core::text::print;
use parallax_core::{Bound, Shader, State, verify};
use parallax_gen::{Batch, choices, kernel, shader};
use parallax_interp::{Bytecode, Scratch};
use parallax_num::Model;
use parallax_opt::{CANONICALISE, NoObserver, PASSES, canonicalise, clean_up, optimise, renumber};
use proptest::prelude::*;

/// Outputs, and buffers after the run.
type Results = (Outputs, Vec<Vec<u32>>);

fn run(shader: &Shader<Bound>, batch: &Batch) -> Results {
    let verified = sound(shader);
    let program = Bytecode::new(verified);
    let (mut outputs, mut buffers) = (Outputs::default(), batch.buffers());
    let memory = Memory::Exclusive(&mut buffers);
    batch.with(|inputs| program.run_in(inputs, memory, &mut Scratch::default(), &mut outputs));
    // A program whose barriers are all gone has nothing to say of them.
    if !outputs.missed_barrier.contains(&true) {
        outputs.missed_barrier.clear();
    }
    (outputs, buffers)
}

fn sound<S: State>(shader: &Shader<S>) -> parallax_core::Verified<'_, S> {
    match verify(shader) {
        Ok(verified) => verified,
        Err(diags) => panic!("{diags:?}\n{}", print(shader)),
    }
}

/// Everything one list of choices is tried for; `models` are taken in turn.
fn check(list: &[u32], models: &[Model]) {
    let symbolic = if list.len() % 3 == 2 { kernel(list) } else { shader(list) };
    let batch = Batch::new(&choices(list.len() as u64 + 1, 2000), &symbolic.func.iface, 8);
    let canonical = canonicalise(symbolic.clone());
    sound(&canonical);
    let clean = clean_up(symbolic.clone());
    // Texts number what they hold by themselves.
    let mut renumbered = canonical.clone();
    renumber::renumber(&mut renumbered.func);
    sound(&renumbered);
    assert_eq!(print(&renumbered), print(&canonical));
    assert_eq!(renumbered.func.ops.len(), canonical.func.live_ops());
    for model in models {
        let bound = symbolic.bind(model);
        let expected = run(&bound, &batch);
        // A kernel in which invocations miss a barrier is in error, and where it stops is not defined.
        if !expected.0.missed_barrier.is_empty() {
            continue;
        }
        let same = |after: &Shader<Bound>, what: &str| {
            let found = run(after, &batch);
            assert!(
                found == expected,
                "{what} under {}: {}\n--- before\n{}\n--- after\n{}",
                model.label(),
                difference(&expected, &found),
                print(&bound),
                print(after)
            );
        };
        same(&canonical.bind(model), "canonicalise");
        same(&optimise(bound.clone(), &mut NoObserver), "optimise");
        let optimised = optimise(canonical.bind(model), &mut NoObserver);
        same(&optimised, "canonicalise and optimise");
        // Sharing reads early only saves value numbering work.
        assert_eq!(print(&optimised), print(&optimise(clean.bind(model), &mut NoObserver)), "{}", model.label());
        for pass in PASSES {
            let mut after = bound.clone();
            (pass.run)(&mut after);
            same(&after, pass.name);
            // Twice, on its own result.
            (pass.run)(&mut after);
            same(&after, pass.name);
        }
    }
    for pass in CANONICALISE {
        let mut after = symbolic.clone();
        (pass.run)(&mut after);
        sound(&after);
    }
}

fn difference((a, a_buffers): &Results, (b, b_buffers): &Results) -> String {
    if a_buffers != b_buffers {
        return format!("buffers {a_buffers:x?} became {b_buffers:x?}");
    }
    for (n, (x, y)) in a.planes.iter().zip(&b.planes).enumerate() {
        for (lane, (x, y)) in x.to_words().iter().zip(y.to_words()).enumerate() {
            if *x != y {
                return format!("output {} component {} lane {lane}: {x:#x} became {y:#x}", n / 4, n % 4);
            }
        }
    }
    match (a.covered != b.covered, a.missed_barrier != b.missed_barrier) {
        (true, _) => "coverage".into(),
        (_, true) => "a barrier".into(),
        _ => "fuel".into(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, max_shrink_iters: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn optimised_equals_unoptimised(
        list in prop::collection::vec(any::<u32>(), 0..500),
        model in any::<prop::sample::Index>(),
    ) {
        let models = Model::builtins();
        check(&list, &[model.get(&models).clone()]);
    }
}

/// Every built-in model on the same shaders.
#[test]
fn every_model_is_tried() {
    let models = Model::builtins();
    for seed in 0..6 {
        check(&choices(seed, 300 + seed as usize % 3), &models);
    }
}

/// Probes and settings make rules of their own.
#[test]
fn probes_and_settings_are_tried() {
    let models: Vec<Model> =
        ["rogue@random:7", "nv-patent@low", "maxwell@high", "maxwell@low", "ieee[round=rdn]", "binary64"]
            .iter()
            .filter_map(|name| Model::parse(name).ok())
            .collect();
    assert_eq!(models.len(), 6);
    for seed in 100..106 {
        check(&choices(seed, 300), &models);
    }
}

/// Many shaders for a long run: `cargo test -p parallax-opt --release -- --ignored`.
#[test]
#[ignore = "long"]
fn many_shaders() {
    let models = Model::builtins();
    for seed in 1000..20_000 {
        check(&choices(seed, 40 + seed as usize % 600), &models[seed as usize % models.len()..][..1]);
    }
}

/// Canonicalising this kernel changes one word that its lanes count in.
#[test]
#[ignore = "an open bug"]
fn a_kernel_that_counts_otherwise_once_it_is_canonical() {
    #[rustfmt::skip]
    const CHOICES: &[u32] = &[
        0, 37146846, 652135877, 4656463, 0, 2892424397, 2604446003, 26909214, 0, 0, 0, 98494866, 0, 0, 0, 1961714671, 2432184746,
        0, 46927300, 2626455249, 667326784, 5062944, 0, 355713098, 1868680, 0, 1316488233, 983668, 3370198309, 10477044,
        1544681346, 288912176, 2514891482, 0, 3282390409, 719346036, 446941733, 0, 36498439, 1043434225, 696204337, 3016629116,
        1825707710, 2743728468, 3547561416, 1901998768, 10356128, 2530371605, 10548054, 0, 2533209156, 2098391215, 3456232699,
        1476437090, 3097886088, 1378336433, 0, 677903581, 0, 270753759, 0, 0, 1081437499, 481321815, 0, 771024560, 0, 7321, 0,
        811560338, 0, 0, 0, 0, 0, 2755660036, 1056306066, 1559458771, 190878815, 0, 12769521, 38789465, 0, 1376060561, 232690078,
        0, 3687867495, 0, 0, 0, 0, 0, 0, 846924810, 0, 764066828, 4985536, 2858989383, 1400140246, 2465023507, 24110766,
        3706071142, 3325719248, 2365244268, 2696150517, 1316422561, 3354128109, 2644364583, 645292769, 2805318748, 1924128065,
        4267953211, 1003617582, 3131586558, 850094926, 886020224, 2400315349, 2866962327, 685833620, 1243926988, 1651523919,
        722314239, 4041394012, 1724414741, 2535178372, 3193164331, 3280412067, 1606404010, 309888626, 499719447, 3394318022,
        3094494933, 3479960600, 1199733541, 2380631526, 131850203, 807223867, 1913555948, 2415979073, 612903026, 3191226481,
        1834302682, 2502051848, 2550395091, 3000962391, 1137325429, 2630392864, 4000059994, 648541753, 3567541050, 913881892,
        2235625104, 1069037616, 1710485480, 2729748399, 3929841978, 1586493370, 4165695858, 483490080, 605222296, 243461350,
        165226569, 104818322, 3416093171, 138143829, 3417965356, 3067868095, 1766433500, 2677836827, 937630280, 910175340,
        1623487905, 3062421164, 1956155624, 4064321277, 848310164, 505656118, 1984256556, 128447757, 1861095179, 2870318069,
        4054396047, 1854427404, 1532746125, 3579803364, 2348796848, 661346562, 230396229, 4176617492, 3774696737, 1903820682,
        83827691, 302048552, 1358437817, 34595634, 1780231285, 2404429976, 506397731, 2772668485, 1708199189, 3352655639,
        3986244577, 2579865706, 567890679, 3350782825, 304983186, 2757925021, 2800124883, 3840971297, 1010316848, 901800652,
        4221558828, 1768080739, 2351770914, 297274372, 3763457751, 4185193173, 1477577946, 3156211715, 1435095324, 3946676199,
        2912219931, 2134158869, 3905996477, 2510615066, 3256001699, 1732779539, 1135206431, 3723892826, 1956379946, 3744329609,
        3082730206, 2720578459, 1203070643, 3071031707, 753477704, 4261943607, 817144138, 3744030220, 2306381438, 660050649,
        2360271743, 3500953941, 2267626286, 2613350657, 1209409851, 1969219971, 747024809, 3828596678, 4149836536, 42010535,
        3916354096, 70894636, 163939959, 3322712979, 572256287, 185569790, 2600163485, 1509857851, 1298693872, 1620415919,
        2771297826, 4279462394, 383593076, 1963120152, 2549797737, 388390019, 522561223, 3017028817, 3865606086, 928149974,
        2691381702, 1258750759, 3220323554, 3583054965, 3964221680, 2416440082, 3265551542, 2526325956, 2419771137, 1993174165,
        2149493356, 15632175, 953653268, 2302870948, 794003129, 620485637, 297353927, 1386062948, 1850348937, 413815061,
        1330691427, 2211012700, 1278747744, 3261815457, 2882275978, 1979886270, 225704916, 752233499, 3061791906, 1645797630,
        1760306018, 3071930625, 3419887625, 2985120372, 135693033, 365134658, 4254803281, 3033035569, 4090339128, 3186648473,
        892302274, 2898005594, 1454381059, 2484731094, 2716773094, 3069161995, 3622561608, 1852331667, 3148762815, 2209414872,
        503075966, 1320177801, 3091197009, 1032829381, 3709070687, 2624798661, 3473128377, 1427734825, 2507966166, 2208241393,
        1226639666, 756988894, 403622941, 3401431238, 1829947057, 3231655921, 3302670169, 2077919184, 1736217179, 692710461,
        753973699, 2238696642, 2825490402, 4080449492, 25814785, 3862660671, 747977529, 1114421080, 1279981338, 2366491075,
        1136421479, 2936611440, 976496534, 4147602119, 3309916012, 3118682931, 4209357611, 3150924728, 131124202, 2974017023,
        3235613075, 549033529, 1741597412, 1011414248, 3259014111, 521334157, 883777759, 2485837151, 1266584620, 3531057039,
        4132448707, 483759725, 327274310, 3301361270, 2331402775, 124814723, 1117284933, 3320322533, 483962812, 2385910787,
        3675017767, 4044185018, 2797819521, 2215252675, 411691936, 1793004090, 808536883, 1339257380, 3974962095, 917720399,
        2609466047, 792429344, 1998982641, 2397771707, 3721539313, 4035646459, 1416073721, 4213999800, 2811191299, 2556415142,
        1301727899, 2206938746, 1172253083, 2989152261, 1045910222, 1319092939, 24554108, 2688669535, 2789863285, 2058384265,
        3340898151, 2205201910, 2605180651, 3971240267, 3316774894, 3844192800, 1289295206, 3204269362, 2914417107, 1294004384,
        867578416, 976133653, 3832325412, 953439542, 826426427, 1941525540, 2753322708, 939297846, 4205157158, 3680817803,
        3937422952, 502746414, 826087945, 2435611798, 1687173040, 4109334265, 438411705, 2777748339, 40015795, 1943124516,
        4224621815, 3990087570, 188680466, 358905668, 291126269, 2611354411, 1569968431, 3176215630, 1933075842, 4019589074,
        4118809606, 2429111631, 873088291, 3681456747, 1347172209, 3416703832, 2480314179, 2375115614, 113833788, 2137707691,
        1140774986, 147995864, 2616592455, 4244382336, 1559225541, 2853213503, 1706794787, 593147665, 2060720320, 3757837313,
        861912931, 344206868, 1740009257, 2779750985, 45584577, 1526972717, 4200824141, 1057129793, 862020979, 2291412729,
        2348620407, 1659013930, 1382541535, 3731046954, 2172660445, 202711946, 1741543798, 777769998, 2821362808, 1229285824,
    ];
    check(CHOICES, &[Model::parse("swiftshader").unwrap()]);
}
