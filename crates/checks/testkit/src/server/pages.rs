//! Documents: JSON to select from, pages with forms and links.

use serde_json::{Value, json};

use super::reply::{self, Reply};
use super::routes::Asked;

pub(super) fn json(asked: &Asked, parts: &[&str]) -> Reply {
    if parts[0] == "items" {
        return items(asked);
    }
    match parts.get(1).copied() {
        Some("bad") => reply::bytes(200, "application/json", "{\"a\": 1,\n \"b\": oops}"),
        Some("array") => reply::json(200, &json!([1, 2, 3])),
        Some("empty") => reply::bytes(200, "application/json", ""),
        Some("scalar") => reply::json(200, &json!("just text")),
        Some("unicode") => reply::json(
            200,
            &json!({ "ko": "하중선", "emoji": "⚓", "escaped": "a\"b\\c\n" }),
        ),
        _ => reply::json(200, &document()),
    }
}

/// `n` rows of a list.
pub(super) async fn big(n: u64) -> Reply {
    // Off the threads that serve everybody else.
    let text = tokio::task::spawn_blocking(move || {
        let row = |id| json!({ "id": id, "name": format!("item {id}"), "price": id * 3 % 97, "tags": ["a", "b"] });
        Value::Array((0..n.min(100_000)).map(row).collect()).to_string()
    });
    reply::bytes(200, "application/json", text.await.unwrap_or_default())
}

fn document() -> Value {
    json!({
        "store": {
            "name": "harbour",
            "open": true,
            "rating": 4.5,
            "owner": null,
            "books": [
                { "id": 1, "title": "Tides", "price": 8.95, "tags": ["sea", "moon"] },
                { "id": 2, "title": "Hulls", "price": 12.99, "tags": ["ship"] },
                { "id": 3, "title": "Lines", "price": 22.5, "tags": ["ship", "load"] }
            ]
        },
        "fav.movie": "The Deep",
        "friends": [
            { "first": "Ann", "last": "Lee", "age": 44, "nets": ["ig", "fb"] },
            { "first": "Bob", "last": "Kim", "age": 68, "nets": ["fb", "tw"] },
            { "first": "Cho", "last": "Lee", "age": 47, "nets": ["ig", "tw"] }
        ],
        "count": 3
    })
}

/// Pages of ten; the last one has no `next`.
fn items(asked: &Asked) -> Reply {
    let page = asked.number("page", 1);
    let pages = asked.number("pages", 3);
    let items: Vec<Value> = (0..10)
        .map(|index| json!({ "id": (page - 1) * 10 + index }))
        .collect();
    let next = (page < pages).then_some(page + 1);
    reply::json(200, &json!({ "items": items, "next": next, "page": page }))
}

pub(super) fn html(page: &str) -> Reply {
    reply::html(match page {
        "forms" => FORMS,
        "links" => LINKS,
        _ => PAGE,
    })
}

const PAGE: &str = r#"<!DOCTYPE html>
<html lang="en">
<head><title>The harbour</title><meta charset="utf-8"></head>
<body>
<h1 id="top" class="title main">Welcome <b>aboard</b></h1>
<p class="lead">First paragraph.</p>
<p>Second &amp; last.</p>
<ul id="list">
<li data-id="1" data-first-name="Ann">one</li>
<li data-id="2" class="picked">two</li>
<li data-id="3">three</li>
</ul>
<a href="/anything/first-link">first</a>
<a id="second" href="/anything/second-link?x=1">second</a>
<table><tr><td>a</td><td>b</td></tr></table>
</body>
</html>
"#;

const FORMS: &str = r#"<!DOCTYPE html>
<html><body>
<form id="one" action="/anything/form-one" method="post">
<input type="hidden" name="csrf" value="t0ken">
<input type="text" name="user" value="nobody">
<input type="password" name="password" value="">
<input type="checkbox" name="remember" value="yes" checked>
<input type="checkbox" name="news" value="yes">
<select name="colour"><option value="red">Red</option><option value="blue" selected>Blue</option></select>
<textarea name="note">hello there</textarea>
<input type="submit" name="go" value="Send">
</form>
<form id="two" action="/anything/form-two" method="get">
<input type="text" name="q" value="ships">
<button type="submit">Find</button>
</form>
</body></html>
"#;

const LINKS: &str = r#"<!DOCTYPE html>
<html><body>
<a class="next" href="/anything/next-page">next</a>
<a class="relative" href="anything/relative">relative</a>
<a class="absent">no target</a>
</body></html>
"#;
