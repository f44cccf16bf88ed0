//! `open()`: files read in init code.
//!
//! Only what the first run of the init code opened may be opened by later users, who
//! share its bytes.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use loadline_js::{Args, Ctx, Exception, Value};
use loadline_units::VuId;

use super::Host;
use crate::loader::path_of;
use crate::shared::{TestShared, lock};

pub(super) fn install(ctx: &Ctx) -> Result<(), Exception> {
    let open = ctx.function("open", 1, open)?;
    ctx.global().set("open", open)
}

fn open(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let host = Host::of(ctx);
    if !host.is_init() {
        return Err(Exception::error(
            "the \"open()\" function is only available in the init stage (i.e. the global scope), see https://grafana.com/docs/k6/latest/using-k6/test-lifecycle for more information",
        ));
    }
    let name = args.get(0).to_text()?;
    if name.is_empty() {
        return Err(Exception::error(
            "open() can't be used with an empty filename",
        ));
    }
    let mode = args.given(1).map(|mode| mode.to_text()).transpose()?;
    let bytes = read(&host, &base_of(ctx, &host), &name)?;
    match mode.as_deref() {
        Some("b") => ctx.array_buffer(bytes.to_vec()),
        _ => ctx.string(&String::from_utf8_lossy(&bytes)),
    }
}

/// The directory that names are relative to: that of the file whose code was begun first
/// of those that run, as in k6. So a module's own top level starts from the module, and a
/// function of it that the script calls from the script.
fn base_of(ctx: &Ctx, host: &Host) -> PathBuf {
    let frames = ctx.call_stack();
    let outermost = frames.iter().rev().find(|frame| !frame.file.is_empty());
    let path = outermost.map(|frame| path_of(&frame.file));
    match path.as_deref().and_then(Path::parent) {
        Some(directory) if directory.is_absolute() => directory.to_owned(),
        _ => host.shared.base_dir.clone(),
    }
}

fn read(host: &Host, base: &Path, name: &str) -> Result<Arc<[u8]>, Exception> {
    read_file(&host.shared, host.vu, &absolute(base, name)).map_err(Exception::error)
}

/// The bytes of a file: once it was read, those read then.
///
/// # Errors
/// k6's words.
pub(crate) fn read_file(shared: &TestShared, vu: VuId, path: &Path) -> Result<Arc<[u8]>, String> {
    if let Some(bytes) = lock(&shared.files).get(path) {
        return Ok(bytes.clone());
    }
    if vu != VuId::LIFECYCLE || shared.run.get().is_some() {
        return Err(format!(
            "open() can't be used with files that weren't previously opened during initialization (__VU==0), path: {:?}",
            path.display().to_string()
        ));
    }
    let bytes: Arc<[u8]> = std::fs::read(path)
        .map_err(|error| refused(path, &error))?
        .into();
    lock(&shared.files).insert(path.to_owned(), bytes.clone());
    Ok(bytes)
}

/// Where a name leads from `base`.
pub(crate) fn absolute(base: &Path, name: &str) -> PathBuf {
    let name = name.strip_prefix("file://").unwrap_or(name);
    let joined = base.join(name);
    // `a/../b` is `b`, as in a URL; links are followed by the system.
    let mut clean = PathBuf::new();
    for part in joined.components() {
        match part {
            std::path::Component::ParentDir => drop(clean.pop()),
            std::path::Component::CurDir => {}
            other => clean.push(other),
        }
    }
    clean
}

/// k6's words for a file that cannot be read.
fn refused(path: &Path, error: &std::io::Error) -> String {
    let shown = path.display();
    match error.kind() {
        std::io::ErrorKind::NotFound => format!("open {shown}: no such file or directory"),
        std::io::ErrorKind::PermissionDenied => format!("open {shown}: permission denied"),
        std::io::ErrorKind::IsADirectory => format!(
            "open() can't be used with directories, path: {:?}",
            shown.to_string()
        ),
        _ => format!("open {shown}: {error}"),
    }
}
