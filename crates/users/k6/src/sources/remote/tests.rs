use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::UNIX_EPOCH;

use super::super::lock_file::{Entry, Lock, file_of, put};
use super::*;

const URL: &str = "https://lib.test/a.js";
const UTILS: &str = "https://jslib.k6.io/k6-utils/1.4.0/index.js";

/// A server with one answer for everything, which counts how often it is asked.
struct Server {
    answer: Result<FetchResponse, FetchError>,
    asked: AtomicUsize,
}

impl Server {
    fn text(text: &str) -> Arc<Self> {
        Self::answering(Ok(FetchResponse::Text {
            bytes: text.as_bytes().to_vec(),
            etag: Some("\"1\"".to_owned()),
        }))
    }

    fn answering(answer: Result<FetchResponse, FetchError>) -> Arc<Self> {
        Arc::new(Self {
            answer,
            asked: AtomicUsize::new(0),
        })
    }

    fn down() -> Arc<Self> {
        Self::answering(Err(down()))
    }
}

impl Fetch for Server {
    fn fetch(&self, _: &str, etag: Option<&str>) -> Result<FetchResponse, FetchError> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        match &self.answer {
            Ok(FetchResponse::Unchanged) => {
                assert_eq!(etag, Some("\"1\""), "only what is there can be unchanged");
                Ok(FetchResponse::Unchanged)
            }
            answer => answer.clone(),
        }
    }
}

fn down() -> FetchError {
    FetchError::Refused {
        address: "192.0.2.1:443".to_owned(),
    }
}

struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    fn loader(&self, server: Option<&Arc<Server>>) -> RemoteLoader {
        let settings = RemoteModules {
            fetch: server.map(|server| server.clone() as Arc<dyn Fetch>),
            cache: Some(self.folder.path().join("cache")),
            archive: Some(self.folder.path().join("unpacked")),
            ..RemoteModules::none(|| UNIX_EPOCH + std::time::Duration::from_secs(77))
        };
        RemoteLoader::new(settings, self.folder.path().to_owned())
    }

    fn lock(&self, text: &str, is_stored: bool) {
        let mut lock = Lock::read(self.folder.path()).unwrap();
        let entry = Entry {
            file: file_of(URL),
            sha256: digest(text.as_bytes()),
        };
        if is_stored {
            put(&self.folder.path().join(&entry.file), text.as_bytes()).unwrap();
        }
        lock.modules.insert(URL.to_owned(), entry);
        lock.write(self.folder.path()).unwrap();
    }
}

fn origin(loader: &RemoteLoader) -> ModuleOrigin {
    loader.modules()[0].origin
}

#[test]
fn a_module_is_fetched_and_kept_and_asked_for_changes_the_next_time() {
    let place = Place::new();
    let first = place.loader(Some(&Server::text("one")));
    assert_eq!(first.get(URL).unwrap().text, "one");
    assert_eq!(origin(&first), ModuleOrigin::Server);
    assert_eq!(first.notes(), []);
    let unchanged = Server::answering(Ok(FetchResponse::Unchanged));
    let again = place.loader(Some(&unchanged));
    assert_eq!(again.get(URL).unwrap().text, "one");
    assert_eq!(origin(&again), ModuleOrigin::Cache);
    let changed = place.loader(Some(&Server::text("two")));
    assert_eq!(changed.get(URL).unwrap().text, "two");
}

#[test]
fn what_was_fetched_runs_while_the_server_is_away_and_the_run_says_so() {
    let place = Place::new();
    place.loader(Some(&Server::text("one"))).get(URL).unwrap();
    let away = place.loader(Some(&Server::down()));
    assert_eq!(away.get(URL).unwrap().text, "one");
    let stale = ModuleNote::Stale {
        url: URL.to_owned(),
        error: down(),
        fetched: 77,
    };
    assert_eq!(away.notes(), [stale]);
    let offline = place.loader(None);
    assert_eq!(offline.get(URL).unwrap().text, "one");
    assert_eq!(offline.notes(), []);
}

#[test]
fn a_server_that_answers_is_believed_whatever_is_kept() {
    let place = Place::new();
    place.loader(Some(&Server::text("one"))).get(URL).unwrap();
    let gone = FetchError::Status {
        status: 404,
        url: URL.to_owned(),
    };
    let refused = place.loader(Some(&Server::answering(Err(gone.clone()))));
    let error = refused.get(URL).unwrap_err();
    assert_eq!(error, fetch_failed(URL, gone));
}

