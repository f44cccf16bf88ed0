use proptest::prelude::*;

use super::*;
use crate::sources::lock_file::{LockedModule, StoredModules};
use crate::{Fetch, FetchError, FetchResponse};

/// A web of modules by URL.
struct Web(BTreeMap<&'static str, &'static str>);

impl Fetch for Web {
    fn fetch(&self, url: &str, _: Option<&str>) -> Result<FetchResponse, FetchError> {
        let text = self.0.get(url).ok_or_else(|| FetchError::Status {
            status: 404,
            url: url.to_owned(),
        })?;
        Ok(FetchResponse::Text {
            bytes: text.as_bytes().to_vec(),
            etag: None,
        })
    }
}

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

const SCRIPT: &str = "
    import { a } from 'https://lib.test/a/1.0/index.js';
    import { randomString } from 'https://jslib.k6.io/k6-utils/1.4.0/index.js';
    export default function () { a(); randomString(3); }
";

fn web() -> RemoteModules {
    let web = Web(BTreeMap::from([
        (
            "https://lib.test/a/1.0/index.js",
            "import { b } from '../../b.js?v=2'; export function a() { return b; }",
        ),
        ("https://lib.test/b.js?v=2", "export const b = 1;"),
        ("https://lib.test/b.js", "export const b = 0;"),
        (
            "https://jslib.k6.io/k6-utils/1.4.0/index.js",
            "export function randomString() {}",
        ),
    ]));
    RemoteModules {
        fetch: Some(Arc::new(web)),
        ..RemoteModules::none(|| std::time::UNIX_EPOCH)
    }
}

#[test]
fn what_is_imported_and_what_that_imports_is_stored_and_found_again() {
    let folder = folder(&[("main.js", SCRIPT)]);
    let gathered = gather("main.js", folder.path(), web()).unwrap();
    let kept = gathered.write().unwrap();
    let urls: Vec<&str> = kept.iter().map(|kept| kept.url.as_str()).collect();
    assert_eq!(
        urls,
        [
            "https://jslib.k6.io/k6-utils/1.4.0/index.js",
            "https://lib.test/a/1.0/index.js",
            "https://lib.test/b.js?v=2"
        ]
    );
    assert!(kept.iter().all(|kept| kept.change == VendorChange::New));
    assert!(
        folder
            .path()
            .join("vendor/lib.test/a/1.0/index.js")
            .exists()
    );

    let vendored = StoredModules::beside(folder.path().to_owned());
    let text = vendored.find("https://lib.test/b.js?v=2").unwrap();
    assert_eq!(
        text,
        Some(LockedModule::Text(b"export const b = 1;".to_vec()))
    );
    assert_eq!(vendored.find("https://lib.test/b.js"), Ok(None));

    let again = gather("main.js", folder.path(), web())
        .unwrap()
        .write()
        .unwrap();
    assert!(again.iter().all(|kept| kept.change == VendorChange::Same));
}

#[test]
fn what_another_script_of_the_folder_needs_stays() {
    let other = "import 'https://lib.test/b.js'; export default function () {}";
    let folder = folder(&[("main.js", SCRIPT), ("other.js", other)]);
    for script in ["main.js", "other.js"] {
        gather(script, folder.path(), web())
            .unwrap()
            .write()
            .unwrap();
    }
    assert_eq!(Lock::read(folder.path()).unwrap().modules.len(), 4);
}

#[test]
fn a_module_that_cannot_be_had_is_named_and_nothing_is_written() {
    let script = "import 'https://lib.test/none.js'; export default function () {}";
    let folder = folder(&[("main.js", script)]);
    let error = gather("main.js", folder.path(), web())
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("https://lib.test/none.js") && error.contains("404"),
        "{error}"
    );
    assert!(!folder.path().join(LOCK).exists());
}

#[test]
fn a_list_that_is_none_is_not_overwritten() {
    let folder = folder(&[
        ("main.js", SCRIPT),
        (LOCK, "{\"version\": 9, \"modules\": {}}"),
    ]);
    let error = gather("main.js", folder.path(), web())
        .unwrap()
        .write()
        .unwrap_err();
    assert!(error.to_string().contains("version 9"), "{error}");
}

#[test]
fn files_are_named_after_their_urls() {
    assert_eq!(file_of("https://a.test/x/y.js"), "vendor/a.test/x/y.js");
    assert!(file_of("https://a.test").starts_with("vendor/a.test-"));
    assert_ne!(
        file_of("https://a.test/x"),
        "vendor/a.test/x",
        "may be a folder"
    );
    assert_ne!(
        file_of("https://a.test/x.js?v=1"),
        file_of("https://a.test/x.js?v=2")
    );
    assert!(file_of("https://a.test:8443/x.min.js").ends_with(".js"));
}

proptest! {
    #[test]
    fn no_url_leads_out_of_the_folder_and_two_urls_never_share_a_file(
        one in "https://[a-z.:]{1,8}(/[a-z.%~ ]{0,5}){0,4}(\\?[a-z]{0,3})?",
        other in "https://[a-z.:]{1,8}(/[a-z.%~ ]{0,5}){0,4}(\\?[a-z]{0,3})?",
    ) {
        let file = file_of(&one);
        prop_assert!(file.starts_with("vendor/"));
        let parts: Vec<_> = Path::new(&file).components().collect();
        prop_assert!(parts.iter().all(|part| matches!(part, std::path::Component::Normal(_))), "{}", file);
        prop_assert!(one == other || file != file_of(&other), "{} {}", one, other);
    }
}
