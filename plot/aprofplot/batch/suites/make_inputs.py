"""Makes an input of the built-in suites on standard output: the same bytes for the same arguments.

    make_inputs.py text BYTES | numbers COUNT | sql ROWS | picture WIDTH HEIGHT |
                   video WIDTH HEIGHT FRAMES
"""

import random
import sys
from typing import BinaryIO

SEED = 20120331
WORDS = 2000


def text(out: BinaryIO, size: int) -> None:
    """Words of a made-up language, the most frequent ones much more often, in lines."""
    chance = random.Random(SEED)
    letters = "etaoinshrdlucmfw"
    words = ["".join(chance.choices(letters, k=chance.randint(2, 9))) for _ in range(WORDS)]
    weights = [1 / rank for rank in range(1, WORDS + 1)]
    left = size
    while left > 0:
        line = (" ".join(chance.choices(words, weights, k=10)) + "\n").encode()[:left]
        out.write(line)
        left -= len(line)


def numbers(out: BinaryIO, count: int) -> None:
    """A number a line."""
    chance = random.Random(SEED)
    for _ in range(count):
        out.write(b"%d\n" % chance.randrange(10**9))


def sql(out: BinaryIO, rows: int) -> None:
    """Statements for sqlite3: a table, an index, a range, a join, a sort."""
    out.write(
        b"""create table t(a integer primary key, b, c text);
with recursive r(x) as (select 1 union all select x + 1 from r where x < %d)
insert into t select x, (x * 7919) %% 30011, 'row ' || x from r;
create index by_b on t(b);
select sum(a), max(c) from t where b between 100 and 20000;
select count(*) from t x join t y on x.a = y.b;
select count(*) from (select c from t order by c desc);
"""
        % rows
    )


def _pixels(chance: random.Random, count: int) -> bytes:
    """Not plain, not noise: values that wander."""
    value, pixels = 128, bytearray()
    for step in chance.choices(range(-6, 7), k=count):
        value = min(255, max(0, value + step))
        pixels.append(value)
    return bytes(pixels)


def picture(out: BinaryIO, width: int, height: int) -> None:
    """A binary PPM, 8 bits per sample."""
    out.write(
        b"P6 %d %d 255\n" % (width, height) + _pixels(random.Random(SEED), 3 * width * height)
    )


def video(out: BinaryIO, width: int, height: int, frames: int) -> None:
    """YUV4MPEG2 in 4:2:0, one picture that moves by two rows a frame."""
    luma, chroma = width * height, width * height // 4
    first = _pixels(random.Random(SEED), luma)
    out.write(b"YUV4MPEG2 W%d H%d F25:1 Ip A1:1 C420jpeg\n" % (width, height))
    for frame in range(frames):
        shift = 2 * frame * width % luma
        out.write(b"FRAME\n" + first[shift:] + first[:shift] + b"\x80" * (2 * chroma))


KINDS = {
    "text": text,
    "numbers": numbers,
    "sql": sql,
    "picture": picture,
    "video": video,
}


def main(argv: list[str]) -> int:
    """Returns the exit status."""
    KINDS[argv[0]](sys.stdout.buffer, *map(int, argv[1:]))  # type: ignore[operator]
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
