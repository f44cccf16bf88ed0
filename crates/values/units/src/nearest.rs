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

/// Letters of a beginning by which a name may be known.
const BEGINNING_MIN: usize = 3;

/// The only one of `known` that begins like `word`, but for one slip: `dua` for `duration`.
#[must_use]
pub fn nearest_beginning<'a>(
    word: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let length = word.chars().count();
    if length < BEGINNING_MIN {
        return None;
    }
    let word = word.to_lowercase();
    let begins = |name: &&str| {
        let beginning = |length: usize| name.chars().take(length).collect::<String>();
        let lengths = [length, length + 1];
        name.chars().count() > length
            && lengths
                .iter()
                .any(|length| distance(&word, &beginning(*length)) <= 1)
            && name.chars().next() == word.chars().next()
    };
    let mut alike: Vec<&str> = known.into_iter().filter(begins).collect();
    alike.sort_unstable();
    alike.dedup();
    let exact = alike.iter().find(|name| name.starts_with(&word)).copied();
    match alike.as_slice() {
        [one] => Some(one),
        _ => exact.filter(|_| alike.iter().filter(|name| name.starts_with(&word)).count() == 1),
    }
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
    fn a_beginning_that_only_one_name_has_is_found() {
        let known = ["duration", "rate", "repeat", "report", "vus"];
        assert_eq!(nearest_beginning("dua", known), Some("duration"));
        assert_eq!(nearest_beginning("dur", known), Some("duration"));
        assert_eq!(nearest_beginning("repo", known), Some("report"));
        assert_eq!(nearest_beginning("rep", known), None);
        assert_eq!(nearest_beginning("xyz", known), None);
        assert_eq!(nearest_beginning("d", known), None);
    }

    #[test]
    fn distances_are_those_of_letters() {
        assert_eq!(distance("", "ab"), 2);
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("ab", "ba"), 1);
    }
}
