//! What varies by itself in the answers of an endpoint, and what stands where.

use std::collections::{BTreeMap, BTreeSet};

use loadline_record::UncomparedKind;
use loadline_record::saved_answers::{JsonMap, JsonNode, JsonSequence};

use super::folded::{Place, is_row};
use super::forms::Form;
use super::lists::{ListPairing, paired};

/// What is known of the answers of an endpoint. Places are folded.
#[derive(Debug, Clone, Default)]
pub(super) struct Learned {
    /// Values.
    pub(super) values: BTreeSet<String>,
    /// Lists whose order varies.
    pub(super) orders: BTreeSet<String>,
    /// Lists and objects that have other elements from answer to answer.
    pub(super) elements: BTreeSet<String>,
    /// Members that are not always there.
    pub(super) presence: BTreeSet<String>,
    pub(super) media_type_varies: bool,
    pub(super) location_varies: bool,
    pub(super) binary_varies: bool,
    seen: BTreeMap<String, SeenPlace>,
    /// The names of members by the place of their object.
    members: BTreeMap<String, BTreeSet<String>>,
}

/// What stood at a place.
#[derive(Debug, Clone, Default)]
pub(super) struct SeenPlace {
    /// How often each form, and the first value of it.
    pub(super) forms: BTreeMap<Form, SeenForm>,
    /// A list was empty.
    pub(super) is_ever_empty: bool,
}

/// How often a form stood at a place.
#[derive(Debug, Clone)]
pub(super) struct SeenForm {
    pub(super) count: u64,
    pub(super) example: JsonNode,
}

impl SeenPlace {
    pub(super) fn count(&self) -> u64 {
        self.forms.values().map(|form| form.count).sum()
    }

    fn objects(&self) -> u64 {
        self.forms.get(&Form::Object).map_or(0, |form| form.count)
    }

    fn add(&mut self, value: &JsonNode) {
        let seen = self.forms.entry(Form::new(value)).or_insert_with(|| {
            let example = match value {
                JsonNode::List(_) => JsonNode::List(JsonSequence::default()),
                JsonNode::Object(_) => JsonNode::Object(JsonMap::default()),
                plain => plain.clone(),
            };
            SeenForm { count: 0, example }
        });
        seen.count += 1;
        self.is_ever_empty |= matches!(value, JsonNode::List(list) if list.items.is_empty());
    }
}

impl Learned {
    pub(super) fn seen(&self, place: &Place) -> Option<&SeenPlace> {
        self.seen.get(&place.folded)
    }

    /// The names of members that an object ever had.
    pub(super) fn members_of(&self, object: &Place) -> impl Iterator<Item = &String> {
        self.members.get(&object.folded).into_iter().flatten()
    }

    /// Whether a member of an object was there whenever the object was.
    pub(super) fn is_always_there(&self, object: &Place, member: &Place) -> bool {
        let objects = self.seen(object).map_or(0, SeenPlace::objects);
        self.seen(member)
            .is_some_and(|seen| seen.count() >= objects)
    }

    /// Takes note of all that stands in a document.
    pub(super) fn see(&mut self, document: &JsonNode) {
        self.see_at(document, &Place::root());
    }

    fn see_at(&mut self, value: &JsonNode, place: &Place) {
        self.note(value, place);
        match value {
            JsonNode::List(list) => {
                let is_row = is_row(&list.items);
                for (index, item) in list.items.iter().enumerate() {
                    self.see_at(item, &place.element(index, false));
                    if is_row {
                        self.note(item, &place.element(index, true));
                    }
                }
            }
            JsonNode::Object(object) => {
                let known = self.members.entry(place.folded.clone()).or_default();
                known.extend(object.members.keys().cloned());
                for (name, value) in &object.members {
                    self.see_at(value, &place.member(name));
                }
            }
            _ => {}
        }
    }

    fn note(&mut self, value: &JsonNode, place: &Place) {
        if let Some(seen) = self.seen.get_mut(&place.folded) {
            seen.add(value);
            return;
        }
        let mut seen = SeenPlace::default();
        seen.add(value);
        self.seen.insert(place.folded.clone(), seen);
    }

    /// Learns from two answers to one request. Which lists are moved decides what their elements are compared with: that is
    /// learned first.
    pub(super) fn learn(&mut self, one: &JsonNode, other: &JsonNode) {
        let known = self.values.clone();
        self.learn_at(one, other, &Place::root());
        self.values = known;
        self.learn_at(one, other, &Place::root());
    }

