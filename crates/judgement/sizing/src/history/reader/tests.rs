use super::*;

fn line(second: u32, client: u32, request: &str, status: u16) -> String {
    let (minute, second) = (second / 60, second % 60);
    format!(
        "10.0.0.{client} - - [10/Oct/2000:13:{minute:02}:{second:02} +0000] \"{request} HTTP/1.1\" {status} 5 \"-\" \"a\" 0.010\n"
    )
}

fn read(text: &[u8]) -> crate::history::TrafficHistory {
    let mut reader = LogReader::default();
    let file = reader.begin_file("a.log");
    reader.feed(file, text);
    reader.end_file(file, false);
    reader.finish()
}

#[test]
fn shares_rates_and_busiest_moments_of_a_log() {
    let mut text = String::new();
    for second in 0..120 {
        text += &line(second, 1, &format!("GET /deers?userId={second}"), 200);
        if second % 2 == 0 {
            text += &line(second, 2, "POST /deers", 201);
        }
    }
    for _ in 0..30 {
        text += &line(119, 3, "GET /deers/77", 200);
    }
    let history = read(text.as_bytes());
    assert_eq!(history.requests, 210);
    let endpoints: Vec<(&str, &str, u64)> = history
        .endpoints
        .iter()
        .map(|e| (e.method, e.template.as_str(), e.requests))
        .collect();
    assert_eq!(
        endpoints,
        [
            ("GET", "/deers", 120),
            ("POST", "/deers", 60),
            ("GET", "/deers/{id}", 30)
        ]
    );
    assert_eq!(history.minute.requests, 120);
    assert_eq!(history.minute.at, "2000-10-10 13:01:00");
    assert_eq!(history.second.requests, 31);
    assert_eq!(history.behaviour.think_time, Some(1.0));
    assert_eq!(history.endpoints[0].took.count(), 120);
}

/// Seen: a broken line that begins with `#` was left out without a word.
#[test]
fn only_a_format_that_has_comments_has_them() {
    let good = line(1, 1, "GET /a", 200);
    let broken = "#0.0.0.1 - - [10/Oct/2000:13:00:01 +0000] \"GET /a HTTP/1.1\" 200 5\n";
    let json = "# {\"time\":\"2000-10-10T13:00:01Z\",\"path\":\"/a\"}\n";
    for other in [broken, json, "# a note\n", "#\n"] {
        let history = read(format!("{good}{other}{good}").as_bytes());
        assert_eq!((history.requests, history.lines), (2, 3), "{other}");
        let troubles: Vec<(LineProblem, u64)> = history
            .troubles
            .each()
            .map(|(problem, lines, _)| (problem, lines))
            .collect();
        assert_eq!(troubles, [(LineProblem::Unreadable, 1)], "{other}");
    }
    let iis = "#Software: Microsoft Internet Information Services 10.0\n\
        #Version: 1.0\n#Date: 2000-10-10 20:55:36\n\
        #Fields: date time cs-method cs-uri-stem sc-status\n\
        # rotated\n2000-10-10 20:55:36 GET /a 200\n";
    let history = read(iis.as_bytes());
    assert_eq!((history.requests, history.lines), (1, 1));
    assert_eq!(history.troubles.each().count(), 0);
}

#[test]
fn lines_are_the_same_however_the_bytes_are_cut() {
    let text: String = (0..50).map(|s| line(s, s % 5, "GET /x/1", 200)).collect();
    let whole = read(text.as_bytes());
    let mut reader = LogReader::default();
    let file = reader.begin_file("a.log");
    for byte in text.as_bytes().chunks(7) {
        reader.feed(file, byte);
    }
    reader.end_file(file, false);
    let cut = reader.finish();
    assert_eq!(whole.requests, cut.requests);
    assert_eq!(whole.endpoints[0].template, cut.endpoints[0].template);
}

#[test]
fn bad_lines_are_counted_with_their_numbers_and_never_fatal() {
    let mut text = line(100, 1, "GET /a", 200).into_bytes();
    text.extend_from_slice(b"\x00\x01\x02 binary [\n");
    text.extend_from_slice(b"no log at all\n");
    text.extend_from_slice(b"{\"time\":\"2000-10-10T13:01:40Z\",\"path\":\"/b\"}\n");
    text.extend_from_slice(line(10, 1, "GET /a", 200).as_bytes());
    text.extend(std::iter::repeat_n(b'x', 3 * LONGEST_LINE));
    text.push(b'\n');
    text.extend_from_slice(line(101, 1, "GET /a", 200).as_bytes());
    let mut reader = LogReader::default();
    let file = reader.begin_file("a.log");
    for chunk in text.chunks(10_000) {
        reader.feed(file, chunk);
    }
    reader.end_file(file, true);
    let history = reader.finish();
    assert_eq!(history.requests, 4);
    let found: Vec<(&str, u64, u64)> = history
        .troubles
        .each()
        .map(|(trouble, count, places)| (trouble.id(), count, places[0].line))
        .collect();
    assert_eq!(
        found,
        [
            ("binary", 1, 2),
            ("too_long", 1, 6),
            ("unreadable", 1, 3),
            ("backwards", 1, 5),
            ("other_format", 1, 4),
            ("damaged", 1, 7),
        ]
    );
}

