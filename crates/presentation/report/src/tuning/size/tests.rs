use loadline_text::Lang;

use super::*;

fn written(less_is_better: bool, ends: [f64; 3], lang: Lang) -> Option<String> {
    let [low, middle, high] = ends;
    let catalog = Catalog::new(lang);
    let words = ChangeWords {
        catalog: &catalog,
        less_is_better,
        is_of_margin: false,
    };
    let told = words.in_words(Change { low, middle, high });
    told.map(|told| told.text)
}

#[test]
fn three_times_and_more_are_told_in_times() {
    let more = |ends| written(false, ends, Lang::En).unwrap();
    assert_eq!(more([0.08, 0.12, 0.16]), "12 % [8.0, 16]");
    assert_eq!(more([8.23, 8.31, 8.4]), "9.3 times as much [9.2, 9.4]");
    assert_eq!(more([-0.95, -0.9, -0.8]), "-90 % [-95, -80]");
    let korean = written(false, [8.23, 8.31, 8.4], Lang::Ko).unwrap();
    assert_eq!(korean, "9.3배 [9.2, 9.4]");
}

#[test]
fn of_what_should_be_small_a_fall_is_a_part_and_a_rise_is_times() {
    let less = |ends| written(true, ends, Lang::En).unwrap();
    assert_eq!(less([7.0, 9.0, 10.0]), "90 % [88, 91]");
    // A tenth as good is ten times as much.
    assert_eq!(less([-0.91, -0.9, -0.88]), "10 times as much [8.3, 11]");
}

/// Seen: "297,996 %" of a setting before which hardly anything was answered.
#[test]
fn what_lies_at_the_bound_is_told_by_its_nearer_end() {
    let bound = 8.0_f64.exp_m1();
    let more = |ends| written(false, ends, Lang::En);
    assert_eq!(
        more([4.6, bound, bound]).as_deref(),
        Some("at least 5.6 times as much")
    );
    assert_eq!(more([0.2, 1.0, bound]).as_deref(), Some("at least 20 %"));
    assert_eq!(
        more([bound, bound, bound]).as_deref(),
        Some("at least 100 times as much")
    );
    let floor = (-8.0_f64).exp_m1();
    assert_eq!(more([floor, -0.9, -0.2]).as_deref(), Some("-20 % or less"));
    assert_eq!(more([floor, 0.0, bound]), None);
    assert_eq!(
        written(true, [bound, bound, bound], Lang::En).as_deref(),
        Some("at least 99 %")
    );
    assert_eq!(
        written(true, [floor, floor, -0.9], Lang::Ko).as_deref(),
        Some("10배 이상")
    );
}
