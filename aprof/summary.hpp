// The end-of-run summary: three lines, and the command to type next.
#pragma once

class Profile;

namespace summary {

void print(const Profile& profile, const char* path);

} // namespace summary
