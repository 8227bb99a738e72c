// The view of the whole program: totals, speedup, locks, regions, loops, the run.

const LISTED = 200; // of locks, loops and regions, at most

class ProgramView {
  constructor(place) {
    this.place = place;
    this.picture = el("div", { class: "picture" });
    this.readOut = el("output", { class: "read-out" }, "\u00a0");
    this.timeline = el("div", { class: "picture" });
    this.runs = el("output", { class: "read-out" }, "\u00a0");
    const table = (heads, rows) => el("table", {},
      heads ? el("thead", {}, el("tr", {}, heads.map(([t, numeric]) => el("th", { scope: "col", class: numeric ? "number" : null }, t)))) : "", el("tbody", {}, rows));
    const totals = summary.totals.map(([name, value, unit]) => el("tr", {}, el("th", { scope: "row" }, name),
      el("td", { class: "number" }, value), el("td", {}, unit)));
    const locks = summary.locks.slice(0, LISTED).map(([name, acquisitions, held]) => el("tr", {}, el("td", { class: "number" }, whole(held)),
      el("td", { class: "number" }, percentage(share(held, summary.work))), el("td", { class: "number" }, whole(acquisitions)), el("td", {}, name)));
    const number = (text) => el("td", { class: "number" }, text);
    const loops = summary.loops.slice(0, LISTED).map(([name, local, work, span, executions, iterations]) => el("tr", {},
      number(percentage(share(local, summary.span))), number(whole(local)), number(whole(work)), number(whole(span)),
      number(span ? decimal(work / span) : ""), number(whole(executions)), number(whole(iterations)), el("td", {}, name)));
    const unequal = summary.loops.filter((loop) => loop[6]).sort((a, b) => b[8] - a[8]);
    const parallel = unequal.slice(0, LISTED).map(([name, , , , , , iterations, work, largest]) => el("tr", {}, number(whole(iterations)),
      number(whole(Math.round(work / iterations))), number(whole(largest)), number(work ? decimal(largest * iterations / work) : ""), el("td", {}, name)));
    const regions = summary.regions.slice(0, LISTED).map(([name, work, span, burdened, count]) => el("tr", {},
      number(whole(work)), number(whole(span)), number(span ? decimal(work / span) : ""), number(burdened ? decimal(work / burdened) : ""),
      number(whole(count)), el("td", {}, name)));
    const more = (all, what) => all.length > LISTED
      ? el("p", { class: "note" }, `and ${plural(all.length - LISTED, `more ${what}`)}: cilkshadow-report --format=json has all`) : "";
    place.replaceChildren(el("div", { class: "panels" },
      el("div", { class: "panel", id: "totals" }, el("h3", {}, "Totals"), table(null, totals),
        locks.length ? el("div", { id: "locks" }, el("h3", {}, `Locks (${whole(summary.locks.length)})`),
          table([["held", true], ["% of work", true], ["critical sections", true], ["lock", false]], locks), more(summary.locks, "lock")) : ""),
      regions.length ? el("div", { class: "panel", id: "regions" }, el("h3", {}, `Regions (${whole(summary.regions.length)})`),
        table([["work", true], ["span", true], ["parallelism", true], ["burdened", true], ["times", true], ["region", false]], regions), more(summary.regions, "region")) : "",
      el("div", { class: "panel" }, el("h3", {}, "Predicted speedup of the program"), this.picture, this.readOut),
      summary.schedules.length ? el("div", { class: "panel" }, scheduleTables(table),
        summary.timeline ? el("div", { id: "timeline" }, el("h3", {}, `Timeline on ${whole(summary.shown)}`), this.timeline, this.runs) : "") : "",
      loops.length ? el("div", { class: "panel", id: "loops" }, el("h3", {}, `Loops (${whole(summary.loops.length)})`),
        table([["% of span", true], ["local span on span", true], ["work", true], ["span", true], ["parallelism", true],
          ["executions", true], ["iterations", true], ["loop", false]], loops), more(summary.loops, "loop"),
        parallel.length ? el("div", { id: "parallel-loops" }, el("h3", {}, `Iterations of parallel loops (${whole(unequal.length)})`),
          table([["parallel iterations", true], ["mean work", true], ["largest", true], ["largest/mean", true], ["loop", false]], parallel),
          more(unequal, "parallel loop")) : "") : "",
      el("div", { class: "panel runs" }, el("dl", {}, summary.run.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)])), heldFiles())));
  }

  draw() {
    if (this.place.hidden) return;
    drawBounds(this.picture, this.readOut, summary.program, "the program");
    if (summary.timeline) drawTimeline(this.timeline, this.runs, summary.timeline);
  }
}
