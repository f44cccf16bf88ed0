use super::{ApiKey, ChangeStatus, Directory, DirectoryChange, KeySecret, Page, QueueInfo, Scope};
use crate::ids::{QueueId, TenantId};
use crate::queue::Policy;
use crate::tokens::admission::AdmissionProof;

const ONE: TenantId = TenantId([1; 8]);
const TWO: TenantId = TenantId([2; 8]);

fn queue(id: u8, tenant: TenantId, slug: &str) -> Box<QueueInfo> {
    Box::new(QueueInfo {
        id: QueueId([id; 8]),
        tenant,
        slug: slug.to_owned(),
        title: slug.to_owned(),
        origins: vec!["https://shop.example".to_owned()],
        target: "https://shop.example/".to_owned(),
        proof: AdmissionProof::Code,
        page: Page::default(),
        policy: Policy::default(),
        open_join: true,
    })
}

fn two_tenants() -> Directory {
    let mut directory = Directory::default();
    for (id, name) in [(ONE, "one"), (TWO, "two")] {
        directory.apply(
            0,
            DirectoryChange::AddTenant {
                id,
                name: name.to_owned(),
            },
        );
    }
    directory
}

fn key(tenant: Option<TenantId>, scopes: &[Scope]) -> (KeySecret, ApiKey) {
    let secret = KeySecret::draw().unwrap();
    let key = ApiKey::new(
        &secret,
        tenant,
        "test".to_owned(),
        scopes.to_vec(),
        Some(100),
    );
    (secret, key)
}

/// S1: the same name in two tenants is two queues, and neither can be changed from the other.
#[test]
fn s01_a_name_taken_by_one_tenant_is_nothing_to_another() {
    let mut directory = two_tenants();
    assert_eq!(
        directory.apply(
            0,
            DirectoryChange::AddQueue {
                queue: queue(1, ONE, "sale")
            }
        ),
        ChangeStatus::Done
    );
    assert_eq!(
        directory.apply(
            0,
            DirectoryChange::AddQueue {
                queue: queue(2, TWO, "sale")
            }
        ),
        ChangeStatus::Done
    );
    assert_eq!(
        directory.apply(
            0,
            DirectoryChange::AddQueue {
                queue: queue(3, ONE, "sale")
            }
        ),
        ChangeStatus::Exists
    );
    assert_eq!(
        directory.apply(
            0,
            DirectoryChange::ChangeQueue {
                queue: queue(1, TWO, "mine")
            }
        ),
        ChangeStatus::Missing
    );
    assert_eq!(directory.queue(QueueId([1; 8])).unwrap().slug, "sale");
    let nobodys = TenantId([9; 8]);
    assert_eq!(
        directory.apply(
            0,
            DirectoryChange::AddQueue {
                queue: queue(4, nobodys, "x")
            }
        ),
        ChangeStatus::Missing
    );
}

/// S5: only a hash is kept; a key can be revoked, ends by itself, and does what it was made for.
#[test]
fn s05_keys_are_hashed_scoped_and_end() {
    let mut directory = two_tenants();
    let (secret, made) = key(Some(ONE), &[Scope::Register]);
    directory.apply(0, DirectoryChange::AddKey { key: made });
    let kept = directory.key(secret.id).unwrap().clone();
    let frozen = postcard::to_allocvec(&directory.freeze()).unwrap();
    assert!(
        !frozen.windows(32).any(|bytes| bytes == secret.secret),
        "the secret is kept"
    );

    assert!(kept.opens(&KeySecret::parse(&secret.reveal()).unwrap(), 99));
    assert!(!kept.opens(&secret, 100), "its time is over");
    let wrong = KeySecret {
        id: secret.id,
        secret: [0; 32],
    };
    assert!(!kept.opens(&wrong, 99));
    assert!(kept.may(Scope::Register) && !kept.may(Scope::Admit) && !kept.may(Scope::Root));

    let id = secret.id;
    assert_eq!(
        directory.apply(0, DirectoryChange::RevokeKey { id, of: Some(TWO) }),
        ChangeStatus::Missing
    );
    assert_eq!(
        directory.apply(0, DirectoryChange::RevokeKey { id, of: Some(ONE) }),
        ChangeStatus::Done
    );
    assert!(directory.key(id).is_none());
}

