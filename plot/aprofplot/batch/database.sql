-- The database of a batch: docs/manual/aprof-batch.md describes the tables.
CREATE TABLE batch (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE runs (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  program TEXT NOT NULL,
  input TEXT NOT NULL,
  threads INTEGER NOT NULL,
  repetition INTEGER NOT NULL,
  tool TEXT NOT NULL,
  command TEXT NOT NULL,
  outcome TEXT NOT NULL,
  status INTEGER,
  signal TEXT,
  detail TEXT NOT NULL,
  last_error TEXT NOT NULL,
  wall_s REAL,
  user_s REAL,
  system_s REAL,
  peak_process_kb INTEGER,
  peak_tree_kb INTEGER,
  started TEXT NOT NULL,
  host TEXT NOT NULL,
  version TEXT NOT NULL
);
CREATE TABLE profiles (
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  file TEXT NOT NULL,
  command TEXT NOT NULL,
  pid INTEGER NOT NULL,
  reason TEXT NOT NULL
);
CREATE INDEX profiles_run ON profiles (run);
CREATE TABLE threads (
  profile INTEGER NOT NULL REFERENCES profiles ON DELETE CASCADE,
  thread INTEGER NOT NULL,
  parent INTEGER NOT NULL,
  name TEXT NOT NULL,
  PRIMARY KEY (profile, thread)
) WITHOUT ROWID;
CREATE TABLE units (
  run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  quantity TEXT NOT NULL,
  unit TEXT NOT NULL,
  PRIMARY KEY (run, quantity)
) WITHOUT ROWID;
CREATE TABLE routines (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  object TEXT NOT NULL,
  file TEXT NOT NULL,
  line INTEGER NOT NULL,
  address INTEGER NOT NULL,
  UNIQUE (name, object, file, address)
);
CREATE TABLE activations (
  run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  routine INTEGER NOT NULL REFERENCES routines,
  calls INTEGER NOT NULL,
  unfinished INTEGER NOT NULL,
  thread INTEGER NOT NULL,
  external INTEGER NOT NULL,
  PRIMARY KEY (run, routine)
) WITHOUT ROWID;
CREATE TABLE costs (
  run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  routine INTEGER NOT NULL REFERENCES routines,
  event TEXT NOT NULL,
  inclusive INTEGER NOT NULL,
  self INTEGER NOT NULL,
  PRIMARY KEY (run, routine, event)
) WITHOUT ROWID;
CREATE TABLE points (
  run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  routine INTEGER NOT NULL REFERENCES routines,
  metric TEXT NOT NULL,
  event TEXT NOT NULL,
  size INTEGER NOT NULL,
  calls INTEGER NOT NULL,
  thread INTEGER NOT NULL,
  external INTEGER NOT NULL,
  min INTEGER NOT NULL,
  max INTEGER NOT NULL,
  sum INTEGER NOT NULL,
  sumsq REAL NOT NULL,
  self_min INTEGER NOT NULL,
  self_max INTEGER NOT NULL,
  self_sum INTEGER NOT NULL,
  self_sumsq REAL NOT NULL,
  PRIMARY KEY (run, routine, metric, event, size)
) WITHOUT ROWID;
CREATE INDEX points_routine ON points (routine, metric, event, size);
CREATE TABLE fits (
  program TEXT NOT NULL,
  routine INTEGER NOT NULL REFERENCES routines,
  metric TEXT NOT NULL,
  event TEXT NOT NULL,
  model TEXT NOT NULL,
  formula TEXT NOT NULL,
  r2 REAL,
  confidence REAL NOT NULL,
  slope REAL,
  slope_low REAL,
  slope_high REAL,
  reason TEXT NOT NULL,
  PRIMARY KEY (program, routine, metric, event)
) WITHOUT ROWID;
-- A program's points over all its runs, inputs included: its routines' cost functions.
CREATE VIEW cost_functions AS
  SELECT r.program, p.routine, n.name, n.object, p.metric, p.event, p.size,
         sum(p.calls) AS calls, sum(p.thread) AS thread, sum(p.external) AS external,
         min(p.min) AS min, max(p.max) AS max, sum(p.sum) AS sum,
         1.0 * sum(p.sum) / sum(p.calls) AS mean, sum(p.sumsq) AS sumsq,
         min(p.self_min) AS self_min, max(p.self_max) AS self_max, sum(p.self_sum) AS self_sum,
         sum(p.self_sumsq) AS self_sumsq
  FROM points p JOIN runs r ON r.id = p.run JOIN routines n ON n.id = p.routine
  GROUP BY r.program, p.routine, p.metric, p.event, p.size;
CREATE VIEW times AS
  SELECT program, input, threads, tool, count(*) AS runs, round(min(user_s + system_s), 3) AS least_cpu_s,
         round(avg(user_s + system_s), 3) AS mean_cpu_s, min(wall_s) AS least_wall_s,
         max(peak_process_kb) AS peak_process_kb, max(peak_tree_kb) AS peak_tree_kb
  FROM runs WHERE outcome = 'ok' GROUP BY program, input, threads, tool;
