//! All works in turns, and their ratios.

use crate::{Group, Work};
use std::time::Instant;

/// Rounds over all works: as many as make the least time of each stable.
const ROUNDS: usize = 40;
/// Least seconds a work runs in a round.
const TURN: f64 = 2e-3;

/// Prints the table of the groups whose name, or of the works of which one's name, holds `filter`; peers are always there.
#[expect(clippy::print_stdout, reason = "a table is what this makes")]
pub(crate) fn show(mut groups: Vec<Group>, filter: Option<&str>) {
    for group in &mut groups {
        let whole = filter.is_none_or(|filter| group.name.contains(filter));
        let peers: Vec<String> = group.works.iter().filter_map(|work| Some(work.wanted.as_ref()?.1.clone())).collect();
        group.works.retain(|work| {
            whole || filter.is_some_and(|filter| work.name.contains(filter)) || peers.contains(&work.name)
        });
    }
    let mut best: Vec<Vec<f64>> = groups.iter().map(|group| vec![f64::INFINITY; group.works.len()]).collect();
    for _ in 0..ROUNDS {
        for (group, best) in groups.iter_mut().zip(&mut best) {
            group.works.iter_mut().zip(best).for_each(|(work, best)| *best = best.min(turn(work)));
        }
    }
    for (group, best) in groups.iter().zip(&best) {
        println!("\n| {} | {} | ratio | wanted | |\n|---|---|---|---|---|", group.name, group.unit);
        let rate = |n: usize| group.works[n].amount as f64 / best[n] / 1e6;
        for (n, work) in group.works.iter().enumerate() {
            let ratio = work.wanted.as_ref().and_then(|(wanted, of)| {
                let other = group.works.iter().position(|work| work.name == *of)?;
                let (ratio, of) = (rate(n) / rate(other), if other == 0 { "" } else { of });
                Some(format!("{ratio:.2} | {wanted} {of} | {}", if ratio < *wanted { "misses" } else { "" }))
            });
            println!("| {} | {:.1} | {} |", work.name, rate(n), ratio.unwrap_or("| |".into()));
        }
    }
}

/// The least seconds of one run.
fn turn(work: &mut Work) -> f64 {
    let (begin, mut least) = (Instant::now(), f64::INFINITY);
    while begin.elapsed().as_secs_f64() < TURN {
        let start = Instant::now();
        (work.run)();
        least = least.min(start.elapsed().as_secs_f64());
    }
    least
}
