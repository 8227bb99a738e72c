#include "aprof/cells/timestamp_vectors.hpp"

#include <algorithm>

bool are_equal(const Timestamp* cells, std::size_t count) {
  const u32 first = cells[0].value();
  u32 different = 0;
  for (std::size_t i = 0; i < count && different == 0; i += kTogether)
    for (std::size_t j = 0; j < kTogether; j++)
      different |= cells[i + j].value() ^ first;
  return different == 0;
}

void clear(Timestamp* cells, std::size_t count) {
  for (std::size_t i = 0; i < count; i += kTogether) {
    u32 any = 0;
    for (std::size_t j = 0; j < kTogether; j++)
      any |= cells[i + j].value();
    if (any != 0)
      std::fill_n(cells + i, kTogether, Timestamp::never());
  }
}
