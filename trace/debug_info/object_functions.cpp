#include "trace/debug_info/object_functions.hpp"

#include "trace/debug_info/debug_file.hpp"

namespace {

bool has(const ElfFile& file, const char* section) { return file.section(section).bytes > 0; }

// The compressed files of Debian's packages are not read: inflating the C library's takes 50 ms.
bool is_read_fast(const ElfFile& debug_file) {
  return debug_file.section(".debug_info").compressed == 0;
}

} // namespace

ObjectFunctions::ObjectFunctions(const char* path) : object_(path) {
  const char* with_dwarf = path;
  if (object_.is_elf() && !has(object_, ".debug_info"))
    if (const Vector<char> other = debug_file_of(object_); !other.empty()) {
      debug_file_ = create<ElfFile>("trace.elf", other.begin());
      if (is_read_fast(*debug_file_))
        with_dwarf = debug_file_->path();
    }
  definitions_ = create<Definitions>("trace.definitions", with_dwarf);
}

ObjectFunctions::~ObjectFunctions() {
  destroy(symbols_);
  destroy(definitions_);
  destroy(debug_file_);
}

const FunctionSymbols& ObjectFunctions::symbols() {
  if (symbols_ == nullptr) {
    const bool elsewhere =
        !has(object_, ".symtab") && debug_file_ != nullptr && has(*debug_file_, ".symtab");
    symbols_ = create<FunctionSymbols>("trace.symbols", elsewhere ? *debug_file_ : object_);
  }
  return *symbols_;
}
