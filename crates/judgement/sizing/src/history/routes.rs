//! Routes of the addresses that a test asks for. Ids fold as those of access logs do, so that a
//! plan, its test and the results name an endpoint alike.

use std::collections::BTreeMap;

use super::templates::{TemplateId, Templates};

/// The route of each address, with how often it was asked for: without its query, its ids in
/// braces. A name that somebody gave is no address and is its own route.
#[must_use]
pub fn routes<'a>(
    addresses: impl IntoIterator<Item = (&'a str, u64)>,
) -> BTreeMap<&'a str, String> {
    let mut hosts: BTreeMap<&str, Host<'a>> = BTreeMap::new();
    let mut routes = BTreeMap::new();
    for (address, requests) in addresses {
        let Some((host, path)) = parts(address) else {
            routes.insert(address, address.to_owned());
            continue;
        };
        let of = hosts.entry(host).or_default();
        let template = of.templates.template(path.as_bytes());
        let place = template as usize;
        if of.requests.len() <= place {
            of.requests.resize(place + 1, 0);
        }
        of.requests[place] += requests;
        of.addresses.push((address, template));
    }
    for (host, of) in hosts {
        let folded = of.templates.folded(&of.requests);
        let mut asked: BTreeMap<TemplateId, Vec<&str>> = BTreeMap::new();
        for (address, template) in &of.addresses {
            let paths = asked.entry(*template).or_default();
            let path = without_query(address);
            if !paths.contains(&path) {
                paths.push(path);
            }
        }
        for (address, template) in of.addresses {
            let route = &folded[template as usize];
            let is_alone = asked[&template].len() == 1;
            let route = if is_alone && names_nothing(route) {
                without_query(address).to_owned()
            } else {
                format!("{host}{route}")
            };
            routes.insert(address, route);
        }
    }
    routes
}

/// Whether nothing but ids is left of a route: nobody finds `/404` again by `/{id}`.
fn names_nothing(route: &str) -> bool {
    let mut parts = route.split('/').filter(|part| !part.is_empty()).peekable();
    parts.peek().is_some() && parts.all(|part| part == "{id}")
}

fn without_query(address: &str) -> &str {
    let end = address.find(['?', '#']).unwrap_or(address.len());
    &address[..end]
}

/// What is asked of one host.
#[derive(Default)]
struct Host<'a> {
    templates: Templates,
    requests: Vec<u64>,
    addresses: Vec<(&'a str, TemplateId)>,
}

/// An address up to its path, and its path; the path of a file that names its target once has
/// nothing before it.
fn parts(address: &str) -> Option<(&str, &str)> {
    if address.starts_with('/') {
        return Some(("", address));
    }
    let (scheme, rest) = address.split_once("://")?;
    let is_scheme = !scheme.is_empty() && scheme.bytes().all(|b| b.is_ascii_alphanumeric());
    let host = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    is_scheme.then(|| address.split_at(scheme.len() + "://".len() + host))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_that_differ_by_an_id_are_one_route() {
        let cases = [
            ("http://h:80/orders/17", "http://h:80/orders/{id}"),
            (
                "http://10.0.0.5/orders/17/items?page=2",
                "http://10.0.0.5/orders/{id}/items",
            ),
            ("http://h/v2/list", "http://h/v2/list"),
            (
                "http://h/a/4f1c9a2e-77b0-4c1d-9c3e-0a1b2c3d4e5f",
                "http://h/a/{id}",
            ),
            ("http://h", "http://h/"),
            ("http://h?q=1", "http://h/"),
            ("add to cart 2", "add to cart 2"),
            ("/orders/17?page=2", "/orders/{id}"),
            ("/orders/{{ id }}", "/orders/{{ id }}"),
            ("http://h/items/${}", "http://h/items/${}"),
        ];
        let routes = routes(cases.iter().map(|(address, _)| (*address, 1)));
        for (address, expected) in cases {
            assert_eq!(routes[address], expected);
        }
    }

    /// Seen: `/404` was told as `/{id}`, which nobody had typed.
    #[test]
    fn a_path_of_nothing_but_an_id_stays_where_it_is_the_only_one() {
        let told = |addresses: &[&'static str]| {
            let routes = routes(addresses.iter().map(|address| (*address, 1)));
            let told: Vec<String> = routes.into_values().collect();
            told
        };
        assert_eq!(told(&["http://h/404?x=1"]), ["http://h/404"]);
        assert_eq!(told(&["/404"]), ["/404"]);
        assert_eq!(told(&["http://h/17", "http://h/18"]), ["http://h/{id}"; 2]);
        assert_eq!(told(&["http://h/a/17"]), ["http://h/a/{id}"]);
    }

    #[test]
    fn many_names_in_one_place_are_one_route() {
        let word = |number: u32| {
            let letters = number.to_string().into_bytes();
            let letters = letters.into_iter().map(|b| char::from(b - b'0' + b'a'));
            format!("http://h/shop/{}x", letters.collect::<String>())
        };
        let words: Vec<String> = (0..400).map(word).collect();
        let routes = routes(words.iter().map(|word| (word.as_str(), 1)));
        assert_eq!(routes[words[399].as_str()], "http://h/shop/{id}");
    }
}
