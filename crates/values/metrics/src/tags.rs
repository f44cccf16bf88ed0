//! Tag sets as small numbers.
//!
//! A set is interned once, ordered by key, so equal sets have equal ids. Extending a set
//! is remembered by the hash of what was asked: asking again costs that hash and one
//! comparison, and allocates nothing.

use std::hash::Hasher;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHasher};

use crate::fold::FoldRule;

/// A tag set, valid in the [`TagSets`] that made it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TagSetId(pub(crate) u32);

impl TagSetId {
    /// The set without tags.
    pub const EMPTY: Self = Self(0);

    /// The id as an index.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A string's number in its [`TagSets`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Symbol(u32);

type Pairs = Box<[(Symbol, Symbol)]>;

/// An extension that was asked for before.
struct Remembered {
    base: TagSetId,
    extra: Pairs,
    result: TagSetId,
    /// The next one with the same hash.
    next: Option<u32>,
}

/// The tag sets of one worker, or of the whole run.
pub struct TagSets {
    strings: Vec<Arc<str>>,
    symbols: FxHashMap<Arc<str>, Symbol>,
    sets: Vec<Pairs>,
    by_content: FxHashMap<Pairs, TagSetId>,
    remembered: Vec<Remembered>,
    by_request: FxHashMap<u64, u32>,
    fold: FoldRule,
    folded: u64,
}

impl TagSets {
    /// Only the empty set, and no limit.
    #[must_use]
    pub fn new() -> Self {
        Self::with_fold(FoldRule::unlimited())
    }

    /// Only the empty set; new sets beyond the rule's limit are folded.
    #[must_use]
    pub fn with_fold(fold: FoldRule) -> Self {
        let empty = Pairs::default();
        Self {
            strings: Vec::new(),
            symbols: FxHashMap::default(),
            sets: vec![empty.clone()],
            by_content: FxHashMap::from_iter([(empty, TagSetId::EMPTY)]),
            remembered: Vec::new(),
            by_request: FxHashMap::default(),
            fold,
            folded: 0,
        }
    }

    /// The set `base` with `extra` (key, value) added; a key that is there already takes
    /// the new value, and of two equal keys in `extra` the last one counts.
    pub fn extend(&mut self, base: TagSetId, extra: &[(&str, &str)]) -> TagSetId {
        if extra.is_empty() {
            return base;
        }
        let hash = request_hash(base, extra);
        let first = self.by_request.get(&hash).copied();
        let mut candidate = first;
        while let Some(place) = candidate {
            let entry = &self.remembered[place as usize];
            if entry.base == base && self.is_same(&entry.extra, extra) {
                return entry.result;
            }
            candidate = entry.next;
        }
        self.extend_anew(base, extra, hash, first)
    }

    /// The set `base` without `key`.
    pub fn without(&mut self, base: TagSetId, key: &str) -> TagSetId {
        let strings = &self.strings;
        let mut rest = self.sets[base.index()].to_vec();
        rest.retain(|(k, _)| &*strings[k.0 as usize] != key);
        self.intern(rest.into())
    }

    /// The tags of a set, ordered by key.
    pub fn tags(&self, set: TagSetId) -> impl Iterator<Item = (&str, &str)> {
        let pairs = self.sets[set.index()].iter();
        pairs.map(|(key, value)| (self.text(*key), self.text(*value)))
    }

    /// The value of `key` in a set.
    #[must_use]
    pub fn get(&self, set: TagSetId, key: &str) -> Option<&str> {
        self.tags(set).find(|(k, _)| *k == key).map(|(_, v)| v)
    }

    /// How many sets there are, the empty one included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.sets.len()
    }

    /// Never: the empty set is always there.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }

    /// How many extensions were answered with a folded set.
    #[must_use]
    pub fn folded(&self) -> u64 {
        self.folded
    }

    #[cold]
    fn extend_anew(
        &mut self,
        base: TagSetId,
        extra: &[(&str, &str)],
        hash: u64,
        next: Option<u32>,
    ) -> TagSetId {
        if self.fold.is_full() && !self.is_admitted(base, extra) {
            return self.extend_full(base, extra);
        }
        let extra: Pairs = extra
            .iter()
            .map(|(key, value)| (self.symbol(key), self.symbol(value)))
            .collect();
        let wanted = self.joined(base, &extra);
        let result = self.intern(wanted);
        let place = u32::try_from(self.remembered.len()).expect("fewer than 2^32 tag sets");
        self.remembered.push(Remembered {
            base,
            extra,
            result,
            next,
        });
        self.by_request.insert(hash, place);
        result
    }

