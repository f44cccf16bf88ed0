//! A script that is not there: which one beside it was probably meant.

use std::path::Path;

use loadline_text::{Catalog, Lang, modules};
use loadline_units::nearest;

use crate::context::Context;

/// Prints that there is no such file, and which one of the folder is called nearly so; k6's own words follow.
pub(super) fn print_nearest(context: &mut Context, typed: &str, catalog: &Catalog) {
    let path = context.working_dir.join(typed);
    let (false, Some(name)) = (
        path.exists(),
        path.file_name().and_then(|name| name.to_str()),
    ) else {
        return;
    };
    let near = path.parent().and_then(|folder| near(folder, name));
    let said = match near.map(|near| Path::new(typed).with_file_name(near)) {
        Some(meant) => modules::script_file_misspelt(typed, meant.display()),
        // k6's words, which follow, say so in English.
        None if catalog.lang() == Lang::En => return,
        None => modules::script_file_missing(typed),
    };
    context.err(&format!("loadline: {}\n", catalog.text(&said)));
}

fn near(folder: &Path, name: &str) -> Option<String> {
    let files = std::fs::read_dir(folder).ok()?.flatten();
    let names = files.filter_map(|file| file.file_name().into_string().ok());
    let mut scripts: Vec<String> = names
        .filter(|name| name.ends_with(".js") || name.ends_with(".ts"))
        .collect();
    scripts.sort();
    // That all end alike makes no two of them alike.
    let stems: Vec<&str> = scripts.iter().map(|script| stem(script)).collect();
    let meant = nearest(stem(name), stems.iter().copied())?;
    let place = stems.iter().position(|stem| *stem == meant)?;
    Some(scripts.swap_remove(place))
}

fn stem(script: &str) -> &str {
    script.rsplit_once('.').map_or(script, |(stem, _)| stem)
}
