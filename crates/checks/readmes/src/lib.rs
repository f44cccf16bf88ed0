//! The Rust of every crate's README, as one set of documentation tests: what a README names is there. The crates
//! themselves have no documentation tests (`doctest = false`), so that all of it is compiled and linked once.

#[cfg(doctest)]
#[doc = include_str!("../../../../crates/adapters/engine/README.md")]
mod engine {}

#[cfg(doctest)]
#[doc = include_str!("../../../../crates/adapters/js/README.md")]
mod js {}

#[cfg(doctest)]
#[doc = include_str!("../../../../crates/adapters/net/README.md")]
mod net {}

#[cfg(doctest)]
#[doc = include_str!("../../../../crates/adapters/outputs/README.md")]
mod outputs {}

#[cfg(doctest)]
#[doc = include_str!("../../../../crates/adapters/store/README.md")]
mod store {}

#[cfg(doctest)]
#[doc = include_str!("../../../../crates/judgement/analysis/README.md")]
mod analysis {}

#[cfg(doctest)]
#[doc = include_str!("../../../../crates/judgement/sizing/README.md")]
mod sizing {}

#[cfg(doctest)]
#[doc = include_str!("../../../../crates/platform/listen/README.md")]
mod listen {}

#[cfg(doctest)]
#[doc = include_str!("../../../../crates/platform/reactor/README.md")]
mod reactor {}

#[cfg(doctest)]
#[doc = include_str!("../../../../crates/presentation/report/README.md")]
mod report {}

#[cfg(doctest)]
#[doc = include_str!("../../../../crates/products/gate/README.md")]
mod gate {}

#[cfg(doctest)]
#[doc = include_str!("../../../../crates/testbed/demo/README.md")]
mod demo {}

#[cfg(doctest)]
#[doc = include_str!("../../../../crates/testbed/mock/README.md")]
mod mock {}

#[cfg(doctest)]
#[doc = include_str!("../../../../crates/use-cases/experiment/README.md")]
mod experiment {}

#[cfg(doctest)]
#[doc = include_str!("../../../../crates/use-cases/session/README.md")]
mod session {}

#[cfg(doctest)]
#[doc = include_str!("../../../../crates/users/artillery/README.md")]
mod artillery {}

#[cfg(doctest)]
#[doc = include_str!("../../../../crates/users/bare/README.md")]
mod bare {}

#[cfg(doctest)]
#[doc = include_str!("../../../../crates/users/k6/README.md")]
mod k6 {}

#[cfg(doctest)]
#[doc = include_str!("../../../../crates/users/k6-options/README.md")]
mod k6_options {}

#[cfg(doctest)]
#[doc = include_str!("../../../../crates/values/metrics/README.md")]
mod metrics {}

#[cfg(doctest)]
#[doc = include_str!("../../../../crates/values/otlp/README.md")]
mod otlp {}

#[cfg(doctest)]
#[doc = include_str!("../../../../crates/values/proto/README.md")]
mod proto {}

#[cfg(doctest)]
#[doc = include_str!("../../../../crates/values/record/README.md")]
mod record {}

#[cfg(doctest)]
#[doc = include_str!("../../../../crates/values/testplan/README.md")]
mod testplan {}

#[cfg(doctest)]
#[doc = include_str!("../../../../crates/values/text/README.md")]
mod text {}

#[cfg(doctest)]
#[doc = include_str!("../../../../crates/values/wire/README.md")]
mod wire {}

#[cfg(doctest)]
#[doc = include_str!("../../../../crates/users/ngrinder/README.md")]
mod ngrinder {}
