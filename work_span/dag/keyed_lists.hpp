// Lists of elements from one pool. An element has a key, a small number, which no other element of
// its list has.
//
// A table has, by key, the element of the list that used the key last. So an element is found in
// O(1), except that a list that is not the latest one may first cost a step for each element.
#pragma once

#include "work_span/dag/pool.hpp"

#include <utility>

struct KeyedList {
  u32 first = 0; // the latest
  u32 count = 0;
  u64 owner = 0; // of its entries in the table; never reused
};

// T has `u32 next` and `u32 key() const`.
template <typename T> class KeyedLists {
public:
  explicit KeyedLists(const char* cost_centre) : elements_(cost_centre), latest_(cost_centre) {}
  T& operator[](u32 number) { return elements_[number]; }
  u32 live() const { return elements_.live(); }

  // 0 if there is none.
  u32 find(const KeyedList& list, u32 key) {
    u32 found = entered(list, key);
    if (found == 0 && list.owner != complete_) [[unlikely]] {
      enter_all(list);
      found = entered(list, key);
    }
    return found;
  }
  // The list must have been searched for the element's key just before.
  u32 add(KeyedList& list, T element) {
    if (list.first == 0)
      list.owner = complete_ = ++owners_;
    const u32 number = elements_.take();
    element.next = std::exchange(list.first, number);
    elements_[number] = element;
    list.count++;
    enter(list, number);
    return number;
  }
  // The element is found by one more key, until another list uses that. Not for lists with
  // `replace`.
  void remember(const KeyedList& list, u32 key, u32 number) {
    if (key >= latest_.size())
      latest_.resize(key + 1);
    latest_[key] = {list.owner, number};
  }
  // As `add`, in the place of another element of the list.
  void replace(const KeyedList& list, u32 number, T element) {
    latest_[elements_[number].key()] = {};
    element.next = elements_[number].next;
    elements_[number] = element;
    enter(list, number);
  }
  void clear(KeyedList& list) {
    for (u32 i = std::exchange(list, {}).first; i != 0;)
      elements_.give_back(std::exchange(i, elements_[i].next));
  }
  template <typename F> void for_each(const KeyedList& list, F f) const {
    for (u32 i = list.first; i != 0; i = elements_[i].next)
      f(elements_[i]);
  }

private:
  struct Latest {
    u64 owner = 0;
    u32 element = 0;
  };
  u32 entered(const KeyedList& list, u32 key) const {
    return key < latest_.size() && latest_[key].owner == list.owner ? latest_[key].element : 0;
  }
  [[gnu::noinline]] void enter_all(const KeyedList& list) {
    for (u32 i = list.first; i != 0; i = elements_[i].next)
      enter(list, i);
    complete_ = list.owner;
  }
  void enter(const KeyedList& list, u32 number) { remember(list, elements_[number].key(), number); }

  Pool<T> elements_;
  Vector<Latest> latest_;
  u64 owners_ = 0;
  u64 complete_ = 0; // owner of the latest list: the table has all of its elements
};
