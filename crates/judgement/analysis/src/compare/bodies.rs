//! Whether bodies are still of the same shape: fields that are empty now, numbers that are all zero, another text.
//!
//! A change has to be more than chance makes of two samples of one thing (Fisher's exact test), has to be large, and has to show in
//! every run of both sides: what differs from run to run anyway is no change of the answers.

mod added;

use std::collections::BTreeSet;

use loadline_record::bodies::{BodySample, FieldKinds, FieldSample};

use super::ComparedRun;
use crate::special::log_choose;

/// How often chance alone may make so many differ, of one look; there are some hundred looks in a comparison.
const CHANCE_MAX: f64 = 1e-5;
/// What hardly any body had before ...
const RARE_SHARE_MAX: f64 = 0.02;
/// ... is told where so many have it.
const NEW_SHARE_MIN: f64 = 0.25;
/// Else so many more must have it.
const SHIFT_MIN: f64 = 0.5;
/// A value, and no field or kind, must be that of nearly none before and of nearly all after.
const FEW_SHARE_MAX: f64 = 0.05;
const MOST_SHARE_MIN: f64 = 0.95;
/// All runs of one side must differ from all of the other by this; runs with fewer bodies than three show nothing alone.
const APART_MIN: f64 = 0.1;
const BODIES_OF_RUN_MIN: f64 = 3.0;
/// Changes of one endpoint that are told.
const TOLD_MAX: usize = 5;
/// Words that all texts of one side have are gone where hardly any of the other has them, ...
const GONE_SHARE_MAX: f64 = 0.1;
/// ... and a text is another one where more than this share of them is.
const GONE_WORDS_MIN: f64 = 0.5;

/// Bodies of which something is so.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyCount {
    /// So many.
    pub count: f64,
    /// Of so many.
    pub of: f64,
}

impl BodyCount {
    fn share(self) -> f64 {
        if self.of > 0.0 {
            self.count / self.of
        } else {
            0.0
        }
    }
}

/// Something that is so of more bodies than before.
#[derive(Debug, Clone, PartialEq)]
pub struct BodyChange {
    /// The place in JSON documents, such as `items[].price`, `$` for the document; empty for whole bodies.
    pub field: String,
    /// What is so.
    pub state: BodyState,
    /// Of how many bodies before.
    pub before: BodyCount,
    /// Of how many after.
    pub after: BodyCount,
}

/// What is so of a body or of a field in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyState {
    /// It has the field, which tells of no failure: clients that do not know it go on.
    Added,
    /// It has the field.
    New,
    /// It lacks the field.
    Missing,
    /// The field is null.
    Null,
    /// The text, list or object is empty.
    Empty,
    /// The number is zero, of a list all of them.
    Zero,
    /// The text is one character again and again.
    Blank,
    /// The field is true.
    True,
    /// The field is false.
    False,
    /// The field is a number.
    Number,
    /// The field is a text.
    Text,
    /// The field is true or false.
    Flag,
    /// The field is a list.
    List,
    /// The field is an object.
    Object,
    /// The text, list or object has something in it.
    Filled,
    /// The text is another one.
    OtherText,
    /// The body is JSON.
    JsonBody,
    /// The body is text or a page.
    TextBody,
    /// The body has no byte.
    EmptyBody,
    /// The body is neither JSON nor text.
    BinaryBody,
    /// Most words that all texts had are gone: so many words before, and so many of them after.
    OtherWords,
    /// So many words are in all texts now and were in none.
    NewWords,
}

const EMPTY: FieldKinds = FieldKinds::EMPTY_TEXT
    .and(FieldKinds::EMPTY_LIST)
    .and(FieldKinds::EMPTY_OBJECT);
const TEXT: FieldKinds = FieldKinds::TEXT
    .and(FieldKinds::BLANK_TEXT)
    .and(FieldKinds::EMPTY_TEXT);
