// Writes the dag (work_span/dag/) as records of the profile: docs/format-cilkshadow.md, "Dag".
#pragma once

#include "base/text_file.hpp"
#include "base/vector.hpp"

namespace cilkshadow::dag_writer {

// Writes nothing if there is no dag. `calls`: their numbers in the profile, by SiteId; 0: not in
// the profile. `has_record`: whether the profile has the loop of such a site.
void put(TextFile& out, const Vector<u32>& calls, bool (*has_record)(u32 site));

} // namespace cilkshadow::dag_writer
