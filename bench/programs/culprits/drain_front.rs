// A work list whose next task is removed from the front of a vector.
// culprit: run, remove, drain
use std::env;

struct Task {
    weight: u64,
    payload: [u64; 6],
}

#[cfg(not(REPAIRED))]
type Tasks = Vec<Task>;
#[cfg(REPAIRED)]
type Tasks = std::collections::VecDeque<Task>;

#[cfg(not(REPAIRED))]
fn next(tasks: &mut Tasks) -> Option<Task> {
    if tasks.is_empty() { None } else { Some(tasks.remove(0)) } // CULPRIT
}
#[cfg(REPAIRED)]
fn next(tasks: &mut Tasks) -> Option<Task> {
    tasks.pop_front()
}

fn run(number: u64) -> u64 {
    let mut tasks: Tasks = (0..number).map(|i| Task { weight: i % 17, payload: [i; 6] }).collect();
    let mut sum = 0;
    while let Some(task) = next(&mut tasks) {
        sum += task.weight + task.payload[(task.weight % 6) as usize];
    }
    sum
}

fn main() {
    let most = env::args().nth(1).map_or(3000, |a| a.parse().unwrap());
    let mut sum = 0;
    let mut number = 200;
    while number <= most {
        sum += run(number);
        number += 200;
    }
    println!("{sum}");
}
