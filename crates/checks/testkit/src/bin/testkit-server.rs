//! Serves the test endpoints until standard input closes; prints where, as one line of JSON.
//!
//! `testkit-server [--port N] [--directory DIR]`: port of `BASE` (else a free one), and where certificates are written.

use std::io::Read;
use std::path::PathBuf;

use loadline_testkit::server::{Options, TestServer, TlsMaterial};

#[tokio::main]
#[expect(
    clippy::print_stdout,
    reason = "the line with the ports is what this program is started for"
)]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut options = Options::default();
    let mut directory =
        std::env::temp_dir().join(format!("loadline-testkit-{}", std::process::id()));
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let value = arguments
            .next()
            .ok_or_else(|| format!("{argument}: value missing"))?;
        match argument.as_str() {
            "--port" => options.port = value.parse()?,
            "--directory" => directory = PathBuf::from(value),
            _ => return Err(format!("{argument}: unknown").into()),
        }
    }
    std::fs::create_dir_all(&directory)?;
    let tls = TlsMaterial::generate(&directory)?;
    let server = TestServer::start(&options, &tls).await?;
    let mut line = serde_json::to_value(server.bases())?;
    line["authority"] = serde_json::to_value(&tls.authority)?;
    line["client_certificate"] = serde_json::to_value(&tls.client_certificate)?;
    line["client_key"] = serde_json::to_value(&tls.client_key)?;
    println!("{line}");
    tokio::task::spawn_blocking(|| std::io::stdin().read_to_end(&mut Vec::new())).await??;
    Ok(())
}
