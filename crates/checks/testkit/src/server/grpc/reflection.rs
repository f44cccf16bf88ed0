//! Server reflection: tells a client which services there are, and their descriptors.
//!
//! Messages are read and written field by field: version 1 and 1alpha have the same.

use prost::encoding::{DecodeContext, WireType, decode_key, skip_field};
use prost_reflect::{DescriptorPool, DynamicMessage, FileDescriptor};

use super::call::{Call, Status};
use super::{full_name, pool};

/// The service of version 1.
pub(super) const NEWER: &str = "grpc.reflection.v1.ServerReflection";
/// The one before.
pub(super) const OLDER: &str = "grpc.reflection.v1alpha.ServerReflection";

/// Requests hold one of these.
const BY_NAME: u32 = 3;
const BY_SYMBOL: u32 = 4;
const LIST: u32 = 7;

/// Answers requests until there are no more.
pub(super) async fn answer(mut call: Call) -> Option<Status> {
    if call
        .metadata_value("x-key")
        .is_some_and(|key| key != "open")
    {
        return call.finish(Status::new(7, "no reflection for you")).await;
    }
    while let Some((field, text)) = request(&mut call).await {
        let mut reply = Vec::new();
        match field {
            LIST => {
                let mut list = Vec::new();
                for service in pool().services() {
                    let mut named = Vec::new();
                    let name = service.full_name().to_owned();
                    prost::encoding::string::encode(1, &name, &mut named);
                    prost::encoding::bytes::encode(1, &named, &mut list);
                }
                prost::encoding::bytes::encode(6, &list, &mut reply);
            }
            BY_NAME | BY_SYMBOL => {
                let file = if field == BY_NAME {
                    pool().get_file_by_name(&text)
                } else {
                    containing(pool(), &text)
                };
                match file {
                    Some(file) => {
                        let mut files = Vec::new();
                        prost::encoding::bytes::encode(1, &file.encode_to_vec(), &mut files);
                        prost::encoding::bytes::encode(4, &files, &mut reply);
                    }
                    None => error(5, &format!("not found: {text}"), &mut reply),
                }
            }
            _ => error(12, "not done here", &mut reply),
        }
        call.send_raw(0, &reply).await?;
    }
    call.finish(Status::ok()).await
}

fn error(code: i32, message: &str, reply: &mut Vec<u8>) {
    let mut error = Vec::new();
    prost::encoding::int32::encode(1, &code, &mut error);
    prost::encoding::string::encode(2, &message.to_owned(), &mut error);
    prost::encoding::bytes::encode(7, &error, reply);
}

/// Which field a request has, and its text.
async fn request(call: &mut Call) -> Option<(u32, String)> {
    // `Empty` keeps all it does not know; what it kept is looked at.
    let empty = pool().get_message_by_name("google.protobuf.Empty")?;
    let message = call.receive(&empty).await?;
    debug_assert_eq!(full_name(&message), "google.protobuf.Empty");
    read(&message)
}

fn read(message: &DynamicMessage) -> Option<(u32, String)> {
    let bytes = prost::Message::encode_to_vec(message);
    let mut rest = bytes.as_slice();
    while !rest.is_empty() {
        let (field, kind) = decode_key(&mut rest).ok()?;
        if matches!(field, BY_NAME | BY_SYMBOL | LIST) && kind == WireType::LengthDelimited {
            let mut text = String::new();
            prost::encoding::string::merge(kind, &mut text, &mut rest, DecodeContext::default())
                .ok()?;
            return Some((field, text));
        }
        skip_field(kind, field, &mut rest, DecodeContext::default()).ok()?;
    }
    None
}

/// The file that says what `symbol` is.
fn containing(pool: &DescriptorPool, symbol: &str) -> Option<FileDescriptor> {
    let service = pool.get_service_by_name(symbol).map(|s| s.parent_file());
    let message = || pool.get_message_by_name(symbol).map(|m| m.parent_file());
    let kind = || pool.get_enum_by_name(symbol).map(|e| e.parent_file());
    service.or_else(message).or_else(kind)
}
