#include "aprof/profile/argument_points.hpp"

#include "aprof/profile/routine_record.hpp"

#include <algorithm>
#include <utility>

namespace {

// The variation of the first cost event over all calls, and among calls of the same size: sums of
// squared deviations from the mean.
struct Scatter {
  double calls = 0;
  double sizes = 0;
  double mean = 0;
  double total = 0;
  double within = 0;

  explicit Scatter(const PointTable& points) : sizes(static_cast<double>(points.size())) {
    double sum = 0;
    double squares = 0;
    for (std::size_t i = 0; i < points.size(); i++) {
      const CostStatistics& cost = points.inclusive(i, 0);
      const auto of_point = static_cast<double>(cost.sum);
      const auto number = static_cast<double>(points.point(i).calls);
      const auto square = static_cast<double>(cost.squares());
      calls += number;
      sum += of_point;
      squares += square;
      within += std::max(square - of_point * of_point / number, 0.0);
    }
    mean = calls > 0 ? sum / calls : 0;
    total = std::max(squares - sum * mean, 0.0);
  }

  // Whether the standard deviation of a call's cost is at least a tenth of the mean; less does not
  // matter.
  bool varies() const { return total > calls * mean * mean / 100; }
  // The share of the variance that the sizes do not explain; 1 if nearly each call has a size of
  // its own, which explains nothing.
  double left() const {
    if (!is_conclusive() || total <= 0)
      return 1;
    return within / (calls - sizes) / (total / (calls - 1));
  }
  bool is_conclusive() const { return 2 * sizes <= calls; }
};

} // namespace

ArgumentPoints::~ArgumentPoints() {
  for (PointTable* table : tables_)
    destroy(table);
}

PointTable& ArgumentPoints::table(unsigned argument) {
  if (tables_[argument] == nullptr)
    tables_[argument] = create<PointTable>("aprof.arguments", options_.event_count,
                                           std::min(options_.max_points, kMostValues));
  return *tables_[argument];
}

void ArgumentPoints::drop(unsigned argument) {
  dropped_[argument] = true;
  destroy(std::exchange(tables_[argument], nullptr));
}

void ArgumentPoints::add(KeptArguments::Which kept, const u64* arguments, const Sample& sample) {
  calls_++;
  for (unsigned i = 0; i < KeptArguments::kMost; i++)
    if (kept.has(i) && !dropped_[i]) {
      met_[i] = true;
      if (arguments[i] <= kLargest) // excludes negative values
        table(i).add(arguments[i], sample, options_.events);
    }
}

void ArgumentPoints::add(const ArgumentPoints& other) {
  calls_ += other.calls_;
  for (unsigned i = 0; i < KeptArguments::kMost; i++) {
    met_[i] |= other.met_[i];
    if (dropped_[i] || other.dropped_[i])
      drop(i);
    else if (other.tables_[i] != nullptr)
      table(i).add(*other.tables_[i]);
  }
}

bool ArgumentPoints::judge(const PointTable& sizes) {
  judged_at_ = 4 * calls_;
  if (options_.arguments == KeepArguments::all)
    return true;
  bool any = false;
  for (unsigned i = 0; i < KeptArguments::kMost; i++) {
    const bool has_values = tables_[i] != nullptr && tables_[i]->size() >= 2;
    const bool may_inform_later = !has_values && calls_ < kMostOfOneValue;
    if (!may_inform_later && informative(i, sizes) == nullptr)
      drop(i);
    any |= met_[i] && !dropped_[i];
  }
  return any;
}

const PointTable* ArgumentPoints::informative(unsigned argument, const PointTable& sizes) const {
  constexpr double kExplains = 0.5; // of the variance that remains without the argument
  const PointTable* const table = tables_[argument];
  if (table == nullptr || options_.arguments == KeepArguments::all)
    return table;
  const Scatter by_value(*table);
  if (table->size() < 2 || !by_value.varies())
    return nullptr;
  const bool informs = by_value.is_conclusive()
                           ? by_value.left() < kExplains * Scatter(sizes).left()
                           : 2 * sizes.size() < table->size();
  return informs ? table : nullptr;
}