const LIST: FieldKinds = FieldKinds::LIST.and(FieldKinds::EMPTY_LIST);
const OBJECT: FieldKinds = FieldKinds::OBJECT.and(FieldKinds::EMPTY_OBJECT);
const FLAG: FieldKinds = FieldKinds::TRUE.and(FieldKinds::FALSE);
const NUMBER: FieldKinds = FieldKinds::NUMBER.and(FieldKinds::ZERO);
const FILLED: FieldKinds = FieldKinds::TEXT
    .and(FieldKinds::LIST)
    .and(FieldKinds::OBJECT);

impl BodyState {
    /// Of fields, what is told first where several are so.
    const OF_FIELDS: [Self; 14] = [
        Self::New,
        Self::Missing,
        Self::Null,
        Self::Empty,
        Self::Zero,
        Self::Blank,
        Self::True,
        Self::False,
        Self::Number,
        Self::Text,
        Self::Flag,
        Self::List,
        Self::Object,
        Self::Filled,
    ];

    const OF_BODIES: [Self; 4] = [
        Self::JsonBody,
        Self::TextBody,
        Self::EmptyBody,
        Self::BinaryBody,
    ];

    /// Whether it says what stands in a field, which differs more than which fields there are and of which kind.
    const fn is_value(self) -> bool {
        matches!(
            self,
            Self::Zero | Self::Blank | Self::True | Self::False | Self::Filled | Self::OtherText
        )
    }

    /// Whether all that a body has in a field is of this state.
    fn holds(self, kinds: FieldKinds) -> bool {
        let of_type = |all: FieldKinds| kinds.is_only(all.and(FieldKinds::NULL)) && kinds.has(all);
        match self {
            Self::Null => kinds.is_only(FieldKinds::NULL),
            Self::Empty => kinds.is_only(EMPTY),
            Self::Zero => kinds.is_only(FieldKinds::ZERO),
            Self::Blank => kinds.is_only(FieldKinds::BLANK_TEXT),
            Self::True => kinds.is_only(FieldKinds::TRUE),
            Self::False => kinds.is_only(FieldKinds::FALSE),
            Self::Number => of_type(NUMBER),
            Self::Text => of_type(TEXT),
            Self::Flag => of_type(FLAG),
            Self::List => of_type(LIST),
            Self::Object => of_type(OBJECT),
            Self::Filled => kinds.has(FILLED),
            _ => false,
        }
    }

    /// The bodies of a sample of which it is so at a place.
    fn of_field(self, sample: &BodySample, path: &str) -> BodyCount {
        let none = FieldSample::default();
        let field = sample.fields.get(path).unwrap_or(&none);
        // A body that is cut tells only of what it has.
        let known = f64::from(sample.json - sample.cut + field.cut);
        let has = f64::from(field.count());
        let counts = |count: f64, of: f64| BodyCount { count, of };
        match self {
            Self::New | Self::Added => counts(has, known),
            Self::Missing => counts(known - has, known),
            _ => {
                let kinds = field.kinds.iter().filter(|(kinds, _)| self.holds(**kinds));
                let count = kinds.map(|(_, count)| f64::from(*count)).sum();
                counts(count, has)
            }
        }
    }

    fn of_body(self, sample: &BodySample) -> BodyCount {
        let count = match self {
            Self::JsonBody => sample.json,
            Self::TextBody => sample.texts,
            Self::EmptyBody => sample.empty,
            Self::BinaryBody => sample.binary,
            _ => 0,
        };
        BodyCount {
            count: f64::from(count),
            of: f64::from(sample.bodies()),
        }
    }
}

/// How the bodies of two sides' good answers differ.
pub(super) fn changes(before: &[ComparedRun], after: &[ComparedRun]) -> Vec<BodyChange> {
    let sides = Sides {
        before: before.iter().map(|run| &run.bodies).collect(),
        after: after.iter().map(|run| &run.bodies).collect(),
    };
    let whole = BodyState::OF_BODIES.into_iter().find_map(|state| {
        let rise = sides.rise(state.is_value(), |sample| state.of_body(sample))?;
        Some(rise.at("", state))
    });
    if let Some(whole) = whole {
        return vec![whole];
    }
    let mut found = fields(&sides);
    found.extend(words(&sides));
    // What clients may not bear is told first.
    found.sort_by_key(|change| change.state == BodyState::Added);
    found.truncate(TOLD_MAX);
    found
}

