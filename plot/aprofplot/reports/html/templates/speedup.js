// The predicted speedup on P processors, beside perfect linear.

// Of the program or a call site: work/span bound, burdened-dag estimate. [name, class, y by P] of what the page was told; as
// Speedup in work_span/metrics.py.
function speedupBounds(of) {
  const bounds = [["work/span bound", "bound", (p) => Math.min(p, of.parallelism)]];
  if (of.serialised !== null)
    bounds.push(["with locks in this run's order", "locks", (p) => Math.min(p, of.serialised)]);
  const slowed = summary.coefficient * of.burdened;
  bounds.push([of.estimated ? "burdened-dag estimate, burden as in the whole program" : "burdened-dag estimate", "burden",
    (p) => (of.work ? of.work / (of.work / p + slowed) : 0)]);
  return bounds;
}

function drawBounds(place, readOut, of, name) {
  const knees = [of.parallelism, of.serialised].filter((k) => k !== null && k < summary.processors[summary.processors.length - 1]);
  const processors = [...new Set([...summary.processors, ...knees])].sort((a, b) => a - b);
  const label = `predicted speedup of ${name}: at most ${parallelism(of.parallelism)} times, on up to ${processors[processors.length - 1]} processors`;
  drawSpeedup(place, readOut, { processors, curves: speedupBounds(of).map(([title, style, f]) => [title, style, processors.map(f)]),
                                top: 1.6 * of.parallelism, label });
}

// curves: [title, class, speedup on each of `processors`]. `top`: of the axis, no less than is drawn if it is left out. `marked`:
// whether there is a point for each number of processors.
function drawSpeedup(place, readOut, { processors, curves, top, marked, label }) {
  sizePlot(place);
  const most = processors[processors.length - 1], log = most > 64;
  const values = curves.flatMap(([, , ys]) => ys);
  const low = log ? Math.min(0.9, ...values) : 0;
  const high = Math.min(Math.max(most, ...(top ? [] : values)), Math.max(2, top ?? 1.1 * Math.max(...values)));
  const xAxis = new Axis(log ? 1 : 0, most, log, PLOT.left, PLOT.width - PLOT.right);
  const yAxis = new SpeedupAxis(low, high, log);
  const line = (ys, style) => svg("polyline", { class: style,
    points: processors.map((p, i) => `${xAxis.at(p).toFixed(1)},${Math.max(-999, yAxis.at(ys[i])).toFixed(1)}`).join(" ") });
  const inner = { x: PLOT.left, y: PLOT.top, width: PLOT.width - PLOT.left - PLOT.right, height: PLOT.height - PLOT.top - PLOT.bottom };
  const marker = svg("circle", { class: "pointed", r: 6, visibility: "hidden" });
  const picture = svg("svg", { viewBox: `0 0 ${PLOT.width} ${PLOT.height}`, role: "img", tabindex: 0, "aria-label": label, class: "plot speedup" },
    gridLines(xAxis, yAxis), axisLabels(xAxis, yAxis, { xLabel: "processors", yLabel: "speedup" }),
    svg("svg", { ...inner, viewBox: `${inner.x} ${inner.y} ${inner.width} ${inner.height}` },
      line(processors, "linear"), curves.map(([, style, ys]) => line(ys, style))),
    marked ? curves.map(([, style, ys]) => svg("g", { class: style },
      processors.map((p, i) => svg("circle", { cx: xAxis.at(p).toFixed(1), cy: yAxis.at(ys[i]).toFixed(1), r: 3 })))) : "", marker);
  const note = (i) => `P = ${decimal(processors[i])}: ` + curves.map(([title, , ys]) => `${title.split(",")[0]} ${decimal(ys[i])}`).join(", ");
  place.replaceChildren(picture, el("p", { class: "key" }, [["perfect linear", "linear"], ...curves].map(([title, style]) =>
    el("span", { class: "entry" }, svg("svg", { class: "sample speedup", viewBox: "0 0 26 8", width: 26, height: 8 },
      svg("polyline", { class: style, points: "0,4 26,4" })), ` ${title}`))));
  pointing(picture, marker, readOut, [{ x: processors, y: curves[0][2], note }], xAxis, yAxis);
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
