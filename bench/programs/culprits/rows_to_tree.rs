// Builds a tree from rows that name their parents; looks for each parent among all rows.
// culprit: depth_of, depths
#[allow(unused_imports)]
use std::collections::HashMap;

struct Row {
    id: u32,
    parent: u32,
    title: String,
}

fn rows(n: u32) -> Vec<Row> {
    (1..=n)
        .map(|i| Row { id: i * 17, parent: i / 2 * 17, title: format!("section {}", i) })
        .collect()
}

#[cfg(REPAIRED)]
fn depths(rows: &[Row]) -> Vec<usize> {
    let places: HashMap<u32, usize> = rows.iter().enumerate().map(|(at, row)| (row.id, at)).collect();
    let mut depths = Vec::with_capacity(rows.len());
    for row in rows {
        let depth = places.get(&row.parent).map_or(0, |&at: &usize| {
            let above: usize = depths[at];
            above + 1
        });
        depths.push(depth);
    }
    depths
}

#[cfg(not(REPAIRED))]
fn depths(rows: &[Row]) -> Vec<usize> {
    let mut depths = Vec::with_capacity(rows.len());
    for row in rows {
        let parent = rows.iter().position(|other| other.id == row.parent); // CULPRIT
        depths.push(parent.map_or(0, |at| {
            let above: usize = depths[at];
            above + 1
        }));
    }
    depths
}

fn main() {
    let mut sum = 0;
    for n in (200..=2000).step_by(200) {
        let rows = rows(n);
        let depths = depths(&rows);
        sum += depths.iter().zip(&rows).map(|(depth, row)| depth * row.title.len()).sum::<usize>();
    }
    println!("{}", sum);
}
