//! Operations on pairs of halves, from sm_53 on.

use super::cubin::{Arg, Call, kernels, lifted};

/// What is not executed yet says so, by name.
#[test]
fn packed_halves_are_refused_by_name() {
    for kernel in kernels(include_str!("halves.txt")) {
        for target in &kernel.targets {
            let call = Call::new(1, 32, (0..4).map(|_| Arg::Buffer(vec![0; 32])).collect());
            let loaded = lifted(&kernel.name, target, &call);
            let diag = loaded.diags.iter().find(|diag| diag.is_error()).expect("an error");
            assert!(diag.message.contains("packed halves are not executed"), "{}: {}", kernel.name, diag.message);
        }
    }
}
