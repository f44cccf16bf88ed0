//! What guides show as the output of a command is what that command prints, in both languages:
//! each line of a sample, figures aside, is one of the output, in order.

use std::collections::BTreeMap;

use loadline_testkit::documents::{documents, not_printed, shown_texts};

use super::{NOT_RUN, Stage};

/// Samples of another load or target than a test has (`text example`), in both languages. Each
/// stands for what nothing but a reader compares: one more needs a reason.
const EXAMPLES_MAX: usize = 60;

/// Samples that are compared, at least.
const COMPARED_MIN: usize = 17;

#[test]
fn the_outputs_that_guides_show_are_what_is_printed() {
    let stage = Stage::set("guides-samples");
    let (mut wrong, mut examples, mut compared) = (Vec::new(), 0, 0);
    let mut printed: BTreeMap<(String, &str), String> = BTreeMap::new();
    for (name, text) in documents() {
        let locale = if name.ends_with(".ko.md") {
            "ko_KR.UTF-8"
        } else {
            "C"
        };
        for sample in shown_texts(&text) {
            if sample.is_example {
                examples += 1;
                continue;
            }
            let line = sample.command.join(" ");
            let place = format!("{name}:{}", sample.line);
            let is_run = !NOT_RUN.iter().any(|(begins, _)| line.starts_with(begins));
            if line.is_empty() || !is_run {
                wrong.push(format!("{place}: no command that is run stands above it"));
                continue;
            }
            let said = printed
                .entry((line.clone(), locale))
                .or_insert_with(|| stage.show(&sample.command, locale).1);
            compared += 1;
            let missing = not_printed(&sample.lines, said);
            if !missing.is_empty() {
                let missing = missing.join("\n  ");
                wrong.push(format!(
                    "{place}: loadline {line} does not print\n  {missing}\nbut\n{said}"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared >= COMPARED_MIN, "{compared} samples");
    assert!(examples <= EXAMPLES_MAX, "{examples} samples are examples");
}
