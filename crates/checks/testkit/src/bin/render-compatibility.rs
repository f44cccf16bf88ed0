//! Renders `docs/compatibility/k6.md` from `docs/compatibility/k6.toml`.

use loadline_testkit::compatibility::{render, rendered, rows, source};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = std::fs::read_to_string(source())?;
    std::fs::write(rendered(), render(&rows(&text)?))?;
    Ok(())
}
