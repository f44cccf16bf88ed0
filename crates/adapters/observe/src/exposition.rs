//! Reads a page in Prometheus' text format, or in OpenMetrics': one sample a line.
//!
//! Comments and exemplars are left out. A line that breaks the format makes the whole
//! page wrong: half a page would look like a target that does less.

use std::borrow::Cow;

/// Most samples of one page that are read.
pub(crate) const SAMPLES_MAX: usize = 200_000;

/// One sample.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sample<'a> {
    pub(crate) name: &'a str,
    pub(crate) labels: Vec<(&'a str, Cow<'a, str>)>,
    pub(crate) value: f64,
    /// Its page says that it is a gauge: it may end with `_total` and be no counter.
    pub(crate) is_gauge: bool,
    /// Its own time, ms since 1970, where it has one.
    pub(crate) at_ms: Option<i64>,
}

impl Sample<'_> {
    /// The value of a label; empty without it, as in Prometheus.
    pub(crate) fn label(&self, name: &str) -> &str {
        let found = self.labels.iter().find(|(label, _)| *label == name);
        found.map_or("", |(_, value)| value)
    }
}

/// What is wrong with a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PageError {
    /// This line is no sample.
    Line(usize),
    /// It has no samples at all.
    Empty,
    /// It has more than [`SAMPLES_MAX`].
    TooMany,
    /// OpenMetrics ends its pages with a mark, which is missing.
    Cut,
}

/// Calls `each` with each sample of a page.
///
/// # Errors
/// [`PageError`]; samples before the wrong line were handed over.
pub(crate) fn read<'a>(
    page: &'a str,
    is_open_metrics: bool,
    mut each: impl FnMut(Sample<'a>),
) -> Result<(), PageError> {
    let mut count = 0;
    let mut has_end = false;
    let mut gauge = "";
    for (index, line) in page.lines().enumerate() {
        let line = line.trim();
        has_end |= line == "# EOF";
        if let Some((name, kind)) = declared(line) {
            gauge = if kind == "gauge" { name } else { "" };
        }
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        count += 1;
        if count > SAMPLES_MAX {
            return Err(PageError::TooMany);
        }
        let mut sample = sample(line, is_open_metrics).ok_or(PageError::Line(index + 1))?;
        sample.is_gauge = sample.name == gauge;
        each(sample);
    }
    // The last line of a page that was cut off may still read as a number.
    let is_cut = if is_open_metrics {
        !has_end
    } else {
        !page.ends_with('\n')
    };
    match count {
        0 => Err(PageError::Empty),
        _ if is_cut => Err(PageError::Cut),
        _ => Ok(()),
    }
}

/// `# TYPE name kind`.
fn declared(line: &str) -> Option<(&str, &str)> {
    let mut words = line.strip_prefix("# TYPE ")?.split_ascii_whitespace();
    Some((words.next()?, words.next()?))
}

/// `name{label="value",...} value [time] [# exemplar]`.
fn sample(line: &str, is_open_metrics: bool) -> Option<Sample<'_>> {
    let end = line.find(|c: char| c == '{' || c.is_ascii_whitespace())?;
    let name = &line[..end];
    if !is_name(name) {
        return None;
    }
    let (labels, rest) = match line[end..].strip_prefix('{') {
        Some(rest) => labels(rest)?,
        None => (Vec::new(), &line[end..]),
    };
    let mut words = rest.split_ascii_whitespace();
    let value = number(words.next()?)?;
    let mut at = None;
    if let Some(next) = words.next()
        && next != "#"
    {
        at = Some(next.parse::<f64>().ok()?);
        if words.next().is_some_and(|word| word != "#") {
            return None;
        }
    }
    Some(Sample {
        name,
        labels,
        value,
        is_gauge: false,
        at_ms: at.and_then(|at| millis(at, is_open_metrics)),
    })
}

/// OpenMetrics counts seconds, the older format milliseconds.
fn millis(at: f64, is_open_metrics: bool) -> Option<i64> {
    let at = if is_open_metrics { at * 1000.0 } else { at };
    #[expect(clippy::cast_possible_truncation, reason = "it is below 2^53")]
    (at.abs() < 9e15).then_some(at as i64)
}

