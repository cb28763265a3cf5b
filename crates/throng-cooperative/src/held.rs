//! A value that a simulation borrows or owns.

use std::ops::Deref;

/// A value that is borrowed or owned.
#[derive(Debug)]
pub(crate) enum Held<'a, T: ?Sized> {
    Borrowed(&'a T),
    Owned(Box<T>),
}

impl<T: ?Sized> Clone for Held<'_, T>
where
    Box<T>: Clone,
{
    fn clone(&self) -> Self {
        match self {
            Self::Borrowed(held) => Self::Borrowed(held),
            Self::Owned(held) => Self::Owned(held.clone()),
        }
    }
}

impl<T: ?Sized> Deref for Held<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        match self {
            Self::Borrowed(held) => held,
            Self::Owned(held) => held,
        }
    }
}
