//! Where all levels together put the line, beside what held, in text, page and file.

use super::super::table::TableGoal;
use super::*;

/// A line whose level was held this surely, and where all levels together put it.
fn estimated(is_sure: bool, middle: f64) -> Answer {
    let mut answer = pool();
    answer.end = SearchEnd::OutOfTime;
    let line = answer.line.as_mut().unwrap();
    (line.is_sure, line.is_doubted) = (is_sure, false);
    answer.crossing = Some(Estimate {
        low: middle - 10.0,
        middle,
        high: middle + 10.0,
    });
    answer
}

/// Everything that is said of an answer: the screen, the page, what `show` prints of its file.
fn everything(answer: &Answer, goal: f64, lang: Lang) -> [String; 3] {
    let facts = CapacityFacts {
        goal: Some(goal),
        ..CapacityFacts::default()
    };
    let catalog = Catalog::new(lang);
    let mut file =
        file::CapacityFile::new(answer, file::TestInFile::default(), serde_json::Value::Null);
    file.goal = Some(goal);
    // A kept file is read again before it is shown.
    let file = file::CapacityFile::parse(&file.to_json()).unwrap();
    let page = document::of_file(&file, "", &catalog);
    [
        text(answer, &facts, &catalog),
        serde_json::to_string(&page).unwrap(),
        shown::text(&file, &catalog),
    ]
}

/// Before: "CAPACITY AT LEAST 64.0/s ...; the line most likely at 59.6/s".
#[test]
fn an_estimate_below_what_held_says_which_of_the_two_to_believe() {
    let [screen, page, shown] = everything(&estimated(false, 180.0), 190.0, Lang::En);
    let verdict = "CAPACITY ABOUT 180/s (about 360 requests/s; 95 %: 170/s to 190/s) under \
                   p(95)<500ms, errors<1%, by all levels together; 196/s held too, which may \
                   have been chance\n";
    assert!(screen.starts_with(verdict), "{screen}");
    assert!(!screen.contains("AT LEAST"), "{screen}");
    assert!(screen.contains("190/s: not certain"), "{screen}");
    for said in [&screen, &page, &shown] {
        let why = "by a fit over all levels: that 196/s held may have been chance";
        assert!(said.contains(why), "{said}");
    }
    assert!(page.contains("capacity about 180/s"), "{page}");
    assert!(!page.contains("at least"), "{page}");
    let korean = everything(&estimated(false, 180.0), 190.0, Lang::Ko);
    for said in korean {
        assert!(said.contains("196/s의 충족은 우연일 수 있음"), "{said}");
    }
    let [above, _, shown] = everything(&estimated(true, 215.0), 190.0, Lang::En);
    assert!(above.starts_with("CAPACITY AT LEAST 196/s"), "{above}");
    for said in [above, shown] {
        let why = "by a fit over all levels: that 200/s did not hold may have been chance";
        assert!(said.contains(why), "{said}");
    }
    let [between, page, shown] = everything(&estimated(true, 198.0), 190.0, Lang::En);
    for said in [between, page, shown] {
        assert!(!said.contains("chance"), "{said}");
    }
}

/// A search that ends once its line is known may have held no level for certain: then the estimate is the answer.
#[test]
fn a_line_that_is_known_without_a_sure_level_is_told_by_the_estimate() {
    let mut answer = estimated(false, 198.0);
    answer.end = SearchEnd::Found;
    let [screen, ..] = everything(&answer, 180.0, Lang::En);
    let verdict = "CAPACITY ABOUT 198/s (about 396 requests/s; 95 %: 188/s to 208/s) under \
                   p(95)<500ms, errors<1%, by all levels together; 196/s held, though not for \
                   certain\n";
    assert!(screen.starts_with(verdict), "{screen}");
    let [korean, ..] = everything(&answer, 180.0, Lang::Ko);
    let verdict = "용량 약 198/s (약 396 요청/초, 95 %: 188/s ~ 208/s)";
    assert!(korean.starts_with(verdict), "{korean}");
    answer.line.as_mut().unwrap().is_sure = true;
    let [screen, ..] = everything(&answer, 180.0, Lang::En);
    assert!(!screen.contains("though not for certain"), "{screen}");
}

/// Seen: "CAPACITY AT LEAST 16.0/s ...; the line most likely at 16.5/s (95 %: 15.3/s to 17.6/s)": a bound above the lower end of
/// its own range.
#[test]
fn a_level_that_may_be_above_the_line_is_no_lower_bound() {
    let [screen, page, shown] = everything(&estimated(false, 199.0), 190.0, Lang::En);
    assert!(screen.starts_with("CAPACITY ABOUT 196/s"), "{screen}");
    for said in [screen, page, shown] {
        assert!(!said.to_lowercase().contains("at least"), "{said}");
    }
    let [bound, page, _] = everything(&estimated(true, 207.0), 190.0, Lang::En);
    assert!(bound.starts_with("CAPACITY AT LEAST 196/s"), "{bound}");
    assert!(page.contains("capacity at least 196/s"), "{page}");
    for said in everything(&estimated(false, 199.0), 190.0, Lang::Ko) {
        assert!(!said.contains("최소"), "{said}");
    }
}

