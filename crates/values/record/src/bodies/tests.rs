use super::*;

fn shape(body: &str) -> BodyShape {
    BodyShape::new(body.as_bytes(), false)
}

fn sample(bodies: &[&str]) -> BodySample {
    let mut sample = BodySample::default();
    for body in bodies {
        sample.add(&shape(body));
    }
    sample
}

fn kinds(sample: &BodySample, path: &str) -> Vec<(FieldKinds, u32)> {
    let field = sample.fields.get(path);
    field.map_or_else(Vec::new, |field| {
        field
            .kinds
            .iter()
            .map(|(kinds, count)| (*kinds, *count))
            .collect()
    })
}

#[test]
fn fields_are_told_by_place_and_kind_and_no_value_is_in_them() {
    let sample = sample(&[
        r#"{"items":[{"id":7,"price":0},{"id":9,"price":2.5}],"next":null,"ok":true}"#,
        r#"{"items":[],"next":"","ok":true}"#,
    ]);
    assert_eq!((sample.json, sample.bodies()), (2, 2));
    let list = [(FieldKinds::EMPTY_LIST, 1), (FieldKinds::LIST, 1)];
    assert_eq!(kinds(&sample, "$.items"), list);
    let mixed = FieldKinds::ZERO.and(FieldKinds::NUMBER);
    assert_eq!(kinds(&sample, "$.items[].price"), [(mixed, 1)]);
    let next = [(FieldKinds::NULL, 1), (FieldKinds::EMPTY_TEXT, 1)];
    assert_eq!(kinds(&sample, "$.next"), next);
    assert_eq!(kinds(&sample, "$.ok"), [(FieldKinds::TRUE, 2)]);
    assert_eq!(kinds(&sample, "$"), [(FieldKinds::OBJECT, 2)]);
}

#[test]
fn a_record_holds_neither_texts_nor_names_that_are_data_nor_prints_of_secrets() {
    let sample = sample(&[
        r#"{"user":"Kim Minji","token":"abcdefgh","mail":{"minji@example.com":1,"8f14e45fceea167a5a36dedd4bea2543":2},"x y":1}"#,
    ]);
    let text = serde_json::to_string(&sample.clone().common()).unwrap();
    for value in ["Minji", "minji", "abcdefgh", "8f14", "x y"] {
        assert!(!text.contains(value), "{text}");
    }
    assert!(sample.fields["$.token"].texts.is_empty());
    assert_eq!(sample.fields["$.user"].texts.len(), 1);
    assert!(sample.fields.contains_key("$.mail.*"));
    let read: BodySample = serde_json::from_str(&text).unwrap();
    assert_eq!(read, sample.common());
}

#[test]
fn texts_that_vary_have_no_fingerprints_and_those_that_never_do_have_one() {
    let bodies: Vec<String> = (0..20_u8)
        .map(|n| {
            let name = char::from(b'a' + n);
            format!(
                r#"{{"name":"name {name}{name}","status":"ok","at":"2026-11-30","day":"Monday"}}"#
            )
        })
        .collect();
    let bodies: Vec<&str> = bodies.iter().map(String::as_str).collect();
    let sample = sample(&bodies);
    assert!(sample.fields["$.name"].is_varied);
    assert_eq!(sample.fields["$.status"].texts.values().sum::<u32>(), 20);
    assert!(sample.fields["$.at"].texts.is_empty());
    assert!(sample.fields["$.day"].texts.is_empty());
}

#[test]
fn of_a_body_that_is_cut_the_beginning_counts() {
    let body = r#"{"a":1,"list":[{"b":2},{"b":"te"#;
    let cut = BodyShape::new(body.as_bytes(), true);
    assert_eq!(cut.kind, BodyKind::Json);
    let mut sample = BodySample::default();
    sample.add(&cut);
    assert_eq!(sample.fields["$.list"].cut, 1);
    assert_eq!(kinds(&sample, "$.list[].b"), [(FieldKinds::NUMBER, 1)]);
    // The target itself broke off.
    assert_eq!(shape(body).kind, BodyKind::Text);
}

#[test]
fn pages_are_told_by_words_without_times_and_by_elements() {
    let page = |time: &str| format!("<html><title>Shop {time}</title><p>All goods</p>Mon</html>");
    let pages = [page("10:03:07"), page("11:14:15")];
    let sample = sample(&[&pages[0], &pages[1]]).common();
    // Shop, all, goods; html, title, p.
    assert_eq!((sample.texts, sample.words.len()), (2, 3));
    assert_eq!(sample.elements.len(), 3);
    assert_eq!(shape("").kind, BodyKind::Empty);
    assert_eq!(
        BodyShape::new(&[0xff, 0xfe, 0], false).kind,
        BodyKind::Binary
    );
}

#[test]
fn members_that_are_data_are_left_out_of_the_record() {
    let bodies: Vec<String> = (0..40_u8)
        .map(|n| {
            let name = format!("{}{}", char::from(b'a' + n / 7), char::from(b'a' + n % 7));
            format!(r#"{{"total":3,"by_name":{{"{name}":1}}}}"#)
        })
        .collect();
    let bodies: Vec<&str> = bodies.iter().map(String::as_str).collect();
    let sample = sample(&bodies).common();
    let names: Vec<&str> = sample.fields.keys().map(String::as_str).collect();
    assert_eq!(names, ["$", "$.by_name", "$.total"]);
    assert!(sample.fields["$.by_name"].is_table);
    assert!(!sample.fields["$"].is_table);
}

#[test]
fn names_are_masked_and_what_becomes_one_is_added_up() {
    let mut sample = sample(&[r#"{"hunter":1,"hunters":2}"#]);
    sample.mask_names(|name| name.replace("hunters", "hunter"));
    assert_eq!(sample.fields["$.hunter"].count(), 2);
}

#[test]
fn a_body_of_anything_ends_and_holds_no_more_than_its_limits() {
    let deep = "[".repeat(10_000);
    let wide = format!(
        "{{{}\"z\":1}}",
        (0..5000)
            .map(|n| format!("\"k{n}x\":{n},"))
            .collect::<String>()
    );
    for body in [
        deep.as_str(),
        wide.as_str(),
        "{\"a\":}",
        "nul",
        "[1,]",
        "{}{}",
    ] {
        let shape = shape(body);
        assert!(shape.fields.len() <= 300, "{}", shape.fields.len());
    }
}
