//! Settings that stand in a program's command line.

use procfs::process::Process;

use crate::reading::Reading;

/// Beginnings of arguments that set up a runtime, by the setting they are. Arguments of the program itself
/// may hold anything, and are never read.
const RUNTIMES: &[(&str, &[&str])] = &[
    ("jvm.flags", &["-X", "-server", "-client"]),
    (
        "node.flags",
        &["--max-", "--stack-size", "--expose-gc", "--gc-"],
    ),
];
/// Written by the runtime for itself, and different each time.
const PASSING: [&str; 3] = ["-Xlog", "-Xloggc", "-Xshare"];

/// Tells how the runtime of a process was set up.
pub(super) fn give(pid: i32, reading: &mut Reading) {
    let line = Process::new(pid).and_then(|process| process.cmdline());
    // A process that ended is told by others.
    let line = line.unwrap_or_default();
    reading.set("process.runtime", runtime(&line));
    for (name, flags) in flags(&line) {
        reading.set(name, &flags);
    }
}

/// Servers that write their own title over the command line, and what runs them.
const TITLES: [(&str, &str); 4] = [
    ("puma", "ruby"),
    ("unicorn", "ruby"),
    ("gunicorn:", "python"),
    ("uwsgi", "python"),
];

/// What runs a program; nothing for one that runs itself.
fn runtime(line: &[String]) -> &'static str {
    let program = program(line);
    let title = line.first().map_or("", String::as_str);
    if let Some((_, runtime)) = TITLES
        .iter()
        .find(|(title_of, _)| title.starts_with(title_of))
    {
        return runtime;
    }
    let known = ["java", "node", "python", "ruby", "dotnet"];
    let is_it = |name: &&str| {
        // python3.12
        let rest = program.strip_prefix(*name);
        rest.is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit() || c == '.'))
    };
    known.into_iter().find(is_it).unwrap_or_default()
}

fn program(line: &[String]) -> &str {
    let program = line.first().map_or("", String::as_str);
    program.rsplit('/').next().unwrap_or(program)
}

fn flags(line: &[String]) -> Vec<(&'static str, String)> {
    let program = program(line);
    let of_runtime = RUNTIMES.iter().filter(|(name, _)| match *name {
        "jvm.flags" => program == "java",
        _ => program == "node",
    });
    let told = of_runtime.map(|(name, beginnings)| {
        let line = line.iter().map(String::as_str);
        (*name, beginning_with(beginnings, line))
    });
    told.collect()
}

/// The flags of a JVM among its arguments.
pub(super) fn jvm_flags<'a>(arguments: impl Iterator<Item = &'a str>) -> String {
    beginning_with(RUNTIMES[0].1, arguments)
}

fn beginning_with<'a>(beginnings: &[&str], arguments: impl Iterator<Item = &'a str>) -> String {
    let is_flag = |argument: &&str| {
        beginnings.iter().any(|one| argument.starts_with(one))
            && !PASSING.iter().any(|one| argument.starts_with(one))
    };
    let mut flags: Vec<&str> = arguments.filter(is_flag).collect();
    flags.sort_unstable();
    flags.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn flags_of_the_runtime_are_told_and_no_argument_of_the_program() {
        let java = line(
            "/usr/bin/java -Xmx512m -XX:+UseSerialGC -Xlog:gc:file=a.log -Dpassword=x -jar a.jar --key=s3cret",
        );
        assert_eq!(
            flags(&java),
            [("jvm.flags", "-XX:+UseSerialGC -Xmx512m".to_owned())]
        );
        let node = line("node --max-old-space-size=256 app.js --token s3cret");
        assert_eq!(
            flags(&node),
            [("node.flags", "--max-old-space-size=256".to_owned())]
        );
        assert_eq!(flags(&line("nginx -X")), []);
        assert_eq!(runtime(&java), "java");
        assert_eq!(runtime(&line("/usr/bin/python3.12 -m uvicorn")), "python");
        assert_eq!(runtime(&line("nodemon x")), "");
        assert_eq!(
            runtime(&line("puma 5.6.5 (tcp://127.0.0.1:9292) [app]")),
            "ruby"
        );
        assert_eq!(runtime(&line("gunicorn: worker [app:app]")), "python");
    }
}
