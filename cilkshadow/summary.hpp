// What cilkshadow says at the end of a run.
#pragma once

namespace summary {

void print(const char* profile_path); // after the profile was written

} // namespace summary
