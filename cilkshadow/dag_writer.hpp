// Writes the dag (work_span/dag/) as records of the profile: docs/format-cilkshadow.md, "Dag".
#pragma once

#include "base/text_file.hpp"
#include "base/vector.hpp"

namespace cilkshadow::dag_writer {

// Writes nothing if there is no dag. `sites`: their numbers in the profile, by SiteId; 0: not in
// the profile.
void put(TextFile& out, const Vector<u32>& sites);

} // namespace cilkshadow::dag_writer
