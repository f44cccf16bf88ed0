//! The built-in target: a small back end with known faults that can be switched.
//!
//! Every endpoint has one limit that a person can work out on paper (permits over
//! hold time, threads over work), so what a load test says about it can be checked.
//! [`Demo::bind`] takes [`DemoOptions`] and [`Demo::serve`] runs until told to stop;
//! everything else is changed over HTTP ([`DemoSettings`], `PUT /settings`).
//!
//! It knows no load engine, no scripts and no flags.

mod cpu;
mod deers;
mod endpoint;
mod faults;
mod metrics;
mod micrometer;
mod millis;
mod pool;
mod pool_times;
mod routes;
mod server;
mod settings;
mod target;
mod waiting_room;

pub use loadline_listen::DrainResult;
pub use server::{Demo, DemoError, DemoOptions};
pub use settings::{
    BodyFault, BreakBody, CallPlacement, ContentSettings, CpuSettings, DeerSettings, DemoSettings,
    FaultSettings, FirstPageSettings, Mistake, PoolSettings, PooledSettings, SettingsError,
    WaitingRoomSettings,
};
