//! Settings that stand in a program's command line, and a few of a Spring application's that stand there or in its
//! environment.

use std::collections::BTreeMap;

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

/// Sizes and times of a Spring application that may be read of its command line and environment, by their own names: numbers,
/// which are no secrets. Anything else may be one, and is not looked at.
const OF_SPRING: [&str; 7] = [
    "server.tomcat.threads.max",
    "server.tomcat.max-connections",
    "server.tomcat.accept-count",
    "spring.datasource.hikari.maximum-pool-size",
    "spring.datasource.hikari.minimum-idle",
    "spring.datasource.hikari.connection-timeout",
    "spring.datasource.hikari.max-lifetime",
];
/// A number of more digits is none of these.
const DIGITS_MAX: usize = 10;

/// Tells how the runtime of a process was set up.
pub(super) fn give(pid: i32, reading: &mut Reading) {
    let line = Process::new(pid).and_then(|process| process.cmdline());
    // A process that ended is told by others.
    let line = line.unwrap_or_default();
    reading.set("process.runtime", runtime(&line));
    for (name, flags) in flags(&line) {
        reading.set(name, &flags);
    }
    if runtime(&line) == "java" {
        let environment = Process::new(pid).and_then(|process| process.environ());
        let environment = environment.unwrap_or_default();
        let variables = environment
            .iter()
            .filter_map(|(name, value)| Some((name.to_str()?, value.to_str()?)));
        for (name, value) in of_spring(&line, variables) {
            reading.set(name, value);
        }
    }
}

/// The settings of a Spring application: an argument goes before a property of the JVM, and that before a variable.
fn of_spring<'a>(
    line: &'a [String],
    variables: impl Iterator<Item = (&'a str, &'a str)>,
) -> BTreeMap<&'static str, &'a str> {
    let given = |before: &'static str| {
        let arguments = line.iter().map(String::as_str);
        arguments.filter_map(move |argument| argument.strip_prefix(before)?.split_once('='))
    };
    let all = variables.chain(given("-D")).chain(given("--"));
    let known = all.filter_map(|(name, value)| {
        let is_number = (1..=DIGITS_MAX).contains(&value.len())
            && value.bytes().all(|byte| byte.is_ascii_digit());
        let known = OF_SPRING.iter().find(|known| is_same_name(known, name))?;
        is_number.then_some((*known, value))
    });
    known.collect()
}

/// Spring takes `SERVER_TOMCAT_ACCEPTCOUNT` and `SERVER_TOMCAT_ACCEPT_COUNT` for `server.tomcat.accept-count`.
fn is_same_name(known: &str, name: &str) -> bool {
    let letters = |text: &str| -> String {
        let letters = text.chars().filter(char::is_ascii_alphanumeric);
        letters.map(|letter| letter.to_ascii_lowercase()).collect()
    };
    letters(known) == letters(name)
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
    fn sizes_of_a_spring_application_are_told_and_nothing_else_of_its_environment() {
        let java = line(
            "java -Dserver.tomcat.threads.max=50 -Dspring.datasource.password=1234 -jar app.jar --server.tomcat.threads.max=20 --server.port=8080",
        );
        let variables = [
            ("SERVER_TOMCAT_ACCEPTCOUNT", "50"),
            ("SPRING_DATASOURCE_HIKARI_CONNECTION_TIMEOUT", "3000"),
            ("SPRING_DATASOURCE_PASSWORD", "4711"),
            ("SPRING_DATASOURCE_HIKARI_MINIMUM_IDLE", "s3cret"),
            ("PIN", "1234"),
        ];
        let told: Vec<_> = of_spring(&java, variables.into_iter())
            .into_iter()
            .collect();
        assert_eq!(
            told,
            [
                ("server.tomcat.accept-count", "50"),
                ("server.tomcat.threads.max", "20"),
                ("spring.datasource.hikari.connection-timeout", "3000"),
            ]
        );
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
