//! A page of metrics is read or refused; a sample written again is read as the same. Samples take no
//! more than their line.
#![no_main]
#![allow(dead_code)]

use libfuzzer_sys::fuzz_target;
use loadline_fuzz::LINEAR;

#[path = "../../crates/adapters/observe/src/exposition.rs"]
mod exposition;
#[path = "../../crates/adapters/observe/src/stub_status.rs"]
mod stub_status;

use exposition::{Sample, read};

/// The sample as a page has it.
fn written(sample: &Sample<'_>) -> String {
    let escaped = |value: &str| {
        value
            .replace('\\', "\\\\")
            .replace('"', "\\\"")
            .replace('\n', "\\n")
    };
    let labels = sample.labels.iter();
    let labels: Vec<String> = labels
        .map(|(name, value)| format!("{name}=\"{}\"", escaped(value)))
        .collect();
    format!("{}{{{}}} {}\n", sample.name, labels.join(","), sample.value)
}

fuzz_target!(|input: (bool, &str)| {
    let (is_open_metrics, page) = input;
    let mut again = Vec::new();
    let mut samples = 0;
    let _ = LINEAR.hold(page.len(), || {
        read(page, is_open_metrics, |sample| {
            samples += 1;
            let held: usize = sample
                .labels
                .iter()
                .map(|(name, value)| name.len() + value.len())
                .sum();
            assert!(sample.name.len() + held <= page.len());
            if again.is_empty() {
                again.push((written(&sample), sample.value.to_bits()));
            }
        })
    });
    assert!(samples <= page.lines().count());
    for (line, value) in again {
        let mut same = Vec::new();
        read(&line, false, |sample| {
            same.push((written(&sample), sample.value.to_bits()))
        })
        .expect("it was a sample");
        let is_nan = f64::from_bits(value).is_nan();
        assert!(same == [(line, value)] || is_nan);
    }
    if let Some(page) = stub_status::as_page(page) {
        assert!(page.starts_with("nginx_up 1\n"));
    }
});
