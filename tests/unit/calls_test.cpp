// Compares call edges and calling contexts with the oracle, on random traces of a few routines that
// call each other in all ways; and compares the tables of a run with contexts with those of a run
// without.
#include "aprof/engine/engine_fast.hpp"
#include "aprof/snapshot.hpp"
#include "call_oracle.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

namespace {

constexpr unsigned kShift = 2;

// The engine and the profile that it fills.
struct Measured {
  explicit Measured(std::size_t max_contexts, bool check = true)
      : engine({.cell_shift = kShift, .clock = &clock, .check = check}, profile) {
    options.max_contexts = max_contexts;
    options.max_points = 20; // so that points are merged
  }

  void start() { stacks.push_back(&engine.start_thread(ThreadIndex{1 + u32(stacks.size()) % 2})); }
  void call(int routine, bool collected) {
    LogicalThread& thread = *engine.current();
    const RoutineId id{static_cast<u32>(routine)};
    if (!collected)
      engine.call(nullptr);
    else if (options.max_contexts > 0)
      engine.call(&profile.record_in_context(thread.thread, thread.stack.top().record, id));
    else
      engine.call(id);
  }
  void zero() {
    engine.drop_pending();
    profile.clear();
  }
  CallOracle::Edges edges();
  CallOracle::Contexts contexts();
  // A line of text for each routine's self cost and each point of its tables, in order.
  std::vector<std::string> points();

  Costs clock;
  ProfileOptions options;
  Profile profile{options};
  Engine engine;
  std::vector<LogicalThread*> stacks;
};

i64 blocks(const AllCosts& costs) { return static_cast<i64>(costs.of[0]); }

CallOracle::Edges Measured::edges() {
  CallOracle::Edges edges;
  profile.add_counted();
  Snapshot snapshot(engine, profile);
  snapshot.for_each_table(
      [&](ThreadIndex thread, const RoutineRecord& record, const CallEdges& callers) {
        Totals sum;
        callers.for_each([&](const CallEdge& edge) {
          const int caller = edge.caller == nullptr ? 0 : int(index(edge.caller->routine));
          const std::vector<int> key{int(index(thread)), int(index(record.routine)), caller};
          EXPECT_FALSE(edges.contains(key));
          edges[key] = {i64(edge.totals.calls), i64(edge.totals.unfinished),
                        blocks(edge.totals.inclusive + edge.totals.nested),
                        blocks(edge.totals.inclusive)};
          sum.add(edge.totals);
        });
        EXPECT_EQ(sum.calls, record.calls);
      });
  return edges;
}

CallOracle::Contexts Measured::contexts() {
  CallOracle::Contexts contexts;
  std::map<const Context*, CallOracle::Path> paths;
  profile.add_counted();
  Snapshot snapshot(engine, profile);
  snapshot.for_each_context([&](const Context& context, const Totals& totals) {
    CallOracle::Path path = context.merged      ? CallOracle::Path{CallOracle::kMerged}
                            : context.is_root() ? CallOracle::Path{}
                                                : paths.at(context.parent); // which came before
    path.push_back(int(index(context.routine)));
    paths[&context] = path;
    contexts[{int(index(context.thread)), path}] = {i64(context.calls), i64(totals.unfinished),
                                                    blocks(totals.inclusive), blocks(totals.self)};
    EXPECT_EQ(totals.calls, context.calls);
  });
  return contexts;
}

std::vector<std::string> Measured::points() {
  std::vector<std::string> lines;
  profile.add_counted();
  profile.for_each([&](ThreadIndex thread, const RoutineRecord& record) {
    lines.push_back(std::to_string(blocks(record.totals().self)));
    for (const PointTable* table : {&record.rms(), &record.trms()})
      for (const u32 i : table->order()) {
        const Point& point = table->point(i);
        std::string line;
        for (const u64 number :
             {u64{index(thread)}, u64{index(record.routine)}, u64{table->precision()}, point.key,
              point.size, point.calls, table->inclusive(i, 0).min, table->inclusive(i, 0).max,
              table->inclusive(i, 0).sum, u64(table->inclusive(i, 0).squares()),
              table->self(i, 0).min, table->self(i, 0).max, table->self(i, 0).sum})
          line += std::to_string(number) + ' ';
        lines.push_back(line);
      }
  });
  return lines;
}

class CallsTest : public testing::TestWithParam<std::size_t> {
protected:
  template <typename F> void all(F f) {
    f(plain);
    f(usual);
    f(by_context);
  }
  int any(int below) { return static_cast<int>(random() % static_cast<unsigned>(below)); }

  void start() {
    oracle.start(static_cast<int>(plain.stacks.size()), 1 + plain.stacks.size() % 2);
    all([](Measured& m) { m.start(); });
  }
  void switch_to(int stack) {
    oracle.switch_to(stack);
    all([&](Measured& m) { m.engine.switch_thread(*m.stacks[stack]); });
  }
  void one_event();
  void calls_alike();
  void compare();

