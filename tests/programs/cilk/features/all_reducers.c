/* Reducers in C, as Cilk Plus writes them. */
#include <cilk/cilk.h>
#include <cilk/cilk_api.h>
#include <cilk/reducer_min_max.h>
#include <cilk/reducer_opadd.h>
#include <cilk/reducer_opxor.h>
#include <stdio.h>
CILK_C_REDUCER_OPADD(sum, long, 0);
struct Q {
  int n;
};
static void reduce(void* k, void* l, void* r) {
  (void)k;
  ((struct Q*)l)->n += ((struct Q*)r)->n;
}
static void identity(void* k, void* v) {
  (void)k;
  ((struct Q*)v)->n = 0;
}
int main(void) {
  CILK_C_REDUCER_MAX(max, int, -1);
  CILK_C_REDUCER_MIN_INDEX(min, double, 100.0);
  CILK_C_REDUCER_OPXOR(x, uint, 0);
  CILK_C_DECLARE_REDUCER(struct Q) own = CILK_C_INIT_REDUCER(struct Q, reduce, identity, 0, {1});
  CILK_C_REGISTER_REDUCER(sum);
  cilk_for (int i = 0; i < 5; ++i) {
    REDUCER_VIEW(sum) += i;
    CILK_C_REDUCER_MAX_CALC(max, i);
    CILK_C_REDUCER_MIN_INDEX_CALC(min, i, 10.0 - i);
    REDUCER_VIEW(x) ^= i;
    REDUCER_VIEW(own).n++;
  }
  CILK_C_UNREGISTER_REDUCER(sum);
  (void)reduce;
  (void)identity;
  puts("reducers");
  printf("%ld %d %d %g %u %d\n", sum.value, REDUCER_VIEW(max), (int)min.value.index,
         REDUCER_VIEW(min).value, x.value, REDUCER_VIEW(own).n);
}
