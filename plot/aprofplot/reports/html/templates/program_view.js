// The view of the whole program: totals, speedup, schedules, locks, regions, loops, the run.

const LISTED = 200; // of locks, loops and regions, at most

// A table of names with their numbers, which scrolls if it is long.
function namedTable(heads, rows) {
  const cells = (tag, [name, ...numbers], scope) => [el(tag, { scope, class: "named" }, name), ...numbers.map((text) => el(tag, { scope, class: "number" }, text))];
  return el("div", { class: "scroll", tabindex: 0, "aria-label": heads[0] }, el("table", {},
    el("thead", {}, el("tr", {}, ...cells("th", heads, "col"))), el("tbody", {}, rows.map((row) => el("tr", {}, ...cells("td", row))))));
}

// `all` of one kind, as rows of a table; nothing if there are none.
function listed(id, title, noun, all, heads, row) {
  if (!all.length) return "";
  return el("div", { id }, el("h3", {}, `${title} (${whole(all.length)})`), namedTable(heads, all.slice(0, LISTED).map(row)),
    all.length > LISTED ? el("p", { class: "note" }, `and ${plural(all.length - LISTED, `more ${noun}`)}: cilkshadow-report --format=json has all`) : "");
}

const overSpan = (work, span) => (span ? parallelism(work / span) : "");

class ProgramView {
  constructor(place) {
    this.place = place;
    this.picture = el("div", { class: "picture" });
    this.readOut = el("output", { class: "read-out" }, "\u00a0");
    this.timeline = el("div", { class: "picture" });
    this.runs = el("output", { class: "read-out" }, "\u00a0");
    const totals = summary.totals.map(([name, value, unit]) => el("tr", {}, el("th", { scope: "row" }, name),
      el("td", { class: "number" }, value), el("td", {}, unit)));
    const panel = (...parts) => (parts.some(Boolean) ? el("div", { class: "panel" }, parts) : "");
    place.replaceChildren(el("div", { class: "panels" },
      el("div", { class: "panel", id: "totals" }, el("h3", {}, "Totals"), el("table", {}, el("tbody", {}, totals))),
      panel(el("h3", {}, "Predicted speedup of the program"), this.picture, this.readOut),
      summary.schedules.length ? panel(scheduleTables(),
        summary.timeline ? el("div", { id: "timeline" }, el("h3", {}, `Timeline on ${whole(summary.shown)}`), this.timeline, this.runs) : "") : "",
      panel(listed("locks", "Locks", "lock", summary.locks, ["lock", "held", "% of work", "critical sections"],
        ([name, acquisitions, held]) => [name, whole(held), percentage(share(held, summary.work)), whole(acquisitions)])),
      panel(listed("regions", "Regions", "region", summary.regions, ["region", "work", "span", "parallelism", "burdened", "times"],
        ([name, work, span, burdened, count]) => [name, whole(work), whole(span), overSpan(work, span), overSpan(work, burdened), whole(count)])),
      summary.loops.length ? el("div", { class: "panel whole" }, this.loops()) : "",
      el("div", { class: "panel runs" }, el("dl", {}, summary.run.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)])), heldFiles())));
  }

  loops() {
    return [
      listed("loops", "Loops", "loop", summary.loops,
        ["loop", "% of span", "local span on span", "work", "span", "parallelism", "executions", "iterations"],
        ([name, local, work, span, executions, iterations]) => [name, percentage(share(local, summary.span)), whole(local), whole(work), whole(span),
          overSpan(work, span), whole(executions), whole(iterations)]),
      listed("parallel-loops", "Iterations of parallel loops", "parallel loop", summary.parallel_loops,
        ["loop", "executions", "parallel iterations", "mean work", "largest", "largest/mean"],
        ([name, executions, iterations, work, largest]) => [name, whole(executions), whole(iterations), whole(Math.round(work / iterations)),
          largest ? whole(largest) : "", largest && work ? decimal(largest * iterations / work) : ""]),
    ];
  }

  draw() {
    if (this.place.hidden) return;
    drawBounds(this.picture, this.readOut, summary.program, "the program");
    if (summary.timeline) drawTimeline(this.timeline, this.runs, summary.timeline);
  }
}
