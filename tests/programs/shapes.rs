// Generics, closures, sort, trait objects, a caught panic, a thread. Prints results and how often
// compare() was called.
use std::sync::atomic::{AtomicU32, Ordering};

// (std::hint::black_box is younger than some compilers.)
#[inline(never)]
fn opaque<T: Copy>(value: T) -> T {
    unsafe { std::ptr::read_volatile(&value) }
}

#[inline(never)]
fn total<T: Copy + Into<u64>>(values: &[T]) -> u64 {
    let mut sum = 0u64;
    for value in values {
        sum = sum.wrapping_add((*value).into());
    }
    sum
}

#[inline(never)]
fn apply<F: Fn(u32) -> u32>(function: F, n: u32) -> u32 {
    function(n)
}

trait Shape {
    fn area(&self) -> u32;
}
struct Square(u32);
impl Shape for Square {
    #[inline(never)]
    fn area(&self) -> u32 {
        self.0 * self.0
    }
}

mod inner {
    #[inline(never)]
    pub fn fails(depth: u32) -> u32 {
        if depth == 0 {
            panic!("at the bottom");
        }
        fails(depth - 1) + super::opaque(1)
    }
}

#[inline(never)]
fn catches() -> bool {
    std::panic::catch_unwind(|| inner::fails(9)).is_err()
}

#[inline(never)]
fn sorted(n: u32) -> u32 {
    let mut values: Vec<u32> = (0..n).map(|i| i * 37 % n).collect();
    values.sort_by(|a, b| compare(a, b));
    values[0]
}

static COMPARED: AtomicU32 = AtomicU32::new(0);

#[inline(never)]
fn compare(a: &u32, b: &u32) -> std::cmp::Ordering {
    COMPARED.fetch_add(1, Ordering::Relaxed);
    a.cmp(b)
}

fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    let words: Vec<u32> = (0..1000).collect();
    let bytes: Vec<u8> = vec![1; 1000];
    let mut sum = 0;
    for i in 1..=10 {
        sum += total(&words[..i * 100]);
        sum += total(&bytes[..i * 100]);
    }
    let factor = opaque(3);
    let mut products = 0;
    for i in 0..5 {
        products += apply(
            #[inline(never)]
            |n| n * opaque(factor),
            i,
        );
    }
    let shapes: Vec<Box<dyn Shape>> = vec![Box::new(Square(2)), Box::new(Square(3))];
    let area: u32 = shapes.iter().map(|shape| shape.area()).sum();
    let caught = (0..4).filter(|_| catches()).count();
    let thread = std::thread::spawn(|| sorted(100));
    let least = thread.join().unwrap();
    println!("{} {} {} {} {}", sum, products, area, caught, least);
    println!("{}", COMPARED.load(Ordering::Relaxed));
}