    fn learn_at(&mut self, one: &JsonNode, other: &JsonNode, place: &Place) {
        if one == other || self.elements.contains(&place.folded) {
            return;
        }
        match (one, other) {
            (JsonNode::Object(one), JsonNode::Object(other)) => {
                self.learn_members(one, other, place)
            }
            (JsonNode::List(one), JsonNode::List(other)) => self.learn_elements(one, other, place),
            _ => {
                self.values.insert(place.folded.clone());
            }
        }
    }

    fn learn_members(&mut self, one: &JsonMap, other: &JsonMap, place: &Place) {
        let only = |of: &JsonMap, beside: &JsonMap| {
            let names = of.members.keys();
            let only = names.filter(|name| !beside.members.contains_key(*name));
            only.cloned().collect::<Vec<_>>()
        };
        let is_open = one.is_open || other.is_open;
        let (left, right) = (only(one, other), only(other, one));
        if !is_open && !left.is_empty() && !right.is_empty() {
            // Its names are data.
            self.elements.insert(place.folded.clone());
            return;
        }
        if !is_open {
            let names = left.iter().chain(&right);
            self.presence
                .extend(names.map(|name| place.member(name).folded));
        }
        for (name, value) in &one.members {
            if let Some(beside) = other.members.get(name) {
                self.learn_at(value, beside, &place.member(name));
            }
        }
    }

    fn learn_elements(&mut self, one: &JsonSequence, other: &JsonSequence, place: &Place) {
        let is_open = one.is_open || other.is_open;
        if !is_open && one.items.len() != other.items.len() {
            self.elements.insert(place.folded.clone());
            return;
        }
        let pairing = if is_open {
            ListPairing::in_order(one.items.len().min(other.items.len()))
        } else {
            let within = place.element(0, false);
            {
                let is_moved = self.orders.contains(&place.folded);
                paired(&one.items, &other.items, is_moved, |item| {
                    self.masked(item, &within)
                })
            }
        };
        let Some(pairing) = pairing else {
            self.elements.insert(place.folded.clone());
            return;
        };
        if pairing.is_moved {
            self.orders.insert(place.folded.clone());
        }
        let is_row = is_row(&one.items) && !self.orders.contains(&place.folded);
        for (left, right) in pairing.pairs {
            let within = place.element(left, is_row);
            self.learn_at(&one.items[left], &other.items[right], &within);
        }
    }

    /// A value as it is compared: what varies is left out, lists whose order varies are sorted.
    pub(super) fn masked(&self, value: &JsonNode, place: &Place) -> String {
        if self.values.contains(&place.folded) || self.elements.contains(&place.folded) {
            return "~".to_owned();
        }
        match value {
            JsonNode::List(list) => {
                let is_moved = self.orders.contains(&place.folded);
                let is_row = is_row(&list.items) && !is_moved;
                let items = list.items.iter().enumerate();
                let mut items: Vec<String> = items
                    .map(|(index, item)| self.masked(item, &place.element(index, is_row)))
                    .collect();
                if is_moved {
                    items.sort();
                }
                format!("[{}]", items.join(","))
            }
            JsonNode::Object(object) => {
                let members = object.members.iter().filter_map(|(name, value)| {
                    let within = place.member(name);
                    let is_there = !self.presence.contains(&within.folded);
                    is_there.then(|| format!("{name:?}:{}", self.masked(value, &within)))
                });
                format!("{{{}}}", members.collect::<Vec<_>>().join(","))
            }
            plain => plain.canonical(),
        }
    }

    /// Calls `each` with all that varies.
    pub(super) fn each_varying(&self, mut each: impl FnMut(UncomparedKind, &str)) {
        let all = [
            (UncomparedKind::Value, &self.values),
            (UncomparedKind::Order, &self.orders),
            (UncomparedKind::Elements, &self.elements),
            (UncomparedKind::Presence, &self.presence),
        ];
        for (what, places) in all {
            for place in places {
                each(what, place);
            }
        }
        let whole = [
            (UncomparedKind::MediaType, self.media_type_varies),
            (UncomparedKind::Location, self.location_varies),
            (UncomparedKind::Binary, self.binary_varies),
        ];
        for (what, _) in whole.into_iter().filter(|(_, varies)| *varies) {
            each(what, "");
        }
    }
}
