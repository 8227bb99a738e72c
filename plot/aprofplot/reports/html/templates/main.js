// Puts the page together: views, details, keys, paper.

const ON_PAPER = 200; // rows of a table

const TABS = ["routines", "contexts", "runs"];
const byId = (id) => document.getElementById(id);

const details = new Details(byId("details"), (routine) => open(routine), () => closed());
const routineView = new RoutineView((routine) => open(routine));
const contextView = new ContextView(byId("view-contexts"), (routine, context, key) => open(routine, context, key));
let view = "routines";

function open(routine, context = null, key = null) {
  details.show(routine, context);
  routineView.rows.mark(routine);
  if (contextView.rows) contextView.rows.mark(key);
  writeLink(view, routine);
}

function closed() {
  routineView.rows.mark(null);
  if (contextView.rows) contextView.rows.mark(null);
  writeLink(view, null);
  focusRows();
}

function focusRows() {
  const rows = view === "contexts" ? contextView.rows : view === "routines" ? routineView.rows : null;
  if (rows) rows.table.focus();
}

function show(name) {
  view = name;
  for (const tab of TABS) {
    byId(`view-${tab}`).hidden = tab !== name;
    byId(`tab-${tab}`).setAttribute("aria-selected", String(tab === name));
    byId(`tab-${tab}`).tabIndex = tab === name ? 0 : -1;
  }
  details.allow(name !== "runs");
  writeLink(name, details.routine);
}

function facts() {
  const threads = summary.runs.reduce((n, r) => n + r.threads.length, 0);
  const costs = summary.events.map((e, i) => `${isWorkOrSpan(e) ? `${e.name} ` : ""}${whole(summary.totals[i])} ${e.unit}`).join(", ");
  const runs = summary.runs.length > 1 ? "merged" : `pid ${summary.runs[0].pid}`;
  byId("facts").textContent = `${runs}, ${plural(threads, "thread")}, ${costs}`;
}

function runsView() {
  const place = byId("view-runs");
  const list = el("div", { class: "runs" });
  const threadRows = summary.runs.flatMap((run) => run.threads.map((thread) => [run, thread]));
  for (const run of summary.runs.slice(0, 50)) {
    const lines = [["command", run.command], ["pid", String(run.pid)], ["written at", run.reason], ["profile", run.path],
                   ["made by", `${run.creator}, Valgrind ${run.valgrind}`], ...run.options.map(([name, value]) => [`--${name}`, value])];
    list.append(el("dl", {}, lines.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)])));
  }
  if (summary.runs.length > 50) list.append(el("p", { class: "note" }, `and ${plural(summary.runs.length - 50, "more run")}`));
  const rows = el("div", { class: "rows", id: "threads" });
  place.replaceChildren(list, el("h3", {}, plural(threadRows.length, "thread")), rows);
  const table = new VirtualRows(rows, [
    { id: "pid", title: "pid", width: 80, numeric: true, sorts: false, cell: ([run]) => String(run.pid) },
    { id: "thread", title: "thread", width: 70, numeric: true, sorts: false, cell: ([, thread]) => String(thread[0]) },
    { id: "parent", title: "created by", width: 90, numeric: true, sorts: false, cell: ([, thread]) => (thread[1] ? String(thread[1]) : "") },
    { id: "name", title: "name", width: 0, sorts: false, cell: ([, thread]) => thread[2] },
  ], { label: "Threads", opened: () => {}, sorted: () => {} });
  table.set(threadRows, false);
}

// Without a routine, the first of the table is opened.
function follow(link) {
  const routine = link.routine ?? details.routine ?? routineView.rows.rows[0];
  if (routine !== undefined) {
    open(routine);
    routineView.rows.move(routineView.rows.rows.indexOf(routine));
  }
  if (link.view) show(link.view);
}

function keys(event) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const typing = event.target.matches("input[type=search], select");
  if (event.key === "Escape" && details.routine !== null) details.close();
  else if (event.key === "/" && !typing) {
    show("routines");
    routineView.search.focus();
  } else return;
  event.preventDefault();
}

function tabKeys(event) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const next = TABS[(TABS.indexOf(view) + step + TABS.length) % TABS.length];
  show(next);
  byId(`tab-${next}`).focus();
}

for (const tab of TABS) byId(`tab-${tab}`).addEventListener("click", () => show(tab));
document.querySelector("nav").addEventListener("keydown", tabKeys);
document.addEventListener("keydown", keys);
window.addEventListener("beforeprint", () => routineView.rows.print(ON_PAPER));
window.addEventListener("afterprint", () => routineView.rows.print(0));
makeSplitter(byId("splitter"));
facts();
runsView();
follow(readLink());
window.addEventListener("hashchange", () => follow(readLink()));
document.documentElement.dataset.ready = "yes";
