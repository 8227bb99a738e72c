/* A lookup by index and a scan of a table of ever more rows, in sqlite's memory. Each is a routine of
   its own, since sqlite3_step also reads the schema. The keys are long: comparing them should
   outweigh what every statement reads. Declares what it needs: sqlite's headers may be missing. */

#include <assert.h>
#include <stdio.h>

#define NOINLINE __attribute__((noinline))

typedef struct sqlite3 sqlite3;
typedef struct sqlite3_stmt sqlite3_stmt;
int sqlite3_open(const char* name, sqlite3** db);
int sqlite3_prepare_v2(sqlite3* db, const char* sql, int bytes, sqlite3_stmt** s, const char** tail);
int sqlite3_bind_text(sqlite3_stmt* s, int index, const char* text, int bytes, void (*free)(void*));
int sqlite3_step(sqlite3_stmt* s);
int sqlite3_reset(sqlite3_stmt* s);

enum { kRow = 100, kDone = 101, kKeyLength = 400, kMostRows = 20000 };

NOINLINE int look_up(sqlite3_stmt* query) { return sqlite3_step(query); }

NOINLINE int scan(sqlite3_stmt* query) { return sqlite3_step(query); }

static sqlite3_stmt* prepare(sqlite3* db, const char* sql) {
  sqlite3_stmt* statement = 0;
  int failed = sqlite3_prepare_v2(db, sql, -1, &statement, 0);
  assert(!failed);
  return statement;
}

static void run(int (*step)(sqlite3_stmt*), sqlite3_stmt* statement, int expected) {
  int found = step(statement);
  assert(found == expected);
  sqlite3_reset(statement);
}

/* The key of the i-th row, which is not the i-th in order. */
static void bind_key(sqlite3_stmt* statement, long i) {
  static char key[kKeyLength + 1];
  snprintf(key, sizeof key, "%0*ld", kKeyLength, i * 7919 % 1000003);
  sqlite3_bind_text(statement, 1, key, kKeyLength, 0);
}

int main(void) {
  sqlite3* db = 0;
  int failed = sqlite3_open(":memory:", &db);
  assert(!failed);
  run(sqlite3_step, prepare(db, "create table t(a integer primary key, b text)"), kDone);
  run(sqlite3_step, prepare(db, "create index of_b on t(b)"), kDone);
  run(sqlite3_step, prepare(db, "begin"), kDone);
  sqlite3_stmt* insertion = prepare(db, "insert into t(b) values(?)");
  sqlite3_stmt* by_index = prepare(db, "select a from t where b = ?");
  sqlite3_stmt* of_all = prepare(db, "select sum(a) from t not indexed where b <> 'x'");
  int rows = 0;
  for (int wanted = 1; wanted <= kMostRows; wanted += (wanted + 3) / 4) {
    while (rows < wanted) {
      bind_key(insertion, ++rows);
      run(sqlite3_step, insertion, kDone);
    }
    for (int i = 0; i < 20; ++i) {
      bind_key(by_index, 1 + i * 37 % rows);
      run(look_up, by_index, kRow);
    }
    run(scan, of_all, kRow);
  }
}
