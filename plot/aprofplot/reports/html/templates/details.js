// What is known of one routine, or of a routine in one calling context.

const problemText = (problem) => el("li", {}, problem[2]);
const sizeName = (metric) => (metric.startsWith("argument:") ? metric.replace(":", " ") : metric.toUpperCase());

class Details extends DetailsPane {
  constructor(place, open, closed) {
    super(place, "routine", open, closed);
    this.context = null;
    document.addEventListener("chosen", () => {
      plotChoice.metric = plotChoice.event = null;
      if (this.isOpen) this.show(this.opened, this.context);
    });
  }

  // `context`: index of a calling context, or null for all of them.
  show(routine, context = null) {
    this.opened = routine;
    this.context = context;
    const all = routineDetails(routine);
    const part = context === null ? all : contextDetails(context);
    this.allow(true);
    const plot = new PlotPanel(part.points || {}, part.fits, routines.name[routine]);
    const problems = problemsOf(routine);
    this.fill(this.nameOf(routine), placeOf(routine), `${objectOf(routine)}\n${fileOf(routine)}`, this.figures(routine, context),
      context === null ? "" : el("p", { class: "path" }, "In the context ", contextPath(context)),
      problems.length && context === null ? el("ul", { class: "problems" }, problems.map(problemText)) : "",
      el("div", { class: "panels" },
        el("div", { class: "panel" }, plot.element),
        el("div", { class: "panel" }, this.fits(part.fits || (context === null ? [] : null)), this.edges(all), this.threads(all.threads)),
        el("div", { class: "panel wide" }, sourcePanel(routine, all))));
    plot.draw();
  }

  // Folded, with the whole name on demand.
  nameOf(routine) {
    const full = fullName(routine), folded = routines.name[routine];
    if (full === folded) return full;
    return el("details", { class: "full-name" }, el("summary", { title: "Show the whole name" }, folded), el("span", { class: "whole" }, full));
  }

  figures(routine, context) {
    const columns = context === null ? routines : contexts;
    const at = context === null ? routine : context;
    const all = summary.totals[chosen.event];
    const [inclusive, own] = [columns.inclusive[chosen.event][at], columns.own[chosen.event][at]];
    const unfinished = context === null ? routines.unfinished[routine] : 0;
    return `${whole(inclusive)} ${eventNames[chosen.event]} (${percentage(share(inclusive, all))} %), ` +
      `self ${whole(own)} (${percentage(share(own, all))} %), ${plural(columns.calls[at], "call")}` +
      (unfinished ? `, ${whole(unfinished)} unfinished` : "");
  }

  fits(byEvent) {
    if (byEvent === null) return el("p", { class: "note" }, "Contexts with five sizes and 1 % of the cost are fitted.");
    const fits = byEvent[chosen.event] || {};
    const rows = Object.entries(fits).flatMap(([metric, fit]) => this.fitRows(metric, fit));
    return el("div", { class: "fits" }, el("h3", {}, "Growth of ", eventNames[chosen.event]),
      el("table", {}, el("thead", {}, el("tr", {}, ["size", "law", "formula", "r²", "sure %"].map((t, i) =>
        el("th", { scope: "col", class: i > 2 ? "number" : null }, t)))), el("tbody", {}, rows)));
  }

