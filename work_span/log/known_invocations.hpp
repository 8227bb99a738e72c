// Invocations that the reader of the log has measured once, and by what it finds them again.
#pragma once

#include "work_span/engine/summaries.hpp"
#include "work_span/log/event_trie.hpp"

namespace shadow {

struct Rehearsal;

struct KnownInvocations {
  Summaries summaries;
  EventTrie events; // of these
  Patience patience;
  Vector<const Summary*> uncounted{"cilkshadow.summaries"};
  u64 pending_changes = 0;        // those that matter to untold invocations
  Rehearsal* rehearsal = nullptr; // null: nothing has been summarised yet
};

} // namespace shadow
