// A semaphore's posts come out in the order in which they went in, and what was granted at first
// before them.
#include "cilkshadow/posts.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <random>

namespace {

PathPoint point(Span span) {
  PathPoint made;
  made.lengths = Lengths(span);
  return made;
}

TEST(PostsTest, FirstInFirstOut) {
  Posts posts;
  std::deque<Span> expected;
  std::mt19937 random(1);
  for (Span next = 1; next < 20000; next++) {
    if (random() % 2 == 0 || expected.empty()) {
      posts.push(point(next));
      expected.push_back(next);
    } else {
      EXPECT_EQ(posts.take().lengths.span, expected.front());
      expected.pop_front();
    }
    ASSERT_EQ(posts.size(), expected.size());
    ASSERT_EQ(posts.empty(), expected.empty());
  }
}

TEST(PostsTest, NewSemaphoreHasNoOldPosts) {
  ProfPool profs;
  Paths paths(profs);
  Posts posts;
  posts.begin(paths, 1);
  Path path;
  path.lengths += 5;
  posts.push(paths.freeze(path));
  EXPECT_EQ(posts.take().node, nullptr);
  posts.begin(paths, 2);
  EXPECT_EQ(posts.size(), 2u);
  EXPECT_EQ(posts.take().node, nullptr);
  paths.drop(path);
  EXPECT_EQ(paths.nodes(), 0u);
}

} // namespace