fn is_name(name: &str) -> bool {
    let is_part = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b':';
    !name.is_empty() && name.bytes().all(is_part) && !name.as_bytes()[0].is_ascii_digit()
}

/// Rust reads `NaN`, `Inf` and exponents as Prometheus writes them, and `infinity` besides.
fn number(word: &str) -> Option<f64> {
    word.parse().ok()
}

type Labels<'a> = Vec<(&'a str, Cow<'a, str>)>;

/// The labels after the opening brace, and what follows the closing one.
fn labels(mut rest: &str) -> Option<(Labels<'_>, &str)> {
    let mut labels = Vec::new();
    loop {
        rest = rest.trim_start_matches([' ', '\t', ',']);
        if let Some(rest) = rest.strip_prefix('}') {
            return Some((labels, rest));
        }
        let (name, after) = rest.split_once('=')?;
        let name = name.trim();
        if !is_name(name) {
            return None;
        }
        let quoted = after.trim_start().strip_prefix('"')?;
        let end = end_of_quoted(quoted)?;
        labels.push((name, unescaped(&quoted[..end])));
        rest = &quoted[end + 1..];
    }
}

/// Where the closing quote is.
fn end_of_quoted(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    for (place, byte) in text.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => return Some(place),
            _ => {}
        }
    }
    None
}

fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => match letters.next() {
                Some('n') => plain.push('\n'),
                Some(other) => plain.push(other),
                None => {}
            },
            other => plain.push(other),
        }
    }
    Cow::Owned(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(page: &str) -> Result<Vec<(String, f64)>, PageError> {
        let mut all = Vec::new();
        read(page, false, |sample| {
            let labels = sample.labels.iter().map(|(k, v)| format!("{k}={v};"));
            let labels: String = labels.collect();
            all.push((format!("{} {labels}", sample.name), sample.value));
        })
        .map(|()| all)
    }

    #[test]
    fn lines_of_both_formats_are_read() {
        let page = "# HELP a b\n# TYPE hikaricp_connections gauge\n\
            hikaricp_connections{pool=\"main\",} 10.0\n\
            plain 1e3\n\
            timed{a=\"b\"} +Inf 1395066363000\n\
            seconds_bucket{le=\"0.1\"} 8 # {trace_id=\"x\"} 0.05 1.5\n";
        let read = samples(page).unwrap();
        let expected = [
            ("hikaricp_connections pool=main;", 10.0),
            ("plain ", 1000.0),
            ("timed a=b;", f64::INFINITY),
            ("seconds_bucket le=0.1;", 8.0),
        ];
        assert_eq!(read, expected.map(|(name, value)| (name.to_owned(), value)));
    }

    #[test]
    fn quotes_braces_and_line_ends_in_a_label_are_its_own() {
        let read = samples("a{q=\"x\\\"}y\\\\ \\n{\",b=\"\"} NaN\n").unwrap();
        assert_eq!(read[0].0, "a q=x\"}y\\ \n{;b=;");
        assert!(read[0].1.is_nan());
    }

    #[test]
    fn a_page_that_is_none_is_an_error() {
        let wrong = [
            ("<html>\n", PageError::Line(1)),
            ("a 1\nb{c=\"d} 1\n", PageError::Line(2)),
            ("a one\n", PageError::Line(1)),
            ("9a 1\n", PageError::Line(1)),
            ("a 1 2 3\n", PageError::Line(1)),
            ("", PageError::Empty),
            ("# only words\n", PageError::Empty),
            ("a 1\nb 12", PageError::Cut),
        ];
        for (page, error) in wrong {
            assert_eq!(samples(page), Err(error), "{page}");
        }
        assert_eq!(read("a 1\n", true, |_| ()), Err(PageError::Cut));
        assert_eq!(read("a 1\n# EOF", true, |_| ()), Ok(()));
    }

    #[test]
    fn a_page_with_too_many_samples_is_an_error() {
        let page = "a 1\n".repeat(SAMPLES_MAX + 1);
        assert_eq!(samples(&page), Err(PageError::TooMany));
    }
}
