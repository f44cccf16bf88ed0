//! k6's scripts: what they may ask for and what their API does.
//!
//! [`options`] turns a script's options, flags, environment and configuration file into
//! a plan.
//!
//! Elsewhere: running JavaScript (`js`), planning load (`testplan`), sending requests
//! (`net`), printing (`cli`, `report`).

pub mod options;
