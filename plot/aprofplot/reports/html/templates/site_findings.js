// What to look at first: a card for each finding, with the speedup as it is and without what is to blame.

class SiteFindings extends Cards {
  // `opened` is called with the call site of a card.
  constructor(place, opened) {
    super(place, summary.findings);
    this.opened = opened;
    const warning = (text) => el("li", { class: "remark" }, `Warning: ${text}`);
    const sentences = (id, ...items) => (items.length ? el("ul", { id, class: "advice" }, items) : "");
    const said = (texts) => texts.map((text) => el("li", {}, text));
    place.prepend(sentences("before", ...summary.doubts.map(warning), ...said(summary.before)));
    if (summary.after.length) place.append(el("h3", {}, "Work and span"));
    place.append(sentences("after", ...said(summary.after), ...summary.limits.map(warning)));
  }

  heading(finding) {
    return finding.plot.simulated ? "Simulated speedup over one processor as it is" : "Bounds on the speedup";
  }

  drawn({ plot, lines }, picture, readOut) {
    const curves = [["now", plot.now], ["then", plot.then]].map(([style, [title, values]]) => [title, style, values]);
    drawSpeedup(picture, readOut, { processors: plot.processors, curves, marked: plot.simulated, label: `speedup: ${lines[0]}` });
  }

  step([name, place, site]) {
    return site === null ? el("span", { title: place }, name)
      : el("button", { type: "button", class: "link", title: place, "data-site": site, onclick: () => this.opened(site) }, name);
  }
}
