// Recognises the demangled names of constructors and destructors: compilers make up to four
// functions of each, all with the same demangled name. Independent of Valgrind.
#pragma once

bool is_constructor_or_destructor(const char* name);