/// The counts of both sides, of something that is so of more bodies than before.
#[derive(Debug, Clone, Copy)]
struct Rise {
    before: BodyCount,
    after: BodyCount,
}

impl Rise {
    /// As a change of what stands at a place.
    fn at(self, path: &str, state: BodyState) -> BodyChange {
        let field = path.strip_prefix("$.").unwrap_or(path);
        BodyChange {
            field: field.to_owned(),
            state,
            before: self.before,
            after: self.after,
        }
    }
}

/// What of the fields changed; of a field in one that changed nothing more is told.
fn fields(sides: &Sides<'_>) -> Vec<BodyChange> {
    let paths: BTreeSet<&String> = sides
        .all()
        .flat_map(|sample| sample.fields.keys())
        .collect();
    let mut told: Vec<&String> = Vec::new();
    let mut found = Vec::new();
    for path in paths {
        let is_below = |of: &&String| {
            let rest = path.strip_prefix(of.as_str());
            rest.is_some_and(|rest| rest.starts_with(['.', '[']))
        };
        if told.iter().any(is_below) {
            continue;
        }
        let is_open = sides.is_in_table(path);
        let mut states = BodyState::OF_FIELDS.into_iter();
        let changed = states.find_map(|state| {
            let is_presence = matches!(state, BodyState::New | BodyState::Missing);
            if is_presence && is_open {
                return None;
            }
            let rise = sides.rise(state.is_value(), |sample| state.of_field(sample, path))?;
            let is_added =
                state == BodyState::New && !added::is_sign_of_failure(&sides.after, path);
            let state = if is_added { BodyState::Added } else { state };
            Some(rise.at(path, state))
        });
        let changed = changed.or_else(|| other_text(sides, path));
        if let Some(changed) = changed {
            told.push(path);
            found.push(changed);
        }
    }
    found
}

/// A text that no body had and now all have, where all bodies had one of few before.
fn other_text(sides: &Sides<'_>, path: &str) -> Option<BodyChange> {
    let mut all = sides.all().filter_map(|sample| sample.fields.get(path));
    if all.any(|field| field.is_varied) {
        return None;
    }
    let first = sides
        .after
        .iter()
        .find_map(|sample| sample.fields.get(path))?;
    first.texts.keys().find_map(|text| {
        let rise = sides.rise(true, |sample| {
            let field = sample.fields.get(path);
            let with = field.and_then(|field| field.texts.get(text));
            BodyCount {
                count: f64::from(with.copied().unwrap_or_default()),
                of: f64::from(field.map_or(0, FieldSample::count)),
            }
        })?;
        Some(rise.at(path, BodyState::OtherText))
    })
}

/// Words, or elements, that all texts of one side have and those of the other do not.
fn words(sides: &Sides<'_>) -> Option<BodyChange> {
    type Words = fn(&BodySample) -> &std::collections::BTreeMap<u16, u32>;
    let kinds: [Words; 2] = [|sample| &sample.words, |sample| &sample.elements];
    let texts =
        |samples: &[&BodySample]| -> f64 { samples.iter().map(|one| f64::from(one.texts)).sum() };
    let (before, after) = (texts(&sides.before), texts(&sides.after));
    // As many texts as show by chance that one word is gone.
    if !is_beyond_chance([0.0, before], [after, after]) {
        return None;
    }
    let gone = |of: &[&BodySample], from: &[&BodySample], words: Words| {
        let with_texts: Vec<&&BodySample> = of.iter().filter(|one| one.texts > 0).collect();
        let first = with_texts.first()?;
        let share = |sample: &BodySample, word: &u16| {
            let count = words(sample).get(word).copied().unwrap_or_default();
            f64::from(count) / f64::from(sample.texts.max(1))
        };
        let common = words(first).keys().filter(|word| {
            let mut shares = with_texts.iter().map(|sample| share(sample, word));
            shares.all(|share| share >= 1.0 - GONE_SHARE_MAX)
        });
        let common: Vec<&u16> = common.collect();
        let others: Vec<&&BodySample> = from.iter().filter(|one| one.texts > 0).collect();
        let is_gone = |word: &&&u16| {
            others
                .iter()
                .all(|sample| share(sample, word) <= GONE_SHARE_MAX)
        };
        let count = common.iter().filter(is_gone).count() as f64;
        let of = common.len() as f64;
        (count > GONE_WORDS_MIN * of).then_some(BodyCount { count, of })
    };
    kinds.into_iter().find_map(|words| {
        let told = |state, was: f64, is: f64| BodyChange {
            field: String::new(),
            state,
            before: BodyCount {
                count: was,
                of: before,
            },
            after: BodyCount {
                count: is,
                of: after,
            },
        };
        if let Some(lost) = gone(&sides.before, &sides.after, words) {
            return Some(told(BodyState::OtherWords, lost.of, lost.of - lost.count));
        }
        let new = gone(&sides.after, &sides.before, words)?;
        Some(told(BodyState::NewWords, 0.0, new.count))
    })
}

