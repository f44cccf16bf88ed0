//! Serves the built-in target until Ctrl-C: `serve [ADDRESS]`, by default 127.0.0.1:8080.

use loadline_demo::{Demo, DemoOptions};
use std::io::{Write, stdout};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut options = DemoOptions::default();
    if let Some(address) = std::env::args().nth(1) {
        options.address = loadline_listen::parse_address(&address)?;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let demo = Demo::bind(options)?;
        writeln!(stdout(), "serving on http://{}", demo.address())?;
        demo.serve(async {
            // Without a signal handler Ctrl-C ends the process, which is what it is for.
            if tokio::signal::ctrl_c().await.is_err() {
                std::future::pending().await
            }
        })
        .await;
        Ok(())
    })
}
