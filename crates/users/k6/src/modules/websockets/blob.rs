//! `Blob`: bytes and their type. As in k6, the stream of a blob consumes it: bytes that were
//! read are no longer in the blob.

use std::cell::Cell;
use std::rc::Rc;

use loadline_js::{Args, Attributes, Ctx, Exception, Value};

use crate::modules::go_error::go_error;
use crate::modules::go_text;
use crate::modules::streams;

/// How much a stream takes at a time, in bytes.
const PIECE_BYTES: usize = 1024;

/// The bytes of a blob.
pub(super) struct Blob {
    bytes: Rc<[u8]>,
    /// How many of them its streams have taken.
    taken: Cell<usize>,
    kind: String,
}

impl Blob {
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes[self.taken.get()..]
    }

    fn take(&self, most: usize) -> &[u8] {
        let rest = self.bytes();
        let taken = &rest[..most.min(rest.len())];
        self.taken.set(self.taken.get() + taken.len());
        taken
    }
}

/// What all users of a realm share.
struct Prototype {
    constructor: Value,
    proto: Value,
    methods: Vec<(&'static str, Value)>,
    size: Value,
    kind: Value,
}

/// Makes the constructor, once.
pub(super) fn install(ctx: &Ctx) -> Result<Value, Exception> {
    if let Some(shape) = ctx.common::<Prototype>() {
        return Ok(shape.constructor.clone());
    }
    let constructor = ctx.constructor("Blob", 2, construct)?;
    let proto = ctx.object()?;
    proto.define("constructor", &constructor, Attributes::HIDDEN)?;
    proto.method("toString", 0, |_, _| Ok("[object Blob]"))?;
    constructor.define("prototype", &proto, Attributes::NONE)?;
    let methods = vec![
        ("arrayBuffer", ctx.function("arrayBuffer", 0, array_buffer)?),
        ("bytes", ctx.function("bytes", 0, bytes)?),
        ("slice", ctx.function("slice", 3, slice)?),
        ("text", ctx.function("text", 0, text)?),
        ("stream", ctx.function("stream", 0, stream)?),
    ];
    let size = ctx.function("size", 0, |_, args| {
        Ok(args.this_host::<Blob>()?.bytes().len())
    })?;
    let kind = ctx.function("type", 0, |_, args| {
        Ok(args.this_host::<Blob>()?.kind.clone())
    })?;
    ctx.set_common(Rc::new(Prototype {
        constructor: constructor.clone(),
        proto,
        methods,
        size,
        kind,
    }));
    Ok(constructor)
}

/// A blob of `bytes`, of no type.
pub(super) fn new_object(ctx: &Ctx, bytes: Vec<u8>) -> Result<Value, Exception> {
    make(ctx, bytes, String::new())
}

fn make(ctx: &Ctx, bytes: Vec<u8>, kind: String) -> Result<Value, Exception> {
    let shape = ctx.common::<Prototype>().expect("made with the module");
    let blob = Blob {
        bytes: bytes.into(),
        taken: Cell::new(0),
        kind,
    };
    let object = ctx.host_object(&shape.proto, Rc::new(blob))?;
    object.define_accessor("size", Some(&shape.size), None)?;
    object.define_accessor("type", Some(&shape.kind), None)?;
    for (name, function) in &shape.methods {
        object.set(*name, function)?;
    }
    Ok(object)
}

/// `new Blob(parts?, {type}?)`
fn construct(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let mut bytes = Vec::new();
    let parts = args.get(0);
    if parts.is_array() {
        for part in parts.elements()? {
            match bytes_of(&part)? {
                Ok(more) => bytes.extend(more),
                Err(kind) => {
                    let message =
                        format!("failed to process [blobParts]: unsupported type: {kind}");
                    return Err(go_error(ctx, message));
                }
            }
        }
    } else if !parts.is_nullish() {
        let kind = parts.to_text()?;
        let message =
            format!("failed to process [blobParts]: could not convert {kind} to []interface {{}}");
        return Err(go_error(ctx, message));
    }
    let options = args.get(1);
    let mut kind = String::new();
    if !options.is_undefined() {
        if !options.is_object() {
            return Err(go_error(ctx, "[options] must be an object"));
        }
        let given = options.get("type")?;
        if !given.is_undefined() {
            kind = given.to_text()?;
        }
    }
    make(ctx, bytes, kind)
}

/// The bytes of a part, or Go's type name of a value that cannot be a part.
fn bytes_of(part: &Value) -> Result<Result<Vec<u8>, String>, Exception> {
    if part.is_string() {
        return Ok(Ok(part.to_text()?.into_bytes()));
    }
    if let Some(blob) = part.host::<Blob>() {
        return Ok(Ok(blob.bytes().to_vec()));
    }
    Ok(part.to_bytes().ok_or_else(|| {
        if part.is_nullish() {
            "<nil>".to_owned()
        } else {
            go_text::type_name(part).to_string()
        }
    }))
}

fn promise(ctx: &Ctx, value: Result<Value, Exception>) -> Result<Value, Exception> {
    let (promise, resolver) = ctx.promise()?;
    resolver.settle(ctx, value)?;
    Ok(promise)
}

fn array_buffer(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let blob = args.this_host::<Blob>()?;
    promise(ctx, ctx.array_buffer(blob.bytes().to_vec()))
}

fn bytes(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let blob = args.this_host::<Blob>()?;
    promise(ctx, ctx.uint8_array(blob.bytes().to_vec()))
}

fn text(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let blob = args.this_host::<Blob>()?;
    promise(ctx, ctx.string(&String::from_utf8_lossy(blob.bytes())))
}

/// `stream()`: of text, a piece at a time, and an empty one at the end.
fn stream(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    args.this_host::<Blob>()?;
    let pull = ctx.function_with("pull", 1, vec![args.this()], |ctx, args| {
        let Some(blob) = args.slot(0).host::<Blob>() else {
            return Ok(());
        };
        let at_end = blob.bytes().is_empty();
        let controller = args.get(0);
        let piece = ctx.string(&text_as_go_reads(blob.take(PIECE_BYTES)))?;
        controller.get("enqueue")?.invoke(&[piece])?;
        if at_end {
            controller.get("close")?.invoke(&[])?;
        }
        Ok(())
    })?;
    streams::of_pull(ctx, &pull)
}

/// Decodes bytes as Go reads text: each invalid byte becomes one character.
fn text_as_go_reads(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER));
    }
    text
}

/// `slice(start?, end?, type?)`; an end below zero counts from the end.
fn slice(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let blob = args.this_host::<Blob>()?;
    let length = i64::try_from(blob.bytes().len()).unwrap_or(i64::MAX);
    let number = |index: usize, otherwise: i64| match args.get(index) {
        value if value.is_undefined() => Ok(otherwise),
        value => value.to_i64(),
    };
    let from = number(0, 0)?;
    let mut to = number(1, length)?;
    if to < 0 {
        to += length;
    }
    let range = usize::try_from(from).ok().zip(usize::try_from(to).ok());
    let part = range.and_then(|(from, to)| blob.bytes().get(from..to));
    let Some(part) = part else {
        return Err(Exception::range_error("slice bounds out of range"));
    };
    let kind = match args.get(2) {
        kind if kind.is_undefined() => String::new(),
        kind => kind.to_text()?,
    };
    make(ctx, part.to_vec(), kind)
}
