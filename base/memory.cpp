#include "base/memory.hpp"

#include "base/check.hpp"
#include "base/valgrind.hpp"

#include <type_traits>

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

// The errno argument came with the same change.
template <typename Report>
[[noreturn]] void out_of_memory(Report report, const char* purpose, SizeT bytes) {
  if constexpr (std::is_invocable_v<Report, const HChar*, SizeT>)
    report(purpose, bytes);
  else
    report(purpose, bytes, VKI_ENOMEM);
  __builtin_unreachable();
}

} // namespace

void* map_pages(const char* purpose, std::size_t bytes) {
  void* pages = mapped_or_null(VG_(am_shadow_alloc)(bytes));
  if (pages == nullptr)
    out_of_memory(VG_(out_of_memory_NORETURN), purpose, bytes);
  return pages;
}

void unmap_pages(void* pages, std::size_t bytes) {
  const SysRes result = VG_(am_munmap_valgrind)(reinterpret_cast<Addr>(pages), bytes);
  CHECK(!sr_isError(result));
}
