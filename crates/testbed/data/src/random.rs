//! Random numbers that depend only on the seed and on what they are for.

pub(crate) use loadline_units::random::{mix, unit};

/// A number that depends on the seed and on what it is for.
pub(crate) fn draw(seed: u64, name: &str, row: u64, attempt: u64) -> u64 {
    let mut state = mix(seed ^ 0x9e37_79b9_7f4a_7c15);
    for byte in name.bytes() {
        state = mix(state ^ u64::from(byte));
    }
    mix(mix(state ^ row).wrapping_add(attempt.wrapping_mul(0xd6e8_feb8_6659_fd93)))
}

/// The position of `index` in a shuffle of the numbers below `all`: a Feistel network over the
/// next power of four, repeated until the result is below `all`.
pub(crate) fn shuffled(index: u64, all: u64, key: u64) -> u64 {
    let half = (64 - all.max(2).saturating_sub(1).leading_zeros()).div_ceil(2);
    let mask = (1_u64 << half) - 1;
    let mut at = index;
    loop {
        let (mut left, mut right) = (at >> half & mask, at & mask);
        for round in 0..4 {
            let turned = left ^ (mix(right ^ key.rotate_left(round * 16)) & mask);
            left = right;
            right = turned;
        }
        at = left << half | right;
        if at < all {
            return at;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn shuffling_loses_no_number(all in 1_u64..2000, key in any::<u64>()) {
            let mut seen: Vec<u64> = (0..all).map(|index| shuffled(index, all, key)).collect();
            seen.sort_unstable();
            prop_assert_eq!(seen, (0..all).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_draw_follows_from_all_it_is_for() {
        let one = draw(1, "a.b", 5, 0);
        assert_eq!(one, draw(1, "a.b", 5, 0));
        for other in [
            draw(2, "a.b", 5, 0),
            draw(1, "a.c", 5, 0),
            draw(1, "a.b", 6, 0),
            draw(1, "a.b", 5, 1),
        ] {
            assert_ne!(one, other);
        }
    }
}
