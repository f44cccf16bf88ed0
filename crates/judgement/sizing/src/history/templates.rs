//! Folds paths into templates: `/users/4711/orders` becomes `/users/{id}/orders`.
//!
//! A segment that looks like an identifier (a number, a UUID, a long mix of letters and digits)
//! is one. Other names are kept in a tree. A place with too many different names holds
//! identifiers, too; its rare names are folded at the end. The size of the tree is limited, so
//! memory does not depend on the number of paths.

use rustc_hash::FxHashMap;

use super::entry::hash;

/// The highest number of nodes in the tree.
const MOST_NODES: usize = 20_000;
/// With more names than this, a place holds identifiers.
const MOST_NAMES: u32 = 100;
/// In such a place, a name with at least this share of the requests is kept.
const KEPT_SHARE: f64 = 0.01;
/// How many segments of a path are considered.
const SEGMENTS_MAX: usize = 16;
/// The text that replaces an identifier.
const ID: &str = "{id}";

/// A node of the tree.
#[derive(Debug)]
struct Node {
    name: Box<str>,
    parent: u32,
    /// The number of names below it.
    names: u32,
    /// The child for identifiers; 0 for none.
    id: u32,
}

/// The index of a template.
pub(super) type TemplateId = u32;

#[derive(Debug)]
pub(super) struct Templates {
    nodes: Vec<Node>,
    children: FxHashMap<u64, u32>,
}

impl Default for Templates {
    fn default() -> Self {
        let root = Node {
            name: "".into(),
            parent: 0,
            names: 0,
            id: 0,
        };
        Self {
            nodes: vec![root],
            children: FxHashMap::default(),
        }
    }
}

impl Templates {
    /// The template of a path, without its query.
    pub(super) fn template(&mut self, path: &[u8]) -> TemplateId {
        let end = memchr::memchr2(b'?', b'#', path).unwrap_or(path.len());
        let mut node = 0;
        let path = path[..end].strip_prefix(b"/").unwrap_or(&path[..end]);
        if path.is_empty() {
            return node;
        }
        let mut rest = Some(path);
        let mut depth = 0;
        while let Some(left) = rest {
            let (segment, after) = match memchr::memchr(b'/', left) {
                Some(at) => (&left[..at], Some(&left[at + 1..])),
                None => (left, None),
            };
            depth += 1;
            if depth > SEGMENTS_MAX {
                return self.id_below(node);
            }
            node = self.below(node, segment);
            rest = after;
        }
        node
    }

    fn below(&mut self, node: u32, segment: &[u8]) -> u32 {
        if is_identity(segment) {
            return self.id_below(node);
        }
        let key = hash(segment, u64::from(node));
        if let Some(child) = self.children.get(&key) {
            return *child;
        }
        let names = self.nodes[node as usize].names;
        if names >= MOST_NAMES || self.nodes.len() >= MOST_NODES {
            return self.id_below(node);
        }
        let name = String::from_utf8_lossy(segment).into_owned();
        self.nodes[node as usize].names += 1;
        let child = self.push(node, name.into());
        self.children.insert(key, child);
        child
    }

    fn id_below(&mut self, node: u32) -> u32 {
        match self.nodes[node as usize].id {
            // The tree is full: this node stands for everything below it.
            0 if self.nodes.len() >= MOST_NODES + 1000 => node,
            0 => {
                let child = self.push(node, ID.into());
                self.nodes[node as usize].id = child;
                child
            }
            child => child,
        }
    }

    fn push(&mut self, parent: u32, name: Box<str>) -> u32 {
        let child = u32::try_from(self.nodes.len()).unwrap_or(0);
        self.nodes.push(Node {
            name,
            parent,
            names: 0,
            id: 0,
        });
        child
    }

