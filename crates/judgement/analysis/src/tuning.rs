//! What trials of settings say: differences within blocks, and how sure they are.
//!
//! A block is a group of trials that were run one after the other, in random order. What
//! changes from block to block (a warm machine, a neighbour) cancels out, because only trials
//! of one block are compared ([`blocks`]). Claims about several settings at once are corrected
//! by Holm's method ([`holm`]). The claim about the setting that won is made from fresh pairs
//! of trials alone ([`pairs`]), since the trials it was chosen by are biased towards it.
//!
//! Values are natural logarithms, so differences are ratios. [`goal`] makes them of what a trial
//! measured, [`answer`] is what a study comes to.
//!
//! Elsewhere: which setting is tried next (`experiment`), how it is set (`knobs`).

pub mod answer;
pub mod blocks;
pub mod claims;
pub mod goal;
pub mod holm;
mod linear;
pub mod pairs;
pub mod spread;
pub mod surface;