  fitRows(metric, fit) {
    const name = sizeName(metric);
    if (typeof fit === "string")
      return [el("tr", { class: "verdict" }, el("th", { scope: "row" }, name), el("td", { colspan: 4 }, `as ${sizeName(fit)}`))];
    if (fit.model === "cannot tell")
      return [el("tr", { class: "verdict" }, el("th", { scope: "row" }, name), el("td", { colspan: 4 }, `cannot tell (${fit.reason})`))];
    const extra = [];
    if (fit.break) extra.push(`${fit.break[1]} up to size ${decimal(fit.break[0])}, ${fit.model} beyond`);
    if (fit.nearTie.length) extra.push(`as good: ${fit.nearTie.join(", ")}`);
    if (fit.slope) extra.push(`log-log slope ${fit.slope[0].toFixed(2)} (95 %: ${fit.slope[1].toFixed(2)} to ${fit.slope[2].toFixed(2)})`);
    const number = (value) => el("td", { class: "number" }, value);
    return [
      el("tr", { class: "verdict" }, el("th", { scope: "row" }, name), el("td", { class: "law" }, fit.model), el("td", {}, fit.formula),
        number(fit.r2 === null ? "" : fit.r2.toFixed(3)), number(certainty(fit.confidence))),
      ...(extra.length ? [el("tr", {}, el("td"), el("td", { colspan: 4, class: "faint" }, extra.join("; ")))] : []),
      ...fit.runnersUp.map(([model, formula, r2, weight]) => el("tr", { class: "runner-up" },
        el("td"), el("td", { class: "law" }, model), el("td", {}, formula), number(r2.toFixed(3)), number(certainty(weight) || "0"))),
    ];
  }

  edges(details) {
    if (!summary.calls)
      return el("div", {}, el("h3", {}, "Callers and callees"),
        el("p", { class: "note" }, "None in this profile: an earlier version of aprof-trms wrote it. Profile again to have them."));
    return el("div", {}, callGraph(this.opened, details.callers, details.callees), this.edgeTable("Callers", details.callers, "calls it"), this.edgeTable("Callees", details.callees, "it calls"));
  }

  edgeTable(title, edges, label) {
    if (!edges.length) return el("div", {}, el("h3", {}, title), el("p", { class: "note" }, "None."));
    const rows = edges.map(([other, calls, cost]) => el("tr", {},
      el("td", { class: "number" }, whole(cost[chosen.event])),
      el("td", { class: "number" }, percentage(share(cost[chosen.event], summary.totals[chosen.event]))),
      el("td", { class: "number" }, whole(calls)),
      el("td", { class: "name" }, el("button", { type: "button", class: "link", "data-routine": other, title: fullName(other) }, routines.name[other]))));
    return el("div", {}, el("h3", {}, `${title} (${whole(edges.length)})`),
      el("div", { class: "scroll short", tabindex: 0, "aria-label": title }, el("table", {},
        el("thead", {}, el("tr", {}, ["cost", "%", "calls"].map((t) => el("th", { scope: "col", class: "number" }, t)), el("th", { scope: "col" }, label))),
        el("tbody", {}, rows))));
  }

  threads(threads) {
    const all = summary.totals[chosen.event];
    const columns = [
      { id: "thread", title: "thread", least: 60, fills: true, sorts: false, cell: (i) => threadName(threads.run[i], threads.id[i]) },
      { id: "inclusive", title: "cost", rank: 1, numeric: true, sorts: false, cell: (i) => whole(threads.inclusive[chosen.event][i]) },
      { id: "share", title: "%", rank: 2, numeric: true, sorts: false, cell: (i) => percentage(share(threads.inclusive[chosen.event][i], all)) },
      { id: "calls", title: "calls", rank: 3, numeric: true, sorts: false, cell: (i) => whole(threads.calls[i]) },
      { id: "sizes", title: "sizes", rank: 4, numeric: true, sorts: false, cell: (i) => whole(threads.sizes[i]) },
      { id: "induced", title: "thread %", rank: 5, says: threads.induced.some((shares) => shares && shares[0]), numeric: true, sorts: false, cell: (i) => (threads.induced[i] ? percentage(threads.induced[i][0]) : "") },
    ];
    const count = threads.id.length;
    const place = el("div", { class: "rows threads" });
    place.style.maxHeight = `${Math.min(count + 1, 12) * ROW_HEIGHT + 8}px`;
    const rows = new VirtualRows(place, columns, { label: "Threads", opened: () => {}, sorted: () => {} });
    rows.set(threads.id.map((_, i) => i), false);
    return el("div", {}, el("h3", {}, `Threads (${whole(count + threads.more)})`), place,
      threads.more ? el("p", { class: "note" }, `and ${plural(threads.more, "other thread")}, each of less cost`) : "");
  }
}