  std::mt19937 random;
  CallOracle oracle{GetParam()};
  Measured plain{0};
  Measured usual{0, false}; // the fast path of returns is only taken without checks
  GuestAddr unread = 0x100000;
  Measured by_context{GetParam()};
};

// Successive calls that read the same amount and have the same cost.
void CallsTest::calls_alike() {
  const int routine = 1 + any(5);
  const int cost = 1 + any(3);
  const std::size_t bytes = 4u << any(3);
  for (int i = 1 + any(4); i > 0; i--) {
    oracle.call(routine, true);
    oracle.cost(cost);
    all([&](Measured& m) {
      m.call(routine, true);
      m.clock.of[0] += static_cast<u64>(cost);
      m.engine.access<Read, kShift>(unread, bytes);
      m.engine.return_from_top();
    });
    oracle.return_();
    unread += bytes;
  }
}

void CallsTest::one_event() {
  all([](Measured& m) { m.clock.of[0]++; });
  oracle.cost(1);
  const int kind = any(1000);
  if (kind < 400) {
    const int routine = 1 + any(any(8) == 0 ? 12 : 5);
    const bool collected = any(20) != 0;
    oracle.call(routine, collected);
    all([&](Measured& m) { m.call(routine, collected); });
  } else if (kind < 770) {
    if (oracle.depth() == 0)
      return;
    oracle.return_();
    all([](Measured& m) { m.engine.return_from_top(); });
  } else if (kind < 790) {
    calls_alike();
  } else if (kind < 900) {
    const std::size_t bytes = 4u << any(9);
    all([&](Measured& m) { m.engine.access<Read, kShift>(0x10000 + 4 * (bytes % 1000), bytes); });
  } else if (kind < 995) {
    switch_to(any(static_cast<int>(plain.stacks.size())));
  } else if (kind < 998) {
    const int stack = any(static_cast<int>(plain.stacks.size()));
    oracle.cut_off(stack);
    all([&](Measured& m) { m.engine.cut_off(*m.stacks[stack]); });
  } else if (any(2) == 0) {
    oracle.zero();
    all([](Measured& m) { m.zero(); });
  }
}

void CallsTest::compare() {
  all([&](Measured& m) {
    ASSERT_EQ(m.edges(), oracle.edges());
    m.engine.check();
  });
  ASSERT_EQ(by_context.contexts(), oracle.contexts());
  ASSERT_TRUE(plain.contexts().empty());
  ASSERT_EQ(by_context.points(), plain.points());
  ASSERT_EQ(usual.points(), plain.points());
}

TEST_P(CallsTest, AgreeWithTheOracle) {
  for (int stacks = 0; stacks < 5; stacks++)
    start();
  switch_to(0);
  std::size_t most_contexts = 0;
  std::size_t most_merged = 0;
  unsigned least_precision = 99;
  for (int i = 0; i < 6000; i++) {
    one_event();
    if (i % 300 != 299)
      continue;
    compare();
    if (HasFatalFailure())
      return;
    std::size_t merged = 0;
    for (const auto& [key, context] : oracle.contexts())
      merged += key.second[0] == CallOracle::kMerged;
    most_merged = std::max(most_merged, merged);
    most_contexts = std::max(most_contexts, oracle.contexts().size() - merged);
    plain.profile.add_counted();
    plain.profile.for_each([&](ThreadIndex, const RoutineRecord& record) {
      if (record.rms().precision() != 0)
        least_precision = std::min(least_precision, record.rms().precision());
    });
  }
  // The traces are not trivial.
  if (GetParam() < 1000) {
    EXPECT_EQ(most_contexts, GetParam());
    EXPECT_GT(most_merged, 5u);
  } else {
    EXPECT_GT(most_contexts, 200u);
    EXPECT_EQ(most_merged, 0u);
  }
  EXPECT_LT(least_precision, 99u);
}

INSTANTIATE_TEST_SUITE_P(MostContexts, CallsTest, testing::Values(1, 10, 60, 1'000'000));

class Contexts : public testing::Test {
protected:
  void call(int routine) { measured.call(routine, true); }
  Measured measured{1'000'000};
  void SetUp() override {
    measured.start();
    measured.engine.switch_thread(*measured.stacks[0]);
  }
};

TEST_F(Contexts, DeepMutualRecursionAddsNone) {
  for (int i = 0; i < 300'000; i++)
    call(1 + i % 3);
  EXPECT_EQ(measured.profile.contexts().all().size(), 3u);
  while (measured.engine.current()->stack.depth() > 1)
    measured.engine.return_from_top();
  const auto contexts = measured.contexts();
  EXPECT_EQ(contexts.at({1, {1, 2, 3}}).calls, 100'000);
}

TEST_F(Contexts, ARoutineOnThePathContinuesThere) {
  call(1); // 1
  call(2); // 1 2
  call(1); // 1
  call(3); // 1 3
  call(2); // 1 3 2
  measured.clock.of[0] += 7;
  const auto contexts = measured.contexts();
  EXPECT_EQ(contexts.size(), 4u);
  EXPECT_EQ(contexts.at({1, {1}}), (CallOracle::Context{2, 2, 7, 0}));
  EXPECT_EQ(contexts.at({1, {1, 2}}), (CallOracle::Context{1, 1, 0, 0}));
  EXPECT_EQ(contexts.at({1, {1, 3, 2}}), (CallOracle::Context{1, 1, 7, 7}));
}

TEST(CallEdgesTest, FindEachOfManyCallers) {
  std::vector<RoutineRecord*> callers{nullptr};
  const ProfileOptions options;
  for (u32 i = 1; i < 100; i++)
    callers.push_back(create<RoutineRecord>("", RoutineId{i}, options));
  CallEdges edges;
  for (int round = 0; round < 3; round++)
    for (std::size_t i = 0; i < callers.size(); i++)
      edges.from(callers[i]).add({0, 0, {i, 0}, {1, 0}}, round == 0);
  std::size_t seen = 0;
  edges.for_each([&](const CallEdge& edge) {
    const u64 i = edge.caller == nullptr ? 0 : index(edge.caller->routine);
    EXPECT_EQ(edge.totals.calls, 3u);
    EXPECT_EQ(edge.totals.inclusive.of[0], i);
    EXPECT_EQ(edge.totals.nested.of[0], 2 * i);
    seen++;
  });
  EXPECT_EQ(seen, callers.size());
  EXPECT_EQ(edges.sum().self.of[0], 300u);
  for (RoutineRecord* caller : callers)
    destroy(caller);
}

} // namespace
