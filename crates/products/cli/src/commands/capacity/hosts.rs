//! Who will be hit: hosts that a test's text and its variables name.

/// Hosts with their ports, in order, each once.
pub(in super::super) fn named(text: &str, variables: &[(String, String)]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut add = |host: String| {
        if !host.is_empty() && !found.contains(&host) {
            found.push(host);
        }
    };
    for (place, rest) in urls(text) {
        if !is_replaced(&text[..place], variables) {
            add(host(rest));
        }
    }
    for (_, value) in variables {
        for (_, rest) in urls(value) {
            add(host(rest));
        }
    }
    found
}

/// Where URLs begin, and what follows their scheme.
fn urls(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.match_indices("://").filter_map(|(place, sign)| {
        let scheme = text[..place]
            .rsplit(|c: char| !c.is_ascii_alphabetic())
            .next()?;
        let is_known = ["http", "https", "ws", "wss"].contains(&scheme);
        is_known.then(|| (place - scheme.len(), &text[place + sign.len()..]))
    })
}

/// Up to what cannot stand in a host, without a user before it.
fn host(rest: &str) -> String {
    let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || "-._:[]@".contains(c)));
    let authority = &rest[..end.unwrap_or(rest.len())];
    let host = authority.rsplit('@').next().unwrap_or_default();
    host.trim_end_matches(['.', ':']).to_owned()
}

/// Whether a URL is only what holds when a variable is not given, and it is: what stands
/// before it on its line ends in `__ENV.NAME ||`.
fn is_replaced(before: &str, variables: &[(String, String)]) -> bool {
    let line = before.rsplit('\n').next().unwrap_or_default();
    let line = line.trim_end_matches(['\'', '"', '`']).trim_end();
    let Some(line) = line.strip_suffix("||").or_else(|| line.strip_suffix("??")) else {
        return false;
    };
    let word = line.trim_end();
    let name = word
        .rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .next();
    name.is_some_and(|name| variables.iter().any(|(known, _)| known == name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_those_that_will_be_asked() {
        let script = "const a = __ENV.BASE || 'http://127.0.0.1:8080';\nhttp.get(`${a}/x`); http.get('https://user@pay.example:8443/x?u=1'); // see http://127.0.0.1:8080";
        assert_eq!(named(script, &[]), ["127.0.0.1:8080", "pay.example:8443"]);
        let given = [("BASE".to_owned(), "http://10.0.0.5:80/app".to_owned())];
        let script = script.lines().next().unwrap();
        assert_eq!(named(script, &given), ["10.0.0.5:80"]);
        assert_eq!(named("http.get(url)", &[]), Vec::<String>::new());
        assert_eq!(named("target: ws://[::1]:9000", &[]), ["[::1]:9000"]);
    }
}
