//! The values of a knob: listed, or a range of numbers.

use std::collections::BTreeSet;

use loadline_text::tune;

use crate::study::fields::{Fields, Mistakes, scalar};
use crate::study::tree::NodeValue;

/// Values of one knob.
const MOST_VALUES: usize = 100;

pub(super) fn values(fields: &mut Fields<'_>, mistakes: &mut Mistakes) -> Option<Vec<String>> {
    let place = fields.place();
    let listed = fields.get("values");
    let (from, to) = (
        fields.number("from", mistakes),
        fields.number("to", mistakes),
    );
    let (step, factor) = (
        fields.number("step", mistakes),
        fields.number("factor", mistakes),
    );
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
            let found = mistakes.0.len();
            check_range(fields, (from, to), (step, factor), mistakes);
            if mistakes.0.len() > found {
                return None;
            }
            range(from, to, step, factor)
        }
        _ => {
            mistakes.add(place, tune::mistake_values());
            return None;
        }
    };
    let distinct: BTreeSet<&String> = values.iter().collect();
    if values.len() < 2 || values.len() > MOST_VALUES || distinct.len() < values.len() {
        mistakes.add(place, tune::mistake_values_count(MOST_VALUES));
        return None;
    }
    Some(values)
}

/// Tells a range that goes nowhere.
fn check_range(
    fields: &Fields<'_>,
    (from, to): (f64, f64),
    (step, factor): (Option<f64>, Option<f64>),
    mistakes: &mut Mistakes,
) {
    let mut above = |key, value: Option<f64>, least: f64| {
        if let Some(value) = value.filter(|value| *value <= least) {
            let what = tune::mistake_above(key, value, least);
            mistakes.add(fields.place_of(key), what);
        }
    };
    above("to", Some(to), from);
    above("step", step, 0.0);
    above("factor", factor, 1.0);
    if step.is_some() && factor.is_some() {
        mistakes.add(
            fields.place_of("factor"),
            tune::mistake_both("step", "factor"),
        );
    }
}

/// Numbers from one to another, by a step or a factor.
fn range(from: f64, to: f64, step: Option<f64>, factor: Option<f64>) -> Vec<String> {
    let mut values = Vec::new();
    let mut value = from;
    while value <= to && values.len() <= MOST_VALUES {
        values.push(format!("{value}"));
        let next = match (step, factor) {
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