#[test]
fn a_text_of_the_cache_that_was_changed_does_not_run() {
    let place = Place::new();
    place.loader(Some(&Server::text("one"))).get(URL).unwrap();
    let file = place.folder.path().join("cache/texts").join(digest(b"one"));
    std::fs::write(file, "other").unwrap();
    let error = place.loader(None).get(URL).unwrap_err();
    assert_eq!(error, ModuleError::Offline { url: URL.into() });
    let again = place.loader(Some(&Server::text("one")));
    assert_eq!(again.get(URL).unwrap().text, "one");
}

#[test]
fn our_own_copy_answers_only_without_the_server() {
    let place = Place::new();
    let there = place.loader(Some(&Server::text("the real one")));
    assert_eq!(there.get(UTILS).unwrap().text, "the real one");
    let place = Place::new();
    for (server, error) in [(Some(Server::down()), Some(down())), (None, None)] {
        let loader = place.loader(server.as_ref());
        assert!(loader.get(UTILS).unwrap().text.contains("randomString"));
        assert_eq!(origin(&loader), ModuleOrigin::BuiltIn);
        let url = UTILS.to_owned();
        assert_eq!(loader.notes(), [ModuleNote::BuiltIn { url, error }]);
    }
}

#[test]
fn what_the_lock_file_names_runs_without_asking_anybody() {
    let place = Place::new();
    place.lock("locked", true);
    let server = Server::text("newer");
    let loader = place.loader(Some(&server));
    assert_eq!(loader.get(URL).unwrap().text, "locked");
    assert_eq!(origin(&loader), ModuleOrigin::Lock);
    assert_eq!(server.asked.load(Ordering::Relaxed), 0);
    loader.get("https://lib.test/other.js").unwrap();
    assert!(
        matches!(&loader.notes()[..], [ModuleNote::NotLocked { url }] if url.contains("other"))
    );
}

#[test]
fn a_stored_file_that_was_changed_is_an_error() {
    let place = Place::new();
    place.lock("locked", true);
    std::fs::write(place.folder.path().join(file_of(URL)), "changed").unwrap();
    let error = place.loader(None).get(URL).unwrap_err();
    assert!(matches!(error, ModuleError::Tampered { .. }), "{error:?}");
}

#[test]
fn a_server_that_changed_its_text_since_the_lock_is_an_error() {
    let place = Place::new();
    place.lock("locked", false);
    let error = place.loader(Some(&Server::text("newer"))).get(URL);
    let changed = ModuleError::Changed {
        url: URL.to_owned(),
        locked: digest(b"locked"),
        found: digest(b"newer"),
    };
    assert_eq!(error.unwrap_err(), changed);
    let same = place.loader(Some(&Server::text("locked")));
    assert_eq!(same.get(URL).unwrap().text, "locked");
    // It is in the cache now.
    assert_eq!(place.loader(None).get(URL).unwrap().text, "locked");
}

#[test]
fn what_an_archive_carries_comes_first() {
    let place = Place::new();
    let file = place.folder.path().join("unpacked/https/lib.test/a.js");
    put(&file, b"archived").unwrap();
    let loader = place.loader(Some(&Server::text("newer")));
    assert_eq!(loader.get(URL).unwrap().text, "archived");
    assert_eq!(origin(&loader), ModuleOrigin::Archive);
}

#[test]
fn depth_number_and_size_are_bounded() {
    let place = Place::new();
    let loader = place.loader(Some(&Server::text("x")));
    let name = |n: usize| format!("https://lib.test/{n}.js");
    loader.imported(&name(1), "file:///main.js");
    for n in 1..=IMPORT_DEPTH_MAX {
        loader.imported(&name(n + 1), &name(n));
    }
    loader.get(&name(IMPORT_DEPTH_MAX)).unwrap();
    let error = loader.get(&name(IMPORT_DEPTH_MAX + 1)).unwrap_err();
    assert!(matches!(error, ModuleError::TooDeep { .. }), "{error:?}");

    let mut many = place.loader(Some(&Server::text("x")));
    many.cache = None;
    for n in 0..MODULES_MAX {
        many.get(&name(n)).unwrap();
    }
    let error = many.get(&name(MODULES_MAX)).unwrap_err();
    assert!(matches!(error, ModuleError::TooMany { .. }), "{error:?}");

    let mut large = place.loader(Some(&Server::text(&"x".repeat(TOTAL_BYTES_MAX / 4))));
    large.cache = None;
    (0..4).for_each(|n| drop(large.get(&name(n)).unwrap()));
    let error = large.get(&name(4)).unwrap_err();
    let is_large = matches!(error, ModuleError::TooLargeTogether { .. });
    assert!(is_large, "{error:?}");
}
