//! The searches against an oracle, MovingAI's recorded lengths, and themselves.

mod cases;
mod golden;
mod movingai;
mod oracle;
mod slices;
