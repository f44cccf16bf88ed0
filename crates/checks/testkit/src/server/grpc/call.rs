//! One call: messages in, messages out, and how it ends.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};
use bytes::{Buf, Bytes, BytesMut};
use h2::server::SendResponse;
use h2::{Reason, RecvStream, SendStream};
use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use hyper::{Request, Response};
use prost::Message;
use prost_reflect::{DynamicMessage, MessageDescriptor, Value};

/// How a call ends.
#[derive(Debug, Clone)]
pub(super) struct Status {
    pub(super) code: i32,
    message: String,
    /// `Any`s.
    pub(super) details: Vec<Value>,
}

impl Status {
    pub(super) fn ok() -> Self {
        Self::new(0, "")
    }

    pub(super) fn new(code: i32, message: &str) -> Self {
        Self {
            code,
            message: message.to_owned(),
            details: Vec::new(),
        }
    }

    fn fields(&self) -> HeaderMap {
        let mut fields = HeaderMap::new();
        put(&mut fields, "grpc-status", &self.code.to_string());
        if !self.message.is_empty() {
            put(&mut fields, "grpc-message", &escaped(&self.message));
        }
        if !self.details.is_empty() {
            // A google.rpc.Status, written by hand: code 1, message 2, details 3.
            let mut status = Vec::new();
            prost::encoding::int32::encode(1, &self.code, &mut status);
            prost::encoding::string::encode(2, &self.message, &mut status);
            for detail in self.details.iter().filter_map(Value::as_message) {
                prost::encoding::bytes::encode(3, &detail.encode_to_vec(), &mut status);
            }
            put(
                &mut fields,
                "grpc-status-details-bin",
                &STANDARD_NO_PAD.encode(status),
            );
        }
        fields
    }
}

/// Percent-encoding of `grpc-message`.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        if (b' '..=b'~').contains(&byte) && byte != b'%' {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

/// Adds a field; what cannot be one is left out.
pub(super) fn put(fields: &mut HeaderMap, name: &str, value: &str) {
    if let (Ok(name), Ok(value)) = (
        HeaderName::from_bytes(name.as_bytes()),
        HeaderValue::from_bytes(value.as_bytes()),
    ) {
        fields.append(name, value);
    }
}

/// A call under way.
pub(super) struct Call {
    metadata: HeaderMap,
    body: RecvStream,
    unread: BytesMut,
    pub(super) respond: SendResponse<Bytes>,
    headers: HeaderMap,
    trailers: HeaderMap,
    sender: Option<SendStream<Bytes>>,
}

impl Call {
    pub(super) fn new(request: Request<RecvStream>, respond: SendResponse<Bytes>) -> Self {
        let (head, body) = request.into_parts();
        Self {
            metadata: head.headers,
            body,
            unread: BytesMut::new(),
            respond,
            headers: HeaderMap::new(),
            trailers: HeaderMap::new(),
            sender: None,
        }
    }

    /// What came with the call, without what clients add on their own; binary values in base64 with padding.
    pub(super) fn metadata(&self) -> Vec<(String, String)> {
        const OWN: [&str; 5] = [
            "content-type",
            "te",
            "user-agent",
            "grpc-timeout",
            "grpc-accept-encoding",
        ];
        let fields = self.metadata.iter().map(|(name, value)| {
            let text = String::from_utf8_lossy(value.as_bytes()).into_owned();
            let text = if name.as_str().ends_with("-bin") {
                STANDARD.encode(STANDARD_NO_PAD.decode(text).unwrap_or_default())
            } else {
                text
            };
            (name.as_str().to_owned(), text)
        });
        let mut fields: Vec<_> = fields
            .filter(|(name, _)| !OWN.contains(&name.as_str()))
            .collect();
        fields.sort();
        fields
    }

    pub(super) fn metadata_value(&self, name: &str) -> Option<&str> {
        self.metadata.get(name)?.to_str().ok()
    }

