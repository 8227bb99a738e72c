// KIND serial phase, NAMES checksum: an image is filtered by std::async, and its checksum made.
#include <cstdint>
#include <cstdio>
#include <future>
#include <vector>

class Image {
public:
  Image(int width, int height) : width_(width), height_(height), pixels_(width * height) {}
  void filter(int first, int last) {
    for (int y = first; y < last; y++)
      for (int x = 1; x < width_ - 1; x++)
        at(x, y) = (at(x - 1, y) * 3 + at(x, y) * 5 + at(x + 1, y) + x + y) / 9;
  }
  uint32_t checksum() const {
    uint32_t a = 1, b = 0;
    for (uint8_t pixel : pixels_) { // CULPRIT
      a = (a + pixel) % 65521;
      b = (b + a) % 65521;
    }
    return b << 16 | a;
  }
  int height() const { return height_; }

private:
  uint8_t& at(int x, int y) { return pixels_[y * width_ + x]; }
  int width_, height_;
  std::vector<uint8_t> pixels_;
};

int main() {
  Image image(300, 300);
  uint32_t sum = 0;
  for (int frame = 0; frame < 3; frame++) {
    std::vector<std::future<void>> parts;
    for (int part = 0; part < 4; part++)
      parts.push_back(std::async(std::launch::async, [&image, part] {
        image.filter(part * image.height() / 4, (part + 1) * image.height() / 4);
      }));
    for (auto& part : parts)
      part.get();
#ifndef FIXED
    sum ^= image.checksum();
#endif
  }
  std::printf("%u\n", sum);
}
