//! The values of a knob: listed, or a range of numbers.

use std::collections::BTreeSet;

use loadline_text::tune;

use crate::study::fields::{Fields, Mistakes, scalar};
use crate::study::tree::NodeValue;

/// Values of one knob.
const VALUES_MAX: usize = 100;

pub(super) fn values(fields: &mut Fields<'_>, mistakes: &mut Mistakes) -> Option<Vec<String>> {
    let place = fields.place();
    let listed = fields.get("values");
    let mut number = |key| fields.number(key, mistakes);
    let (from, to) = (number("from"), number("to"));
    let (step, factor) = (number("step"), number("factor"));
    let values = match (listed, from, to) {
        (Some(node), None, None) => {
            let NodeValue::List(items) = &node.value else {
                mistakes.add(node.place, tune::mistake_list("values"));
                return None;
            };
            let items = items
                .iter()
                .map(|item| scalar("values", item, mistakes).map(str::to_owned));
            items.collect::<Option<Vec<String>>>()?
        }
        (None, Some(from), Some(to)) => {
            let found = mistakes.all.len();
            let range = NumberRange {
                from,
                to,
                step,
                factor,
            };
            range.check(fields, mistakes);
            if mistakes.all.len() > found {
                return None;
            }
            range.values()
        }
        _ => {
            mistakes.add(place, tune::mistake_values());
            return None;
        }
    };
    let distinct: BTreeSet<&String> = values.iter().collect();
    if values.len() < 2 || values.len() > VALUES_MAX || distinct.len() < values.len() {
        mistakes.add(place, tune::mistake_values_count(VALUES_MAX));
        return None;
    }
    Some(values)
}

/// Numbers from one to another, by a step or a factor; by 1 without either.
struct NumberRange {
    from: f64,
    to: f64,
    step: Option<f64>,
    factor: Option<f64>,
}

impl NumberRange {
    /// Finds what makes it go nowhere.
    fn check(&self, fields: &Fields<'_>, mistakes: &mut Mistakes) {
        let mut above = |key, value: Option<f64>, least: f64| {
            if let Some(value) = value.filter(|value| *value <= least) {
                let what = tune::mistake_above(key, value, least);
                mistakes.add(fields.place_of(key), what);
            }
        };
        above("to", Some(self.to), self.from);
        above("step", self.step, 0.0);
        above("factor", self.factor, 1.0);
        if self.step.is_some() && self.factor.is_some() {
            mistakes.add(
                fields.place_of("factor"),
                tune::mistake_both("step", "factor"),
            );
        }
    }

    fn values(&self) -> Vec<String> {
        let mut values = Vec::new();
        let mut value = self.from;
        while value <= self.to && values.len() <= VALUES_MAX {
            values.push(format!("{value}"));
            let next = match (self.step, self.factor) {
                (_, Some(factor)) => (value * factor).round(),
                (Some(step), None) => value + step,
                (None, None) => value + 1.0,
            };
            if next <= value {
                break;
            }
            value = next;
        }
        values
    }
}
