// What is known of one call site: its measures, its speedup, its place in the source.

const MEASURE_NAMES = [
  ["top call site", "calls while no other call from here was pending: of recursive calls the outermost"],
  ["top caller", "calls by outermost activations of the caller"],
  ["local", "all calls, without what the callee's own calls did"],
];

class SiteDetails extends DetailsPane {
  constructor(place, open, closed) {
    super(place, "site", open, closed);
  }

  show(site) {
    this.opened = site;
    this.picture = el("div", { class: "picture" });
    this.readOut = el("output", { class: "read-out" }, "\u00a0");
    this.fill(fullName(site), sites.place[site], `${sites.line[site][0]}\n${sites.object[site]}`,
      `${percentage(spanShare(site))} % of the span, ${percentage(workShare(site))} % of the work`,
      el("div", { class: "panels" },
        el("div", { class: "panel" }, el("h3", {}, "Predicted speedup of these calls"), this.picture, this.readOut),
        el("div", { class: "panel" }, this.measures("On work: all calls", site, ON_WORK), this.measures("On span: calls on the longest path", site, ON_SPAN)),
        el("div", { class: "panel wide" }, siteSource(site))));
    this.allow(true);
    const start = this.place.querySelector(".source .start"), scroll = this.place.querySelector(".scroll");
    if (start) scroll.scrollTop = Math.max(0, start.offsetTop - scroll.offsetTop - scroll.clientHeight / 2);
  }

  draw() {
    if (!this.place.hidden) drawBounds(this.picture, this.readOut, sites.speedup[this.opened], sites.name[this.opened]);
  }

  measures(title, site, on) {
    const rows = Object.values(on).map((measure, i) => el("tr", {}, el("th", { scope: "row", title: MEASURE_NAMES[i][1] }, MEASURE_NAMES[i][0]),
      [COUNT, WORK, SPAN].map((value) => el("td", { class: "number" }, whole(number(site, measure, value)))),
      el("td", { class: "number" }, parallelism(parallelismOf(site, measure)))));
    return el("div", { class: "measures" }, el("h3", {}, title), el("table", {},
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, ""), ["calls", "work", "span", "parallelism"].map((t) => el("th", { scope: "col", class: "number" }, t)))),
      el("tbody", {}, rows)));
  }

  allow(seen) {
    super.allow(seen);
    this.draw();
  }
}

// Before each line, what is called there: share of the span (the callees' own code) and of the work.
function siteSource(site) {
  const part = sourcePart(sites.part[site]);
  if (part.missing) return missingSource(part, "cilkshadow-report");
  const byLine = new Map();
  sites.line.forEach(([file, line], s) => {
    if (file === part.file) byLine.set(line, [...(byLine.get(line) || []), s]);
  });
  const notesOf = (line) => (byLine.get(line) || []).slice(0, 6).map((s) => el("button", { type: "button", class: "link", "data-site": s,
    title: `${fullName(s)}: local span on span, percent of the span; work, percent of the program's` },
    `${percentage(spanShare(s))} % span  ${percentage(workShare(s))} % work`));
  return sourceLines(part, notesOf, sites.line[site][1]);
}
