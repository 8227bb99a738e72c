// KIND grain|lock, NAMES main|brighten|submit|work|Pool|mutex_: a job of a thread pool for each handful of pixels.
#include "pool.hpp"
#include <cstdio>
#include <vector>

static void brighten(std::vector<unsigned char>& image, size_t begin, size_t end) {
  for (size_t i = begin; i < end; i++)
    image[i] = image[i] + (255 - image[i]) / 4;
}

int main() {
  std::vector<unsigned char> image(80000, 17);
#ifdef FIXED
  constexpr size_t kPiece = 2500;
#else
  constexpr size_t kPiece = 10;
#endif
  Pool pool(4);
  for (size_t i = 0; i < image.size(); i += kPiece)
    pool.submit([&image, i] { brighten(image, i, i + kPiece); }); // CULPRIT
  pool.finish();
  std::printf("%d\n", image[9]);
}
