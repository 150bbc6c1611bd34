//! Names that a misspelt one may stand for.

/// The known name closest to `found`, for "did you mean" help lines.
///
/// Returns `None` when no candidate is within a third of the word's length in edit distance.
pub fn closest<'a>(found: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = found.chars().count();
    let limit = (length / 3).max(1);
    let lowered = found.to_ascii_lowercase();
    // Nothing shorter or longer by more than the limit is near; words of megabytes are not compared at all.
    let near = known.into_iter().filter(|name| name.chars().count().abs_diff(length) <= limit);
    // A swap of neighbours, which is what fingers do most, counts once.
    near.map(|name| (strsim::osa_distance(&lowered, &name.to_ascii_lowercase()), name))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::closest;

    #[test]
    fn closest_finds_a_near_name_and_refuses_a_far_one() {
        assert_eq!(closest("ADDD", ["MUL", "ADD"]), Some("ADD"));
        assert_eq!(closest("nv30", ["ieee", "nv40"]), Some("nv40"));
        assert_eq!(closest("ronud", ["mad", "round"]), Some("round"));
        assert_eq!(closest("zzzz", ["ieee", "nv40"]), None);
    }
}
