//! The tags of a target's last answer, remembered.

use std::net::IpAddr;

use loadline_metrics::TagSetId;
use loadline_net::{Protocol, TlsVersion};

/// The tags of an answer, and all they were made of besides the target: a user that asks
/// for the same again mostly gets the same kind of answer.
#[derive(Debug)]
pub(super) struct AnswerTags {
    pub(super) base: TagSetId,
    pub(super) method: Box<str>,
    pub(super) own: Box<[(String, String)]>,
    pub(super) status: u16,
    pub(super) protocol: Protocol,
    pub(super) tls: Option<TlsVersion>,
    pub(super) ip: Option<IpAddr>,
    pub(super) expected: Option<bool>,
    pub(super) tags: TagSetId,
}