#[test]
fn the_first_key_is_made_once() {
    let mut directory = Directory::default();
    let (_, first) = key(None, &[Scope::Root]);
    let (_, second) = key(None, &[Scope::Root]);
    assert_eq!(
        directory.apply(0, DirectoryChange::AddFirstKey { key: first }),
        ChangeStatus::Done
    );
    assert_eq!(
        directory.apply(0, DirectoryChange::AddFirstKey { key: second }),
        ChangeStatus::Exists
    );
}

#[test]
fn what_is_no_key_is_not_read_as_one() {
    let (secret, _) = key(None, &[Scope::Root]);
    let good = secret.reveal();
    assert_eq!(KeySecret::parse(&good), Some(secret));
    for bad in [
        "",
        "wrk_",
        "wrk_0_a",
        &good[..good.len() - 1],
        &format!("{good}A"),
        &good.to_uppercase(),
    ] {
        assert_eq!(KeySecret::parse(bad), None, "{bad}");
    }
    assert_eq!(QueueId::parse("q_000000000000000G"), None);
    assert_eq!(QueueId::parse("t_0000000000000001"), None);
}

/// What browsers see is kept over a restart, guarded by what was read, and forgotten with the queue.
#[test]
fn what_browsers_see_of_a_queue_is_changed_only_as_it_was_read() {
    let mut directory = two_tenants();
    let id = QueueId([1; 8]);
    let set = |before: &str, after: &str| {
        let with = |origin: &str| {
            Box::new(super::BrowserSettings {
                cors_origins: vec![origin.to_owned()],
                ..Default::default()
            })
        };
        DirectoryChange::SetBrowser {
            id,
            before: match before {
                "" => Box::default(),
                before => with(before),
            },
            after: with(after),
        }
    };
    assert_eq!(
        directory.apply(0, set("", "https://a")),
        ChangeStatus::Missing
    );
    let queue = queue(1, ONE, "sale");
    directory.apply(0, DirectoryChange::AddQueue { queue });
    assert_eq!(directory.apply(0, set("", "https://a")), ChangeStatus::Done);
    assert_eq!(
        directory.apply(0, set("", "https://b")),
        ChangeStatus::Changed
    );
    let bytes = postcard::to_allocvec(&directory.freeze()).unwrap();
    let mut directory = Directory::thaw(super::DirectorySnapshot::read(&bytes).unwrap());
    assert_eq!(directory.browser(id).cors_origins, ["https://a"]);
    directory.apply(0, DirectoryChange::ArchiveQueue { id });
    assert_eq!(directory.browser(id).cors_origins, ["https://a"]);
    directory.apply(0, DirectoryChange::DeleteQueue { id });
    assert_eq!(directory.browser(id), super::BrowserSettings::default());
}

/// A snapshot of a program before version 3 ends earlier, and one of this program can be read by
/// it: what it does not know comes last.
#[test]
fn snapshots_of_before_quotas_and_records_are_read() {
    let mut directory = two_tenants();
    let queue = queue(1, ONE, "sale");
    directory.apply(0, DirectoryChange::AddQueue { queue });
    let frozen = directory.freeze();
    let bytes = postcard::to_allocvec(&frozen).unwrap();
    // Of version 4: without logos; of version 3: without what browsers see; of before: without
    // all additions.
    let none = postcard::to_allocvec(&(super::Additions::default(), [0_u8; 2])).unwrap();
    let end = none.len();
    for missing in [&none[end - 1..], &none[end - 2..], &none[..]] {
        let before = bytes.strip_suffix(missing).unwrap();
        assert_eq!(super::DirectorySnapshot::read(before).unwrap(), frozen);
    }
    let change = DirectoryChange::ArchiveQueue {
        id: QueueId([1; 8]),
    };
    let actor = "k_1".to_owned();
    let change = Box::new(change);
    directory.apply(0, DirectoryChange::By { actor, change });
    let bytes = postcard::to_allocvec(&directory.freeze()).unwrap();
    let read = super::DirectorySnapshot::read(&bytes).unwrap();
    assert_eq!(read, directory.freeze());
    assert_eq!(Directory::thaw(read).history().count(), 1);
}