/// The samples of both sides' runs.
struct Sides<'a> {
    before: Vec<&'a BodySample>,
    after: Vec<&'a BodySample>,
}

impl<'a> Sides<'a> {
    fn all(&self) -> impl Iterator<Item = &'a BodySample> + '_ {
        self.before.iter().chain(&self.after).copied()
    }

    /// Whether it is a member of an object whose members are data.
    fn is_in_table(&self, path: &str) -> bool {
        path.rsplit_once('.').is_some_and(|(parent, _)| {
            let mut tables = self.all().filter_map(|sample| sample.fields.get(parent));
            tables.any(|field| field.is_table)
        })
    }

    /// The counts of both sides, where something is so of more bodies than before, for certain and in all runs.
    fn rise(&self, is_value: bool, count: impl Fn(&BodySample) -> BodyCount) -> Option<Rise> {
        let [before, after] = [&self.before, &self.after].map(|runs| {
            let counts = runs.iter().map(|sample| count(sample));
            counts.collect::<Vec<BodyCount>>()
        });
        let (was, is) = (sum(&before), sum(&after));
        let is_large = if is_value {
            was.share() <= FEW_SHARE_MAX && is.share() >= MOST_SHARE_MIN
        } else if was.share() <= RARE_SHARE_MAX {
            is.share() >= NEW_SHARE_MIN
        } else {
            is.share() - was.share() >= SHIFT_MIN
        };
        let shares = |counts: &[BodyCount]| {
            let told = counts.iter().filter(|count| count.of >= BODIES_OF_RUN_MIN);
            told.map(|count| count.share()).collect::<Vec<f64>>()
        };
        let most = shares(&before).into_iter().fold(0.0, f64::max);
        let least = shares(&after).into_iter().fold(1.0, f64::min);
        let is_change = is_large
            && least - most >= APART_MIN
            && is_beyond_chance([was.count, was.of], [is.count, is.of]);
        is_change.then_some(Rise {
            before: was,
            after: is,
        })
    }
}

fn sum(counts: &[BodyCount]) -> BodyCount {
    let none = BodyCount {
        count: 0.0,
        of: 0.0,
    };
    counts.iter().fold(none, |sum, one| BodyCount {
        count: sum.count + one.count,
        of: sum.of + one.of,
    })
}

/// Whether two samples of one thing would hardly ever have so many more in the second: Fisher's exact test.
fn is_beyond_chance([before, of_before]: [f64; 2], [after, of_after]: [f64; 2]) -> bool {
    let all = before + after;
    let ways = log_choose(of_before + of_after, all);
    let mut chance = 0.0;
    let mut count = after;
    while count <= all.min(of_after) {
        if all - count <= of_before {
            chance +=
                (log_choose(of_after, count) + log_choose(of_before, all - count) - ways).exp();
        }
        count += 1.0;
    }
    of_before > 0.0 && of_after > 0.0 && chance <= CHANCE_MAX
}
