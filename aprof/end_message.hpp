// What aprof-trms says at the end of a run: three lines, what is amiss, and the command to type
// next. Reads the profile; keeps nothing.
#pragma once

class Profile;

namespace aprof::end_message {

void print(const Profile& profile, const char* path);

} // namespace aprof::end_message