/// Before: "166/s did not hold: cut short" after Ctrl-C, and `"holds": false` in the file.
#[test]
fn a_long_hold_that_was_not_tried_to_its_end_is_not_called_missed() {
    let ends = [
        (LevelOutcome::Holds, Some(true), "166/s held for 10 s"),
        (LevelOutcome::Overloaded, Some(false), "166/s did not hold"),
        (
            LevelOutcome::Cut,
            None,
            "166/s: cut short after 10 s, so it is not known whether it holds for longer",
        ),
        (
            LevelOutcome::Unclear,
            None,
            "166/s was held for 10 s and could not be judged: cannot tell",
        ),
        (
            LevelOutcome::Invalid(Ceiling::Users),
            None,
            "166/s was held for 10 s and could not be judged: not valid",
        ),
    ];
    for (outcome, holds, said) in ends {
        let mut steps = pool().steps;
        steps.last_mut().unwrap().outcome = outcome.clone();
        let bounds = Bounds {
            low: Some(3),
            high: Some(4),
            ceiling: None,
        };
        let end = (outcome == LevelOutcome::Cut).then_some(SearchEnd::Interrupted);
        let answer = answer(&steps, bounds, end);
        let file = file::CapacityFile::new(
            &answer,
            file::TestInFile::default(),
            serde_json::Value::Null,
        );
        assert_eq!(file.soak.unwrap().holds, holds, "{outcome:?}");
        let [screen, page, _] = everything(&answer, 150.0, Lang::En);
        let stopped =
            screen.starts_with("STOPPED in the soak, after the search was over: at least 196/s");
        assert_eq!(stopped, outcome == LevelOutcome::Cut, "{screen}");
        for text in [screen, page] {
            assert!(text.contains(said), "{outcome:?}: {text}");
            let is_missed = text.contains("did not hold: ");
            assert_eq!(is_missed, holds == Some(false), "{outcome:?}: {text}");
        }
    }
}

/// Before: "about 15 VUs" on the screen, and 10 on the page of the same table.
#[test]
fn the_page_of_a_table_has_the_users_that_its_text_has() {
    let rows = [
        (1.0, 12.2, 81.7),
        (5.0, 58.8, 84.5),
        (10.0, 108.0, 90.6),
        (15.0, 146.0, 101.0),
        (20.0, 152.0, 132.0),
        (50.0, 160.0, 310.0),
    ];
    let rows = rows.map(|(users, throughput, mean)| Row {
        users,
        throughput,
        mean: Some(mean),
        ..Row::default()
    });
    for (goal, told) in [
        ("mean<=100ms", "about 14.5 VUs"),
        // Seen: 26.6 of 26.67, cut off.
        ("mean<=120ms", "about 18.1 VUs"),
    ] {
        let terms = [goal.parse().unwrap()];
        let catalog = Catalog::new(Lang::En);
        let judged = judge(rows.to_vec(), &terms, 0.0).unwrap();
        let screen = table::text(&judged, "t.csv", None, &catalog);
        assert!(screen.contains(told), "{screen}");
        let file = table::file(&judged, "t.csv", None);
        let file = file::CapacityFile::parse(&file.to_json()).unwrap();
        let page = document::of_file(&file, "", &catalog);
        assert_eq!(page.verdict.word, format!("capacity {told}"));
        let users = told.trim_start_matches("about ");
        assert_eq!(page.figures[0].value, told);
        assert!(
            page.figures[0].note.starts_with("interpolated between 1"),
            "{}",
            page.figures[0].note
        );
        // Before: "약 가상 사용자 15명".
        let catalog = Catalog::new(Lang::Ko);
        let users = users.trim_end_matches(" VUs");
        let korean = format!("가상 사용자 약 {users}명");
        let screen = table::text(&judged, "t.csv", None, &catalog);
        let page = document::of_file(&file, "", &catalog);
        let page = serde_json::to_string(&page).unwrap();
        for said in [screen, page] {
            assert!(said.contains(&korean), "{said}");
            assert!(!said.contains("약 가상"), "{said}");
        }
    }
}

/// Seen with `--think 1s`: "users ≠ throughput × response time: off by 1,360 % (think time? --think)", and "-1359.4 %" in the column.
#[test]
fn the_think_time_that_was_given_is_in_the_law_of_a_table() {
    let rows = [(5.0, 68.0, 73.1), (10.0, 107.9, 90.6)].map(|(users, throughput, mean)| Row {
        users,
        throughput,
        mean: Some(mean),
        ..Row::default()
    });
    let terms = ["mean<=100ms".parse().unwrap()];
    let catalog = Catalog::new(Lang::En);
    let told = |think_s: f64| {
        let judged = judge(rows.to_vec(), &terms, think_s).unwrap();
        let file = table::file(&judged, "t.csv", None);
        let page = document::of_file(&file, "", &catalog);
        let page = serde_json::to_string(&page).unwrap();
        [table::text(&judged, "t.csv", None, &catalog), page]
    };
    let law = "users ≠ throughput × (response time + think time 1,000 ms) at 5 VUs: off by 1,360 %";
    for said in told(1.0) {
        assert!(
            said.contains(law) && !said.contains("think time? --think"),
            "{said}"
        );
        assert!(!said.contains("1359.4"), "{said}");
    }
    let [screen, _] = told(1.0);
    assert!(screen.contains("-1,359.4 %"), "{screen}");
    for said in told(0.0) {
        assert!(
            said.contains("users = throughput × response time holds"),
            "{said}"
        );
    }
}

