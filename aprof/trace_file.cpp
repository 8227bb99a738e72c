#include "aprof/trace_file.hpp"

#include "base/valgrind.hpp"
#include "trace/loops/loop.hpp"

TraceFile::TraceFile(const char* path, unsigned cell_shift, const u64& clock)
    : path_(path), clock_(clock) {
  char head[64];
  const UInt length = VG_(sprintf)(head, "aprof-trms-trace 1 %u\n", cell_shift);
  for (UInt i = 0; i < length; i++)
    buffer_.push_back(static_cast<u8>(head[i]));
  append(VKI_O_CREAT | VKI_O_TRUNC);
}

void TraceFile::put_loops(const Loop* innermost) {
  if (innermost == nullptr)
    return;
  put_loops(innermost->parent);
  put(TraceEvent::loop_is, index(innermost->id), index(innermost->routine),
      index(id_of(innermost->parent)), innermost->leaf);
}

void TraceFile::flush() { append(VKI_O_APPEND); }

void TraceFile::append(int flags) {
  const Int file = VG_(fd_open)(path_, VKI_O_WRONLY | flags, VKI_S_IRUSR | VKI_S_IWUSR);
  std::size_t done = 0;
  while (file >= 0 && done < buffer_.size()) {
    const Int bytes =
        VG_(write)(file, buffer_.begin() + done, static_cast<Int>(buffer_.size() - done));
    if (bytes <= 0)
      break;
    done += static_cast<std::size_t>(bytes);
  }
  if (file >= 0)
    VG_(close)(file);
  if (done < buffer_.size()) {
    VG_(umsg)
    ("cannot write the trace to '%s': choose another file with --trace-file=<file>.\n", path_);
    VG_(exit)(1);
  }
  buffer_.clear();
}
