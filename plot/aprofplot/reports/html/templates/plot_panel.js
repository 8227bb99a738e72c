// A routine's plot with its switches: input size, cost, statistic, scale.

const STATISTIC_NAMES = { max: "worst case", mean: "mean", min: "best case", total: "total" };
const FEW_SIZES = 5;
const PARALLELISM = "parallelism"; // work / span: chosen like an event, if both were measured

// Kept from routine to routine; metric null: as chosen for the page.
const plotChoice = { metric: null, event: null, own: false, statistic: "mean", scale: "auto" };

// Whoever puts its element into the page draws it then: it is as wide as its place.
class PlotPanel {
  // tables and fits: by metric, fits a list by event.
  constructor(tables, fits, name) {
    this.tables = Object.fromEntries(metricNames.map((m) => [m, ofMetric(tables, m)]));
    this.fits = fits;
    this.name = name;
    this.picture = el("div", { class: "picture" });
    this.readOut = el("output", { class: "read-out" }, "\u00a0");
    this.remark = el("p", { class: "remark" });
    this.element = el("div", { class: "plot-panel" }, this.switches(), this.remark, this.picture, this.readOut);
    this.drawn = 0;
    new ResizeObserver(() => this.resized()).observe(this.picture);
  }

  resized() {
    const width = this.picture.clientWidth;
    if (width && Math.abs(width - this.drawn) > 4) this.draw();
  }

  get event() {
    return plotChoice.event ?? chosen.event;
  }

  get metric() {
    return plotChoice.metric ?? metricNames[chosen.metric];
  }

  switches() {
    const change = (what) => (value) => {
      plotChoice[what] = value;
      this.draw();
    };
    const metrics = metricNames.map((m) => [m, m.toUpperCase()]);
    if (metrics.length > 1) metrics.push(["both", "both"]);
    const costs = summary.events.flatMap((e, i) => [[`${i}`, eventNames.length > 1 ? e.name : "inclusive", `inclusive, ${e.unit}`],
      [`${i} self`, eventNames.length > 1 ? `${e.name} self` : "self", `self, ${e.unit}`]]);
    if (summary.events.filter(isWorkOrSpan).length === 2) costs.push([PARALLELISM, PARALLELISM, "work / span, each summed over the activations of a size"]);
    return el("div", { class: "switches" },
      choice("size", "plot-metric", metrics, this.metric, change("metric")),
      choice("cost", "plot-cost", costs, `${this.event}${plotChoice.own ? " self" : ""}`, (value) => {
        plotChoice.event = value === PARALLELISM ? value : parseInt(value, 10);
        plotChoice.own = value.endsWith("self");
        this.draw();
      }),
      choice("", "plot-statistic", [["mean", "mean", "of the activations of a size; what laws are fitted to"], ["max", "max", "worst case"], ["min", "min", "best case"], ["total", "total", "of all activations of a size"],
        ["calls", "calls", "workload: activations"]], plotChoice.statistic, change("statistic")),
      choice("scale", "plot-scale", [["auto", "auto", "both logarithmic when sizes and costs each span three decades"], ["none", "lin"], ["x", "log x"], ["y", "log y"], ["xy", "log"]],
        plotChoice.scale, change("scale")));
  }