/// Before: "missed" on the screen of a search alone; its file, its page and JUnit had no goal, and skipped = 1.
#[test]
fn a_load_that_was_asked_for_is_a_goal_of_the_page_and_a_case_of_junit() {
    for (goal, met, told) in [
        (400.0, Some(false), "400/s: missed by 51 %"),
        (100.0, Some(true), "met with "),
    ] {
        let [screen, page, shown] = everything(&pool(), goal, Lang::En);
        for text in [&screen, &page, &shown] {
            assert!(text.contains(told), "{text}");
        }
        let mut file = file::CapacityFile::new(
            &pool(),
            file::TestInFile::default(),
            serde_json::Value::Null,
        );
        file.goal = Some(goal);
        let file = file::CapacityFile::parse(&file.to_json()).unwrap();
        let page = document::of_file(&file, "", &Catalog::new(Lang::En));
        assert_eq!(page.goals[0].met, met);
        let is_bad = page.verdict.class == crate::document::StatementClass::Bad;
        assert_eq!(is_bad, met == Some(false), "{goal}");
        let xml = crate::document::junit::xml(&page, 1.0);
        let failures = format!("failures=\"{}\"", u8::from(is_bad));
        assert!(xml.contains(&failures), "{xml}");
    }
}

/// What no level was judged for is not known to be missed.
#[test]
fn without_a_judged_level_a_goal_is_unknown() {
    let mut answer = pool();
    answer.line = None;
    for (end, met) in [
        (SearchEnd::Interrupted, None),
        (SearchEnd::OutOfTime, None),
        (SearchEnd::NoneHolds, Some(false)),
    ] {
        answer.end = end;
        let mut file = file::CapacityFile::new(
            &answer,
            file::TestInFile::default(),
            serde_json::Value::Null,
        );
        file.goal = Some(100.0);
        let page = document::of_file(&file, "", &Catalog::new(Lang::En));
        assert_eq!(page.goals[0].met, met, "{:?}", answer.end);
    }
}

/// An older file has the level that misses by next to nothing as its users.
#[test]
fn an_older_file_of_a_table_names_no_level_that_misses() {
    let rows = [(10.0, 90.6), (15.0, 100.6)].map(|(users, mean)| Row {
        users,
        throughput: users,
        mean: Some(mean),
        ..Row::default()
    });
    let judged = judge(rows.to_vec(), &["mean<=100ms".parse().unwrap()], 0.0).unwrap();
    let mut file = table::file(&judged, "t.csv", None);
    file.line.as_mut().unwrap().about = Some(15.0);
    let page = document::of_file(&file, "", &Catalog::new(Lang::Ko));
    assert_eq!(page.verdict.word, "용량 가상 사용자 약 14.7명");
    let levels = page.sections.iter().find(|part| part.id == "levels");
    let levels = serde_json::to_string(levels.unwrap()).unwrap();
    assert!(!levels.contains("목적"), "{levels}");
}

/// Seen: "--goal cannot be `100/s`" of a table that has a column of rates.
#[test]
fn a_table_is_held_against_users_or_requests_per_second() {
    let row = |users, throughput, mean| Row {
        users,
        throughput,
        mean: Some(mean),
        ..Row::default()
    };
    let rows = vec![
        row(5.0, 50.0, 90.0),
        row(10.0, 98.0, 100.0),
        row(20.0, 150.0, 140.0),
    ];
    let judged = judge(rows, &["mean<=120ms".parse().unwrap()], 0.0).unwrap();
    let catalog = Catalog::new(Lang::En);
    for (goal, is_missed, said) in [
        (
            TableGoal::Requests(100.0),
            false,
            "100/s: met with 24 % headroom",
        ),
        (TableGoal::Requests(160.0), true, "160/s: missed by 22 %"),
        (
            TableGoal::Users(12.0),
            false,
            "12 VUs: met with 25 % headroom",
        ),
        (TableGoal::Users(20.0), true, "20 VUs: missed by 25 %"),
    ] {
        assert_eq!(goal.is_missed(&judged), is_missed, "{goal:?}");
        let screen = table::text(&judged, "t.csv", Some(goal), &catalog);
        assert!(screen.contains(said), "{said}: {screen}");
        let file = table::file(&judged, "t.csv", Some(goal));
        let file = file::CapacityFile::parse(&file.to_json()).unwrap();
        assert!(shown::text(&file, &catalog).contains(said), "{said}");
        let page = document::of_file(&file, "", &catalog);
        assert_eq!(page.goals[0].met, Some(!is_missed), "{said}");
    }
}
