//! Lines that could not be parsed, by reason.

/// Why a line was skipped, or is doubtful.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LineProblem {
    /// It contains bytes that no log contains.
    Binary,
    /// It is too long for a request.
    TooLong,
    /// It matches no format.
    Unreadable,
    /// Its time is malformed or out of range.
    Time,
    /// Its request is malformed.
    Request,
    /// Its time is well before that of an earlier line. It counts.
    Backwards,
    /// Its format differs from that of the file's first lines. It counts.
    OtherFormat,
    /// The file ends inside compressed data, or is not valid gzip.
    Damaged,
}

impl LineProblem {
    /// All reasons.
    pub const ALL: [Self; 8] = [
        Self::Binary,
        Self::TooLong,
        Self::Unreadable,
        Self::Time,
        Self::Request,
        Self::Backwards,
        Self::OtherFormat,
        Self::Damaged,
    ];

    /// Its name in JSON.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Binary => "binary",
            Self::TooLong => "too_long",
            Self::Unreadable => "unreadable",
            Self::Time => "time",
            Self::Request => "request",
            Self::Backwards => "backwards",
            Self::OtherFormat => "other_format",
            Self::Damaged => "damaged",
        }
    }

    /// Whether lines with this reason are skipped.
    #[must_use]
    pub const fn is_left_out(self) -> bool {
        !matches!(self, Self::Backwards | Self::OtherFormat)
    }
}

/// A line of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileLine {
    /// The file's name.
    pub file: String,
    /// Its line, from 1.
    pub line: u64,
}

/// How many places are kept for each reason.
const MOST_PLACES: usize = 5;

/// How often each reason occurred, and the first places.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LineProblems {
    counts: [u64; LineProblem::ALL.len()],
    places: [Vec<FileLine>; LineProblem::ALL.len()],
}

impl LineProblems {
    pub(super) fn add(&mut self, trouble: LineProblem, file: &str, line: u64) {
        let index = trouble as usize;
        self.counts[index] += 1;
        let places = &mut self.places[index];
        if places.len() < MOST_PLACES {
            places.push(FileLine {
                file: file.to_owned(),
                line,
            });
        }
    }

    /// Each reason that occurred, with its count and first places.
    pub fn each(&self) -> impl Iterator<Item = (LineProblem, u64, &[FileLine])> {
        LineProblem::ALL.into_iter().filter_map(|trouble| {
            let index = trouble as usize;
            let count = self.counts[index];
            (count > 0).then_some((trouble, count, self.places[index].as_slice()))
        })
    }

    /// The number of skipped lines.
    #[must_use]
    pub fn left_out(&self) -> u64 {
        let each = self.each().filter(|(trouble, ..)| trouble.is_left_out());
        each.map(|(_, count, _)| count).sum()
    }
}
