#include "base/text_file.hpp"

#include "base/lifted_limit.hpp"
#include "base/valgrind.hpp"

#include <errno.h> // the core's headers lack some

namespace {

constexpr std::size_t kBufferBytes = 1 << 16;

void copy_path(Vector<char>& to, const char* path, const char* suffix) {
  to.resize(VG_(strlen)(path) + VG_(strlen)(suffix) + 1);
  VG_(sprintf)(to.begin(), "%s%s", path, suffix);
}

// Returns the file descriptor and sets `error` to 0. On failure it returns -1 and sets `error` to
// an errno.
int open_file(const char* path, int flags, int& error) {
  const SysRes opened =
      VG_(open)(path, flags, VKI_S_IRUSR | VKI_S_IWUSR | VKI_S_IRGRP | VKI_S_IROTH);
  error = sr_isError(opened) ? static_cast<int>(sr_Err(opened)) : 0;
  return sr_isError(opened) ? -1 : static_cast<int>(sr_Res(opened));
}

} // namespace

TextFile::~TextFile() {
  if (file_ < 0)
    return;
  VG_(close)(file_);
  if (!in_place_)
    VG_(unlink)(part_path_.begin());
}

bool TextFile::written_in_place(const char* path) {
  struct vg_stat existing;
  return !sr_isError(VG_(stat)(path, &existing)) && !VKI_S_ISREG(existing.mode);
}

bool TextFile::open(const char* path) {
  in_place_ = written_in_place(path);
  if (in_place_) {
    file_ = open_file(path, VKI_O_WRONLY, error_);
    return file_ >= 0;
  }
  char suffix[32];
  VG_(sprintf)(suffix, ".%d.part", VG_(getpid)());
  copy_path(path_, path, "");
  copy_path(part_path_, path, suffix);
  VG_(unlink)(part_path_.begin()); // left by a killed process that had the same pid
  file_ = open_file(part_path_.begin(), VKI_O_CREAT | VKI_O_EXCL | VKI_O_WRONLY, error_);
  return file_ >= 0;
}

void TextFile::put(const char* bytes, std::size_t length) {
  constexpr u32 kModulus = 65521;
  for (std::size_t i = 0; i < length; i++) {
    sum_a_ = (sum_a_ + static_cast<u8>(bytes[i])) % kModulus;
    sum_b_ = (sum_b_ + sum_a_) % kModulus;
    lines_ += bytes[i] == '\n';
    buffer_.push_back(bytes[i]);
  }
  if (buffer_.size() >= kBufferBytes)
    flush();
}

TextFile& TextFile::operator<<(const char* text) {
  put(text, VG_(strlen)(text));
  return *this;
}

TextFile& TextFile::operator<<(char c) {
  put(&c, 1);
  return *this;
}

TextFile& TextFile::operator<<(u128 number) {
  char digits[40];
  char* first = digits + sizeof digits;
  // 128-bit division is slow, and most numbers fit in 64 bits.
  while (number > ~u64{0}) {
    *--first = static_cast<char>('0' + static_cast<unsigned>(number % 10));
    number /= 10;
  }
  u64 rest = static_cast<u64>(number);
  do {
    *--first = static_cast<char>('0' + rest % 10);
    rest /= 10;
  } while (rest != 0);
  put(first, static_cast<std::size_t>(digits + sizeof digits - first));
  return *this;
}

void TextFile::put_escaped(const char* text) {
  for (; *text != 0; text++)
    switch (*text) {
    case '\n': *this << "\\n"; break;
    case '\r': *this << "\\r"; break;
    case '\\': *this << "\\\\"; break;
    default: *this << *text;
    }
}

void TextFile::put_hexadecimal(u32 number) {
  for (int shift = 28; shift >= 0; shift -= 4)
    *this << "0123456789abcdef"[number >> shift & 15];
}

void TextFile::flush() {
  const LiftedLimit lifted(Limit::file_size);
  std::size_t done = 0;
  while (done < buffer_.size() && error_ == 0) {
    const Int written =
        VG_(write)(file_, buffer_.begin() + done, static_cast<Int>(buffer_.size() - done));
    if (written <= 0)
      error_ = written == 0 ? ENOSPC : -written;
    else
      done += static_cast<std::size_t>(written);
  }
  buffer_.clear();
}

bool TextFile::finish() {
  flush();
  if (error_ != 0)
    return false;
  VG_(close)(file_);
  file_ = -1;
  if (in_place_)
    return true;
  if (VG_(rename)(part_path_.begin(), path_.begin()) == 0)
    return true;
  error_ = EACCES; // the core does not return the errno
  VG_(unlink)(part_path_.begin());
  return false;
}

const char* TextFile::why() const {
  switch (error_) {
  case EACCES:
  case EPERM: return "it may not be written to";
  case ENOENT:
  case ENOTDIR: return "no such folder";
  case EISDIR: return "it is a folder";
  case ENOSPC:
  case EDQUOT: return "no space left";
  case EROFS: return "the disk is read-only";
  case EFBIG: return "larger than files may be, see ulimit -f";
  case ENAMETOOLONG: return "the name is too long";
  case EMFILE:
  case ENFILE: return "too many open files";
  default: return "input/output error";
  }
}
