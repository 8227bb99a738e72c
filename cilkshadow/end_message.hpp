// What cilkshadow says at the end of a run.
#pragma once

namespace cilkshadow::end_message {

void print(const char* profile_path); // after the profile was written

} // namespace cilkshadow::end_message
