// KIND chain, NAMES main|encrypt_block|encrypt: each async task encrypts a block with the result of the one before.
#include <cstdio>
#include <future>
#include <vector>

static unsigned encrypt_block(std::vector<unsigned>& block, unsigned mask) {
  for (unsigned& word : block) {
    for (int round = 0; round < 32; round++)
      mask = (mask << 5 | mask >> 27) * 0x9e3779b1u ^ word;
    word ^= mask;
  }
  return mask;
}

int main() {
  constexpr int kBlocks = 24;
  std::vector<std::vector<unsigned>> blocks(kBlocks, std::vector<unsigned>(400, 3));
  std::vector<std::shared_future<unsigned>> masks(1);
  std::promise<unsigned> first;
  first.set_value(1);
  masks[0] = first.get_future().share();
  for (int b = 0; b < kBlocks; b++) {
    auto mask = masks.back();
    masks.push_back(std::async(std::launch::async, [&blocks, b, mask] {
#ifdef FIXED
      return encrypt_block(blocks[b], b);
#else
      return encrypt_block(blocks[b], mask.get()); // CULPRIT
#endif
    }));
  }
  unsigned sum = 0;
  for (auto& mask : masks)
    sum ^= mask.get();
  std::printf("%u\n", sum);
}
