//! Counters for the buckets on one side of zero.

/// Buckets per chunk: a quarter of a doubling.
const CHUNK: usize = 64;

/// Counts by bucket magnitude, in chunks made on first use.
#[derive(Debug, Clone, Default)]
pub(super) struct Chunks {
    /// The number of the first chunk there is room for.
    first: usize,
    chunks: Vec<Option<Box<[u64; CHUNK]>>>,
}

impl Chunks {
    /// Adds `n` to the count of bucket `magnitude`.
    #[inline]
    pub(super) fn add(&mut self, magnitude: u32, n: u64) {
        let (number, place) = (magnitude as usize / CHUNK, magnitude as usize % CHUNK);
        // Wraps to a huge index, which `get_mut` refuses, when `number` comes before `first`.
        match self.chunks.get_mut(number.wrapping_sub(self.first)) {
            Some(Some(chunk)) => chunk[place] += n,
            _ => self.make(number)[place] += n,
        }
    }

    pub(super) fn merge(&mut self, other: &Self) {
        for (offset, theirs) in other.chunks.iter().enumerate() {
            if let Some(theirs) = theirs {
                let mine = self.make(other.first + offset);
                for (mine, theirs) in mine.iter_mut().zip(theirs.iter()) {
                    *mine += theirs;
                }
            }
        }
    }

    /// Non-empty buckets and their counts, from zero outwards.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = (u32, u64)> {
        self.chunks
            .iter()
            .enumerate()
            .filter_map(|(offset, chunk)| Some((self.first + offset, chunk.as_deref()?)))
            .flat_map(|(number, chunk)| {
                let counts = chunk.iter().enumerate().filter(|(_, n)| **n > 0);
                counts.map(move |(place, n)| {
                    let magnitude = u32::try_from(number * CHUNK + place).expect("19 bits");
                    (magnitude, *n)
                })
            })
    }

    /// The chunk with this number, made if need be.
    #[cold]
    #[inline(never)]
    fn make(&mut self, number: usize) -> &mut [u64; CHUNK] {
        if self.chunks.is_empty() {
            self.first = number;
        }
        if number < self.first {
            let missing = self.first - number;
            self.chunks
                .splice(0..0, std::iter::repeat_with(|| None).take(missing));
            self.first = number;
        }
        let place = number - self.first;
        if place >= self.chunks.len() {
            self.chunks.resize_with(place + 1, || None);
        }
        self.chunks[place].get_or_insert_with(|| Box::new([0; CHUNK]))
    }
}
