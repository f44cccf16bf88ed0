//! Stack traces as data, parsed from the text QuickJS puts into `error.stack`.

use std::fmt;

/// One level of a stack trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Name of the function; empty for module code and functions without one.
    pub function: String,
    /// URL of the file; empty for native functions.
    pub file: String,
    /// Line, from 1; 0 when unknown.
    pub line: u32,
    /// Column, from 1, in UTF-16 code units or characters as the compiler counted; 0 when unknown.
    pub column: u32,
}

impl fmt::Display for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = match (self.file.as_str(), self.line) {
            ("", _) => "native".to_owned(),
            (file, 0) => file.to_owned(),
            (file, line) => format!("{file}:{line}:{}", self.column),
        };
        if self.function.is_empty() {
            f.write_str(&place)
        } else {
            write!(f, "{} ({place})", self.function)
        }
    }
}

/// Reads `    at name (file:line:column)` lines; anything else is skipped, and so are the
/// steps of the engine and of built-in modules within what a script called.
pub(crate) fn parse(stack: &str) -> Vec<Frame> {
    let frames = stack.lines().filter_map(parse_line);
    frames.filter(|frame| !frame.is_inner()).collect()
}

impl Frame {
    fn is_inner(&self) -> bool {
        if self.file.is_empty() {
            return self.function.starts_with("[Symbol.") || self.function == "Promise";
        }
        self.file == "k6" || self.file.starts_with("k6/")
    }
}

fn parse_line(line: &str) -> Option<Frame> {
    let rest = line.trim_start().strip_prefix("at ")?;
    let (function, place) = match rest.strip_suffix(')').and_then(|r| r.split_once(" (")) {
        Some((function, place)) => (function, place),
        None => ("", rest),
    };
    let function = match function {
        "<anonymous>" | "<eval>" => String::new(),
        // k6 shows an accessor by its name alone.
        name => ["get ", "set "]
            .iter()
            .find_map(|prefix| name.strip_prefix(prefix))
            .unwrap_or(name)
            .to_owned(),
    };
    if place == "native" || place == "missing" {
        return Some(Frame {
            function,
            file: String::new(),
            line: 0,
            column: 0,
        });
    }
    let (file, line, column) = split_place(place);
    Some(Frame {
        function,
        // Text that was evaluated, as k6 names it.
        file: if file == "<input>" { "<eval>" } else { file }.to_owned(),
        line,
        column,
    })
}

fn split_place(place: &str) -> (&str, u32, u32) {
    let Some((head, column)) = place.rsplit_once(':') else {
        return (place, 0, 0);
    };
    let Some((file, line)) = head.rsplit_once(':') else {
        return (place, 0, 0);
    };
    match (line.parse(), column.parse()) {
        (Ok(line), Ok(column)) => (file, line, column),
        _ => (place, 0, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(function: &str, file: &str, line: u32, column: u32) -> Frame {
        Frame {
            function: function.to_owned(),
            file: file.to_owned(),
            line,
            column,
        }
    }

    #[test]
    fn reads_functions_module_code_and_natives() {
        let stack = "    at inner (file:///a/b.js:3:9)\n    at <anonymous> (file:///a (1).js:7:1)\n    \
                     at map (native)\n    at file:///x.js:1:2\n";
        assert_eq!(
            parse(stack),
            [
                frame("inner", "file:///a/b.js", 3, 9),
                frame("", "file:///a (1).js", 7, 1),
                frame("map", "", 0, 0),
                frame("", "file:///x.js", 1, 2),
            ]
        );
    }

    #[test]
    fn leaves_out_the_steps_of_the_engine() {
        let stack = "    at f (file:///x.js:1:2)\n    at [Symbol.replace] (native)\n    \
                     at replace (native)\n    at set (k6/execution:3:39)\n    at <input>:1:7\n";
        assert_eq!(
            parse(stack),
            [
                frame("f", "file:///x.js", 1, 2),
                frame("replace", "", 0, 0),
                frame("", "<eval>", 1, 7),
            ]
        );
    }

    #[test]
    fn shows_as_one_line() {
        assert_eq!(
            frame("f", "file:///x.js", 1, 2).to_string(),
            "f (file:///x.js:1:2)"
        );
        assert_eq!(
            frame("", "file:///x.js", 1, 2).to_string(),
            "file:///x.js:1:2"
        );
        assert_eq!(frame("map", "", 0, 0).to_string(), "map (native)");
    }
}
