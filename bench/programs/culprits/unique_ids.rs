// Keeps the order of first arrival of ids; looks for each among those that it has.
// culprit: unique
#[allow(unused_imports)]
use std::collections::HashSet;

struct Record {
    id: u64,
    bytes: Vec<u8>,
}

fn make_records(n: u64) -> Vec<Record> {
    (0..n)
        .map(|i| Record { id: i.wrapping_mul(0x9E3779B97F4A7C15) >> 40, bytes: vec![i as u8; 40] })
        .collect()
}

#[cfg(REPAIRED)]
fn unique(records: &[Record]) -> Vec<u64> {
    let mut seen = HashSet::new();
    records.iter().map(|r| r.id).filter(|id| seen.insert(*id)).collect()
}

#[cfg(not(REPAIRED))]
fn unique(records: &[Record]) -> Vec<u64> {
    let mut ids = Vec::new();
    for record in records {
        if !ids.contains(&record.id) { // CULPRIT
            ids.push(record.id);
        }
    }
    ids
}

fn main() {
    let records = make_records(3000);
    let bytes: u64 = records.iter().flat_map(|r| r.bytes.iter()).map(|&b| b as u64).sum();
    println!("{} ids, {} bytes", unique(&records).len(), bytes);
}
