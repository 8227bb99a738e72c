#include "base/reserve.hpp"

#include "base/code_cache_placement.hpp"
#include "base/lifted_limit.hpp"
#include "base/memory.hpp"
#include "base/valgrind.hpp"

namespace reserve {
namespace {

class Reserve {
public:
  explicit constexpr Reserve(std::size_t bytes) : bytes_(bytes) {}
  void set_aside() { pages_ = map_pages_or_null(bytes_); }
  bool release() { // returns false if it was released before
    if (pages_ == nullptr)
      return false;
    unmap_pages(pages_, bytes_);
    pages_ = nullptr;
    return true;
  }

private:
  std::size_t bytes_;
  void* pages_ = nullptr;
};

// The core allocates translation tables of 40 MB; nothing larger is requested again and again.
constinit Reserve for_going_on{std::size_t{48} << 20};
constinit Reserve for_last_words{std::size_t{16} << 20};
bool used;                // for_going_on has been released
const char* last_purpose; // of the request that failed
std::size_t last_bytes;
void (*save)();

[[noreturn]] void end_run() {
  VG_(umsg)
  ("out of memory: could not get %'llu more bytes for %s; the run ends here.\n",
   static_cast<ULong>(last_bytes), last_purpose);
  VG_(umsg)("Is there a limit (ulimit -v)?\n");
  if (save == nullptr) {
    VG_(umsg)("There is not even enough memory to write a profile: what was measured is lost.\n");
  } else {
    void (*const last_words)() = save;
    save = nullptr; // saving may itself run out of memory
    for_going_on.release();
    for_last_words.release();
    last_words();
  }
  VG_(exit)(1);
}

} // namespace

void set_aside(void (*last_words)()) {
  save = last_words;
  for_going_on.set_aside();
  for_last_words.set_aside();
}

void stop_if_used() {
  if (__builtin_expect(used, 0))
    end_run();
}

void obtain(const char* purpose, std::size_t bytes, bool (*map)(std::size_t bytes, void* result),
            void* result) {
  if (map(bytes, result))
    return;
  {
    const LiftedLimit lifted(Limit::address_space);
    if (map(bytes, result))
      return;
  }
  last_purpose = purpose;
  last_bytes = bytes;
  if (for_going_on.release()) {
    used = true;
    if (map(bytes, result))
      return;
  }
  end_run();
}

} // namespace reserve

// The linker's --wrap (tool_ldflags in Makefile.am) redirects the core's own requests here,
// including those of VG_(malloc). The core does not survive a failed request either.
extern "C" {
SysRes __real_vgPlain_am_mmap_anon_float_valgrind(SizeT bytes);
SysRes __wrap_vgPlain_am_mmap_anon_float_valgrind(SizeT bytes) {
  SysRes mapped;
  reserve::obtain(
      "Valgrind's core", bytes,
      [](std::size_t wanted, void* result) {
        auto& pages = *static_cast<SysRes*>(result);
        if (code_cache_placement::map(wanted, pages))
          return true;
        pages = __real_vgPlain_am_mmap_anon_float_valgrind(wanted);
        return !sr_isError(pages);
      },
      &mapped);
  return mapped;
}
}
