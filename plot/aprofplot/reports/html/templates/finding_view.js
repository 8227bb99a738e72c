// What to look at first: a card for each finding.

class FindingView extends Cards {
  // `opened` is called with the routine of a card.
  constructor(place, opened) {
    super(place, summary.findings);
    this.opened = opened;
    if (!summary.findings.length) place.append(el("p", { class: "note" }, `No findings: ${summary.noFindings.join("; ")}.`));
  }

  heading(finding) {
    return `Cost of ${finding.plot.of}`;
  }

  drawn(finding, picture, readOut) {
    drawPlot(picture, readOut, findingPlot(finding.plot, finding.lines[0]));
  }

  step(routine) {
    return el("button", { type: "button", class: "link", title: fullName(routine), "data-routine": routine,
      onclick: () => this.opened(routine) }, routines.name[routine]);
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
