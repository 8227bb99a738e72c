// The totals of a recorded dag by definition: its work, and its longest path.
#pragma once

#include "work_span/dag/recorder.hpp"

#include <algorithm>
#include <functional>
#include <vector>

struct RecordedDag {
  Work work = 0;
  Work parts = 0; // the work, summed over call paths
  Work overhead = 0;
  Span span = 0;
  u64 pins = 0;

  explicit RecordedDag(Strands& strands) {
    std::vector<Span> ends(strands.end());
    std::vector<bool> known(strands.end());
    const std::function<Span(StrandId)> end = [&](StrandId id) {
      if (known[index(id)])
        return ends[index(id)];
      Span begin = 0;
      strands.for_each_before(strands[id],
                              [&](StrandId before) { begin = std::max(begin, end(before)); });
      known[index(id)] = true;
      return ends[index(id)] = begin + strands[id].span;
    };
    for (u32 i = 1; i < strands.end(); i++) {
      const Strand& strand = strands[StrandId{i}];
      if (!strand.is_used)
        continue;
      work += strand.work;
      overhead += strand.overhead;
      pins += strand.pins;
      strands.for_each_part(strand, [&](const StrandPart& part) { parts += part.work; });
      span = std::max(span, end(StrandId{i}));
    }
  }
  bool operator==(const RecordedDag&) const = default;
};
