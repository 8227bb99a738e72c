// Sorts records by keys that the comparison makes of a few of their fields.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

struct Record {
  std::string name;
  int year, month, day;
};

static std::string key(const Record& of) {
  return of.name.substr(0, 3) + std::to_string(of.year * 372 + of.month * 31 + of.day);
}

static long ranking(int number) {
  std::vector<Record> records;
  for (int i = 0; i < number; i++)
    records.push_back(
        {"name" + std::to_string(i * 7919 % 1009), 1970 + i * 13 % 50, i * 5 % 12, i * 17 % 31});
  std::sort(records.begin(), records.end(),
            [](const Record& a, const Record& b) { return key(a) < key(b); });
  std::stable_sort(records.begin(), records.end(),
                   [](const Record& a, const Record& b) { return a.year < b.year; });
  long sum = 0;
  for (size_t i = 0; i < records.size(); i++)
    sum += i * records[i].day;
  return sum;
}

int main() {
  long sum = 0;
  for (int number = 50; number <= 800; number += 50)
    sum += ranking(number);
  std::printf("%ld\n", sum);
}
