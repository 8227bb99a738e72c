// What to look at first: a card for each finding.

class FindingView {
  // `opened` is called with the routine of a card.
  constructor(place, opened) {
    this.place = place;
    this.plots = [];
    place.replaceChildren(...(summary.findings.length ? summary.findings.map((finding, i) => this.card(finding, i + 1, opened))
      : [el("p", { class: "note" }, `No findings: ${summary.noFindings.join("; ")}.`)]));
    new ResizeObserver(() => this.draw()).observe(place);
  }

  card(finding, rank, opened) {
    const [what, why] = finding.lines;
    return el("article", { class: "card", "data-kind": finding.kind },
      el("h2", {}, el("span", { class: "rank" }, `${rank}`), what), el("p", {}, `${why}.`),
      el("div", { class: "panels" }, this.plot(finding), markedLines(finding.source)), this.path(finding.path, opened));
  }

  plot(finding) {
    const picture = el("div", { class: "picture" }), readOut = el("output", { class: "read-out" }, "\u00a0");
    if (!finding.plot) return el("div", { class: "panel" }, el("p", { class: "note" }, "One size only: there is nothing to plot."));
    this.plots.push([picture, readOut, finding.plot, finding.lines[0]]);
    return el("div", { class: "panel" }, el("h3", {}, `Cost of ${finding.plot.of}`), picture, readOut);
  }

  path(path, opened) {
    const steps = path.flatMap((routine, i) => [i ? " › " : "", el("button", { type: "button", class: "link", title: fullName(routine),
      "data-routine": routine, onclick: () => opened(routine) }, routines.name[routine])]);
    return el("p", { class: "path" }, "Called by the costliest path ", ...steps);
  }

  // They are as wide as their places, so this is done when these are shown.
  draw() {
    if (!this.place.clientWidth || this.place.clientWidth === this.drawn) return;
    this.drawn = this.place.clientWidth;
    for (const [picture, readOut, plot, label] of this.plots) drawPlot(picture, readOut, findingPlot(plot, label));
  }
}

function findingPlot(plot, label) {
  const note = (i) => `${whole(plot.x[i])}   ${plural(plot.calls[i], "time")}   ${decimal(plot.y[i])} ${eventNames[0]}`;
  const log = spansDecades(plot.x) && spansDecades(plot.y);
  const [x, y, low, high] = plot.curve ?? [];
  return { series: [{ x: plot.x, y: plot.y, style: "trms", note }], curves: plot.curve ? [{ x, y, low, high, style: "trms" }] : [],
           xLabel: plot.xLabel, yLabel: `cost (${eventNames[0]}), mean`, logX: log, logY: log,
           label: `${label}, ${plural(plot.x.length, "point")}${plot.law ? `, fitted: ${plot.law}` : ""}` };
}

// The source of what is to blame, its lines set off.
function markedLines(source) {
  if (source.missing) return el("div", { class: "panel source" }, el("p", { class: "note" }, source.missing));
  const [first, last] = source.loop;
  const rows = source.lines.map((text, i) => {
    const line = source.first + i;
    return el("tr", { class: first <= line && line <= last ? "blamed" : null }, el("td", { class: "number" }, String(line)), el("td", { class: "code" }, text || "\u00a0"));
  });
  return el("div", { class: "panel source" }, el("h3", {}, el("span", { class: "path" }, source.path)),
    el("div", { class: "scroll", tabindex: 0, "aria-label": "Source" }, el("table", {}, el("tbody", {}, rows))));
}
