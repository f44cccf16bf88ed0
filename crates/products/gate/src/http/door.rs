//! The address of a queue's door on the service's host, which [`super::enter`] serves.

use url::{Url, form_urlencoded};

use crate::ids::QueueId;

/// The longest address of the waiting room with a way back in it. Proxies read the answer
/// to `/authz` into 4 KB.
const WAY_BACK_BYTES_MAX: usize = 3_000;

/// Where a queue's door is on the service's host.
pub(super) fn path(queue: QueueId) -> String {
    format!("/enter/{queue}")
}

/// Whether an address leads to the queue's door, which takes codes and no JWT.
pub(super) fn is_door(target: &Url, queue: QueueId) -> bool {
    target.path() == path(queue)
}

/// The door's address on the host of `wanted`, leading on to it. What would make the
/// address too long is left out.
pub(super) fn address(wanted: &Url, queue: QueueId) -> String {
    let door = format!("{}{}", wanted.origin().ascii_serialization(), path(queue));
    let encoded = |name: &str, value: &str| {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.append_pair(name, value);
        query.finish()
    };
    let whole = match wanted.query() {
        Some(query) => format!("{}?{query}", wanted.path()),
        None => wanted.path().to_owned(),
    };
    let ways = [whole, wanted.path().to_owned()];
    let mut ways = ways
        .iter()
        .filter(|way| *way != "/" && is_local_path(way))
        .map(|way| format!("{door}?{}", encoded("to", way)));
    ways.find(|way| encoded("rt", way).len() <= WAY_BACK_BYTES_MAX && way.len() <= 2_048)
        .unwrap_or(door)
}

/// A path that no browser reads as another host.
pub(super) fn is_local_path(text: &str) -> bool {
    let odd = |c: char| c.is_control() || c.is_whitespace() || c == '\\';
    text.starts_with('/') && !text.starts_with("//") && !text.contains(odd)
}

#[cfg(test)]
mod tests {
    use super::{address, is_door, is_local_path};
    use crate::ids::QueueId;
    use url::Url;

    const QUEUE: QueueId = QueueId([1; 8]);

    #[test]
    fn s03_a_path_of_this_host_is_no_other_host() {
        assert!(is_local_path("/entering?a=b"));
        for bad in [
            "",
            "//evil.example",
            "/\\evil.example",
            "\\/evil.example",
            "https://evil.example",
            "/\t/evil.example",
        ] {
            assert!(!is_local_path(bad), "{bad}");
        }
    }

    fn to(wanted: &str) -> Option<String> {
        let door = Url::parse(&address(&Url::parse(wanted).unwrap(), QUEUE)).unwrap();
        assert!(is_door(&door, QUEUE), "{door}");
        assert_eq!(door.origin(), Url::parse(wanted).unwrap().origin());
        let mut pairs = door.query_pairs();
        pairs
            .find(|(name, _)| name == "to")
            .map(|(_, to)| to.into_owned())
    }

    #[test]
    fn the_way_through_the_door_leads_to_the_address_asked_for() {
        assert_eq!(to("https://shop.example/"), None);
        let deep = "/goods?id=1&word=%ED%95%9C&next=%2Fa%3Fb";
        assert_eq!(to(&format!("https://shop.example{deep}")).unwrap(), deep);
        assert_eq!(to("https://shop.example//evil.example"), None);
    }

    #[test]
    fn a_way_that_is_too_long_for_a_proxy_is_cut_and_not_lost() {
        let long = format!("https://shop.example/goods?word={}", "%ED".repeat(600));
        assert_eq!(to(&long).unwrap(), "/goods");
        let longer = format!("https://shop.example/{}", "a".repeat(3_000));
        assert_eq!(to(&longer), None);
    }
}
