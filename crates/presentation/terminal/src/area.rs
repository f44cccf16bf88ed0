//! Which parts of the screen fit, and where: the least important go first.

use ratatui_core::layout::Rect;

/// A part of the screen, in the order in which they stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// What is tested, what it is at, how long.
    Bar,
    /// Users and iterations.
    Counts,
    /// One row a scenario.
    Scenarios,
    /// The rate in figures.
    Rate,
    /// The rate as a curve.
    RateCurve,
    /// Latency as a curve.
    LatencyCurve,
    /// Latency in figures.
    Latency,
    /// Goals and how they stand.
    Goals,
    /// What the target shows.
    Target,
    /// What limits the run so far.
    Limit,
    /// Failed requests.
    Failures,
    /// The trials of a study.
    Trials,
    /// The last lines said.
    Log,
    /// The keys.
    Keys,
}

/// Rows that a part wants, and the order in which it gives way: high ones first.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wish {
    pub(crate) part: Part,
    pub(crate) rows: u16,
    pub(crate) gives_way: u8,
}

/// The most rows of a curve on a high screen.
const CURVE_ROWS: u16 = 6;

/// A place for each part that fits. What is left over makes the curves higher, then goes to the
/// log; the keys stand on the last row.
pub(crate) fn places(screen: Rect, wishes: &[Wish]) -> Vec<(Part, Rect)> {
    let mut kept: Vec<Wish> = wishes
        .iter()
        .filter(|wish| wish.rows > 0)
        .copied()
        .collect();
    let sum = |kept: &[Wish]| kept.iter().map(|wish| wish.rows).sum::<u16>();
    while sum(&kept) > screen.height {
        let Some(place) = last_to_keep(&kept) else {
            return Vec::new();
        };
        // A part of many rows shrinks before it goes.
        if kept[place].rows > 2 {
            kept[place].rows -= 1;
        } else {
            kept.remove(place);
        }
    }
    let mut left = screen.height - sum(&kept);
    for wish in &mut kept {
        if matches!(wish.part, Part::RateCurve | Part::LatencyCurve) {
            let more = (left / 3).min(CURVE_ROWS - wish.rows);
            wish.rows += more;
            left -= more;
        }
    }
    if let Some(log) = kept.iter_mut().find(|wish| wish.part == Part::Log) {
        log.rows += left;
    }
    let mut top = screen.y;
    let mut placed = Vec::with_capacity(kept.len());
    for wish in kept {
        if wish.part == Part::Keys {
            top = screen.bottom() - wish.rows;
        }
        placed.push((wish.part, Rect::new(screen.x, top, screen.width, wish.rows)));
        top += wish.rows;
    }
    placed
}

/// Of the parts that give way first, the lowest one.
fn last_to_keep(kept: &[Wish]) -> Option<usize> {
    let first = kept.iter().map(|wish| wish.gives_way).max()?;
    kept.iter().rposition(|wish| wish.gives_way == first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(part: Part, rows: u16, gives_way: u8) -> Wish {
        Wish {
            part,
            rows,
            gives_way,
        }
    }

    #[test]
    fn what_matters_least_goes_first_and_shrinks_before_it_goes() {
        let wishes = [
            wish(Part::Bar, 1, 0),
            wish(Part::Failures, 5, 2),
            wish(Part::Keys, 1, 1),
        ];
        let rows = |height| -> Vec<(Part, u16)> {
            let placed = places(Rect::new(0, 0, 80, height), &wishes);
            placed.iter().map(|(part, at)| (*part, at.height)).collect()
        };
        assert_eq!(
            rows(5),
            [(Part::Bar, 1), (Part::Failures, 3), (Part::Keys, 1)]
        );
        assert_eq!(rows(3), [(Part::Bar, 1), (Part::Keys, 1)]);
        assert_eq!(rows(1), [(Part::Bar, 1)]);
        assert_eq!(rows(0), []);
    }

    #[test]
    fn the_keys_stand_on_the_last_row() {
        let wishes = [wish(Part::Bar, 1, 0), wish(Part::Keys, 1, 1)];
        let placed = places(Rect::new(0, 0, 80, 10), &wishes);
        assert_eq!(placed[1].1.y, 9);
    }
}
