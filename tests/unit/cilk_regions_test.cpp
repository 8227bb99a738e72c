// Tests of how CilkRegions interprets the markers of cilk/cilk.h.
#include "work_span/engine/cilk_regions.hpp"
#include "work_span/engine/work_span_fast.hpp"

#include <gtest/gtest.h>

#include <random>

namespace {

constexpr SourceLocation kLine = 7;
constexpr SourceLocation kElsewhere = 8;

constexpr CallOrigin kDirect{.location = kLine};
constexpr CallOrigin kFromElsewhere{.location = kElsewhere};
constexpr CallOrigin kCleanup{.location = kLine, .role = SpawnRole::no_child};
constexpr CallOrigin kOperator{.location = kLine, .role = SpawnRole::any};
constexpr CallOrigin kFunctor{.location = kLine, .role = SpawnRole::functor};
constexpr CallOrigin kInlined{.location = kElsewhere, .inlined = 1};
constexpr CallOrigin kCopy{.location = kLine, .role = SpawnRole::copy};
constexpr CallOrigin kOtherInlined{.location = kElsewhere, .inlined = 2};

// A program with one thread, with events as the shadow passes them on.
struct Program {
  explicit Program(Span burden = 0) : engine{{.burden = burden}} {
    thread = engine.start_thread(nullptr);
    engine.call(*thread, SiteId{0}, RoutineId{1});
  }

  void marker(Marker kind, SourceLocation location = kLine) {
    regions.marker(*thread, static_cast<u32>(kind), location);
  }
  void work(Work amount) { engine.work(*thread, amount); }
  void begin_call(u32 site, const CallOrigin& origin) {
    if (regions.in_spawn(*thread))
      regions.before_call(*thread, origin);
    engine.call(*thread, SiteId{site}, RoutineId{site + 1});
  }
  void return_() {
    if (regions.is_in_region(*thread))
      regions.before_return(*thread);
    engine.return_from_top(*thread);
    if (regions.in_spawn(*thread))
      regions.after_return(*thread);
  }
  void call(u32 site, Work amount, const CallOrigin& origin) {
    begin_call(site, origin);
    work(amount);
    return_();
  }
  WorkSpan::Totals finish() {
    return_();
    return engine.finish();
  }

