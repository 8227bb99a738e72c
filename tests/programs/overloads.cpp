// Functions whose demangled names have more than the name in the source.
#define NOINLINE __attribute__((noinline, noclone))

volatile long sink;

namespace shop {

NOINLINE void total(int n) { sink += n; }
NOINLINE void total(long n, void (*then)(int)) {
  sink += n;
  then(1);
}
NOINLINE void totals(int n) { sink += n; }
__attribute__((abi_tag("v2"))) NOINLINE void render(int n) { sink += n; }

struct Price {
  NOINLINE void operator()(int n) const { sink += n; }
};

} // namespace shop

int main() {
  for (int i = 0; i < 2; i++)
    shop::total(i);
  for (int i = 0; i < 3; i++)
    shop::total(4L, shop::totals);
  for (int i = 0; i < 5; i++)
    shop::render(i);
  for (int i = 0; i < 7; i++)
    shop::Price()(i);
}