    /// To be sent before the first message.
    pub(super) fn header(&mut self, name: &str, value: &str) {
        put(&mut self.headers, name, value);
    }

    /// To be sent after the last one.
    pub(super) fn trailer(&mut self, name: &str, value: &str) {
        put(&mut self.trailers, name, value);
    }

    /// The next message; `None` after the last.
    pub(super) async fn receive(&mut self, kind: &MessageDescriptor) -> Option<DynamicMessage> {
        loop {
            if self.unread.len() >= 5 {
                let length = u32::from_be_bytes(self.unread[1..5].try_into().ok()?);
                let length = usize::try_from(length).ok()?;
                if self.unread.len() >= 5 + length {
                    self.unread.advance(5);
                    let payload = self.unread.split_to(length);
                    return DynamicMessage::decode(kind.clone(), payload).ok();
                }
            }
            let piece = self.body.data().await?.ok()?;
            self.body
                .flow_control()
                .release_capacity(piece.len())
                .ok()?;
            self.unread.extend_from_slice(&piece);
        }
    }

    pub(super) async fn send(&mut self, message: &DynamicMessage) -> Option<()> {
        self.send_raw(0, &message.encode_to_vec()).await
    }

    pub(super) async fn send_raw(&mut self, format: u8, payload: &[u8]) -> Option<()> {
        let length = u32::try_from(payload.len()).ok()?;
        let mut bytes = vec![format];
        bytes.extend_from_slice(&length.to_be_bytes());
        bytes.extend_from_slice(payload);
        self.send_bytes(bytes.into()).await
    }

    /// Sends bytes as they are, the head before them if it is not out.
    pub(super) async fn send_bytes(&mut self, mut bytes: Bytes) -> Option<()> {
        if self.sender.is_none() {
            put(&mut self.headers, "content-type", "application/grpc");
            self.send_head(200)?;
        }
        let sender = self.sender.as_mut()?;
        while !bytes.is_empty() {
            sender.reserve_capacity(bytes.len());
            let room = std::future::poll_fn(|cx| sender.poll_capacity(cx))
                .await?
                .ok()?;
            sender
                .send_data(bytes.split_to(room.min(bytes.len())), false)
                .ok()?;
        }
        Some(())
    }

    /// Sends the head with the headers there are.
    pub(super) fn send_head(&mut self, status: u16) -> Option<()> {
        let mut head = Response::new(());
        *head.status_mut() = status.try_into().ok()?;
        *head.headers_mut() = std::mem::take(&mut self.headers);
        self.sender = Some(self.respond.send_response(head, false).ok()?);
        Some(())
    }

    /// Ends without a status.
    pub(super) fn end(&mut self) -> Option<()> {
        self.sender.as_mut()?.send_data(Bytes::new(), true).ok()
    }

    /// Ends with fields of our choice.
    pub(super) fn end_with(&mut self, fields: HeaderMap) -> Option<()> {
        self.sender.as_mut()?.send_trailers(fields).ok()
    }

    pub(super) fn reset(&mut self, reason: Reason) {
        match &mut self.sender {
            Some(sender) => sender.send_reset(reason),
            None => self.respond.send_reset(reason),
        }
    }

    /// Ends with a status; without any message before, in one head.
    pub(super) async fn finish(mut self, status: Status) -> Option<Status> {
        let mut fields = status.fields();
        for (name, value) in &self.trailers {
            fields.append(name, value.clone());
        }
        if let Some(mut sender) = self.sender {
            sender.send_trailers(fields).ok()?;
        } else {
            fields.extend(std::mem::take(&mut self.headers));
            put(&mut fields, "content-type", "application/grpc");
            let mut head = Response::new(());
            *head.headers_mut() = fields;
            self.respond.send_response(head, true).ok()?;
        }
        // A client that sends on is heard to its end, or hears a reset.
        while let Some(Ok(piece)) = self.body.data().await {
            let _gone = self.body.flow_control().release_capacity(piece.len());
        }
        Some(status)
    }
}
