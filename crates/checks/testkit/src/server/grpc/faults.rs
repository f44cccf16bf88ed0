//! Answers that break the rules of gRPC, each method another.

use std::io::Write as _;
use std::time::Duration;

use bytes::Bytes;
use h2::Reason;
use hyper::header::HeaderMap;
use prost::Message as _;
use prost_reflect::{DynamicMessage, MethodDescriptor, Value};

use super::call::{Call, Status, put};
use super::{Ends, text};

pub(super) async fn answer(
    mut call: Call,
    method: &MethodDescriptor,
    ends: &Ends,
) -> Option<Status> {
    let command = call.receive(&method.input()).await?;
    let mut reply = DynamicMessage::new(method.output());
    reply.set_field_by_name("text", Value::String(text(&command, "text")));
    match method.name() {
        "NotGrpc" => {
            call.header("content-type", "text/html");
            call.send_head(503)?;
            call.send_bytes(Bytes::from_static(b"<h1>down</h1>"))
                .await?;
            call.end()?;
            None
        }
        "NoContentType" => {
            call.send_head(200)?;
            call.send(&reply).await?;
            call.finish(Status::ok()).await
        }
        "NoStatus" => {
            call.send(&reply).await?;
            call.end()?;
            None
        }
        "BadStatus" => {
            call.send(&reply).await?;
            let mut fields = HeaderMap::new();
            put(&mut fields, "grpc-status", "fine");
            call.end_with(fields)?;
            None
        }
        "BadMessage" => {
            call.send_raw(0, b"\x0a\xffabc").await?;
            call.finish(Status::ok()).await
        }
        "CutMessage" => {
            call.send_bytes(Bytes::from_static(b"\0\0\0\0\x09abc"))
                .await?;
            call.finish(Status::ok()).await
        }
        "NoReply" => call.finish(Status::ok()).await,
        "TwoReplies" => {
            call.send(&reply).await?;
            call.send(&reply).await?;
            call.finish(Status::ok()).await
        }
        "Reset" => {
            let code: u32 = text(&command, "text").parse().unwrap_or_default();
            call.reset(Reason::from(code));
            None
        }
        "Gone" => {
            ends.gone.notify_one();
            tokio::time::sleep(Duration::from_secs(30)).await;
            None
        }
        "GoAway" => {
            ends.go_away.notify_one();
            tokio::time::sleep(Duration::from_millis(20)).await;
            call.send(&reply).await?;
            call.finish(Status::ok()).await
        }
        "Compressed" => compressed(call, "gzip", &squeezed(&reply)?).await,
        "BadCompression" => compressed(call, "gzip", b"not squeezed").await,
        "UnknownCompression" => compressed(call, "shrink", b"abc").await,
        "BadFormat" => {
            call.send_raw(7, b"abc").await?;
            call.finish(Status::ok()).await
        }
        // Unanswered: whoever asked may wait.
        _ => {
            tokio::time::sleep(Duration::from_secs(30)).await;
            None
        }
    }
}

fn squeezed(reply: &DynamicMessage) -> Option<Vec<u8>> {
    let mut squeezed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    squeezed.write_all(&reply.encode_to_vec()).ok()?;
    squeezed.finish().ok()
}

async fn compressed(mut call: Call, encoding: &'static str, bytes: &[u8]) -> Option<Status> {
    call.header("grpc-encoding", encoding);
    call.send_raw(1, bytes).await?;
    call.finish(Status::ok()).await
}
