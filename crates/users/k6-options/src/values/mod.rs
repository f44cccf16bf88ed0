//! Option values that are more than one number or text, one type per file.

mod addresses;
mod dns;
mod hosts;
mod patterns;
mod segment;
mod system_tags;
mod threshold;
mod tls;
mod trend_stat;

pub use addresses::{IpNet, IpPool};
pub use dns::{DnsOptions, DnsPolicy, DnsSelect, DnsTtl};
pub use hosts::{HostTarget, Hosts};
pub use patterns::BlockedHostnames;
pub use segment::{Segment, SegmentSequence};
pub use system_tags::{SystemTag, SystemTags};
pub use threshold::ThresholdCondition;
pub use tls::{CipherSuite, TlsAuth, TlsVersionOption, TlsVersionsOption};
pub use trend_stat::{SummaryTrendStat, check_trend_stats};
