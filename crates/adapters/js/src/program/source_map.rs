//! Positions in generated code back to the original source.

/// Generated to original positions of one file; lines and columns from 0 inside.
pub(crate) struct SourceMap {
    /// (generated line, generated column, original line, original column), sorted.
    places: Vec<(u32, u32, u32, u32)>,
}

impl SourceMap {
    pub(crate) fn new(mut places: Vec<(u32, u32, u32, u32)>) -> Self {
        places.sort_unstable();
        Self { places }
    }

    /// The original position (from 1) of a generated one (from 1): that of the nearest
    /// place before it on its line.
    pub(crate) fn original(&self, line: u32, column: u32) -> Option<(u32, u32)> {
        let (line, column) = (line.checked_sub(1)?, column.saturating_sub(1));
        let after = self
            .places
            .partition_point(|p| (p.0, p.1) <= (line, column));
        let place = self.places[..after].last().filter(|p| p.0 == line);
        let place = place.or_else(|| self.places.get(after).filter(|p| p.0 == line))?;
        Some((place.2 + 1, place.3 + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_the_nearest_place_before_on_the_same_line() {
        let map = SourceMap::new(vec![(1, 4, 10, 8), (1, 0, 10, 0), (3, 2, 20, 2)]);

        assert_eq!(map.original(2, 1), Some((11, 1)));
        assert_eq!(map.original(2, 4), Some((11, 1)));
        assert_eq!(map.original(2, 9), Some((11, 9)));
        assert_eq!(
            map.original(4, 1),
            Some((21, 3)),
            "before the first place of its line"
        );
        assert_eq!(map.original(3, 1), None);
    }
}