#[test]
fn a_retry_is_told_from_a_second_request() {
    let text = line(1, 1, "POST /pay", 503)
        + &line(2, 1, "POST /pay", 200)
        + &line(3, 1, "POST /pay", 200);
    let history = read(text.as_bytes());
    assert!((history.behaviour.retry_share - 1.0 / 3.0).abs() < 1e-9);
}

#[test]
fn an_empty_log_has_no_requests() {
    let history = read(b"");
    assert_eq!((history.requests, history.lines), (0, 0));
}

/// Reads files as `plan --log` does: each from when the others come to its first time.
fn read_files(files: &[String]) -> crate::history::TrafficHistory {
    const PIECE_BYTES: usize = 300;
    let mut reader = LogReader::default();
    let begun = |reader: &LogReader, file: &String| reader.first_time(file.as_bytes());
    let mut waiting: Vec<&String> = files.iter().collect();
    waiting.sort_by_key(|file| std::cmp::Reverse((begun(&reader, file), (*file).clone())));
    let mut open: Vec<(usize, &[u8])> = Vec::new();
    loop {
        let until = waiting
            .last()
            .map(|file| begun(&reader, file).unwrap_or(i64::MIN));
        let wanted = reader.next_file(until);
        let Some(place) = open.iter().position(|(id, _)| Some(*id) == wanted) else {
            let Some(file) = waiting.pop() else {
                return reader.finish();
            };
            open.push((reader.begin_file("a.log"), file.as_bytes()));
            continue;
        };
        let (id, rest) = &mut open[place];
        let (piece, left) = rest.split_at(rest.len().min(PIECE_BYTES));
        reader.feed(*id, piece);
        *rest = left;
        if left.is_empty() {
            reader.end_file(*id, false);
            open.swap_remove(place);
        }
    }
}

/// All that a plan is made of.
fn summary_of(history: &crate::history::TrafficHistory) -> String {
    let endpoints: Vec<_> = history.endpoints.iter().collect();
    let endpoints: Vec<_> = endpoints
        .iter()
        .map(|e| (e.method, &e.template, e.requests, e.statuses))
        .collect();
    format!(
        "{} {} {} {:?} {:?} {:?} {:?}",
        history.requests,
        history.first,
        history.last,
        history.minute,
        history.second,
        history.behaviour,
        endpoints
    )
}

/// How a log is cut: at places, or line by line as several servers write it.
fn cut(lines: &[String], owners: &[usize], dealt: bool) -> Vec<String> {
    let mut files = vec![String::new(); 4];
    for (index, line) in lines.iter().enumerate() {
        let owner = if dealt {
            owners[index % owners.len()]
        } else {
            let each = lines.len().div_ceil(owners[0] + 1).max(1);
            index / each
        };
        files[owner] += line;
    }
    files.retain(|file| !file.is_empty());
    files
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(48))]

    /// Seen: 0.97 % instead of 0.06 % of pauses below a second, the newer file being first.
    #[test]
    fn the_order_of_files_and_how_a_log_is_cut_change_nothing(
        steps in proptest::collection::vec((0_u32..90, 1_u32..6, 0_u32..4, 0_u32..40), 1..120),
        owners in proptest::collection::vec(0_usize..4, 1..30),
        dealt: bool,
        turn in 0_usize..4,
    ) {
        let mut second = 60;
        let lines: Vec<String> = steps
            .iter()
            .map(|(pause, client, path, earlier)| {
                second += pause;
                // Some servers write the time at which a request began. A client's requests of one
                // second would have no order.
                let began = second - earlier.min(&second);
                line((began / 6) * 6 + client, *client, &format!("GET /p{path}"), if path % 2 == 0 { 503 } else { 200 })
            })
            .collect();
        let lines: Vec<String> = {
            let mut seen = std::collections::BTreeSet::new();
            let key = |line: &str| line[..line.find('"').unwrap_or(0)].to_owned();
            lines.into_iter().filter(|line| seen.insert(key(line))).collect()
        };
        let whole = summary_of(&read(lines.concat().as_bytes()));
        let mut files = cut(&lines, &owners, dealt);
        let count = files.len();
        files.rotate_left(turn % count);
        proptest::prop_assert_eq!(&summary_of(&read_files(&files)), &whole);
        files.reverse();
        proptest::prop_assert_eq!(&summary_of(&read_files(&files)), &whole);
    }
}
