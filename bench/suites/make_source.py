"""Writes a C file of many functions on standard output, for cc1: make_source.py FUNCTIONS"""

import random
import sys

_FUNCTION = """
struct pair_{n} {{ long left, right; struct pair_{n}* next; }};
static long walk_{n}(const struct pair_{n}* at, long limit) {{
  long total = {a};
  for (long steps = 0; at && steps < limit; at = at->next, steps++) {{
    switch ((at->left + {b}) % 5) {{
    case 0: total += at->left * {c}; break;
    case 1: total -= at->right / {c}; break;
    case 2: total ^= at->left << {d}; break;
    default: total = total * {b} + at->right;
    }}
    if (total > 1000000007) total %= 1000000007;
  }}
  return total;
}}
long mix_{n}(const long* values, long count, double scale) {{
  struct pair_{n} pairs[8];
  double sum = {b};
  for (long i = 0; i < 8; i++)
    pairs[i] = (struct pair_{n}){{values[i % count], i * {c}, i < 7 ? &pairs[i + 1] : 0}};
  for (long i = 0; i < count; i++)
    for (long k = i; k < count; k += {d})
      sum += values[k] * scale + (values[i] & {a});
  return walk_{n}(pairs, count) + (long)sum{more};
}}
"""


def main(argv: list[str]) -> int:
    """Returns the exit status."""
    chance = random.Random(20120331)
    for n in range(int(argv[0])):
        numbers = {name: chance.randint(2, 9) for name in "abcd"}
        more = f" + mix_{chance.randrange(n)}(values, count - 1, scale)" if n else ""
        print(_FUNCTION.format(n=n, more=more, **numbers))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