    /// The answer when no more sets may be made: the set asked for if it exists, else
    /// the folded one. Nothing is remembered, so memory stays bounded.
    fn extend_full(&mut self, base: TagSetId, extra: &[(&str, &str)]) -> TagSetId {
        let known: Option<Pairs> = extra
            .iter()
            .map(|(k, v)| Some((*self.symbols.get(*k)?, *self.symbols.get(*v)?)))
            .collect();
        if let Some(known) = known {
            let wanted = self.joined(base, &known);
            if let Some(existing) = self.by_content.get(&wanted) {
                return *existing;
            }
        }
        self.folded += 1;
        let sets = self.sets.len();
        let folded: Pairs = extra
            .iter()
            .map(|(key, value)| {
                let value = self.fold.value(key, value, sets).to_owned();
                (self.symbol(key), self.symbol(&value))
            })
            .collect();
        let wanted = self.joined(base, &folded);
        self.intern(wanted)
    }

    /// The pairs of `base` overridden by `extra`, ordered by key.
    fn joined(&self, base: TagSetId, extra: &[(Symbol, Symbol)]) -> Pairs {
        let mut pairs = self.sets[base.index()].to_vec();
        for (key, value) in extra {
            match pairs.iter_mut().find(|(k, _)| k == key) {
                Some(pair) => pair.1 = *value,
                None => pairs.push((*key, *value)),
            }
        }
        pairs.sort_unstable_by(|(a, _), (b, _)| self.text(*a).cmp(self.text(*b)));
        pairs.into()
    }

    fn intern(&mut self, pairs: Pairs) -> TagSetId {
        if let Some(existing) = self.by_content.get(&pairs) {
            return *existing;
        }
        let id = TagSetId(u32::try_from(self.sets.len()).expect("fewer than 2^32 tag sets"));
        self.fold.set_made(self.content(&pairs));
        self.sets.push(pairs.clone());
        self.by_content.insert(pairs, id);
        id
    }

    /// Hears that the first sample of a metric came under a set.
    pub(crate) fn series_made(&self, metric: u32, set: TagSetId) {
        let content = self.content(&self.sets[set.index()]);
        self.fold.series_made(mixed(content, u64::from(metric)));
    }

    /// Whether some worker of the run had this set before new ones were folded.
    fn is_admitted(&self, base: TagSetId, extra: &[(&str, &str)]) -> bool {
        let last = |key: &str| extra.iter().rev().find(|(k, _)| *k == key).map(|(_, v)| *v);
        let kept = self.tags(base).filter(|(key, _)| last(key).is_none());
        let mut content: u64 = kept
            .map(|(key, value)| pair_hash(key, value))
            .fold(0, u64::wrapping_add);
        for (place, (key, _)) in extra.iter().enumerate() {
            let is_first = extra[..place].iter().all(|(before, _)| before != key);
            if is_first && let Some(value) = last(key) {
                content = content.wrapping_add(pair_hash(key, value));
            }
        }
        self.fold.knows(content)
    }

    /// What a set says, as a number that is the same on every worker.
    fn content(&self, pairs: &[(Symbol, Symbol)]) -> u64 {
        let pairs = pairs.iter();
        pairs
            .map(|(key, value)| pair_hash(self.text(*key), self.text(*value)))
            .fold(0, u64::wrapping_add)
    }

    fn is_same(&self, pairs: &[(Symbol, Symbol)], asked: &[(&str, &str)]) -> bool {
        pairs.len() == asked.len()
            && pairs
                .iter()
                .zip(asked)
                .all(|((k, v), (key, value))| self.text(*k) == *key && self.text(*v) == *value)
    }

    fn text(&self, symbol: Symbol) -> &str {
        &self.strings[symbol.0 as usize]
    }

    fn symbol(&mut self, text: &str) -> Symbol {
        if let Some(symbol) = self.symbols.get(text) {
            return *symbol;
        }
        let symbol = Symbol(u32::try_from(self.strings.len()).expect("fewer than 2^32 strings"));
        let text: Arc<str> = text.into();
        self.strings.push(Arc::clone(&text));
        self.symbols.insert(text, symbol);
        symbol
    }
}

impl Default for TagSets {
    fn default() -> Self {
        Self::new()
    }
}

fn pair_hash(key: &str, value: &str) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(key.as_bytes());
    hasher.write_u8(0xff); // in no UTF-8 text
    hasher.write(value.as_bytes());
    mixed(hasher.finish(), 0)
}

