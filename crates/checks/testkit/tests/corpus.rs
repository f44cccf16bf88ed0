//! The recorded results are complete, current and free of this machine; the comparator accepts them and notices defects.

use loadline_testkit::corpus::{Corpus, Plant, Recording, Script, compare};

fn recorded() -> Vec<(Script, Recording)> {
    let corpus = Corpus::of_repository();
    let scripts = corpus.scripts(&[]).expect("the scripts can be read");
    let read = |script: Script| {
        let recording =
            Recording::read(&corpus.recorded(&script)).expect("each script has a recorded result");
        (script, recording)
    };
    scripts.into_iter().map(read).collect()
}

#[test]
fn every_script_has_a_current_result_of_k6() {
    let all = recorded();
    assert!(all.len() >= 150, "{} scripts", all.len());
    for (script, recording) in all {
        assert_eq!(
            recording.script, script.hash,
            "{}: changed since it was recorded: make record-k6",
            script.name
        );
        // Those of 1.8.1 are 2.2.0's too: it was compared with them.
        let is_known = ["k6 v2.2.0", "k6 v1.8.1"].contains(&recording.k6.as_str());
        assert!(is_known, "{}: {}", script.name, recording.k6);
        assert_eq!(
            recording.exit,
            script.directives.exit.unwrap_or(0),
            "{}",
            script.name
        );
        assert_eq!(
            recording.server,
            loadline_testkit::server::source_hash(script.topic()),
            "{}: make record-k6",
            script.name
        );
    }
}

#[test]
fn no_result_is_left_of_a_script_that_is_gone() {
    let corpus = Corpus::of_repository();
    let known: Vec<_> = corpus
        .scripts(&[])
        .unwrap()
        .iter()
        .map(|script| corpus.recorded(script))
        .collect();
    let folder = known[0].parent().unwrap().parent().unwrap();
    for topic in std::fs::read_dir(folder).unwrap() {
        for file in std::fs::read_dir(topic.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            assert!(known.contains(&path), "{}", path.display());
        }
    }
}

#[test]
fn results_hold_nothing_of_the_machine_that_recorded_them() {
    let corpus = Corpus::of_repository();
    let port = regex::Regex::new(r"127\.0\.0\.1:\d\d|/tmp/|/home/|/root/").unwrap();
    for script in corpus.scripts(&[]).unwrap() {
        let text = std::fs::read_to_string(corpus.recorded(&script)).unwrap();
        if let Some(found) = port.find(&text) {
            panic!("{}: {}", script.name, found.as_str());
        }
    }
}

#[test]
fn a_binary_that_does_what_k6_did_is_equal() {
    for (script, recording) in recorded() {
        let findings = compare(&recording, &recording.replay(), &script.directives);
        assert!(findings.is_empty(), "{}: {:?}", script.name, findings);
    }
}

#[test]
#[expect(
    clippy::print_stdout,
    reason = "how many scripts notice is worth a look"
)]
fn every_planted_defect_is_noticed() {
    let all = recorded();
    let plants: Vec<Plant> = Plant::ALL
        .into_iter()
        .filter(|plant| !plant.needs_run())
        .collect();
    let count = |is: fn(Plant) -> bool| plants.iter().filter(|plant| is(**plant)).count();
    let (of_log, of_time) = (count(Plant::is_of_log), count(Plant::is_of_time));
    assert!(of_log >= 10 && of_time >= 10, "{of_log} {of_time}");
    for &plant in &plants {
        let noticed = all.iter().filter(|(script, recording)| {
            let mut seen = recording.replay();
            plant.after(&mut seen);
            compare(recording, &seen, &script.directives)
                .iter()
                .any(|finding| !finding.note)
        });
        let noticed = noticed.count();
        println!("{}: noticed in {noticed} scripts", plant.name());
        assert!(noticed > 0, "{} went unnoticed", plant.name());
    }
    let all = plants.len();
    println!("{all} planted, {all} noticed; {of_log} of them of text, {of_time} of time");
}
