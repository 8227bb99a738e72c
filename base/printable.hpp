// Makes text of the program, such as a routine's name, safe to print on a terminal.
#pragma once

#include "base/vector.hpp"

// Returns the text with bytes that are not UTF-8, control characters, and marks that change the
// direction of text as \xNN, ended by a NUL.
Vector<char> printable(const char* text);
