use super::{Secret, Signer, Token, TokenError, TokenPurpose};
use crate::ids::QueueId;
use crate::queue::VisitorId;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

const NOW_S: u64 = 1_800_000_000;
const QUEUE: QueueId = QueueId([1; 8]);

fn ticket() -> Token {
    Token {
        wid: VisitorId([7; 16]),
        seq: 42,
        lease: 1,
        expires_s: NOW_S + 60,
    }
}

#[test]
fn a_ticket_says_what_was_signed() {
    let secret = Secret::new([3; 32]);
    let signer = Signer::new(&secret, QUEUE, 5);
    for purpose in [
        TokenPurpose::Waiting,
        TokenPurpose::Code,
        TokenPurpose::Session,
    ] {
        let text = signer.sign(purpose, &ticket());
        assert_eq!(signer.check(purpose, &text, NOW_S), Ok(ticket()));
        assert_eq!(text.len(), 76);
    }
}

/// S2: nobody without the secret makes a ticket, and a ticket is good for one thing only.
#[test]
fn s02_forged_altered_expired_and_foreign_tickets_are_refused() {
    let secret = Secret::new([3; 32]);
    let signer = Signer::new(&secret, QUEUE, 5);
    let good = signer.sign(TokenPurpose::Waiting, &ticket());
    let check = |text: &str| signer.check(TokenPurpose::Waiting, text, NOW_S);

    let other_secret = Secret::new([4; 32]);
    let forged = Signer::new(&other_secret, QUEUE, 5).sign(TokenPurpose::Waiting, &ticket());
    assert_eq!(check(&forged), Err(TokenError::Forged), "another secret");
    let other_queue =
        Signer::new(&secret, QueueId([2; 8]), 5).sign(TokenPurpose::Waiting, &ticket());
    assert_eq!(
        check(&other_queue),
        Err(TokenError::Forged),
        "another queue"
    );
    let other_purpose = signer.sign(TokenPurpose::Session, &ticket());
    assert_eq!(
        check(&other_purpose),
        Err(TokenError::Malformed),
        "another purpose"
    );
    assert_eq!(
        signer.check(TokenPurpose::Waiting, &good, NOW_S + 60),
        Err(TokenError::Expired)
    );

    let bytes = URL_SAFE_NO_PAD.decode(&good).unwrap();
    for at in 0..bytes.len() {
        let mut altered = bytes.clone();
        altered[at] ^= 1;
        assert!(
            check(&URL_SAFE_NO_PAD.encode(&altered)).is_err(),
            "byte {at}"
        );
    }
    for odd in [
        "",
        "x",
        &good[..75],
        &format!("{good}A"),
        &good.replace(&good[10..11], "*"),
    ] {
        assert!(check(odd).is_err(), "{odd}");
    }
    let mut relabelled = URL_SAFE_NO_PAD.decode(&other_purpose).unwrap();
    relabelled[0] = b'w';
    assert_eq!(
        check(&URL_SAFE_NO_PAD.encode(&relabelled)),
        Err(TokenError::Forged)
    );
}

/// C13: a page that was open for hours can still be reloaded; the ticket outlives any wait.
#[test]
fn c13_rotation_drops_nobody() {
    let secret = Secret::new([3; 32]);
    let before = Signer::new(&secret, QUEUE, 5).sign(TokenPurpose::Waiting, &ticket());
    let check = |generation| {
        Signer::new(&secret, QUEUE, generation).check(TokenPurpose::Waiting, &before, NOW_S)
    };
    assert!(check(6).is_ok(), "after one rotation");
    assert!(check(4).is_ok(), "by a gate that has not heard of it");
    assert_eq!(check(7), Err(TokenError::Forged), "after two, long ago");
    let lately = Signer::new(&secret, QUEUE, 9).since(5);
    assert!(lately.check(TokenPurpose::Waiting, &before, NOW_S).is_ok());
    let later = Signer::new(&secret, QUEUE, 9).since(6);
    let refused = later.check(TokenPurpose::Waiting, &before, NOW_S);
    assert_eq!(refused, Err(TokenError::Forged));
}

#[test]
fn people_are_known_by_a_keyed_hash_of_each_queue() {
    let secret = Secret::new([3; 32]);
    let wid = secret.wid(QUEUE, "kim@example.com");
    assert_eq!(wid, secret.wid(QUEUE, "kim@example.com"));
    assert_ne!(wid, secret.wid(QUEUE, "lee@example.com"));
    assert_ne!(wid, secret.wid(QueueId([2; 8]), "kim@example.com"));
    assert_ne!(wid, Secret::new([4; 32]).wid(QUEUE, "kim@example.com"));
}

#[test]
fn a_secret_reads_what_it_reveals_and_shows_nothing_else() {
    let secret = Secret::new([0xAB; 32]);
    assert_eq!(Secret::parse(&secret.reveal()).unwrap().0, secret.0);
    assert_eq!(format!("{secret:?}"), "Secret(..)");
    let print = secret.fingerprint();
    assert_eq!(print, Secret::new([0xAB; 32]).fingerprint());
    assert_ne!(print, Secret::new([0xAC; 32]).fingerprint());
    assert_ne!(print[..], secret.0[..16]);
    assert!(Secret::parse("abc").is_none());
    assert!(Secret::parse(&"+a".repeat(32)).is_none());
}
