//! Folds paths into templates: `/users/4711/orders` becomes `/users/{id}/orders`.
//!
//! A segment that looks like an identifier ([`PathPart`]) is one, and so are versions (`3.0.1`)
//! where a place has more than one. Other names are kept in a tree. A place with too many different names holds
//! identifiers, too; its rare names are folded at the end. The size of the tree is limited, so
//! memory does not depend on the number of paths.

use loadline_units::{PathPart, readable_part};
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
    /// The child for the first version; 0 for none.
    version: u32,
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
            version: 0,
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
        match PathPart::new(segment) {
            PathPart::Name => {}
            PathPart::Identifier => return self.id_below(node),
            PathPart::Version => return self.version_below(node, segment),
        }
        let name = readable_part(segment);
        let segment = name.as_bytes();
        let key = hash(segment, u64::from(node));
        if let Some(child) = self.children.get(&key) {
            return *child;
        }
        let names = self.nodes[node as usize].names;
        if names >= MOST_NAMES || self.nodes.len() >= MOST_NODES {
            return self.id_below(node);
        }
        self.nodes[node as usize].names += 1;
        let child = self.push(node, name.into());
        self.children.insert(key, child);
        child
    }

    /// The first version of a place has a node of its own, until another shows that there are many.
    fn version_below(&mut self, node: u32, segment: &[u8]) -> u32 {
        let known = self.nodes[node as usize].version;
        if known == 0 && self.nodes.len() < MOST_NODES {
            let name = String::from_utf8_lossy(segment).into_owned();
            let child = self.push(node, name.into());
            self.nodes[node as usize].version = child;
            return child;
        }
        if known != 0 && self.nodes[known as usize].name.as_bytes() == segment {
            return known;
        }
        self.id_below(node)
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
            version: 0,
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
            // Beside an identifier a version is one, too.
            let is_one_of_many = parent.id != 0 && parent.version as usize == index;
            let name = if (crowded && rare) || is_one_of_many {
                ID
            } else {
                &node.name
            };
            paths.push(format!("{}/{name}", paths[node.parent as usize]));
        }
        paths[0] = "/".to_owned();
        paths
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }
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
    fn a_version_stays_while_it_is_the_only_one_of_its_place() {
        let folded = |paths: &[&str]| {
            let mut templates = Templates::default();
            let ids: Vec<TemplateId> = paths
                .iter()
                .map(|path| templates.template(path.as_bytes()))
                .collect();
            let all = templates.folded(&[]);
            let folded: Vec<String> = ids.iter().map(|id| all[*id as usize].clone()).collect();
            folded
        };
        assert_eq!(
            folded(&["/api/3.0.1/x", "/api/3.0.1/y"]),
            ["/api/3.0.1/x", "/api/3.0.1/y"]
        );
        assert_eq!(
            folded(&["/v/3.0.1", "/v/3.0.2", "/v/3.0.1"]),
            ["/v/{id}", "/v/{id}", "/v/{id}"]
        );
        assert_eq!(
            folded(&["/item/2.5", "/item/12.5"]),
            ["/item/{id}", "/item/{id}"]
        );
        assert_eq!(folded(&["/n/%ED%99%8D", "/n/홍"]), ["/n/홍", "/n/홍"]);
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
