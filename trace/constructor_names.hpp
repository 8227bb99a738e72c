// Whether a demangled name is that of a constructor or destructor: compilers make up to four
// functions of one, which have the same name. Knows nothing of Valgrind.
#pragma once

bool is_constructor_or_destructor(const char* name);
