//! The figures that a line about a pool has of it.

/// What the figures of a line say of the pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum PoolFigures {
    /// It has none, or too few to tell.
    Untold,
    /// All connections are held.
    AllHeld,
    /// There is no connection at all: none could be opened.
    Empty,
    /// Connections are free: this pool is not what is waited for.
    Free,
}

const TOTAL: &[&str] = &["total", "size", "pool size"];
const ACTIVE: &[&str] = &[
    "active",
    "busy",
    "in_use",
    "inuse",
    "in use",
    "used",
    "borrowed",
    "acquired",
    "active threads",
];
const IDLE: &[&str] = &["idle", "free", "available"];
const MOST: &[&str] = &[
    "maxactive",
    "max_size",
    "maxtotal",
    "max",
    "connection limit",
];

impl PoolFigures {
    pub(super) fn of(text: &str) -> Self {
        let text = text.to_lowercase();
        let figure = |names: &[&str]| names.iter().find_map(|name| figure(&text, name));
        let (total, active, idle) = (figure(TOTAL), figure(ACTIVE), figure(IDLE));
        let most = figure(MOST).or(total);
        match (total, active, idle) {
            (Some(0), _, _) | (None, Some(0), None | Some(0)) => Self::Empty,
            (_, _, Some(1..)) => Self::Free,
            (_, Some(active), _) if most.is_some_and(|most| active < most) => Self::Free,
            (_, Some(_), _) => Self::AllHeld,
            (Some(_), None, Some(0)) => Self::AllHeld,
            _ => Self::Untold,
        }
    }
}

/// The number after a name: `active=10`, `busy:100`, `"idle": 0`, `active 20`.
fn figure(text: &str, name: &str) -> Option<u64> {
    let places = text.match_indices(name);
    places
        .filter(|(at, _)| {
            !text[..*at].ends_with(|before: char| before.is_alphanumeric() || before == '_')
        })
        .find_map(|(at, _)| {
            let after = &text[at + name.len()..];
            let number = after.trim_start_matches(['"', '\'', '=', ':', ' ']);
            if number.len() == after.len() {
                return None;
            }
            let digits = number
                .find(|letter: char| !letter.is_ascii_digit())
                .unwrap_or(number.len());
            number[..digits].parse().ok()
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_figures_of_pools_are_read_in_each_librarys_form() {
        use PoolFigures::{AllHeld, Empty, Free, Untold};
        let lines = [
            ("(total=10, active=10, idle=0, waiting=3)", AllHeld),
            ("(total=3, active=3, idle=0, waiting=3)", AllHeld),
            ("(total=0, active=0, idle=0, waiting=71)", Empty),
            ("(total=10, active=2, idle=8, waiting=0)", Free),
            (
                "none available[size:100; busy:100; idle:0; lastwait:30000]",
                AllHeld,
            ),
            (
                "none available[size:100; busy:3; idle:97; lastwait:30000]",
                Free,
            ),
            (
                "wait millis 60000, active 20, maxActive 20, creating 0",
                AllHeld,
            ),
            (
                "wait millis 60000, active 0, maxActive 20, creating 1",
                Empty,
            ),
            (
                "wait millis 60000, active 4, maxActive 20, creating 1",
                Free,
            ),
            ("pool empty (active=10, idle=0, total=10)", AllHeld),
            ("{\"total\": 0, \"idle\": 0}", Empty),
            ("QueuePool limit of size 5 overflow 10 reached", Untold),
            ("Timeout exceeded when trying to connect", Untold),
            ("WARN pool (total=0, active=0, idle=0, waiting=#)", Empty),
            ("WARN pool (total=#, active=#, idle=0, waiting=#)", Untold),
        ];
        for (line, figures) in lines {
            assert_eq!(PoolFigures::of(line), figures, "{line}");
        }
    }
}
