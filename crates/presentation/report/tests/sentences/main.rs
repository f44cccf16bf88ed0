//! Every sentence agrees with its numbers: records are drawn, their texts in both languages are
//! read again, and each number, direction and count is compared with the record.
//!
//! What a sentence says stands here once more, so a template whose values are swapped, in one
//! language only, is found, too.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(
    clippy::too_many_lines,
    reason = "a table of sentences is as long as there are sentences"
)]
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "drawn times and counts are small"
)]
#![expect(clippy::float_cmp, reason = "counts in floats are whole numbers")]

mod caveats;
mod comparison;
mod list;
mod pages;
mod plan;
mod reader;
mod run;
mod search;
mod study;
mod table;

use loadline_text::Lang;
use proptest::prelude::*;

use reader::Misreading;

/// Records drawn of each kind; of those with a planted error fewer, as each line has one.
const DRAWN_CASES: u32 = 100;
const PLANTED_CASES: u32 = 15;

const NOTHING: [Misreading; 0] = [];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(DRAWN_CASES))]

    #[test]
    fn a_summary_says_what_its_run_measured(drawn in run::drawn()) {
        let summary = drawn.summary();
        prop_assume!(run::is_readable(&summary));
        for lang in Lang::ALL {
            let text = run::DrawnRun::text(&summary, lang);
            prop_assert_eq!(run::misread(&summary, &text, lang), NOTHING, "{}", text);
        }
    }

    #[test]
    fn a_table_comes_to_one_number_everywhere(rows in table::drawn()) {
        for lang in Lang::ALL {
            let wrong = table::SaidTable::new(&rows, lang).contradictions(&rows);
            prop_assert_eq!(wrong, Vec::<String>::new(), "{:?}", rows);
        }
    }

    #[test]
    fn a_comparison_says_what_its_sides_measured(drawn in comparison::drawn()) {
        for lang in Lang::ALL {
            let text = comparison::text(&drawn, lang);
            prop_assert_eq!(comparison::misread(&drawn, &text, lang), NOTHING, "{}", text);
        }
    }

    #[test]
    fn an_answer_of_a_search_says_what_its_levels_measured(drawn in search::drawn()) {
        let answer = drawn.answer();
        for lang in Lang::ALL {
            let text = drawn.text(&answer, lang);
            prop_assert_eq!(drawn.misread(&answer, &text, lang), NOTHING, "{}", text);
        }
    }

    #[test]
    fn the_caveats_of_a_comparison_say_what_differs(drawn in caveats::drawn()) {
        for lang in Lang::ALL {
            let text = drawn.text(lang);
            prop_assert_eq!(drawn.misread(&text, lang), NOTHING, "{}", text);
        }
    }

    #[test]
    fn an_answer_of_a_study_says_what_its_trials_came_to(drawn in study::drawn()) {
        for lang in Lang::ALL {
            let text = drawn.text(lang);
            prop_assert_eq!(drawn.misread(&text, lang), NOTHING, "{}", text);
        }
    }

    #[test]
    fn the_figures_of_a_plan_are_those_of_their_formulas(drawn in plan::drawn(), run in plan::deviation()) {
        for lang in Lang::ALL {
            let text = drawn.text(lang);
            prop_assert_eq!(drawn.misread(&text, lang), NOTHING, "{}", text);
            let text = plan::deviation_text(&run, lang);
            prop_assert_eq!(plan::misread_deviation(&run, &text, lang), NOTHING, "{}", text);
        }
    }

    #[test]
    fn a_list_says_what_its_runs_measured(rows in list::drawn()) {
        for lang in Lang::ALL {
            let text = list::text(&rows, lang);
            prop_assert_eq!(list::misread(&rows, &text, lang), NOTHING, "{}", text);
        }
    }

    #[test]
    fn the_data_of_pages_are_those_of_the_record(drawn in run::drawn(), compared in comparison::drawn()) {
        prop_assert_eq!(pages::wrong_of_run(&drawn.summary()), Vec::<String>::new());
        prop_assert_eq!(pages::wrong_of_comparison(&compared), Vec::<String>::new());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(PLANTED_CASES))]

    /// What the tests above are worth: two numbers of a line that differ change places.
    #[test]
    fn two_numbers_that_change_places_are_found(drawn in run::drawn(), compared in comparison::drawn(), found in search::drawn()) {
        let summary = drawn.summary();
        prop_assume!(run::is_readable(&summary));
        let answer = found.answer();
        for lang in Lang::ALL {
            let texts = [
                run::DrawnRun::text(&summary, lang),
                comparison::text(&compared, lang),
                found.text(&answer, lang),
            ];
            for (place, text) in texts.iter().enumerate() {
                for planted in planted(text) {
                    let wrong = match place {
                        0 => run::misread(&summary, &planted, lang),
                        1 => comparison::misread(&compared, &planted, lang),
                        _ => found.misread(&answer, &planted, lang),
                    };
                    prop_assert_ne!(wrong, NOTHING, "{}", planted);
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(PLANTED_CASES))]

    /// The same of caveats, studies and plans.
    #[test]
    fn two_numbers_that_change_places_are_found_elsewhere(caveats in caveats::drawn(), study in study::drawn(), run in plan::deviation(), drawn in plan::drawn()) {
        for lang in Lang::ALL {
            for planted in planted(&caveats.text(lang)) {
                prop_assert_ne!(caveats.misread(&planted, lang), NOTHING, "{}", planted);
            }
            for planted in planted(&study.text(lang)) {
                prop_assert_ne!(study.misread(&planted, lang), NOTHING, "{}", planted);
            }
            for planted in planted(&plan::deviation_text(&run, lang)) {
                prop_assert_ne!(plan::misread_deviation(&run, &planted, lang), NOTHING, "{}", planted);
            }
            for planted in doubled(&drawn.text(lang)) {
                prop_assert_ne!(drawn.misread(&planted, lang), NOTHING, "{}", planted);
            }
        }
    }
}

/// The text once for each line with a figure, what it comes to doubled.
fn doubled(text: &str) -> Vec<String> {
    let figures = text
        .lines()
        .filter(|line| line.starts_with("  ") && !line.contains('#'));
    figures
        .filter_map(|line| {
            let (formula, shown) = line.split_once(" = ")?;
            let end = shown.find(|c: char| !c.is_ascii_digit() && c != '.' && c != ',');
            let (number, rest) = shown.split_at(end.unwrap_or(shown.len()));
            let value: f64 = number.replace(',', "").parse().ok()?;
            let planted = format!("{formula} = {}{rest}", 2.0 * value + 2.0);
            Some(text.replacen(line, &planted, 1))
        })
        .collect()
}

/// The text once for each of its lines, the first two numbers of that line swapped.
fn planted(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut all = Vec::new();
    for (place, line) in lines.iter().enumerate() {
        let Some(swapped) = swapped(line) else {
            continue;
        };
        let mut planted: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        planted[place] = swapped;
        all.push(planted.join("\n"));
    }
    all
}

/// A line whose first two different numbers have changed places; `None` without such.
fn swapped(line: &str) -> Option<String> {
    let is_number = |word: &&str| {
        let digits = word.trim_matches(['(', ')', '[', ']', ',', ';', ':']);
        digits.parse::<f64>().is_ok()
    };
    let words: Vec<&str> = line.split(' ').collect();
    let numbers: Vec<usize> = (0..words.len())
        .filter(|at| is_number(&words[*at]))
        .collect();
    let core = |at: usize| words[at].trim_matches(['(', ')', '[', ']', ',', ';', ':']);
    let (first, second) = numbers
        .windows(2)
        .map(|pair| (pair[0], pair[1]))
        .find(|(a, b)| {
            let (a, b): (f64, f64) = (core(*a).parse().unwrap(), core(*b).parse().unwrap());
            (a - b).abs() > 0.02 * a.abs().max(b.abs()) + 0.01
        })?;
    let mut swapped: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    swapped[first] = words[first].replacen(core(first), core(second), 1);
    swapped[second] = words[second].replacen(core(second), core(first), 1);
    Some(swapped.join(" "))
}
