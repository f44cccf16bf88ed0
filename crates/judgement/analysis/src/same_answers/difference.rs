//! Where two documents differ, what varies by itself left out.

use loadline_record::DifferenceKind;
use loadline_record::saved_answers::{JsonMap, JsonNode, JsonSequence};

use super::folded::{Place, is_row};
use super::forms::Form;
use super::learned::{Learned, SeenPlace};
use super::lists::paired;

/// Differences of one answer that are looked for.
const FOUND_MAX: usize = 20;
/// The longest value that is shown, in characters, ...
const SHOWN_CHARS_MAX: usize = 60;
/// ... and how much of it before the first difference.
const SHOWN_BEFORE: usize = 20;
/// Whole numbers say that there are no fractions from so many on.
const WHOLE_COUNT_MIN: u64 = 4;

/// A difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) kind: DifferenceKind,
    pub(super) path: String,
    pub(super) was: String,
    pub(super) is: String,
}

/// The differences of two documents, in the order of their places.
pub(super) fn document_differences(
    before: &JsonNode,
    after: &JsonNode,
    learned: &Learned,
) -> Vec<Found> {
    let mut search = Search {
        learned,
        found: Vec::new(),
    };
    search.compare(before, after, &Place::root());
    search.found
}

struct Search<'l> {
    learned: &'l Learned,
    found: Vec<Found>,
}

impl Search<'_> {
    fn add(&mut self, kind: DifferenceKind, place: &Place, was: String, is: String) {
        self.found.push(Found {
            kind,
            path: place.exact.clone(),
            was,
            is,
        });
    }

    const fn is_full(&self) -> bool {
        self.found.len() >= FOUND_MAX
    }

    fn compare(&mut self, before: &JsonNode, after: &JsonNode, place: &Place) {
        if before == after || self.is_full() {
            return;
        }
        if self.learned.values.contains(&place.folded) {
            self.check_form(after, place);
            return;
        }
        match (before, after) {
            (JsonNode::Object(before), JsonNode::Object(after)) => {
                self.members(before, after, place)
            }
            (JsonNode::List(before), JsonNode::List(after)) => self.elements(before, after, place),
            (before, after) => {
                let (was, is) = shown(&before.canonical(), &after.canonical());
                self.add(DifferenceKind::Value, place, was, is);
            }
        }
    }

    fn members(&mut self, before: &JsonMap, after: &JsonMap, place: &Place) {
        if self.learned.elements.contains(&place.folded) {
            return;
        }
        let mut names: Vec<&String> = before.members.keys().chain(after.members.keys()).collect();
        names.sort();
        names.dedup();
        for name in names {
            let within = place.member(name);
            let is_rare = self.learned.presence.contains(&within.folded);
            match (before.members.get(name), after.members.get(name)) {
                (Some(before), Some(after)) => self.compare(before, after, &within),
                (Some(_), None) if is_rare || after.is_open => {}
                (Some(before), None) => {
                    let was = cut(&before.canonical());
                    self.add(DifferenceKind::Missing, &within, was, String::new());
                }
                (None, Some(_)) if before.is_open => {}
                (None, Some(after)) if is_rare => self.check_form(after, &within),
                (None, Some(after)) => {
                    let is = cut(&after.canonical());
                    self.add(DifferenceKind::Added, &within, String::new(), is);
                }
                (None, None) => {}
            }
            if self.is_full() {
                return;
            }
        }
    }

    fn elements(&mut self, before: &JsonSequence, after: &JsonSequence, place: &Place) {
        let learned = self.learned;
        if learned.elements.contains(&place.folded) {
            self.check_elements(after, place);
            return;
        }
        let (left, right) = (&before.items, &after.items);
        let is_open = before.is_open || after.is_open;
        if left.len() != right.len() && !is_open {
            let (was, is) = (left.len().to_string(), right.len().to_string());
            self.add(DifferenceKind::Length, place, was, is);
            return;
        }
        let is_moved = learned.orders.contains(&place.folded);
        let is_row = is_row(left) && !is_moved;
        let common = left.len().min(right.len());
        let mut pairs: Vec<(usize, usize)> = (0..common).map(|place| (place, place)).collect();
        if !is_open {
            let masked = |item: &JsonNode| learned.masked(item, &place.element(0, false));
            if is_moved {
                if let Some(pairing) = paired(left, right, true, masked) {
                    pairs = pairing.pairs;
                }
            } else if let Some((was, is)) = reordered(left, right, masked) {
                self.add(DifferenceKind::Order, place, was, is);
                return;
            }
        }
        for (one, other) in pairs {
            let within = place.element(other, is_row);
            self.compare(&left[one], &right[other], &within);
            if self.is_full() {
                return;
            }
        }
    }

    /// Holds the elements of a list that has others from answer to answer to their forms.
    fn check_elements(&mut self, after: &JsonSequence, place: &Place) {
        let is_known = self.learned.seen(place);
        if after.items.is_empty() && !after.is_open && is_known.is_some_and(|it| !it.is_ever_empty)
        {
            let is = JsonNode::List(JsonSequence::default()).canonical();
            self.add(DifferenceKind::Form, place, "[…]".to_owned(), is);
        }
        for (index, item) in after.items.iter().enumerate() {
            self.check_form(item, &place.element(index, false));
            if self.is_full() {
                return;
            }
        }
    }

    /// Holds a value that varies to the forms and the members it always had.
    fn check_form(&mut self, after: &JsonNode, place: &Place) {
        let Some(seen) = self.learned.seen(place) else {
            return;
        };
        let form = Form::new(after);
        // Few numbers may all be whole by chance.
        let is_known = form.is_among(seen.forms.keys())
            || form == Form::Fraction
                && seen.count() < WHOLE_COUNT_MIN
                && seen.forms.contains_key(&Form::Whole);
        if !is_known {
            let was = example_of(seen);
            self.add(DifferenceKind::Form, place, was, cut(&after.canonical()));
            return;
        }
        match after {
            JsonNode::List(list) => self.check_elements(list, place),
            JsonNode::Object(object) => self.check_members(object, place),
            _ => {}
        }
    }

    fn check_members(&mut self, object: &JsonMap, place: &Place) {
        let learned = self.learned;
        if learned.elements.contains(&place.folded) {
            return;
        }
        for (name, value) in &object.members {
            let within = place.member(name);
            if learned.seen(&within).is_none() {
                let is = cut(&value.canonical());
                self.add(DifferenceKind::Added, &within, String::new(), is);
            } else {
                self.check_form(value, &within);
            }
        }
        for name in learned.members_of(place) {
            let within = place.member(name);
            let is_missing = !object.members.contains_key(name) && !object.is_open;
            if is_missing && learned.is_always_there(place, &within) {
                let was = learned.seen(&within).map_or_else(String::new, example_of);
                self.add(DifferenceKind::Missing, &within, was, String::new());
            }
        }
    }
}

