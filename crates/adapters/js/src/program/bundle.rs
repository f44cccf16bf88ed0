//! Source maps of bundles: files that another tool made of several, and that say at their end where their parts come from.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use oxc_sourcemap::SourceMap;

/// What a file says before the place of its map.
const MARK: &str = "//# sourceMappingURL=";

/// Where the parts of one file come from.
pub(super) struct BundleMap {
    /// URLs of the original files.
    sources: Vec<String>,
    /// Sorted by generated line and column, all from 0.
    places: Vec<Place>,
}

struct Place {
    generated: (u32, u32),
    source: usize,
    original: (u32, u32),
}

/// Why a file's map cannot be used; positions are those of the file then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapFault {
    /// URL of the file.
    pub file: String,
    /// What is wrong.
    pub reason: String,
}

impl BundleMap {
    /// The map that the file `text` at `url` names; `None` when it names none. `read` gives the text behind a URL.
    pub(super) fn read(
        url: &str,
        text: &str,
        read: impl FnOnce(&str) -> Result<String, String>,
    ) -> Option<Result<Self, MapFault>> {
        let named = text.rsplit_once(MARK)?.1.split_whitespace().next()?;
        let (at, json) = match named.strip_prefix("data:") {
            Some(data) => (url.to_owned(), inline(data)),
            None => {
                let at = join(url, named);
                let json = read(&at);
                (at, json)
            }
        };
        let map = json.and_then(|json| Self::parse(&at, &json));
        Some(map.map_err(|reason| MapFault {
            file: url.to_owned(),
            reason,
        }))
    }

    fn parse(at: &str, json: &str) -> Result<Self, String> {
        let map = SourceMap::from_json_string(json).map_err(|error| error.to_string())?;
        let root = map.get_source_root().unwrap_or_default();
        let root = match root {
            "" => String::new(),
            root => format!("{}/", root.trim_end_matches('/')),
        };
        let sources = map.get_sources();
        let sources = sources.map(|source| join(at, &format!("{root}{source}")));
        let tokens = map.get_tokens().filter_map(|token| {
            Some(Place {
                generated: (token.get_dst_line(), token.get_dst_col()),
                source: usize::try_from(token.get_source_id()?).ok()?,
                original: (token.get_src_line(), token.get_src_col()),
            })
        });
        let mut places: Vec<Place> = tokens.collect();
        places.sort_by_key(|place| place.generated);
        Ok(Self {
            sources: sources.collect(),
            places,
        })
    }

    /// URL, line and column (from 1) of what is at a line and column (from 1) of the file.
    pub(super) fn original(&self, line: u32, column: u32) -> Option<(&str, u32, u32)> {
        let generated = (line.checked_sub(1)?, column.saturating_sub(1));
        let after = self
            .places
            .partition_point(|place| place.generated <= generated);
        let place = self.places[..after].last();
        let place = place.filter(|place| place.generated.0 == generated.0)?;
        let source = self.sources.get(place.source)?;
        Some((source, place.original.0 + 1, place.original.1 + 1))
    }
}

/// The text of a data URL.
fn inline(data: &str) -> Result<String, String> {
    let (kind, text) = data.split_once(',').ok_or("a data URL without data")?;
    if !kind.ends_with(";base64") {
        return Err(format!("a source map written as {kind:?}, not as base64"));
    }
    let bytes = STANDARD.decode(text).map_err(|error| error.to_string())?;
    String::from_utf8(bytes).map_err(|error| error.to_string())
}

/// `path` as seen from the file at `base`.
fn join(base: &str, path: &str) -> String {
    if path.contains("://") {
        return path.to_owned();
    }
    let (scheme, rest) = base.split_once("://").unwrap_or(("file", base));
    let host_end = if scheme == "file" {
        0
    } else {
        rest.find('/').unwrap_or(rest.len())
    };
    let (host, folder) = rest.split_at(host_end);
    let mut parts: Vec<&str> = if path.starts_with('/') {
        Vec::new()
    } else {
        folder
            .rsplit_once('/')
            .map_or("", |(folder, _)| folder)
            .split('/')
            .collect()
    };
    for part in path.split('/') {
        match part {
            "." | "" => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    let parts = parts.into_iter().filter(|part| !part.is_empty());
    let path: String = parts.flat_map(|part| ["/", part]).collect();
    format!("{scheme}://{host}{path}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two parts: line 1 of the file is line 2 of `a.ts`, line 2 from column 5 is line 1 of `lib/b.ts`.
    const MAP: &str = r#"{"version":3,"sources":["src/a.ts","src/lib/b.ts"],"names":[],"mappings":"AACA;IAAA,ICDA"}"#;

    fn map_of(text: &str) -> Option<Result<BundleMap, MapFault>> {
        BundleMap::read("file:///tests/out.js", text, |at| match at {
            "file:///tests/out.js.map" => Ok(MAP.to_owned()),
            other => Err(format!("nothing at {other}")),
        })
    }

    #[test]
    fn places_of_a_bundle_lead_to_its_parts() {
        for text in [
            "f();\n    g();\n//# sourceMappingURL=out.js.map\n".to_owned(),
            format!(
                "f();\n//# sourceMappingURL=data:application/json;base64,{}",
                STANDARD.encode(MAP)
            ),
        ] {
            let map = map_of(&text).expect("it names one").expect("a good map");
            assert_eq!(map.original(1, 1), Some(("file:///tests/src/a.ts", 2, 1)));
            assert_eq!(
                map.original(2, 20),
                Some(("file:///tests/src/lib/b.ts", 1, 1))
            );
            assert_eq!(map.original(9, 1), None);
        }
    }

    #[test]
    fn a_map_that_cannot_be_had_is_told_and_none_is_none() {
        let fault = |text| map_of(text).expect("it names one").err().expect("a fault");
        assert_eq!(
            fault("//# sourceMappingURL=gone.map").reason,
            "nothing at file:///tests/gone.map"
        );
        assert_eq!(
            fault("//# sourceMappingURL=gone.map").file,
            "file:///tests/out.js"
        );
        assert!(
            !fault("//# sourceMappingURL=data:application/json;base64,e30K")
                .reason
                .is_empty()
        );
        assert!(map_of("export default 1;").is_none());
    }

    #[test]
    fn sources_are_seen_from_the_map() {
        assert_eq!(
            join("file:///a/b/c.js", "../src/x.ts"),
            "file:///a/src/x.ts"
        );
        assert_eq!(join("file:///a/b/c.js", "/abs/x.ts"), "file:///abs/x.ts");
        assert_eq!(
            join("https://host:1/a/c.js", "./x.ts"),
            "https://host:1/a/x.ts"
        );
        assert_eq!(
            join("file:///c.js", "webpack://app/./x.ts"),
            "webpack://app/./x.ts"
        );
    }
}
