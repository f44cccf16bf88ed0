//! `k6/experimental/fs`: files that are opened in init code and read in parts.
//!
//! The bytes of a file are stored once for the whole run, together with those of `open()`. A
//! file object of a script only holds a position in them.

use std::cell::Cell;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use loadline_js::{Args, Attributes, Ctx, Exception, Exports, Value};

use super::failure::{Failure, OperationResult, fail, promise};
use crate::host::lock;
use crate::host::{Host, absolute, read_file};

/// What an offset counts from.
const SEEK_START: i64 = 0;
const SEEK_CURRENT: i64 = 1;
const SEEK_END: i64 = 2;

/// A file as one user reads it.
pub(super) struct File {
    path: PathBuf,
    bytes: Arc<[u8]>,
    at: Cell<usize>,
}

impl File {
    /// Its path.
    pub(super) fn path(&self) -> String {
        self.path.display().to_string()
    }

    /// What was not read yet, which counts as read now.
    pub(super) fn take_rest(&self) -> Vec<u8> {
        let at = self.at.replace(self.bytes.len());
        self.bytes[at..].to_vec()
    }

    /// Reads as much as fits.
    fn read(&self, most: usize) -> &[u8] {
        let at = self.at.get();
        let end = at.saturating_add(most).min(self.bytes.len());
        self.at.set(end);
        &self.bytes[at..end]
    }

    fn seek(&self, offset: i64, whence: i64) -> Result<i64, &'static str> {
        let size = i64::try_from(self.bytes.len()).unwrap_or(i64::MAX);
        let here = i64::try_from(self.at.get()).unwrap_or(i64::MAX);
        let base = match whence {
            SEEK_START if offset < 0 => {
                return Err("offset cannot be negative when using SeekModeStart");
            }
            SEEK_END if offset > 0 => {
                return Err("offset cannot be positive when using SeekModeEnd");
            }
            SEEK_START => 0,
            SEEK_CURRENT => here,
            // As in k6 the end is the last byte, not the place after it.
            _ => size - 1,
        };
        let to = base.saturating_add(offset);
        if to < 0 {
            return Err("seeking before start of file");
        }
        if to > size {
            return Err("seeking beyond end of file");
        }
        self.at.set(usize::try_from(to).unwrap_or_default());
        Ok(to)
    }
}

pub(crate) fn exports(ctx: &Ctx) -> Result<Exports, Exception> {
    let mut exports = Exports::new();
    let proto = ctx.object()?.prototype()?;
    let slots = vec![
        proto,
        ctx.function("read", 1, read)?,
        ctx.function("seek", 2, seek)?,
        ctx.function("stat", 0, stat)?,
    ];
    exports.add("open", ctx.function_with("open", 1, slots, open)?);
    let modes = ctx.object()?;
    for (name, mode) in [
        ("Start", SEEK_START),
        ("Current", SEEK_CURRENT),
        ("End", SEEK_END),
    ] {
        modes.set(name, mode)?;
    }
    exports.add("SeekMode", modes);
    Ok(exports)
}

/// `open(path)`
fn open(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let prepare = || -> OperationResult<_> {
        let host = Host::from_ctx(ctx);
        if !host.is_init() {
            let text = "open() failed; reason: opening a file is allowed only in the Init context";
            return fail("ForbiddenError", text);
        }
        let path = args.get(0);
        if path.is_nullish() {
            let text = "open() failed; reason: path cannot be null or undefined";
            return fail("TypeError", text);
        }
        let path = path.to_text()?;
        if path.is_empty() {
            return fail("TypeError", "open() failed; reason: path cannot be empty");
        }
        let path = absolute(&host.shared.base_dir, &path);
        let slots: Vec<Value> = (0..4).map(|index| args.slot(index)).collect();
        Ok(move |ctx: &Ctx| -> OperationResult<Value> {
            let bytes = bytes_of(&Host::from_ctx(ctx), &path)?;
            let shown = path.display().to_string();
            let at = Cell::new(0);
            let object = ctx.host_object(&slots[0], Rc::new(File { path, bytes, at }))?;
            object.set("path", shown)?;
            for (name, function) in ["read", "seek", "stat"].into_iter().zip(&slots[1..]) {
                object.define(name, function, Attributes::FIXED)?;
            }
            Ok(object)
        })
    };
    promise(ctx, prepare())
}

fn bytes_of(host: &Host, path: &std::path::Path) -> OperationResult<Arc<[u8]>> {
    let known = lock(&host.shared.files).contains_key(path);
    let shown = path.display().to_string();
    if !known {
        let Ok(facts) = std::fs::metadata(host.shared.root.place(path)) else {
            let text = format!("no such file or directory {shown:?}");
            return fail("NotFoundError", text);
        };
        if facts.is_dir() {
            let text = format!("cannot open {shown:?}: opening a directory is not supported");
            return fail("InvalidResourceError", text);
        }
    }
    Ok(read_file(&host.shared, host.vu, path).map_err(Failure::plain)?)
}

/// `file.read(into)`: how many bytes, or null at the end.
fn read(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let file = args.this_host::<File>()?;
    let prepare = || -> OperationResult<_> {
        let into = args.get(0);
        if into.is_nullish() {
            let text = "read() failed; reason: into argument cannot be null or undefined";
            return fail("TypeError", text);
        }
        let class = ctx.global().get("Uint8Array")?;
        if !into.is_typed_array() || !into.get("constructor")?.strict_equals(&class) {
            let text = "read() failed; reason: into argument must be a Uint8Array";
            return fail("TypeError", text);
        }
        // As in k6 the whole buffer is filled, even when the array shows only a part of it.
        let buffer = into.get("buffer")?;
        Ok(move |ctx: &Ctx| -> OperationResult<Value> {
            let room = buffer.to_bytes().map_or(0, |bytes| bytes.len());
            let at_end = file.at.get() == file.bytes.len();
            let bytes = file.read(room);
            buffer.write_bytes(0, bytes);
            Ok(if at_end {
                ctx.null()
            } else {
                ctx.number(bytes.len() as f64)
            })
        })
    };
    promise(ctx, prepare())
}

/// `file.seek(offset, whence)`: the new place.
fn seek(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let file = args.this_host::<File>()?;
    let prepare = || -> OperationResult<_> {
        let offset = whole(&args.get(0), "offset")?;
        let whence = whole(&args.get(1), "whence")?;
        if ![SEEK_START, SEEK_CURRENT, SEEK_END].contains(&whence) {
            let text = "seek() failed; reason: the whence argument must be a SeekMode";
            return fail("TypeError", text);
        }
        Ok(move |ctx: &Ctx| -> OperationResult<Value> {
            match file.seek(offset, whence) {
                Ok(place) => Ok(ctx.number(place as f64)),
                Err(why) => fail("TypeError", why),
            }
        })
    };
    promise(ctx, prepare())
}

fn whole(value: &Value, name: &str) -> OperationResult<i64> {
    let why = match value.as_f64() {
        Some(number) if number.fract() == 0.0 => return Ok(value.to_i64()?),
        None if value.is_nullish() => "cannot be null or undefined",
        _ => "must be a number",
    };
    let text = format!("seek() failed; reason: the {name} argument {why}");
    fail("TypeError", text)
}

/// `file.stat()`
fn stat(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let file = args.this_host::<File>()?;
    promise(
        ctx,
        Ok(move |ctx: &Ctx| -> OperationResult<Value> {
            let object = ctx.object()?;
            let name = file.path.file_name().unwrap_or_default();
            object.set("name", name.to_string_lossy().into_owned())?;
            object.set("size", file.bytes.len())?;
            Ok(object)
        }),
    )
}
