// What is known of one call site: its measures, its speedup, its place in the source.

const MEASURE_NAMES = [
  ["top call site", "calls while no other call from here was pending: of recursive calls the outermost"],
  ["top caller", "calls by outermost activations of the caller"],
  ["local", "all calls, without what the callee's own calls did"],
];

class SiteDetails {
  constructor(place, open, closed) {
    this.place = place;
    this.closed = closed;
    this.site = null;
    place.addEventListener("click", (event) => {
      const link = event.target.closest("[data-site]");
      if (link) open(Number(link.dataset.site));
    });
  }

  get isOpen() {
    return this.site !== null;
  }

  show(site) {
    this.site = site;
    this.allow(true);
    this.picture = el("div", { class: "picture" });
    this.readOut = el("output", { class: "read-out" }, "\u00a0");
    this.place.replaceChildren(
      el("div", { class: "headline" }, el("h2", { id: "details-name" }, fullName(site)),
        el("span", { class: "place", title: `${sites.line[site][0]}\n${sites.object[site]}` }, sites.place[site]),
        el("span", { class: "figures" }, `${percentage(spanShare(site))} % of the span, ${percentage(workShare(site))} % of the work`),
        el("button", { type: "button", class: "close", "aria-label": "Close (Escape)", title: "Close (Escape)", onclick: () => this.close() }, "×")),
      el("div", { class: "panels" },
        el("div", { class: "panel" }, el("h3", {}, "Predicted speedup of these calls"), this.picture, this.readOut),
        el("div", { class: "panel" }, this.measures("On work: all calls", site, ON_WORK), this.measures("On span: calls on the longest path", site, ON_SPAN)),
        el("div", { class: "panel wide" }, siteSource(site))));
    this.draw();
    this.place.setAttribute("aria-labelledby", "details-name");
    this.place.scrollTop = 0;
    const start = this.place.querySelector(".source .start"), scroll = this.place.querySelector(".scroll");
    if (start) scroll.scrollTop = Math.max(0, start.offsetTop - scroll.offsetTop - scroll.clientHeight / 2);
  }

  draw() {
    if (this.site !== null && !this.place.hidden) drawSpeedup(this.picture, this.readOut, sites.speedup[this.site], sites.name[this.site]);
  }

  measures(title, site, on) {
    const rows = Object.values(on).map((measure, i) => el("tr", {}, el("th", { scope: "row", title: MEASURE_NAMES[i][1] }, MEASURE_NAMES[i][0]),
      [COUNT, WORK, SPAN].map((value) => el("td", { class: "number" }, whole(number(site, measure, value)))),
      el("td", { class: "number" }, parallelism(parallelismOf(site, measure)))));
    return el("div", { class: "measures" }, el("h3", {}, title), el("table", {},
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, ""), ["calls", "work", "span", "parallelism"].map((t) => el("th", { scope: "col", class: "number" }, t)))),
      el("tbody", {}, rows)));
  }

  // Whether it is seen, if a site is open.
  allow(seen) {
    this.place.hidden = !seen || this.site === null;
    document.querySelector("main").classList.toggle("split", !this.place.hidden);
    if (!this.place.hidden && this.picture) this.draw();
  }

  close() {
    this.site = null;
    this.allow(false);
    this.place.replaceChildren();
    this.closed();
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
