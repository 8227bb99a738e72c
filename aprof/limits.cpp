#include "aprof/limits.hpp"

#include "trace/double_mappings.hpp"
#include "trace/kernel_events.hpp"
#include "trace/threads.hpp"

#include <algorithm>

namespace aprof {
namespace {

Limit limit(const char* kind, u64 count, const char* one, const char* many) {
  return {kind, count, count == 1 ? one : many};
}

} // namespace

std::array<Limit, 4> limits() {
  return {
      limit("double-mappings", double_mappings::count(),
            "mapping shows memory that is at another address, too: what a thread stores under one "
            "address is not input under the other",
            "mappings show memory that is at another address, too: what a thread stores under one "
            "address is not input under the other"),
      limit("stacks-given-up", threads::stacks_given_up(),
            "stack of a coroutine was left for too long to be followed: its activations count as "
            "unfinished",
            "stacks of coroutines were left for too long to be followed: their activations count "
            "as unfinished"),
      limit("nested-handlers", threads::handlers_not_apart(),
            "signal handler was nested too deep to be followed: it is part of what it interrupted",
            "signal handlers were nested too deep to be followed: they are part of what they "
            "interrupted"),
      limit("io-uring", kernel_events::io_urings(),
            "io_uring was set up: the data that it delivers does not count as external input",
            "io_urings were set up: the data that they deliver does not count as external input"),
  };
}

bool any_limit() {
  const auto all = limits();
  return std::any_of(all.begin(), all.end(), [](const Limit& each) { return each.count > 0; });
}

} // namespace aprof
