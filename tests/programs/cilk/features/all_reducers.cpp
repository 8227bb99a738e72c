// Reducers in C++, as programs for Cilk Plus and OpenCilk use them.
#include <cilk/cilk.h>
#include <cilk/cilk_api.h>
#include <cilk/opadd_reducer.h>
#include <cilk/ostream_reducer.h>
#include <cilk/reducer_list.h>
#include <cilk/reducer_min_max.h>
#include <cilk/reducer_opadd.h>
#include <cilk/reducer_opand.h>
#include <cilk/reducer_opmax.h>
#include <cilk/reducer_opmul.h>
#include <cilk/reducer_opor.h>
#include <cilk/reducer_opxor.h>
#include <cilk/reducer_ostream.h>
#include <iostream>
#include <string>
struct Bag {
  std::list<int> items;
};
struct BagMonoid : cilk::monoid_base<Bag> {
  static void reduce(Bag* left, Bag* right) { left->items.splice(left->items.end(), right->items); }
};
static void zero(void* v) { *(int*)v = 0; }
static void plus(void* a, void* b) { *(int*)a += *(int*)b; }
int main() {
  cilk::reducer<cilk::op_add<long>> sum(5);
  cilk::reducer<cilk::op_mul<int>> product;
  cilk::reducer<cilk::op_and<unsigned>> conj;
  cilk::reducer<cilk::op_or<unsigned>> disj;
  cilk::reducer<cilk::op_xor<unsigned>> ex;
  cilk::reducer<cilk::op_max<int>> max;
  cilk::reducer<cilk::op_min_index<int, double>> min;
  cilk::reducer<cilk::op_list_append<int>> list;
  cilk::reducer<cilk::op_list_prepend<std::string>> words;
  cilk::reducer<cilk::op_ostream> out(std::cout);
  cilk::reducer<BagMonoid> bag;
  cilk::reducer_opadd<int> old;
  cilk::reducer_max<int> oldmax(3);
  cilk::reducer_list_append<int> oldlist;
  cilk::opadd_reducer<long> open = 0;
  cilk::ostream_reducer<char> openout(std::cout);
  int cilk_reducer(zero, plus) q = 0;
  cilk_for (int i = 1; i <= 5; ++i) {
    *sum += i;
    ++*sum;
    (*sum)--;
    *product *= i;
    *conj &= ~i;
    *disj |= i;
    *ex ^= i;
    max->calc_max(i * (6 - i));
    *max = cilk::max_of(*max, 2);
    min->calc_min(i, 1.0 / i);
    list->push_back(i);
    words->push_front(std::string(i, 'x'));
    *out << i << ' ';
    (*bag).items.push_back(i);
    bag().items.push_back(-i);
    old += i;
    old++;
    oldmax.calc_max(i);
    oldlist.push_back(i);
    open += i;
    openout << i;
    q += i;
  }
  std::list<int> got;
  list.move_out(got);
  long total = sum.get_value();
  sum.set_value(7);
  long in = 9;
  sum.move_in(in);
  (void)zero;
  (void)plus;
  out << std::string("\n");
  std::cout << total << ' ' << product.get_value() << ' ' << conj.get_value() << ' '
            << disj.get_value() << ' ' << ex.get_value() << ' ' << max.get_value() << ' '
            << min.get_value().first << ' ' << min->get_index() << ' ' << got.size()
            << words.get_value().front() << bag->items.size() << ' ' << old.get_value() << ' '
            << oldmax.get_value() << oldlist.get_value().size() << ' ' << open << ' ' << q << ' '
            << sum.get_value() << __cilkrts_get_nworkers() << __cilkrts_get_worker_number()
            << std::endl;
  cilk::reducer<cilk::op_list_append<int>> taken(cilk::move_in(got));
  std::cout << taken.get_value().size() << got.size() << '\n';
}
