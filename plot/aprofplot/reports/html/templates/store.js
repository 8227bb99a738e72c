// The page's data: the summary is read at once, a routine's details when they are asked for.

const summary = JSON.parse(document.getElementById("summary-data").textContent);
const routines = summary.routines;
const contexts = summary.contexts;
const STATISTICS = ["max", "mean", "min", "total"];

const routineDetails = linesOf("routine-data");
const contextDetails = linesOf("context-data");

const fullName = (routine) => routines.fullName[routine] ?? routines.name[routine];
const objectOf = (routine) => routines.objects[routines.object[routine]];
const fileOf = (routine) => routines.files[routines.file[routine]];
const baseName = (path) => path.slice(path.lastIndexOf("/") + 1) || path;

// object:file:line with base names, as much of it as is known.
function placeOf(routine) {
  const file = fileOf(routine), line = routines.line[routine];
  return baseName(objectOf(routine)) + (file ? `:${baseName(file)}${line ? `:${line}` : ""}` : "");
}

// By metric, where a name stands for what equals that metric's.
const ofMetric = (byMetric, metric) => {
  const value = byMetric ? byMetric[metric] : undefined;
  return typeof value === "string" ? byMetric[value] : value;
};

// A table's column by name or, for costs, by event, self or not, and statistic.
function column(table, name, event, own, statistic) {
  const index = name === "cost"
    ? 4 + (event * 2 + (own ? 1 : 0)) * STATISTICS.length + STATISTICS.indexOf(statistic)
    : ["size", "calls", "thread", "external"].indexOf(name);
  let values = table.columns[index];
  if (typeof values === "number") values = table.columns[values];
  return values.length === table.n ? values : new Array(table.n).fill(values[0]);
}

function threadName(run, id) {
  const thread = summary.runs[run].threads.find((t) => t[0] === id);
  const process = summary.runs.length > 1 ? `${summary.runs[run].pid}:` : "";
  return `${process}${id} ${thread ? thread[2] : ""}`.trim();
}

// What is chosen for the whole page.
const chosen = { event: 0, metric: 0 };
const metricNames = summary.metrics.map((metric) => metric.name);
const eventNames = summary.events.map((event) => event.name);

// Events of --work-span=yes go by their names, the others are the cost.
const isWorkOrSpan = (event) => event.name === "work" || event.name === "span";
const costWord = (event) => isWorkOrSpan(event) ? event.name : "cost";
