//! The parts of Node that processors can use: native functions below the JavaScript prelude.

use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use loadline_js::{Call, Ctx, Exception, Value, Vm, inspect};
use serde_json::Map;

use super::running::RunningProcessor;
use crate::console::Console;

const PRELUDE: &str = include_str!("prelude.js");
/// The loop that runs functions; it also runs in Node.
pub(super) const LOOP: &str = include_str!("loop.js");

/// The largest file or random buffer that is returned, in bytes.
const FILE_BYTES_MAX: f64 = 64.0 * 1024.0 * 1024.0;

/// Installs the prelude and stores its result as `__loop`.
pub(super) fn install(
    ctx: &Ctx,
    folder: &str,
    env: &Map<String, serde_json::Value>,
    console: Arc<dyn Console>,
) -> Result<(), Exception> {
    ctx.install_timers(|_, _, value| {
        let text = value.to_text().unwrap_or_default();
        Exception::type_error(format!(
            "The \"callback\" argument must be of type function. Received {text}"
        ))
    })?;
    let host = ctx.object()?;
    host.set("cwd", folder)?;
    host.set(
        "env",
        ctx.parse_json(serde_json::Value::Object(env.clone()).to_string())?,
    )?;
    let errors = console.clone();
    host.method("print", 1, move |_, args| {
        console.print(args.get(0).to_text()?);
        Ok(())
    })?;
    host.method("printError", 1, move |_, args| {
        errors.print_error(args.get(0).to_text()?);
        Ok(())
    })?;
    host.method("inspect", 1, |_, args| inspect(&args.get(0)))?;
    host.method("randomBytes", 1, |ctx, args| {
        let size = args.get(0).to_number()?.clamp(0.0, FILE_BYTES_MAX);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "clamped before"
        )]
        let mut bytes = vec![0; size as usize];
        getrandom::fill(&mut bytes).map_err(|error| Exception::error(error.to_string()))?;
        ctx.uint8_array(bytes)
    })?;
    host.method("digest", 2, |ctx, args| {
        let name = args.get(0).to_text()?;
        let bytes = args.get(1).to_bytes().unwrap_or_default();
        let algorithm = match name.as_str() {
            "sha1" => &aws_lc_rs::digest::SHA1_FOR_LEGACY_USE_ONLY,
            "sha256" => &aws_lc_rs::digest::SHA256,
            "sha384" => &aws_lc_rs::digest::SHA384,
            "sha512" => &aws_lc_rs::digest::SHA512,
            "md5" => {
                use md5::Digest;
                return ctx.uint8_array(md5::Md5::digest(&bytes).to_vec());
            }
            _ => {
                return Err(Exception::error(format!(
                    "Digest method not supported: {name}"
                )));
            }
        };
        ctx.uint8_array(
            aws_lc_rs::digest::digest(algorithm, &bytes)
                .as_ref()
                .to_vec(),
        )
    })?;
    let base = PathBuf::from(folder);
    host.method("readFile", 1, move |ctx, args| {
        let name = args.get(0).to_text()?;
        let bytes = std::fs::read(base.join(&name)).map_err(|_| {
            Exception::error(format!("ENOENT: no such file or directory, open '{name}'"))
        })?;
        ctx.uint8_array(bytes)
    })?;
    // The folder of the processor; other modules see the same one.
    ctx.global().set("__dirname", folder)?;
    ctx.global()
        .set("__filename", format!("{folder}/processor.js"))?;
    let prelude = ctx.eval(PRELUDE, "loadline:prelude.js")?;
    prelude.invoke(&[host])?;
    let made = ctx.eval(LOOP, "loadline:loop.js")?;
    ctx.global().set("__loop", made)
}

/// Starts the loop that takes jobs. It ends only with an uncaught exception.
pub(super) fn start(
    vm: &Vm,
    exports: &Value,
    running: &Rc<RunningProcessor>,
) -> Result<Call, Exception> {
    let ctx = vm.ctx();
    let taking = Rc::downgrade(running);
    let next = ctx.function("next", 0, move |ctx, _| {
        let Some(running) = taking.upgrade() else {
            let (promise, resolver) = ctx.promise()?;
            resolver.resolve(ctx.undefined())?;
            return Ok(promise);
        };
        ctx.spawn_promise(running.next(), |_, job| Ok(job))
    })?;
    let doing = Rc::downgrade(running);
    let done = ctx.function("done", 2, move |_, args| {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a number of ours"
        )]
        let id = args.get(0).to_number()? as u64;
        if let Some(running) = doing.upgrade() {
            running.done(id, args.get(1).to_text()?);
        }
        Ok(())
    })?;
    let telling = Rc::downgrade(running);
    let notify_listener = ctx.function("tell", 2, move |_, args| {
        if let Some(running) = telling.upgrade() {
            running.notify_listener(&args.get(0).to_text()?, &args.get(1).to_text()?);
        }
        Ok(())
    })?;
    let begin = ctx.global().get("__loop")?.get("start")?;
    vm.start_function(&begin, vec![exports.clone(), next, done, notify_listener])
        .map_err(|error| Exception::error(error.to_string()))
}
