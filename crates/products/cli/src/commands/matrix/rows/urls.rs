//! Rows of URLs: those that were typed, or the lines of a file.

use loadline_text::problem;

use super::{RequestLine, RowSource, RowSources};
use crate::commands::run;
use crate::context::Context;
use crate::launch::test_kind::{Place, TestKind};
use crate::refusal::Refusal;

/// A line of a list: `POST http://127.0.0.1:8080/orders {"item":1}`.
#[derive(Debug, PartialEq, Eq)]
struct ListedRequest {
    method: Option<String>,
    url: String,
    body: Option<String>,
}

pub(super) fn of_words(urls: &[String], flags: &[String]) -> RowSources {
    let requests = urls.iter().map(|url| ListedRequest {
        method: None,
        url: url.clone(),
        body: None,
    });
    sources(requests.collect(), flags)
}

pub(super) fn of_file(
    context: &Context,
    path: &str,
    flags: &[String],
) -> Result<RowSources, Refusal> {
    let text = context
        .read_text(path)
        .map_err(|error| Refusal::unread(path, &error))?;
    let mut requests = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let request = request(line);
        let request =
            request.ok_or_else(|| Refusal::config(problem::matrix_line(path, number + 1, line)))?;
        requests.push(request);
    }
    if requests.is_empty() {
        return Err(Refusal::config(problem::matrix_empty(path)));
    }
    Ok(sources(requests, flags))
}

/// A line, read: `URL`, `METHOD URL`, `METHOD URL BODY`.
fn request(line: &str) -> Option<ListedRequest> {
    let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    if is_url(first) {
        return rest.is_empty().then(|| ListedRequest {
            method: None,
            url: first.to_owned(),
            body: None,
        });
    }
    let is_method = first.bytes().all(|byte| byte.is_ascii_alphabetic());
    let (url, body) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    (is_method && is_url(url)).then(|| ListedRequest {
        method: Some(first.to_ascii_uppercase()),
        url: url.to_owned(),
        body: Some(body.trim().to_owned()).filter(|body| !body.is_empty()),
    })
}

fn is_url(word: &str) -> bool {
    word.starts_with("http://") || word.starts_with("https://")
}

fn sources(requests: Vec<ListedRequest>, flags: &[String]) -> RowSources {
    let typed = typed_method(flags);
    let is_one_host = {
        let mut hosts = requests.iter().map(|request| host_and_path(&request.url).0);
        let first = hosts.next();
        hosts.all(|host| Some(host) == first)
    };
    let mut sources = RowSources::default();
    for request in requests {
        let (host, path) = host_and_path(&request.url);
        let method = request.method.clone().unwrap_or_else(|| typed.clone());
        let path = if path.is_empty() { "/" } else { path };
        let name = if is_one_host {
            format!("{method} {path}")
        } else {
            format!("{method} {host}{path}")
        };
        let same =
            |row: &&RowSource| row.name == name || row.name.starts_with(&format!("{name} #"));
        let name = match sources.rows.iter().filter(same).count() {
            0 => name,
            count => format!("{name} #{}", count + 1),
        };
        let mut args = vec![request.url.clone()];
        let method_args = request.method.map(|method| ["--method".to_owned(), method]);
        args.extend(method_args.into_iter().flatten());
        args.extend(request.body.map(|body| format!("--body={body}")));
        args.extend(flags.iter().cloned());
        sources.rows.push(RowSource {
            request: Some(RequestLine {
                path: path.split('?').next().unwrap_or_default().to_owned(),
                method,
            }),
            ..RowSource::new(name, args)
        });
    }
    sources
}

/// The method that flags ask for in every request.
fn typed_method(flags: &[String]) -> String {
    let args = [&["http://host/".to_owned()][..], flags].concat();
    let place = Place {
        folder: std::path::Path::new("."),
        is_k6: false,
    };
    let line = run::dialects().read(&args, place);
    debug_assert_eq!(line.kind, TestKind::Url);
    match line.last("method") {
        Some(method) => method.to_ascii_uppercase(),
        None if line.has("body") => "POST".to_owned(),
        None => "GET".to_owned(),
    }
}

/// Where a URL goes, without a user before the host.
fn host_and_path(url: &str) -> (&str, &str) {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (host, path) = rest.split_at(end);
    (host.rsplit('@').next().unwrap_or_default(), path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_a_method_a_url_and_a_body() {
        let post = request(r#"post http://h/orders {"item": 1}"#).unwrap();
        assert_eq!(post.method.as_deref(), Some("POST"));
        assert_eq!(post.body.as_deref(), Some(r#"{"item": 1}"#));
        assert_eq!(request("http://h/").unwrap().method, None);
        for wrong in ["GET", "GET h/x", "http://h/ x", "G-T http://h/", "list"] {
            assert_eq!(request(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn rows_are_named_by_what_they_ask_for() {
        let names = |urls: &[&str], flags: &[&str]| -> Vec<String> {
            let owned = |words: &[&str]| -> Vec<String> {
                words.iter().map(|word| (*word).to_owned()).collect()
            };
            let sources = of_words(&owned(urls), &owned(flags));
            sources.rows.into_iter().map(|row| row.name).collect()
        };
        assert_eq!(
            names(&["http://h/a?x=1", "http://h"], &[]),
            ["GET /a?x=1", "GET /"]
        );
        assert_eq!(
            names(&["http://u:p@h/a", "http://i/a"], &["-b", "x"]),
            ["POST h/a", "POST i/a"]
        );
        assert_eq!(
            names(&["http://h/a", "http://h/a"], &["--method", "put"]),
            ["PUT /a", "PUT /a #2"]
        );
    }
}
