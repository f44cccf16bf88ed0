//! Starts all attacks and prints where they are, one a line: name, protocol, address.

use std::io::Write as _;

use loadline_testkit::attacks::AttackServer;
use loadline_testkit::server::TlsMaterial;

fn main() -> std::io::Result<()> {
    let folder = std::env::temp_dir().join("loadline-attack-server");
    std::fs::create_dir_all(&folder)?;
    let server = AttackServer::start(&TlsMaterial::generate(&folder)?)?;
    let mut out = std::io::stdout().lock();
    for (attack, address) in server.attacks() {
        writeln!(out, "{}\t{:?}\t{address}", attack.name, attack.protocol)?;
    }
    out.flush()?;
    loop {
        std::thread::park();
    }
}
