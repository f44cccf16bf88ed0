//! Globals every script host has: timers.

use std::time::Duration;

use crate::quickjs::{Args, Attributes, Ctx, Exception, Value};

/// Longest delay, as in browsers: 2^31 - 1 ms.
const TIMER_MS_MAX: f64 = 2_147_483_647.0;

/// The exception for a callback of a timer, named first, that is no function.
pub type CallbackRefusal = fn(&Ctx, &str, &Value) -> Exception;

impl Ctx {
    /// Adds `setTimeout`, `clearTimeout`, `setInterval` and `clearInterval` to the
    /// global object. `refusal` words what is no callback.
    ///
    /// # Errors
    ///
    /// Out of memory.
    pub fn install_timers(&self, refusal: CallbackRefusal) -> Result<(), Exception> {
        let global = self.global();
        for (name, repeat) in [("setTimeout", false), ("setInterval", true)] {
            let function = self.function(name, 2, move |ctx, args| {
                let callback = args.get(0);
                if !callback.is_function() {
                    return Err(refusal(ctx, name, &callback));
                }
                set_timer(ctx, args, repeat)
            })?;
            global.define(name, function, Attributes::HIDDEN)?;
        }
        for name in ["clearTimeout", "clearInterval"] {
            let function = self.function(name, 1, |ctx, args| {
                // Whatever is no id of a timer is ignored, as everywhere.
                let id = args
                    .get(0)
                    .as_f64()
                    .filter(|id| *id >= 1.0 && *id <= TIMER_MS_MAX);
                if let Some(id) = id {
                    ctx.clear_timer(whole(id));
                }
                Ok(())
            })?;
            global.define(name, function, Attributes::HIDDEN)?;
        }
        Ok(())
    }
}

fn set_timer(ctx: &Ctx, args: &Args<'_>, repeat: bool) -> Result<u64, Exception> {
    let ms = args.get(1).to_number()?;
    let ms = if ms.is_nan() {
        0.0
    } else {
        ms.clamp(0.0, TIMER_MS_MAX)
    };
    let delay = Duration::from_secs_f64(ms / 1000.0);
    Ok(ctx.set_timer(args.get(0), args.rest(2), delay, repeat))
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the caller checked the range"
)]
fn whole(id: f64) -> u64 {
    id as u64
}
