"""The python3 program of the suite `debian`: counts words and sorts them."""

import collections
import json
import sys

with open(sys.argv[1]) as file:
    words = [word for line in file for word in line.split()]
counts = collections.Counter(words)
ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
print(json.dumps(ordered[:100]), len(" ".join(sorted(words))))
