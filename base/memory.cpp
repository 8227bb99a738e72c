#include "base/memory.hpp"

#include "base/check.hpp"
#include "base/reserve.hpp"
#include "base/valgrind.hpp"

void check_failed(const char* condition, const char* file, int line, const char* function) {
  VG_(assert_fail)(/*isCore*/ False, condition, file, line, function, "");
}

void* allocate(const char* cost_centre, std::size_t bytes) {
  return VG_(malloc)(cost_centre, bytes);
}

void* reallocate(const char* cost_centre, void* block, std::size_t bytes) {
  return VG_(realloc)(cost_centre, block, bytes);
}

void release(void* block) { VG_(free)(block); }

namespace {

// VG_(am_shadow_alloc) returned a pointer, null on failure, before Valgrind 3.21 and a SysRes
// since.
[[maybe_unused]] void* mapped_or_null(void* result) { return result; }
[[maybe_unused]] void* mapped_or_null(SysRes result) {
  return sr_isError(result) ? nullptr : reinterpret_cast<void*>(sr_Res(result));
}

} // namespace

void* map_pages_or_null(std::size_t bytes) { return mapped_or_null(VG_(am_shadow_alloc)(bytes)); }

void* map_pages(const char* purpose, std::size_t bytes) {
  void* pages;
  reserve::obtain(
      purpose, bytes,
      [](std::size_t wanted, void* result) {
        void*& mapped = *static_cast<void**>(result);
        mapped = map_pages_or_null(wanted);
        return mapped != nullptr;
      },
      &pages);
  return pages;
}

void out_of_memory(const char* purpose, std::size_t bytes) {
  reserve::obtain(
      purpose, bytes, [](std::size_t, void*) { return false; }, nullptr);
  __builtin_unreachable(); // obtain() has ended the run
}

void unmap_pages(void* pages, std::size_t bytes) {
  const SysRes result = VG_(am_munmap_valgrind)(reinterpret_cast<Addr>(pages), bytes);
  CHECK(!sr_isError(result));
}
