// Groups records by key in a hash map, sorts each group and writes a summary.
use std::collections::HashMap;

fn summary(n: u64) -> String {
    let mut groups: HashMap<u64, Vec<u64>> = HashMap::new();
    for i in 0..n {
        let value = i.wrapping_mul(0x9E3779B97F4A7C15) >> 44;
        groups.entry(value % (n / 10)).or_default().push(value);
    }
    let mut keys: Vec<_> = groups.keys().copied().collect();
    keys.sort_unstable();
    let mut text = String::new();
    for key in keys {
        let group = groups.get_mut(&key).unwrap();
        group.sort();
        text += &format!("{}: {} of {}\n", key, group[group.len() / 2], group.len());
    }
    text
}

fn main() {
    let bytes: usize = (1..=8).map(|k| summary(400 * k).len()).sum();
    println!("{}", bytes);
}
