// Makes text of the program, such as a routine's name, safe to print on a terminal and to paste
// from there.
#pragma once

#include "base/vector.hpp"

// Returns the text, ended by a NUL, with control characters and bytes that are not UTF-8 as \xNN,
// and with ends of lines and marks that change the direction of text as \uNNNN: as reports do.
Vector<char> printable(const char* text);

// Returns the text as a word of a shell, ended by a NUL, in quotes if necessary.
Vector<char> shell_word(const char* text);
