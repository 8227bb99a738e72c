// The predicted speedup on P processors: perfect linear, work/span bound, burdened-dag estimate.

// [name, class, y by P] of what the page was told; as Speedup in work_span/metrics.py.
function speedupBounds(of) {
  const bounds = [["work/span bound", "bound", (p) => Math.min(p, of.parallelism)]];
  if (of.serialised !== null)
    bounds.push(["with locks in this run's order", "locks", (p) => Math.min(p, of.serialised)]);
  const slowed = summary.coefficient * of.burdened;
  bounds.push([of.estimated ? "burdened-dag estimate, burden as in the whole program" : "burdened-dag estimate", "burden",
    (p) => (of.work ? of.work / (of.work / p + slowed) : 0)]);
  return bounds;
}

function drawSpeedup(place, readOut, of, name) {
  sizePlot(place);
  const knees = [of.parallelism, of.serialised].filter((k) => k !== null && k < summary.processors[summary.processors.length - 1]);
  const processors = [...new Set([...summary.processors, ...knees])].sort((a, b) => a - b);
  const most = processors[processors.length - 1], log = most > 64;
  const bounds = speedupBounds(of);
  const top = Math.min(most, Math.max(2, 1.6 * of.parallelism));
  const low = log ? Math.min(0.9, bounds[bounds.length - 1][2](1)) : 0;
  const xAxis = new Axis(log ? 1 : 0, most, log, PLOT.left, PLOT.width - PLOT.right);
  const yAxis = new SpeedupAxis(low, top, log);
  const line = (f, style) => svg("polyline", { class: style,
    points: processors.map((p) => `${xAxis.at(p).toFixed(1)},${Math.max(-999, yAxis.at(f(p))).toFixed(1)}`).join(" ") });
  const inner = { x: PLOT.left, y: PLOT.top, width: PLOT.width - PLOT.left - PLOT.right, height: PLOT.height - PLOT.top - PLOT.bottom };
  const label = `predicted speedup of ${name}: at most ${parallelism(of.parallelism)} times, on up to ${most} processors`;
  const marker = svg("circle", { class: "pointed", r: 6, visibility: "hidden" });
  const picture = svg("svg", { viewBox: `0 0 ${PLOT.width} ${PLOT.height}`, role: "img", tabindex: 0, "aria-label": label, class: "plot speedup" },
    gridLines(xAxis, yAxis), axisLabels(xAxis, yAxis, { xLabel: "processors", yLabel: "speedup" }),
    svg("svg", { ...inner, viewBox: `${inner.x} ${inner.y} ${inner.width} ${inner.height}` },
      line((p) => p, "linear"), bounds.map(([, style, f]) => line(f, style))), marker);
  const note = (p) => `P = ${decimal(p)}: ` + bounds.map(([title, , f]) => `${title.split(",")[0]} ${decimal(f(p))}`).join(", ");
  place.replaceChildren(picture, el("p", { class: "key" }, [["perfect linear", "linear"], ...bounds].map(([title, style]) =>
    el("span", { class: "entry" }, svg("svg", { class: "sample speedup", viewBox: "0 0 26 8", width: 26, height: 8 },
      svg("polyline", { class: style, points: "0,4 26,4" })), ` ${title}`))));
  pointing(picture, marker, readOut, [{ x: processors, y: processors.map(bounds[0][2]), note: (i) => note(processors[i]) }], xAxis, yAxis);
}

// From `low` to `top`, a speedup on few processors included.
class SpeedupAxis extends Axis {
  constructor(low, top, log) {
    super(log ? low : 0, top, log, PLOT.height - PLOT.bottom, PLOT.top);
    if (!log) return;
    this.linear = false;
    this.low = Math.log10(low) - 0.03;
    this.high = Math.log10(top);
  }
}