/// Two numbers as one whose bits all depend on theirs.
fn mixed(one: u64, other: u64) -> u64 {
    let mut word = one ^ other.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

fn request_hash(base: TagSetId, extra: &[(&str, &str)]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u32(base.0);
    for (key, value) in extra {
        hasher.write(key.as_bytes());
        hasher.write_usize(key.len());
        hasher.write(value.as_bytes());
        hasher.write_usize(value.len());
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(tags: &TagSets, set: TagSetId) -> Vec<(String, String)> {
        tags.tags(set)
            .map(|(k, v)| (k.to_owned(), v.to_owned()))
            .collect()
    }

    #[test]
    fn equal_sets_have_equal_ids_however_they_were_made() {
        let mut tags = TagSets::new();
        let at_once = tags.extend(TagSetId::EMPTY, &[("b", "2"), ("a", "1")]);
        let a = tags.extend(TagSetId::EMPTY, &[("a", "1")]);
        let in_steps = tags.extend(a, &[("b", "2")]);
        assert_eq!(at_once, in_steps);
        assert_eq!(tags.extend(at_once, &[("a", "1")]), at_once);
        assert_eq!(
            listed(&tags, at_once),
            [("a".into(), "1".into()), ("b".into(), "2".into())]
        );
    }

    #[test]
    fn extending_overrides_and_the_last_of_two_equal_keys_counts() {
        let mut tags = TagSets::new();
        let one = tags.extend(TagSetId::EMPTY, &[("a", "1")]);
        let other = tags.extend(one, &[("a", "2"), ("a", "3")]);
        assert_eq!(tags.get(other, "a"), Some("3"));
        assert_eq!(tags.get(one, "a"), Some("1"));
    }

    #[test]
    fn removing_a_key_leads_back_to_the_set_without_it() {
        let mut tags = TagSets::new();
        let a = tags.extend(TagSetId::EMPTY, &[("a", "1")]);
        let ab = tags.extend(a, &[("b", "2")]);
        assert_eq!(tags.without(ab, "b"), a);
        assert_eq!(tags.without(ab, "x"), ab);
    }

    #[test]
    fn keys_and_values_that_only_join_alike_differ() {
        let mut tags = TagSets::new();
        let one = tags.extend(TagSetId::EMPTY, &[("ab", "c")]);
        let other = tags.extend(TagSetId::EMPTY, &[("a", "bc")]);
        assert_ne!(one, other);
    }

    #[test]
    fn a_repeated_request_makes_nothing_new() {
        let mut tags = TagSets::new();
        let first = tags.extend(TagSetId::EMPTY, &[("a", "1"), ("b", "2")]);
        let (sets, remembered) = (tags.len(), tags.remembered.len());
        assert_eq!(
            tags.extend(TagSetId::EMPTY, &[("a", "1"), ("b", "2")]),
            first
        );
        assert_eq!((tags.len(), tags.remembered.len()), (sets, remembered));
    }

    #[test]
    fn beyond_the_limit_new_values_fold_and_memory_stays() {
        let rule = FoldRule::new(4, ["scenario"], [("name", "pay")]);
        let mut tags = TagSets::with_fold(rule.clone());
        let known = tags.extend(TagSetId::EMPTY, &[("name", "a"), ("scenario", "s")]);
        tags.series_made(0, known);
        tags.series_made(1, known);
        let second = tags.extend(TagSetId::EMPTY, &[("name", "b"), ("scenario", "s")]);
        let mut other = TagSets::with_fold(rule);
        let seen = other.extend(TagSetId::EMPTY, &[("scenario", "s"), ("name", "z")]);
        other.series_made(0, seen);
        tags.series_made(0, second);

        let elsewhere = tags.extend(TagSetId::EMPTY, &[("name", "z"), ("scenario", "s")]);
        assert_eq!(
            tags.get(elsewhere, "name"),
            Some("z"),
            "another worker had it before"
        );
        let folded = tags.extend(TagSetId::EMPTY, &[("name", "c"), ("scenario", "s")]);
        assert_eq!(tags.get(folded, "name"), Some("(other)"));
        assert_eq!(tags.get(folded, "scenario"), Some("s"));
        let named = tags.extend(TagSetId::EMPTY, &[("name", "pay"), ("scenario", "s")]);
        assert_eq!(tags.get(named, "name"), Some("pay"));
        let again = tags.extend(TagSetId::EMPTY, &[("scenario", "s"), ("name", "a")]);
        assert_eq!(again, known);

        let (sets, strings) = (tags.len(), tags.strings.len());
        for n in 0..100 {
            let value = format!("id-{n}");
            let set = tags.extend(TagSetId::EMPTY, &[("name", &value), ("scenario", "s")]);
            assert_eq!(set, folded);
        }
        assert_eq!((tags.len(), tags.strings.len()), (sets, strings));
        assert_eq!(tags.folded(), 102);
    }

    #[test]
    fn even_keys_that_are_kept_have_an_end() {
        let mut tags = TagSets::with_fold(FoldRule::new(8, ["check"], [("check", "named")]));
        for n in 0..100 {
            let set = tags.extend(TagSetId::EMPTY, &[("check", &format!("id {n}"))]);
            tags.series_made(0, set);
        }
        assert!(tags.len() < 20, "{}", tags.len());
        let named = tags.extend(TagSetId::EMPTY, &[("check", "named")]);
        assert_eq!(tags.get(named, "check"), Some("named"));
    }
}
