//! The texts of files that hold settings.

/// Lines of a diff that are shown.
const DIFF_LINES_MAX: usize = 200;

/// `text` with the line of `key` set to `value`; a new line at the end if there is none.
/// `key=value`, `key: value` and `key value` keep their form.
pub(super) fn with_property(text: &str, key: &str, value: &str) -> String {
    let mut found = false;
    let mut lines: Vec<String> = Vec::new();
    for line in text.split_inclusive('\n') {
        match separator(line, key) {
            Some(until) => {
                found = true;
                let end = if line.ends_with('\n') { "\n" } else { "" };
                lines.push(format!("{}{value}{end}", &line[..until]));
            }
            None => lines.push(line.to_owned()),
        }
    }
    if !found {
        if let Some(last) = lines.last_mut().filter(|last| !last.ends_with('\n')) {
            last.push('\n');
        }
        lines.push(format!("{key}={value}\n"));
    }
    lines.concat()
}

/// The value of `key`.
pub(super) fn property<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    text.lines()
        .find_map(|line| separator(line, key).map(|until| line[until..].trim()))
}

/// The value that stands in a text made of a template in place of `{name}`: the line that begins and ends as that of the template
/// does. `None` where no line does, or where it says nothing of this knob alone.
pub(super) fn templated(text: &str, template: &str, name: &str) -> Option<String> {
    let hole = format!("{{{name}}}");
    let line = template.lines().find(|line| line.contains(&hole))?;
    let (before, after) = line.split_once(&hole)?;
    let is_alone = !before.trim().is_empty() && !before.contains('{') && !after.contains('{');
    let begins = text.lines().filter_map(|line| line.strip_prefix(before));
    let mut values = begins.filter_map(|rest| rest.strip_suffix(after));
    values
        .next()
        .filter(|_| is_alone)
        .map(|value| value.trim().to_owned())
}

/// Where the value begins in a line of `key`.
fn separator(line: &str, key: &str) -> Option<usize> {
    let trimmed = line.trim_start();
    let rest = trimmed.strip_prefix(key)?;
    let signs = rest.len() - rest.trim_start_matches([' ', '\t', '=', ':']).len();
    let sign = &rest[..signs];
    let is_separated = sign.contains('=') || sign.contains(':') || !sign.is_empty();
    is_separated.then(|| line.len() - rest.len() + signs)
}

/// What differs between two texts: lines taken out and put in.
pub(super) fn diff(before: &str, after: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let same = |a: &&str, b: &&str| a == b;
    let head = old.iter().zip(&new).take_while(|(a, b)| same(a, b)).count();
    let rest = old.len().min(new.len()) - head;
    let tails = old.iter().rev().zip(new.iter().rev());
    let tail = tails.take(rest).take_while(|(a, b)| same(a, b)).count();
    let out = old[head..old.len() - tail]
        .iter()
        .map(|line| format!("-{line}"));
    let put = new[head..new.len() - tail]
        .iter()
        .map(|line| format!("+{line}"));
    out.chain(put)
        .take(DIFF_LINES_MAX)
        .collect::<Vec<_>>()
        .join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "# threads.max=9\nserver.threads.max=200\n  pool : 10\nlast=1";

    #[test]
    fn the_line_of_a_key_is_changed_and_no_other() {
        let changed = with_property(FILE, "server.threads.max", "10");
        assert_eq!(changed, FILE.replace("200", "10"));
        assert_eq!(
            with_property(FILE, "pool", "30"),
            FILE.replace(": 10", ": 30")
        );
        assert_eq!(with_property(FILE, "new", "5"), format!("{FILE}\nnew=5\n"));
        assert_eq!(property(&changed, "server.threads.max"), Some("10"));
        assert_eq!(property(FILE, "threads.max"), None);
    }

    #[test]
    fn a_diff_has_the_lines_that_differ() {
        assert_eq!(diff("a\nb\nc\n", "a\nx\nc\n"), "-b\n+x");
        assert_eq!(diff("a\n", "a\nb\n"), "+b");
        assert_eq!(diff("a\n", "a\n"), "");
    }
}
