//! The values by which a statement is judged, and the sample that they are made of.

/// A value for each seed, or one value, and what was measured for it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Values {
    pub(crate) list: Vec<f64>,
    /// How many cases, and of what kind: `28 instances`.
    pub(crate) sample: String,
}

impl Values {
    /// No value: the statement is not tried.
    pub(crate) fn none() -> Self {
        Self::default()
    }

    /// A value for each seed, of that many cases together.
    pub(crate) fn by_seed(list: Vec<f64>, cases: usize, called: &str) -> Self {
        Self { list, sample: format!("{cases} {called}") }
    }

    /// The value of one problem that was drawn for a figure.
    pub(crate) fn drawn(value: f64) -> Self {
        Self { list: vec![value], sample: "1 drawn problem".to_owned() }
    }

    /// Whether it is so in one problem that was drawn for a figure.
    pub(crate) fn so(is_so: bool) -> Self {
        Self::drawn(f64::from(u8::from(is_so)))
    }

    /// A value that follows from the set-up or the program: nothing was sampled.
    pub(crate) fn computed(value: f64) -> Self {
        Self { list: vec![value], sample: "computed".to_owned() }
    }
}
