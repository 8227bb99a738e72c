// Implements base/memory.hpp and base/check.hpp for hosted builds, as base/memory.cpp does for the
// tools.
#include "base/check.hpp"
#include "base/memory.hpp"

#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>

void check_failed(const char* condition, const char* file, int line, const char* function) {
  std::fprintf(stderr, "%s:%d: %s: CHECK(%s) failed\n", file, line, function, condition);
  std::abort();
}

void* allocate(const char*, std::size_t bytes) { return std::malloc(bytes); }
void* reallocate(const char*, void* block, std::size_t bytes) { return std::realloc(block, bytes); }
void release(void* block) { std::free(block); }

void* map_pages(const char*, std::size_t bytes) {
  void* pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  CHECK(pages != MAP_FAILED);
  return pages;
}

void out_of_memory(const char* purpose, std::size_t) {
  std::fprintf(stderr, "out of memory: %s\n", purpose);
  std::abort();
}

void unmap_pages(void* pages, std::size_t bytes) { CHECK(munmap(pages, bytes) == 0); }
