// An integer argument that is not where C's ABI has it: behind an object of three words, which is passed by
// reference.
fn weighted(weights: Vec<u64>, n: usize) -> u64 {
    (0..n as u64).map(|i| i * weights[0]).sum()
}

fn main() {
    let total: u64 = (0..60).map(|n| weighted(vec![1, 2, 3], n)).sum();
    println!("{}", total);
}