  draw() {
    this.drawn = this.picture.clientWidth;
    const names = (this.metric === "both" ? metricNames : [this.metric]).filter((m) => this.tables[m] && this.tables[m].n);
    this.readOut.textContent = "\u00a0";
    if (!names.length) {
      this.remark.textContent = "";
      this.picture.replaceChildren(el("p", { class: "note" }, "No points: no activation returned before the profile was written."));
      return;
    }
    const series = names.map((m) => this.series(m));
    this.remark.textContent = this.remarks(names);
    const flat = (part) => series.flatMap((s) => s[part]);
    const decades = spansDecades(flat("x")) && spansDecades(flat("y"));
    const scale = plotChoice.scale === "auto" ? (decades ? "xy" : "none") : plotChoice.scale;
    const calls = plotChoice.statistic === "calls";
    const cost = this.costLabel();
    const unit = summary.metrics.find((m) => m.name === names[0]).unit;
    drawPlot(this.picture, this.readOut, {
      series, curves: names.flatMap((m) => this.curve(m)),
      xLabel: `input size (${names.map((m) => m.toUpperCase()).join(" and ")}, ${unit})`,
      yLabel: calls ? "activations" : cost,
      logX: scale.includes("x"), logY: scale.includes("y"),
      label: `${calls ? "activations" : cost} of ${this.name} against input size, ${plural(flat("x").length, "point")}`,
    });
    const curves = names.filter((m) => this.curve(m).length);
    const key = names.length > 1 ? names.flatMap((m) => [el("span", { class: `swatch ${m}` }), `${m.toUpperCase()}  `]) : [];
    const law = [...new Set(curves.map((m) => ofMetric(this.fits[this.event], m).model))].join(" and ");
    if (curves.length) key.push(`line: ${law}, fitted to the mean cost, with its 95 % band`);
    if (key.length) this.picture.append(el("p", { class: "key" }, ...key));
  }

  costLabel() {
    if (this.event === PARALLELISM) return "parallelism (work / span)";
    const event = summary.events[this.event];
    return `${plotChoice.own ? "self " : ""}${costWord(event)} (${event.unit}), ${STATISTIC_NAMES[plotChoice.statistic]}`;
  }

  parallelism(table) {
    const [work, span] = ["work", "span"].map((name) => column(table, "cost", eventNames.indexOf(name), false, "total"));
    return work.map((w, i) => w / Math.max(span[i], 1));
  }

  series(metric) {
    const table = this.tables[metric];
    const get = (statistic) => column(table, "cost", this.event, plotChoice.own, statistic);
    const x = column(table, "size"), calls = column(table, "calls");
    const head = (i) => `${metric.toUpperCase()} ${whole(x[i])}   ${plural(calls[i], "call")}   `;
    if (this.event === PARALLELISM) {
      const values = this.parallelism(table);
      const y = plotChoice.statistic === "calls" ? calls : values;
      return { x, y, style: metric, note: (i) => `${head(i)}${decimal(values[i])} ${PARALLELISM}` };
    }
    const [max, mean, min] = ["max", "mean", "min"].map(get);
    const y = plotChoice.statistic === "calls" ? calls : get(plotChoice.statistic);
    const name = eventNames[this.event];
    const note = (i) => head(i) +
      (calls[i] > 1 ? `min ${decimal(min[i])}   mean ${decimal(mean[i])}   max ${decimal(max[i])} ${name}` : `${decimal(max[i])} ${name}`);
    return { x, y, style: metric, note };
  }

  // The law is fitted to the mean inclusive cost, and drawn with nothing else.
  curve(metric) {
    const fit = this.fits && this.event !== PARALLELISM && ofMetric(this.fits[this.event], metric);
    if (!fit || !fit.curve || plotChoice.own || plotChoice.statistic !== "mean") return [];
    const [x, y, low, high] = fit.curve;
    return [{ x, y, low, high, style: metric }];
  }

  remarks(names) {
    const found = [];
    const fewest = Math.min(...names.map((m) => this.tables[m].n));
    if (fewest < FEW_SIZES) found.push(`${plural(fewest, "distinct size")}: too few to see a trend (${FEW_SIZES} needed).`);
    for (const m of names) {
      const table = this.tables[m];
      if (table.of > table.n) found.push(`${whole(table.of)} sizes drawn as ${whole(table.n)} points: neighbours merged.`);
      else if (table.merged) found.push(`Neighbouring sizes merged to ${table.merged} binary digits (--max-points).`);
    }
    return [...new Set(found)].join(" ");
  }
}
