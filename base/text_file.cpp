#include "base/text_file.hpp"

#include "base/valgrind.hpp"

namespace {

constexpr std::size_t kBufferBytes = 1 << 16;
constexpr char kPartSuffix[] = ".part";

void copy_path(Vector<char>& to, const char* path, const char* suffix) {
  to.resize(VG_(strlen)(path) + VG_(strlen)(suffix) + 1);
  VG_(sprintf)(to.begin(), "%s%s", path, suffix);
}

} // namespace

TextFile::~TextFile() {
  if (file_ < 0)
    return;
  VG_(close)(file_);
  if (!in_place_)
    VG_(unlink)(part_path_.begin());
}

bool TextFile::open(const char* path) {
  struct vg_stat existing;
  if (!sr_isError(VG_(stat)(path, &existing)) && !VKI_S_ISREG(existing.mode)) {
    in_place_ = true;
    file_ = VG_(fd_open)(path, VKI_O_WRONLY, 0);
    return file_ >= 0;
  }
  copy_path(path_, path, "");
  copy_path(part_path_, path, kPartSuffix);
  file_ = VG_(fd_open)(part_path_.begin(), VKI_O_CREAT | VKI_O_WRONLY | VKI_O_TRUNC,
                       VKI_S_IRUSR | VKI_S_IWUSR | VKI_S_IRGRP | VKI_S_IROTH);
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
  // 128-bit division is a loop; most numbers fit in 64.
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
  std::size_t done = 0;
  while (done < buffer_.size() && !failed_) {
    const Int written =
        VG_(write)(file_, buffer_.begin() + done, static_cast<Int>(buffer_.size() - done));
    if (written <= 0)
      failed_ = true;
    else
      done += static_cast<std::size_t>(written);
  }
  buffer_.clear();
}

bool TextFile::finish() {
  flush();
  if (failed_)
    return false;
  VG_(close)(file_);
  file_ = -1;
  if (in_place_)
    return true;
  if (VG_(rename)(part_path_.begin(), path_.begin()) == 0)
    return true;
  VG_(unlink)(part_path_.begin());
  return false;
}
