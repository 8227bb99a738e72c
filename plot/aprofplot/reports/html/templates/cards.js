// A card for each finding: what it says, a small plot, the source of what is to blame, the calls on the way to it.
// Those who extend it say what is drawn: `heading(finding)`, `drawn(finding, picture, readOut)`, and of a call on
// the way `step(call)`.

class Cards {
  // A finding has `lines`, `source`, `way`, `path` and, if there is something to draw, `plot`.
  constructor(place, findings) {
    this.place = place;
    this.plots = [];
    place.replaceChildren(...findings.map((finding, i) => this.card(finding, i + 1)));
    new ResizeObserver(() => this.draw()).observe(place);
  }

  card(finding, rank) {
    const [what, ...more] = finding.lines;
    return el("article", { class: "card" },
      el("h2", {}, el("span", { class: "rank" }, `${rank}`), what), more.map((line) => el("p", {}, line)),
      el("div", { class: "panels" }, this.plot(finding), finding.source ? markedLines(finding.source) : ""),
      finding.path.length ? el("p", { class: "path" }, `${finding.way} `, finding.path.flatMap((call, i) => [i ? " › " : "", this.step(call)])) : "");
  }

  plot(finding) {
    if (!finding.plot) return el("div", { class: "panel" }, el("p", { class: "note" }, "One size only: there is nothing to plot."));
    const picture = el("div", { class: "picture" }), readOut = el("output", { class: "read-out" }, "\u00a0");
    this.plots.push([finding, picture, readOut]);
    return el("div", { class: "panel" }, el("h3", {}, this.heading(finding)), picture, readOut);
  }

  // They are as wide as their places, so this is done when these are shown.
  draw() {
    if (!this.place.clientWidth || this.place.clientWidth === this.width) return;
    this.width = this.place.clientWidth;
    for (const [finding, picture, readOut] of this.plots) this.drawn(finding, picture, readOut);
  }
}

// The source of what is to blame, its lines set off.
function markedLines(source) {
  if (source.missing) return el("div", { class: "panel source" }, el("p", { class: "note" }, source.missing));
  const [first, last] = source.marked;
  const rows = source.lines.map((text, i) => {
    const line = source.first + i;
    return el("tr", { class: first <= line && line <= last ? "blamed" : null }, el("td", { class: "number" }, String(line)), el("td", { class: "code" }, text || "\u00a0"));
  });
  return el("div", { class: "panel source" }, el("h3", {}, el("span", { class: "path" }, source.path)),
    el("div", { class: "scroll", tabindex: 0, "aria-label": "Source" }, el("table", {}, el("tbody", {}, rows))));
}
