// Counts palindromes around each character of a text, which is asked for by its position.
// culprit: char_at, count_palindromes, around
struct Text {
    text: String,
    #[allow(dead_code)]
    chars: Vec<char>,
}

impl Text {
    fn new(n: usize) -> Text {
        let text: String = (0..n as u32).map(|i| char::from(b'a' + (i.wrapping_mul(2654435761) >> 29) as u8)).collect();
        let chars = text.chars().collect();
        Text { text, chars }
    }
    #[cfg(not(REPAIRED))]
    fn char_at(&self, i: usize) -> char {
        self.text.chars().nth(i).unwrap() // CULPRIT
    }
    #[cfg(REPAIRED)]
    fn char_at(&self, i: usize) -> char {
        self.chars[i]
    }
}

fn around(text: &Text, n: usize, center: usize) -> usize {
    let mut reach = 0;
    while center > reach && center + reach + 1 < n {
        if text.char_at(center - reach - 1) != text.char_at(center + reach + 1) {
            break;
        }
        reach += 1;
    }
    reach
}

fn count_palindromes(n: usize) -> usize {
    let text = Text::new(n);
    let vowels = text.text.bytes().filter(|b| b"aeiou".contains(b)).count();
    vowels + (0..n).map(|center| around(&text, n, center)).sum::<usize>()
}

fn main() {
    let all: usize = (1..=8).map(|k| count_palindromes(150 * k)).sum();
    println!("{}", all);
}
