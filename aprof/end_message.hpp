// Prints the message at the end of a run of aprof-trms: three lines, warnings, and the command to
// type next. Only reads the profile.
#pragma once

class Profile;

namespace aprof::end_message {

void print(const Profile& profile, const char* path);

} // namespace aprof::end_message