    /// The final template of each template: its own path, or one with rare names folded.
    /// `requests` are the requests of each.
    pub(super) fn folded(&self, requests: &[u64]) -> Vec<String> {
        let mut below: Vec<u64> = requests.to_vec();
        below.resize(self.nodes.len(), 0);
        // Children come after their parents.
        for node in (1..self.nodes.len()).rev() {
            below[self.nodes[node].parent as usize] += below[node];
        }
        let mut paths: Vec<String> = Vec::with_capacity(self.nodes.len());
        paths.push(String::new());
        for (index, node) in self.nodes.iter().enumerate().skip(1) {
            let parent = &self.nodes[node.parent as usize];
            let crowded = parent.names >= MOST_NAMES;
            let all = below[node.parent as usize] as f64;
            let rare = (below[index] as f64) < all * KEPT_SHARE;
            let name = if crowded && rare { ID } else { &node.name };
            paths.push(format!("{}/{name}", paths[node.parent as usize]));
        }
        paths[0] = "/".to_owned();
        paths
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }
}

/// Whether a segment is an identifier rather than a name.
fn is_identity(segment: &[u8]) -> bool {
    let Some(first) = segment.first() else {
        return false;
    };
    // The usual case first: a number.
    if first.is_ascii_digit() && segment.iter().all(u8::is_ascii_digit) {
        return true;
    }
    let digits = segment.iter().filter(|b| b.is_ascii_digit()).count();
    if digits == 0 {
        // `v` alone, words, file names.
        return segment.len() > 64;
    }
    let hex = segment.iter().all(|b| b.is_ascii_hexdigit() || *b == b'-');
    let plain = segment
        .iter()
        .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'=' | b'~' | b'%'));
    (hex && segment.len() >= 8)
        || (plain && segment.len() >= 16 && digits >= 2)
        || (plain && digits * 2 > segment.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn template(path: &str) -> String {
        let mut templates = Templates::default();
        let id = templates.template(path.as_bytes());
        templates.folded(&[])[id as usize].clone()
    }

    #[test]
    fn identities_are_folded_and_names_stay() {
        let cases = [
            ("/users/4711/orders?page=2", "/users/{id}/orders"),
            ("/deers", "/deers"),
            ("/", "/"),
            (
                "/api/v1/items/3fa85f64-5717-4562-b3fc-2c963f66afa6",
                "/api/v1/items/{id}",
            ),
            ("/o/5f2b8c9d", "/o/{id}"),
            ("/t/eyJhbGciOiJIUzI1NiJ9", "/t/{id}"),
            ("/orders/A-1234567", "/orders/{id}"),
            ("/static/app.js", "/static/app.js"),
            ("/feed", "/feed"),
        ];
        for (path, expected) in cases {
            assert_eq!(template(path), expected, "{path}");
        }
    }

    #[test]
    fn many_names_in_one_place_are_identities_but_for_frequent_ones() {
        let mut templates = Templates::default();
        let mut requests = vec![0_u64; 2000];
        for slug in 0..500_u32 {
            let word: String = slug
                .to_string()
                .bytes()
                .map(|b| char::from(b'a' + b - b'0'))
                .collect();
            let id = templates.template(format!("/shop/{word}x").as_bytes());
            requests[id as usize] += 1;
        }
        let frequent = templates.template(b"/shop/ax");
        requests[frequent as usize] += 1000;
        let folded = templates.folded(&requests);
        let kept: std::collections::BTreeSet<&String> = folded.iter().collect();
        assert_eq!(folded[frequent as usize], "/shop/ax");
        assert!(kept.len() <= 4, "{kept:?}");
    }

    #[test]
    fn the_tree_does_not_grow_without_bound() {
        let mut templates = Templates::default();
        for number in 0..200_000_u32 {
            let path = format!("/{}x/{}y/{}z", number % 97, number % 89, number % 83);
            let words: String = path
                .bytes()
                .map(|b| {
                    if b.is_ascii_digit() {
                        char::from(b'a' + b - b'0')
                    } else {
                        char::from(b)
                    }
                })
                .collect();
            templates.template(words.as_bytes());
        }
        assert!(templates.len() <= MOST_NODES + 1001);
    }
}
