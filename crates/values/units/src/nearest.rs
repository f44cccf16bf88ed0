//! The nearest right name for a name that means nothing.

/// The one of `known` that `word` was probably meant to be.
#[must_use]
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Of a path the last part is what people mistype.
    let own = word.rsplit('/').next().unwrap_or(word);
    let most = 1 + own.chars().count() / 5;
    let distances = known
        .into_iter()
        .map(|name| (distance(&word.to_lowercase(), &name.to_lowercase()), name));
    let (distance, name) = distances.min()?;
    (distance <= most && name != word).then_some(name)
}

/// How many letters must be added, taken away, changed or swapped with their neighbour.
fn distance(one: &str, other: &str) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let mut rows = vec![(0..=other.len()).collect::<Vec<usize>>()];
    for (i, a) in one.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, b) in other.iter().enumerate() {
            let mut least = (rows[i][j] + usize::from(a != b))
                .min(rows[i][j + 1] + 1)
                .min(row[j] + 1);
            if i > 0 && j > 0 && *a == other[j - 1] && one[i - 1] == *b {
                least = least.min(rows[i - 1][j - 1] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[one.len()][other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_slip_of_the_finger_is_found_and_another_word_is_not() {
        let known = ["check", "group", "sleep", "randomSeed"];
        assert_eq!(nearest("chekc", known), Some("check"));
        assert_eq!(nearest("Sleep", known), Some("sleep"));
        assert_eq!(nearest("randomseeds", known), Some("randomSeed"));
        assert_eq!(nearest("Trend", known), None);
        assert_eq!(nearest("check", known), None);
        assert_eq!(nearest("x", []), None);
    }

    #[test]
    fn distances_are_those_of_letters() {
        assert_eq!(distance("", "ab"), 2);
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("ab", "ba"), 1);
    }
}
