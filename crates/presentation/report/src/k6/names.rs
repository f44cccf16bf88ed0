//! Names that a script may have taken from its target, as they may stand on a terminal.

use loadline_record::{Check, Group, Section, Summary};

use crate::document::printable;

/// The same summary with nothing in its names that moves a cursor or turns the writing.
///
/// For people at a terminal: what programs read keeps the names as they are.
#[must_use]
pub fn for_terminal(summary: &Summary) -> Summary {
    let mut shown = summary.clone();
    shown.checks.iter_mut().for_each(check);
    group(&mut shown.root);
    shown.groups.iter_mut().for_each(section);
    shown.scenarios.iter_mut().for_each(section);
    shown
}

fn check(check: &mut Check) {
    check.name = printable::line(&check.name);
}

fn group(of: &mut Group) {
    of.name = printable::line(&of.name);
    of.path = printable::line(&of.path);
    of.checks.iter_mut().for_each(check);
    of.groups.iter_mut().for_each(group);
}

fn section(of: &mut Section) {
    of.name = printable::line(&of.name);
    of.checks.iter_mut().for_each(check);
    of.groups.iter_mut().for_each(section);
}
