// Writes the numbers of a profile, its tables and contexts: docs/format-aprof.md, "Numbers". The
// profile is complete (collector.hpp); nothing changes in it.
#pragma once

class Engine;
class Profile;
class TextFile;

void write_numbers(TextFile& out, const Engine& engine, const Profile& profile);
