//! Rate limits: a bucket that fills at a set rate, and is emptied by requests.

use crate::clock::Moment;

/// A bucket of tokens.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bucket {
    per_second: f64,
    most: f64,
    left: f64,
    filled: Moment,
}

impl Bucket {
    pub(crate) fn new(per_second: f64, most: f64) -> Self {
        Self { per_second, most, left: most, filled: Moment::now() }
    }

    /// Takes tokens, if there are as many.
    pub(crate) fn take(&mut self, tokens: f64) -> bool {
        let now = Moment::now();
        let fill = now.since(self.filled).as_secs_f64() * self.per_second;
        (self.left, self.filled) = ((self.left + fill).min(self.most), now);
        let enough = tokens <= self.left;
        if enough {
            self.left -= tokens;
        }
        enough
    }
}
