//! What is done with paths: from door to door, followed and repaired, pulled tight.

pub(crate) mod follower;
pub(crate) mod journey;
pub(crate) mod sight;
pub(crate) mod smooth;
