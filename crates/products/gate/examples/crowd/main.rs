//! Plays visitors against a running gate: registers, holds streams, polls, comes in.
//!
//! Tokio tasks on one thread (`--threads`), nothing but HTTP/1.1. What each visitor was
//! told is written to a log that `check` reads. Times are those of this machine's clock,
//! which is the store's too when both run here.
//!
//! ```text
//! crowd streams --gate 127.0.0.1:8090 --queue q_.. --key wrk_.. --visitors 7000 --arrive 300 --admit 100
//! crowd hold    --gate ... --visitors 15000 --arrive 500 --seconds 300
//! crowd joins   --gate ... --visitors 200000 --connections 64 [--rate 12000]
//! crowd polls   --gate ... --visitors 1000 --connections 64 --seconds 30 [--rate 40000]
//! crowd same    --gate A,B --visitors 1000 --connections 50
//! crowd bare    --gate 127.0.0.1:8099 --answer-bytes 320 [--admit 100]
//! ```
//!
//! `--gate` takes several addresses after commas: visitors are spread over them, and go on
//! to the next when one does not answer. `--patient yes` asks again until an answer comes,
//! as browsers do; `--ghosts 40` lets 40 of 100 register and never come back; `--claim yes`
//! comes in, and `--session 500` also shows the code, stays 500 ms and leaves. `bare`
//! serves instead: what this machine could do at best.
#![expect(clippy::print_stdout, reason = "a program for the terminal")]
#![expect(clippy::disallowed_methods, reason = "it measures real time")]
#![expect(clippy::unwrap_used, reason = "a test program ends by panicking")]

mod bare;
mod calls;
mod settings;
mod streams;
mod wire;

use settings::Settings;

fn main() {
    let (mode, settings) = Settings::read();
    loadline_gate::http::raise_file_limit();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(settings.threads)
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async move {
        // On a worker: the thread that starts the runtime is none.
        let task = tokio::spawn(async move {
            match mode.as_str() {
                "streams" | "hold" => streams::streams(settings, mode == "hold").await,
                "joins" => calls::joins(settings).await,
                "polls" => calls::polls(settings).await,
                "same" => calls::same(settings).await,
                "bare" => bare::bare(settings).await,
                other => println!("unknown mode {other}: streams, hold, joins, polls, same, bare"),
            }
        });
        task.await.unwrap();
    });
}
