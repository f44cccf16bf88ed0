//! Server-Sent Events; the path chooses how many and how.

use std::convert::Infallible;
use std::io::Write;
use std::time::Duration;

use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use futures_util::stream;
use http_body_util::{BodyExt, StreamBody};
use hyper::Request;
use hyper::body::{Frame, Incoming};
use hyper::header::HeaderValue;
use serde_json::json;

use super::super::reply::{self, Reply};
use super::Asked;

const TYPE: &str = "text/event-stream";

pub(super) async fn answer(request: Request<Incoming>, asked: &Asked) -> Reply {
    match asked.part(0) {
        "ticks" => ticks(asked, asked.part_number(1), false),
        "endless" => ticks(asked, u64::MAX, false),
        "gzip" => ticks(asked, asked.part_number(1), true),
        "text" => reply::bytes(
            200,
            TYPE,
            asked.parameter("body").unwrap_or_default().to_owned(),
        ),
        "type" => reply::bytes(
            200,
            asked.parameter("type").unwrap_or("text/plain"),
            "data: x\n\n",
        ),
        "cut" => {
            // More is promised than comes.
            let mut reply = ticks(asked, 2, false);
            reply
                .headers_mut()
                .insert("content-length", HeaderValue::from_static("100000"));
            reply
        }
        "echo" => echo(request, asked).await,
        "status" => reply::json(
            u16::try_from(asked.part_number(1)).unwrap_or(500),
            &json!({ "refused": asked.part_number(1) }),
        ),
        "redirect" => reply::redirect(302, "/sse/ticks/1"),
        _ => reply::text(404, "no such stream\n"),
    }
}

/// `{id, event: tick, data}` so many times, `gap` milliseconds apart.
fn ticks(asked: &Asked, count: u64, gzip: bool) -> Reply {
    let gap = asked.number("gap", 0);
    let encoder = GzEncoder::new(Vec::new(), Compression::fast());
    let frames = stream::unfold((0, encoder), move |(number, mut encoder)| async move {
        if number > count || (number == count && !gzip) {
            return None;
        }
        if gap > 0 && number > 0 {
            tokio::time::sleep(Duration::from_millis(gap)).await;
        }
        let text = format!("id: {number}\nevent: tick\ndata: {{\"tick\":{number}}}\n\n");
        let bytes = if !gzip {
            text.into_bytes()
        } else if number == count {
            std::mem::replace(
                &mut encoder,
                GzEncoder::new(Vec::new(), Compression::fast()),
            )
            .finish()
            .unwrap_or_default()
        } else {
            // Writing to memory cannot fail.
            let _ = encoder
                .write_all(text.as_bytes())
                .and_then(|()| encoder.flush());
            std::mem::take(encoder.get_mut())
        };
        Some((
            Ok::<_, Infallible>(Frame::data(Bytes::from(bytes))),
            (number + 1, encoder),
        ))
    });
    let mut reply = hyper::Response::new(StreamBody::new(frames).boxed_unsync());
    reply
        .headers_mut()
        .insert("content-type", HeaderValue::from_static(TYPE));
    if gzip {
        reply
            .headers_mut()
            .insert("content-encoding", HeaderValue::from_static("gzip"));
    }
    reply
}

/// One event that says what was asked.
async fn echo(request: Request<Incoming>, asked: &Asked) -> Reply {
    let method = request.method().to_string();
    let version = format!("{:?}", request.version());
    let body = request
        .into_body()
        .collect()
        .await
        .map(http_body_util::Collected::to_bytes)
        .unwrap_or_default();
    let told = json!({
        "method": method,
        "version": version,
        "accept": asked.header("accept"),
        "cookie": asked.header("cookie"),
        "user-agent": asked.header("user-agent"),
        "x-own": asked.header("x-own"),
        "body": String::from_utf8_lossy(&body),
    });
    let mut reply = reply::bytes(200, TYPE, format!("data: {told}\n\n"));
    if let Some(Ok(cookie)) = asked.parameter("cookie").map(str::parse) {
        reply.headers_mut().insert("set-cookie", cookie);
    }
    reply
}
