//! `open()`: files read in init code.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use loadline_js::{Args, Ctx, Exception, Value};

use crate::host::{Host, absolute, read_file};
use crate::modules::go_error::go_error;
use crate::paths::path_of;

pub(super) fn install(ctx: &Ctx) -> Result<(), Exception> {
    let open = ctx.function("open", 1, open)?;
    ctx.global().set("open", open)
}

fn open(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let host = Host::from_ctx(ctx);
    if !host.is_init() {
        return Err(go_error(
            ctx,
            "the \"open()\" function is only available in the init stage (i.e. the global scope), see https://grafana.com/docs/k6/latest/using-k6/test-lifecycle/ for more information",
        ));
    }
    let name = args.get(0).to_text()?;
    if name.is_empty() {
        return Err(go_error(ctx, "open() can't be used with an empty filename"));
    }
    let mode = args.given(1).map(|mode| mode.to_text()).transpose()?;
    let bytes = read(ctx, &host, &absolute(&base_of(ctx, &host), &name))?;
    match mode.as_deref() {
        Some("b") => ctx.array_buffer(bytes.to_vec()),
        _ => ctx.string(&String::from_utf8_lossy(&bytes)),
    }
}

/// The directory that file names are relative to: that of the outermost file on the call
/// stack, as in k6. The top level of a module is relative to the module; a function of it
/// that the script calls is relative to the script.
fn base_of(ctx: &Ctx, host: &Host) -> PathBuf {
    let frames = ctx.call_stack();
    let outermost = frames.iter().rev().find(|frame| !frame.file.is_empty());
    let path = outermost.map(|frame| path_of(&frame.file));
    match path.as_deref().and_then(Path::parent) {
        Some(directory) if directory.is_absolute() => directory.to_owned(),
        _ => host.shared.base_dir.clone(),
    }
}

fn read(ctx: &Ctx, host: &Host, path: &Path) -> Result<Arc<[u8]>, Exception> {
    read_file(&host.shared, host.vu, path).map_err(|text| {
        // k6 asks first whether it is a directory.
        let missing = text
            .strip_prefix("open ")
            .filter(|rest| rest.ends_with(": no such file or directory"));
        let text = missing.map_or(text.clone(), |rest| format!("stat {rest}"));
        go_error(ctx, text)
    })
}