  WorkSpan engine;
  CilkMistakes mistakes;
  CilkRegions regions{engine, mistakes};
  SpanThread* thread;
};

class CilkRegionsTest : public testing::Test, protected Program {};

TEST_F(CilkRegionsTest, LastCallOfTheLineIsTheChildAndArgumentsAreTheParents) {
  marker(Marker::spawn_begin);
  call(1, 10, kDirect); // an argument
  call(2, 100, kDirect);
  marker(Marker::spawn_end);
  work(60);
  const WorkSpan::Totals totals = finish();
  EXPECT_EQ(totals.work, 170u);
  EXPECT_EQ(totals.lengths.span, 110u);
  EXPECT_EQ(totals.spawns, 1u);
  EXPECT_EQ(mistakes.several_calls, 0u); // in C++ the end of the spawn shows which is the child
}

TEST_F(CilkRegionsTest, LinesDoNotMatterInCxx) {
  marker(Marker::spawn_begin);
  work(1);
  call(1, 10, kDirect);
  call(2, 100, kFromElsewhere);
  marker(Marker::spawn_end);
  work(60);
  EXPECT_EQ(finish().lengths.span, 111u);
}

TEST_F(CilkRegionsTest, DestructorsAfterTheSpawnedCallAreTheChilds) {
  marker(Marker::spawn_begin);
  call(1, 10, kDirect);  // an argument
  call(2, 100, kDirect); // the spawned call
  call(3, 5, kCleanup);
  marker(Marker::spawn_end);
  work(60);
  EXPECT_EQ(finish().lengths.span, 115u);
}

// In C, by a call of memcpy.
TEST_F(CilkRegionsTest, WhatCopiesTheResultIsNoChild) {
  marker(Marker::spawn);
  call(1, 200, kDirect);
  call(2, 300, kCopy);
  work(60);
  const WorkSpan::Totals totals = finish();
  EXPECT_EQ(totals.spawns, 1u);
  EXPECT_EQ(totals.lengths.span, 360u);
  EXPECT_EQ(mistakes.several_calls, 0u);
}

TEST_F(CilkRegionsTest, CopyingMayBeSpawned) {
  marker(Marker::spawn);
  call(1, 10, kDirect); // an argument
  call(2, 300, kCopy);
  work(60);
  EXPECT_EQ(finish().lengths.span, 310u);
  EXPECT_EQ(mistakes.several_calls, 1u);
}

// v[i] = cilk_spawn f(x), where operator[] is a routine of its own.
TEST_F(CilkRegionsTest, WhereTheResultGoesIsTheChilds) {
  for (const CallOrigin& origin : {kCleanup, kOperator}) {
    marker(Marker::spawn_begin);
    call(1, 100, kDirect);
    call(2, 5, origin);
    marker(Marker::spawn_end);
    work(60);
    marker(Marker::sync);
  }
  const WorkSpan::Totals totals = finish();
  EXPECT_EQ(totals.work, 330u);
  EXPECT_EQ(totals.lengths.span, 210u);
  EXPECT_EQ(totals.spawns, 2u);
}

// cilk_spawn function(argument(x)), where the callee is an operator.
TEST(CilkRegionsChoice, OfTwoThatMayBeTheChildTheLongerIs) {
  Program program(1000);
  program.work(3);
  program.marker(Marker::spawn_begin);
  program.call(1, 10, kDirect);
  program.work(2);
  program.begin_call(2, kOperator);
  program.call(3, 100, kDirect);
  program.return_();
  program.work(1);
  program.marker(Marker::spawn_end);
  program.work(60);
  const WorkSpan::Totals totals = program.finish();
  EXPECT_EQ(totals.work, 176u);
  EXPECT_EQ(totals.lengths.span, 3u + 10 + 2 + 100 + 1);
  EXPECT_EQ(totals.lengths.burdened, 3u + 10 + 2 + 1000 + 100 + 1);
  EXPECT_EQ(totals.spawns, 1u);
  EXPECT_EQ(program.engine.on_span()[0].local.span, 3u + 2 + 1);
  EXPECT_EQ(program.engine.on_span()[1].local.span, 10u);
  EXPECT_EQ(program.engine.on_span()[3].local.span, 100u);
}

TEST(CilkRegionsChoice, OfTwoOfWhichOthersHaveSeenTheLongerIsToo) {
  Program program;
  program.marker(Marker::spawn_begin);
  program.call(1, 10, kDirect);
  program.begin_call(2, kOperator);
  PathPoint seen = program.engine.publish(*program.thread);
  program.work(100);
  program.return_();
  program.marker(Marker::spawn_end);
  program.work(60);
  program.engine.paths().drop(seen);
  const WorkSpan::Totals totals = program.finish();
  EXPECT_EQ(totals.lengths.span, 10u + 100);
  EXPECT_EQ(totals.spawns, 1u);
}

// cilk_spawn function(argument(x)) and matrix(1, 0) = cilk_spawn f(x)
TEST_F(CilkRegionsTest, FunctorIsTheChildUnlessItIsShort) {
  for (const Work last : {150, 50}) {
    marker(Marker::spawn_begin);
    call(1, 200, kDirect);
    call(2, last, kFunctor);
    marker(Marker::spawn_end);
    work(400);
    marker(Marker::sync);
  }
  EXPECT_EQ(finish().lengths.span, 200u + 400 + 400);
}

// Poly p = cilk_spawn f(x), where Poly's constructor is inlined and makes a call.
TEST_F(CilkRegionsTest, InlinedConversionOfTheResultIsTheChilds) {
  marker(Marker::spawn_begin);
  call(1, 100, kDirect);
  call(2, 50, kInlined);
  marker(Marker::spawn_end);
  work(120);
  EXPECT_EQ(finish().lengths.span, 150u);
}

TEST_F(CilkRegionsTest, CallsOfOneInlinedRoutineAreOneChild) {
  for (const Work beside : {60, 150}) {
    marker(Marker::spawn_begin);
    work(6);
    call(1, 10, kDirect); // an argument
    work(4);
    call(2, 50, kInlined);
    call(2, 50, kInlined);
    marker(Marker::spawn_end);
    work(beside);
    marker(Marker::sync);
  }
  EXPECT_EQ(finish().lengths.span, 6u + 10 + 4 + 50 + 50 + 6 + 10 + 150);
}

TEST_F(CilkRegionsTest, ArgumentsMayBeInlinedToo) {
  for (const CallOrigin& child : {kDirect, kOtherInlined}) {
    marker(Marker::spawn_begin);
    work(1);
    call(1, 10, kInlined);
    call(2, 100, child);
    marker(Marker::spawn_end);
    work(150);
    marker(Marker::sync);
  }
  EXPECT_EQ(finish().lengths.span, 2 * (1u + 10 + 150));
}

TEST_F(CilkRegionsTest, InlinedLeafChildWhoseArgumentsCall) {
  marker(Marker::spawn_begin);
  call(1, 10, kDirect);
  work(200);
  marker(Marker::spawn_end);
  work(60);
  EXPECT_EQ(finish().lengths.span, 210u);
}

// f(leaf(x), ...) and Big(leaf(x)), where the leaf is inlined.
TEST_F(CilkRegionsTest, InlinedLeavesMayBeArgumentsOrTheChild) {
  for (const CallOrigin& origin : {kDirect, kOperator}) {
    marker(Marker::spawn_begin);
    work(300);
    call(1, 10, origin);
    marker(Marker::spawn_end);
    work(400);
    marker(Marker::sync);
  }
  EXPECT_EQ(finish().lengths.span, 300u + 400 + 400);
}

// memo[hash(k)] = cilk_spawn f(k), or an argument that takes much longer than the child.
TEST_F(CilkRegionsTest, ArgumentsThatTakeMuchLongerAreCounted) {
  for (const Work first : {5000, 2000, 900}) {
    marker(Marker::spawn_begin);
    call(1, first, kDirect);
    call(2, first > 1000 ? first / 10 - (first == 5000) : 10, kDirect);
    marker(Marker::spawn_end);
    marker(Marker::sync);
  }
  marker(Marker::spawn_begin);
  call(1, 2000, kDirect);
  call(2, 150, kFunctor);
  marker(Marker::spawn_end);
  finish();
  EXPECT_EQ(mistakes.several_calls, 2u);
}

TEST_F(CilkRegionsTest, WhatCopiesTheResultIsTheChilds) {
  for (const Work child : {10, 300}) {
    marker(Marker::spawn_begin);
    call(1, child, kDirect);
    work(child / 2 + 10);
    marker(Marker::spawn_end);
    work(400);
    marker(Marker::sync);
  }
  EXPECT_EQ(finish().lengths.span, 400u + 460);
}

TEST_F(CilkRegionsTest, SpawnInCxxWithoutLinesIsTheLongerCallAndCounted) {
  for (const Work second : {5, 200}) {
    marker(Marker::spawn_begin, 0);
    call(1, 100, {});
    call(2, second, {});
    marker(Marker::spawn_end, 0);
    work(60);
    marker(Marker::sync);
  }
  EXPECT_EQ(finish().lengths.span, 105u + 300);
  EXPECT_EQ(mistakes.several_calls, 2u);
}

TEST_F(CilkRegionsTest, InlinedChildIsAllSinceTheMarker) {
  marker(Marker::spawn_begin);
  work(20);
  call(1, 100, kInlined);
  work(3);
  call(2, 7, kInlined);
  marker(Marker::spawn_end);
  work(60);
  const WorkSpan::Totals totals = finish();
  EXPECT_EQ(totals.lengths.span, 130u);
  EXPECT_EQ(totals.work, 190u);
}

TEST_F(CilkRegionsTest, InlinedChildWaitsForItsOwn) {
  marker(Marker::spawn_begin);
  call(1, 10, kInlined);
  marker(Marker::spawn_begin, kElsewhere);
  call(2, 100, kInlined);
  marker(Marker::spawn_end);
  work(7);
  marker(Marker::spawn_end);
  work(60);
  marker(Marker::sync);
  work(1);
  EXPECT_EQ(finish().lengths.span, 10u + 100 + 1);
}

TEST_F(CilkRegionsTest, TwoSpawnsOfOneExpression) {
  marker(Marker::spawn_begin);
  call(1, 100, kDirect);
  marker(Marker::spawn_begin);
  call(2, 70, kDirect);
  marker(Marker::spawn_end);
  marker(Marker::spawn_end);
  work(60);
  marker(Marker::sync);
  const WorkSpan::Totals totals = finish();
  EXPECT_EQ(totals.spawns, 2u);
  EXPECT_EQ(totals.lengths.span, 100u);
}

TEST_F(CilkRegionsTest, InlinedLeafChild) {
  work(5);
  marker(Marker::spawn_begin);
  work(20);
  marker(Marker::spawn_end);
  work(15);
  EXPECT_EQ(finish().lengths.span, 25u);
}

TEST_F(CilkRegionsTest, SpawnInCEndsAtTheNextLine) {
  marker(Marker::spawn);
  call(1, 100, kDirect);
  call(2, 60, kFromElsewhere);
  marker(Marker::sync);
  call(3, 1, kFromElsewhere);
  const WorkSpan::Totals totals = finish();
  EXPECT_EQ(totals.lengths.span, 101u);
  EXPECT_EQ(totals.spawns, 1u);
  EXPECT_EQ(mistakes.without_call, 0u);
}

TEST_F(CilkRegionsTest, SpawnInCWithSeveralCallsInItsLineIsTheLastAndIsCountedOnce) {
  for (int i = 0; i < 2; i++) {
    marker(Marker::spawn);
    call(1, 10, kDirect);
    call(2, 20, kDirect);
    call(3, 100, kDirect);
    call(4, 60, kFromElsewhere);
    marker(Marker::sync);
  }
  EXPECT_EQ(finish().lengths.span, 260u);
  EXPECT_EQ(mistakes.several_calls, 2u);
}

TEST_F(CilkRegionsTest, SpawnInCWithoutLinesIsTheFirstCall) {
  marker(Marker::spawn, 0);
  call(1, 100, {});
  call(2, 60, {});
  EXPECT_EQ(finish().lengths.span, 100u);
}

TEST_F(CilkRegionsTest, SpawnInCWithoutACallIsCounted) {
  marker(Marker::spawn);
  work(10);
  marker(Marker::sync);
  EXPECT_EQ(mistakes.without_call, 1u);
  marker(Marker::spawn);
  call(1, 10, {.location = kLine, .inlined = 1});
  EXPECT_EQ(finish().lengths.span, 20u);
  EXPECT_EQ(mistakes.without_call, 2u);
}

TEST_F(CilkRegionsTest, ScopeWaitsForItsOwnChildrenOnly) {
  marker(Marker::spawn_begin);
  call(1, 100, kDirect);
  marker(Marker::spawn_end);
  marker(Marker::scope_begin);
  marker(Marker::spawn_begin);
  call(2, 30, kDirect);
  marker(Marker::spawn_end);
  marker(Marker::scope_end);
  work(60); // 90 in parallel with 100
  EXPECT_EQ(finish().lengths.span, 100u);
}

TEST_F(CilkRegionsTest, IterationsOfALoopAreParallelEachWithItsOwnSync) {
  marker(Marker::for_begin);
  for (int i = 0; i < 4; i++) {
    marker(Marker::for_iteration);
    marker(Marker::spawn_begin);
    call(1, 10, kDirect);
    marker(Marker::spawn_end);
    marker(Marker::sync);
    work(5);
  }
  marker(Marker::for_end);
  work(1);
  const WorkSpan::Totals totals = finish();
  EXPECT_EQ(totals.work, 61u);
  EXPECT_EQ(totals.lengths.span, 16u);
  EXPECT_EQ(totals.spawns, 8u);
}

TEST_F(CilkRegionsTest, LoopCostsTheBurdenOfItsDepth) {
  WorkSpan burdened{{.burden = 100}};
  CilkRegions of_it(burdened, mistakes);
  SpanThread* its = burdened.start_thread(nullptr);
  burdened.call(*its, SiteId{0}, RoutineId{1});
  of_it.marker(*its, static_cast<u32>(Marker::for_begin), kLine);
  for (int i = 0; i < 16; i++) {
    of_it.marker(*its, static_cast<u32>(Marker::for_iteration), kLine);
    burdened.work(*its, 1);
  }
  of_it.marker(*its, static_cast<u32>(Marker::for_end), kLine);
  EXPECT_EQ(burdened.finish().lengths.burdened, 501u);
  finish();
}

TEST_F(CilkRegionsTest, FrameThatEndsClosesItsRegions) {
  engine.call(*thread, SiteId{1}, RoutineId{2});
  marker(Marker::scope_begin);
  marker(Marker::for_begin);
  marker(Marker::for_iteration);
  marker(Marker::spawn_begin);
  call(2, 10, kDirect);
  return_(); // longjmp
  work(4);
  EXPECT_EQ(finish().lengths.span, 14u);
  EXPECT_EQ(mistakes.abandoned, 3u);
}

TEST_F(CilkRegionsTest, ChildOfCThatAJumpLeavesIsCounted) {
  marker(Marker::spawn);
  begin_call(1, kDirect);
  begin_call(2, kDirect); // no child: its caller spawns nothing
  for (int i = 0; i < 2; i++) {
    regions.before_unwinding(*thread);
    return_();
  }
  regions.before_unwinding(*thread);
  EXPECT_EQ(mistakes.abandoned, 1u);
  marker(Marker::spawn_begin);
  begin_call(1, kDirect);
  regions.before_unwinding(*thread); // an exception
  return_();
  marker(Marker::spawn_end);
  finish();
  EXPECT_EQ(mistakes.abandoned, 1u);
}

TEST_F(CilkRegionsTest, HandlerComesAfterAllChildren) {
  marker(Marker::spawn_begin);
  begin_call(1, kDirect);
  work(100);
  regions.before_unwinding(*thread); // throws
  return_();
  marker(Marker::spawn_end);
  work(60);
  regions.handler(*thread);
  work(7);
  EXPECT_EQ(finish().lengths.span, 100u + 7);
}

TEST_F(CilkRegionsTest, InlinedChildMayCatchItself) {
  for (const bool itself : {true, false}) {
    marker(Marker::spawn_begin);
    call(1, 100, kInlined);
    CilkRegions::thrown(*thread);
    if (itself)
      regions.handler(*thread);
    marker(Marker::spawn_end);
    if (!itself)
      regions.handler(*thread);
    work(60);
  }
  EXPECT_EQ(finish().lengths.span, 60u + 100 + 60);
}

TEST_F(CilkRegionsTest, HandlerOfAnInlinedFunctionWaitsForNobody) {
  marker(Marker::spawn_begin);
  call(1, 100, kDirect);
  marker(Marker::spawn_end);
  begin_call(2, kFromElsewhere);
  regions.before_unwinding(*thread); // throws
  return_();
  regions.handler(*thread);
  work(7);
  EXPECT_EQ(finish().lengths.span, 100u);
}

// Whether or not it is known what is inlined.
TEST_F(CilkRegionsTest, InlinedChildIsOrderedByItself) {
  constexpr CallOrigin kInlinedOrder{
      .location = kElsewhere, .inlined = kInlined.inlined, .role = SpawnRole::child};
  for (const CallOrigin& order : {kCleanup, kInlinedOrder}) {
    SpanThread* const other = engine.start_thread(thread);
    engine.work(*other, 100);
    marker(Marker::spawn_begin);
    work(10);
    regions.before_order(*thread, order);
    PathPoint point = engine.publish(*other);
    engine.observe(*thread, point);
    if (order.inlined != 0)
      call(1, 5, kInlined);
    work(1);
    marker(Marker::spawn_end);
    work(60);
    marker(Marker::sync);
    engine.end_thread(*other);
    engine.join_thread(*thread, other);
  }
  EXPECT_EQ(finish().lengths.span, 100u + 1 + 100 + 5 + 1);
}

TEST_F(CilkRegionsTest, InlinedChildMayBeOrderedAfterItsArguments) {
  SpanThread* const other = engine.start_thread(thread);
  engine.work(*other, 100);
  marker(Marker::spawn_begin);
  call(1, 10, kDirect);
  regions.before_order(*thread, kInlined);
  PathPoint point = engine.publish(*other);
  engine.observe(*thread, point);
  marker(Marker::spawn_end);
  work(60);
  marker(Marker::sync);
  engine.end_thread(*other);
  engine.join_thread(*thread, other);
  EXPECT_EQ(finish().lengths.span, 100u);
}

TEST_F(CilkRegionsTest, WhatOrdersArgumentsInCEndsNoSpawn) {
  marker(Marker::spawn);
  call(1, 10, kDirect);
  regions.before_order(*thread, kCleanup);
  call(2, 100, kDirect);
  work(60);
  EXPECT_EQ(finish().lengths.span, 110u);
}

TEST_F(CilkRegionsTest, TailCallsThatWaitForChildrenAreCounted) {
  begin_call(1, kDirect);
  regions.before_tail_return(*thread);
  EXPECT_EQ(mistakes.tail_calls, 0u);
  marker(Marker::spawn_begin);
  call(2, 10, kDirect);
  marker(Marker::spawn_end);
  regions.before_tail_return(*thread);
  return_();
  finish();
  EXPECT_EQ(mistakes.tail_calls, 1u);
}

TEST_F(CilkRegionsTest, MistakesAreCounted) {
  marker(Marker::spawn_end);
  marker(Marker::scope_end);
  marker(Marker::for_iteration);
  regions.marker(*thread, 4711, kLine);
  finish();
  EXPECT_EQ(mistakes.unmatched, 3u);
  EXPECT_EQ(mistakes.newer, 1u);
}

// Any sequence of markers, matched or not, gives consistent results.
TEST(CilkRegionsOfAnyOrder, WorkIsCountedOnceAndLocalSpansAddUp) {
  for (unsigned seed = 0; seed < 500; seed++) {
    std::mt19937 random(seed);
    const auto below = [&](u32 n) { return static_cast<u32>(random() % n); };
    Program program;
    Work work = 0;
    for (int i = 0; i < 300; i++) {
      const Work amount = below(50);
      program.work(amount);
      work += amount;
      if (below(2) == 0)
        program.marker(static_cast<Marker>(1 + below(10)), below(4));
      else if (below(2) == 0 || program.thread->frames.size() == 1)
        program.begin_call(1 + below(3), {below(4), below(3), static_cast<SpawnRole>(below(4))});
      else
        program.return_();
      if (below(20) == 0 && CilkRegions::in_spawn(*program.thread))
        program.regions.before_order(
            *program.thread, {.location = below(4), .inlined = 0, .role = SpawnRole::no_child});
      if (below(20) == 0)
        program.regions.handler(*program.thread);
      if (below(100) == 0)
        program.engine.results_so_far();
    }
    program.regions.abandon_all(*program.thread);
    const WorkSpan::Totals totals = program.engine.finish();
    EXPECT_EQ(totals.work, work) << seed;
    EXPECT_LE(totals.lengths.span, work) << seed;
    Span local = 0;
    for (const Measures& measures : program.engine.on_span())
      local += measures.local.span;
    EXPECT_EQ(local, totals.lengths.span) << seed;
    EXPECT_EQ(program.engine.paths().nodes(), 0u) << seed;
  }
}

// The shortcuts for frequent events.
TEST(CilkRegionsOfAnyOrder, SyncsAndSpawnedCallsMayBeToldForLess) {
  for (unsigned seed = 0; seed < 500; seed++) {
    std::mt19937 random(seed);
    const auto below = [&](u32 n) { return static_cast<u32>(random() % n); };
    Program program;
    Program shorter;
    for (int i = 0; i < 300; i++) {
      const Work amount = below(50);
      const SourceLocation location = below(4);
      const u32 site = 1 + below(3);
      const auto kind = static_cast<Marker>(1 + below(10));
      program.work(amount);
      shorter.work(amount);
      if (begins_spawn(static_cast<u32>(kind)) && location != 0) {
        program.marker(kind, location);
        program.begin_call(site, {.location = location});
        if (CilkRegions::in_spawn(*shorter.thread))
          shorter.regions.before_marker(*shorter.thread);
        shorter.regions.begin_spawned_call(*shorter.thread, static_cast<u32>(kind), location);
        shorter.engine.call(*shorter.thread, SiteId{site}, RoutineId{site + 1});
      } else if (kind == Marker::sync) {
        program.marker(kind);
        shorter.regions.sync(*shorter.thread);
      } else {
        const bool returns = below(2) == 0 && program.thread->frames.size() > 1;
        for (Program* each : {&program, &shorter})
          returns ? each->return_() : each->marker(kind, location);
      }
    }
    for (Program* each : {&program, &shorter})
      each->regions.abandon_all(*each->thread);
    const WorkSpan::Totals& totals = program.engine.finish();
    const WorkSpan::Totals& found = shorter.engine.finish();
    EXPECT_EQ(found.work, totals.work) << seed;
    EXPECT_EQ(found.lengths, totals.lengths) << seed;
    EXPECT_EQ(found.spawns, totals.spawns) << seed;
    EXPECT_EQ(found.syncs, totals.syncs) << seed;
    EXPECT_EQ(shorter.mistakes, program.mistakes) << seed;
    for (u32 i = 0; i < 4; i++) {
      EXPECT_EQ(shorter.engine.on_work()[i], program.engine.on_work()[i]) << seed;
      EXPECT_EQ(shorter.engine.on_span()[i], program.engine.on_span()[i]) << seed;
    }
  }
}

} // namespace
