// Puts the page together: views and details.

const TABS = ["findings", "routines", "contexts", ...(summary.loops.name.length ? ["loops"] : []), "runs"];

const details = new Details(byId("details"), (routine) => open(routine), () => closed());
const routineView = new RoutineView((routine) => open(routine));
const contextView = contextViewIn(byId("view-contexts"), (routine, context, key) => open(routine, context, key));
const loopView = TABS.includes("loops") ? new LoopView(byId("view-loops"), (routine, key) => open(routine, null, key)) : null;
byId("tab-loops").hidden = !loopView;
const findingView = new FindingView(byId("view-findings"), (routine) => {
  frame.show("routines");
  open(routine);
  routineView.rows.move(routineView.rows.rows.indexOf(routine));
});
const frame = new Frame(TABS, "routines", routineView, details, (view) => {
  details.allow(view !== "runs" && view !== "findings");
  if (view === "findings") findingView.draw();
  writeLink(view, details.opened);
});

function open(routine, context = null, key = null) {
  details.show(routine, context);
  routineView.rows.mark(routine);
  if (contextView) contextView.rows.mark(key);
  if (loopView) loopView.rows.mark(key);
  writeLink(frame.view, routine);
}

function closed() {
  routineView.rows.mark(null);
  if (contextView) contextView.rows.mark(null);
  if (loopView) loopView.rows.mark(null);
  writeLink(frame.view, null);
  focusRows();
}

function focusRows() {
  const rows = frame.view === "contexts" ? contextView?.rows : frame.view === "loops" ? loopView.rows : frame.view === "routines" ? routineView.rows : null;
  if (rows) rows.table.focus();
}

function facts() {
  const threads = summary.runs.reduce((n, r) => n + r.threads.length, 0);
  const costs = summary.events.map((e, i) => `${isWorkOrSpan(e) ? `${e.name} ` : ""}${whole(summary.totals[i])} ${e.unit}`).join(", ");
  const runs = summary.runs.length > 1 ? "merged" : `pid ${summary.runs[0].pid}`;
  byId("nameless").textContent = summary.nameless;
  byId("nameless").hidden = !summary.nameless;
  byId("facts").textContent = `${runs}, ${plural(threads, "thread")}, ${costs}`;
}

function runsView() {
  const place = byId("view-runs");
  const list = el("div", { class: "runs" });
  const threadRows = summary.runs.flatMap((run) => run.threads.map((thread) => [run, thread]));
  for (const run of summary.runs.slice(0, 50)) {
    const lines = [["command", run.command], ["pid", String(run.pid)], ["written at", run.reason], ["profile", run.path],
                   ["made by", `${run.creator}, Valgrind ${run.valgrind}`], ...run.options.map(([name, value]) => [`--${name}`, value]), ...run.notes.map((text) => ["note", text])];
    list.append(el("dl", {}, lines.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)])));
  }
  if (summary.runs.length > 50) list.append(el("p", { class: "note" }, `and ${plural(summary.runs.length - 50, "more run")}`));
  const rows = el("div", { class: "rows", id: "threads" });
  place.replaceChildren(list, heldFiles(), el("h3", {}, plural(threadRows.length, "thread")), rows);
  const table = new VirtualRows(rows, [
    { id: "pid", title: "pid", numeric: true, sorts: false, cell: ([run]) => String(run.pid) },
    { id: "thread", title: "thread", numeric: true, sorts: false, cell: ([, thread]) => String(thread[0]) },
    { id: "parent", title: "created by", numeric: true, sorts: false, cell: ([, thread]) => (thread[1] ? String(thread[1]) : "") },
    { id: "name", title: "name", least: 90, fills: true, sorts: false, cell: ([, thread]) => thread[2] },
  ], { label: "Threads", opened: () => {}, sorted: () => {} });
  table.set(threadRows, false);
}

// The page opens on its findings, if it has some. Without a routine, the first of the table is opened.
function follow() {
  const link = readLink();
  const routine = link.routine ?? details.opened ?? routineView.rows.rows[0];
  if (routine !== undefined) {
    open(routine);
    routineView.rows.move(routineView.rows.rows.indexOf(routine));
  }
  frame.show(link.view ?? (link.routine === null && summary.findings.length ? "findings" : "routines"));
}

facts();
runsView();
frame.ready(follow);