/// A value as it usually stood there.
fn example_of(seen: &SeenPlace) -> String {
    let usual = seen.forms.values().max_by_key(|form| form.count);
    usual.map_or_else(String::new, |form| cut(&form.example.canonical()))
}

/// Two lists with the same elements in another order: what stood at the first place that has another one, and what is there.
/// Objects and lists are told by their places before.
fn reordered(
    left: &[JsonNode],
    right: &[JsonNode],
    masked: impl Fn(&JsonNode) -> String,
) -> Option<(String, String)> {
    let lefts: Vec<String> = left.iter().map(&masked).collect();
    let rights: Vec<String> = right.iter().map(&masked).collect();
    let mut pairs = lefts.iter().zip(&rights);
    let first = pairs.position(|(one, other)| one != other)?;
    let sorted = |list: &[String]| {
        let mut list = list.to_vec();
        list.sort();
        list
    };
    if sorted(&lefts) != sorted(&rights) {
        return None;
    }
    let is_plain = |item: &JsonNode| !matches!(item, JsonNode::List(_) | JsonNode::Object(_));
    if is_plain(&left[first]) && is_plain(&right[first]) {
        return Some(shown(&left[first].canonical(), &right[first].canonical()));
    }
    let from = lefts.iter().position(|one| *one == rights[first])?;
    Some((format!("[{first}]"), format!("[{from}]")))
}

/// Two texts from shortly before their first difference on.
pub(super) fn shown(was: &str, is: &str) -> (String, String) {
    let common = was.chars().zip(is.chars()).take_while(|(a, b)| a == b);
    let skipped = common.count().saturating_sub(SHOWN_BEFORE);
    let from = |text: &str| {
        if skipped < SHOWN_BEFORE {
            return cut(text);
        }
        let rest: String = text.chars().skip(skipped).collect();
        format!("…{}", cut(&rest))
    };
    (from(was), from(is))
}

/// The beginning of a text. Marks that combine with the letter before, and what is not seen, are written as escapes: two
/// texts that look alike are told apart.
pub(super) fn cut(text: &str) -> String {
    let mut chars = text.chars();
    let mut out = String::new();
    for c in chars.by_ref().take(SHOWN_CHARS_MAX) {
        let is_hidden = matches!(
            u32::from(c),
            0..=0x1f | 0x7f..=0xa0 | 0xad | 0x300..=0x36f | 0x1100..=0x11ff | 0x200b..=0x200f
                | 0x2028..=0x202e | 0xfeff
        );
        if is_hidden {
            out.push_str(&format!("\\u{:04x}", u32::from(c)));
        } else {
            out.push(c);
        }
    }
    if chars.next().is_some() {
        out.push('…');
    }
    out
}
