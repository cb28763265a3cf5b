//! Mutates files the way people, editors and networks break them.

use std::ops::Range;

use rand::RngExt;
use rand_pcg::Pcg64Mcg;

/// The longest input, in bytes: short files are enough to show mistakes.
const INPUT_BYTES_MAX: usize = 16 << 10;

/// Replacements for numbers.
const NUMBERS: [&str; 24] = [
    "0",
    "1",
    "2",
    "-1",
    "-0",
    "00",
    "1.5",
    "1e3",
    "1e999",
    "-1e999",
    "NaN",
    "inf",
    ".nan",
    "4095",
    "4097",
    "65535",
    "65536",
    "1048577",
    "16777217",
    "2147483648",
    "4294967296",
    "9223372036854775808",
    "18446744073709551616",
    "",
];

/// Bytes with a meaning in at least one format.
const BYTES: &[u8] = b"\0\t\n\r \"#&'()*+,-./019:;=>@GTW[\\]_aeuw{|}~\x7f\x80\xbf\xc3\xef\xff";

/// A seed file with one mutation in half of the cases (so that some are still accepted), else
/// with two to six.
pub(crate) fn mutant(seeds: &[&[u8]], rng: &mut Pcg64Mcg) -> Vec<u8> {
    let mut input = seeds[below(rng, seeds.len())].to_vec();
    let mutations = if rng.random_bool(0.5) { 1 } else { rng.random_range(2_u32..=6) };
    for _ in 0..mutations {
        mutate(&mut input, seeds, rng);
        input.truncate(INPUT_BYTES_MAX);
    }
    input
}

/// A number below `count`, or 0; the same on 32 and 64 bits.
fn below(rng: &mut Pcg64Mcg, count: usize) -> usize {
    rng.random_range(0..(count as u32).max(1)) as usize
}

fn mutate(input: &mut Vec<u8>, seeds: &[&[u8]], rng: &mut Pcg64Mcg) {
    match rng.random_range(0_u32..12) {
        0 => flip_bit(input, rng),
        1 => replace_byte(input, rng),
        2 => insert_byte(input, rng),
        3 => drop(input.drain(span(input, 16, rng))),
        4 => input.truncate(below(rng, input.len() + 1)),
        5 => repeat(input, span(input, 64, rng), rng),
        6 => {
            let line = line(input, rng);
            let at = below(rng, input.len() + 1);
            repeat_at(input, line, at);
        }
        7 => drop(input.drain(line(input, rng))),
        8 => splice(input, seeds, rng),
        _ => replace_number(input, rng),
    }
}

fn flip_bit(input: &mut [u8], rng: &mut Pcg64Mcg) {
    let at = below(rng, input.len());
    if let Some(byte) = input.get_mut(at) {
        *byte ^= 1 << rng.random_range(0_u32..8);
    }
}

fn replace_byte(input: &mut [u8], rng: &mut Pcg64Mcg) {
    let at = below(rng, input.len());
    if let Some(byte) = input.get_mut(at) {
        *byte = BYTES[below(rng, BYTES.len())];
    }
}

fn insert_byte(input: &mut Vec<u8>, rng: &mut Pcg64Mcg) {
    let at = below(rng, input.len() + 1);
    input.insert(at, BYTES[below(rng, BYTES.len())]);
}

/// A range of at most `longest` bytes.
fn span(input: &[u8], longest: usize, rng: &mut Pcg64Mcg) -> Range<usize> {
    let start = below(rng, input.len() + 1);
    let length = below(rng, longest.min(input.len() - start) + 1);
    start..start + length
}

/// A line with its line break.
fn line(input: &[u8], rng: &mut Pcg64Mcg) -> Range<usize> {
    let at = below(rng, input.len());
    let is_break = |byte: &u8| *byte == b'\n';
    let start = input[..at].iter().rposition(is_break).map_or(0, |i| i + 1);
    let end = input[at..].iter().position(is_break).map_or(input.len(), |i| at + i + 1);
    start..end
}

fn repeat(input: &mut Vec<u8>, what: Range<usize>, rng: &mut Pcg64Mcg) {
    for _ in 0..rng.random_range(1_u32..=16) {
        repeat_at(input, what.clone(), what.end);
    }
}

fn repeat_at(input: &mut Vec<u8>, what: Range<usize>, at: usize) {
    let copy = input[what].to_vec();
    drop(input.splice(at..at, copy));
}

/// Replaces a range of the input by a part of a seed file.
fn splice(input: &mut Vec<u8>, seeds: &[&[u8]], rng: &mut Pcg64Mcg) {
    let other = seeds[below(rng, seeds.len())];
    let part = other[span(other, 256, rng)].to_vec();
    let place = span(input, 64, rng);
    drop(input.splice(place, part));
}

/// Replaces one of the numbers in the input.
fn replace_number(input: &mut Vec<u8>, rng: &mut Pcg64Mcg) {
    let is_digit = |at: &usize| input[*at].is_ascii_digit();
    let begins = |at: &usize| *at == 0 || !input[*at - 1].is_ascii_digit();
    let starts: Vec<usize> = (0..input.len()).filter(is_digit).filter(begins).collect();
    let Some(&start) = starts.get(below(rng, starts.len())) else { return };
    let length = input[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number = NUMBERS[below(rng, NUMBERS.len())].bytes();
    drop(input.splice(start..start + length, number));
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    fn mutants(seeds: &[&[u8]], seed: u64) -> Vec<Vec<u8>> {
        let mut rng = Pcg64Mcg::seed_from_u64(seed);
        (0..1000).map(|_| mutant(seeds, &mut rng)).collect()
    }

    #[test]
    fn empty_input_can_be_mutated_and_the_length_is_bounded() {
        let grown = mutants(&[b"", b"x", &[b'7'; INPUT_BYTES_MAX]], 1);
        assert!(grown.iter().all(|input| input.len() <= INPUT_BYTES_MAX));
        assert!(grown.iter().any(|input| (2..100).contains(&input.len())));
    }

    #[test]
    fn the_same_seed_gives_the_same_mutants_and_another_does_not() {
        let seeds: &[&[u8]] = &[b"version 1\n0 a 8 8 1 1 2 2 1\n", b"agents=1\n0:(1,2),\n"];
        let mutants = |seed| mutants(seeds, seed);
        assert_eq!(mutants(1), mutants(1));
        assert_ne!(mutants(1), mutants(2));
        let unbroken = mutants(1).iter().filter(|input| seeds.contains(&&input[..])).count();
        assert!(unbroken < 100, "{unbroken} of 1000 are unchanged");
    }
}
