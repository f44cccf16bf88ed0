//! `archive`: a script with all it reads in one file, in the form that `unpacked` reads.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::path::Path;

use loadline_k6_options::K6Version;
use loadline_k6_options::flags::{FlagKind, FlagSpec};
use loadline_session::k6::K6Test;
use loadline_text::{Dialect, Exit};
use serde_json::json;

use super::inspect::go_json;
use super::loadline_flags::flag;
use super::refusal::ScriptRefusal;
use super::{Script, Stop};
use crate::context::Context;

/// Where an archive is written unless said otherwise.
const ARCHIVE_FILE: &str = "archive.tar";

/// Flags of the command, beside those of `run`.
static ARCHIVE_FLAGS: [FlagSpec; 2] = [
    FlagSpec {
        short: Some('O'),
        ..flag("archive-out", FlagKind::Text, "file", "the file to write")
    },
    // Variables of the command line go into archives unless this keeps them out; ours never go
    // without being typed.
    flag(
        "exclude-env-vars",
        FlagKind::Switch,
        "",
        "keep variables out",
    ),
];

/// Writes the archive that `args` ask for; gives the exit code.
pub(in super::super) fn exec(context: &mut Context, args: &[String]) -> u8 {
    let mut rest = vec!["--quiet".to_owned()];
    rest.extend_from_slice(args);
    let written = Script::read_with(context, &ARCHIVE_FLAGS, &rest).and_then(|script| {
        let to = script
            .parsed
            .given
            .last("archive-out")
            .unwrap_or(ARCHIVE_FILE);
        let test = script.prepare(context, None)?;
        let path = context.working_dir.join(to);
        write(&path, &script, &test, &context.working_dir).map_err(|error| {
            let other = Exit::Other.code(Dialect::K6);
            Stop::Logged(ScriptRefusal::new(format!("open {to}: {error}"), other))
        })
    });
    match written {
        Ok(()) => Exit::Success.code(Dialect::K6),
        Err(stop) => stop.print(context, &context.catalog(None)),
    }
}

fn write(path: &Path, script: &Script, test: &K6Test, pwd: &Path) -> io::Result<()> {
    let Some((entry, text)) = test.modules.first() else {
        return Err(io::Error::other("the script has no text"));
    };
    let env: BTreeMap<&str, &str> = script
        .parsed
        .run
        .env
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    let mut metadata = json!({
        "type": "js",
        "options": test.written_options.to_inspection(),
        "filename": entry,
        "pwd": format!("file://{}", pwd.display()),
        "env": env,
        "compatibilityMode": script.runtime.compatibility_mode.name(),
        "k6version": script.runtime.version.number(),
        "goos": std::env::consts::OS,
    });
    if script.runtime.version >= K6Version::V2 {
        metadata["dependencies"] = json!({ "k6": "*" });
    }
    let mut archive = tar::Builder::new(File::create(path)?);
    let mut add = |name: &str, bytes: &[u8]| {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        archive.append_data(&mut header, name.trim_start_matches('/'), bytes)
    };
    add("metadata.json", go_json(&metadata).as_bytes())?;
    add("data", text.as_bytes())?;
    for (url, text) in &test.modules {
        if let Some(path) = url.strip_prefix("file://") {
            add(&format!("file{path}"), text.as_bytes())?;
        } else if let Some(path) = url.strip_prefix("https://") {
            add(&format!("https/{path}"), text.as_bytes())?;
        }
    }
    for (path, bytes) in &test.opened {
        add(&format!("file{}", path.display()), bytes)?;
    }
    archive.finish()
}
