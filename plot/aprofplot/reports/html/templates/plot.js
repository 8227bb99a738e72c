// A scatter plot as SVG: points, a fitted curve with its band, a read-out of the point pointed at.
//
// data: {series: [{name, x, y, style, note(i)}], curves: [{x, y, low, high, style}], xLabel, yLabel,
// logX, logY, label}. Sizes in px.

const PLOT = { left: 58, right: 14, top: 8, bottom: 40 };

// As wide as its place is.
function sizePlot(place) {
  PLOT.width = Math.max(320, Math.min(900, place.clientWidth || 560));
  PLOT.height = Math.round(Math.max(230, Math.min(360, PLOT.width * 0.58)));
}

function drawPlot(place, readOut, data) {
  sizePlot(place);
  const all = (part) => data.series.flatMap((s) => s[part]);
  const xs = all("x"), ys = all("y");
  const [x0, x1] = extent(xs), [y0, y1] = withCurves(extent(ys), data.curves, data.logY);
  const xAxis = new Axis(x0, x1, data.logX, PLOT.left, PLOT.width - PLOT.right);
  const yAxis = new Axis(y0, y1, data.logY, PLOT.height - PLOT.bottom, PLOT.top);
  const marker = svg("circle", { class: "pointed", r: 6, hidden: true, visibility: "hidden" });
  const picture = svg("svg", { viewBox: `0 0 ${PLOT.width} ${PLOT.height}`, role: "img", tabindex: 0,
                               "aria-label": data.label, class: "plot" },
    gridLines(xAxis, yAxis), axisLabels(xAxis, yAxis, data),
    svg("svg", { x: PLOT.left, y: PLOT.top, width: PLOT.width - PLOT.left - PLOT.right,
                 height: PLOT.height - PLOT.top - PLOT.bottom,
                 viewBox: `${PLOT.left} ${PLOT.top} ${PLOT.width - PLOT.left - PLOT.right} ${PLOT.height - PLOT.top - PLOT.bottom}` },
      data.curves.map((curve) => fittedCurve(curve, xAxis, yAxis))),
    data.series.map((s) => pointMarks(s, xAxis, yAxis)), marker);
  const focused = place.contains(document.activeElement);
  place.replaceChildren(picture);
  if (focused) picture.focus();
  pointing(picture, marker, readOut, data.series, xAxis, yAxis);
}

const extent = (values) => values.reduce(([a, b], v) => [Math.min(a, v), Math.max(b, v)], [Infinity, -Infinity]);

// The range of an axis with points from `low` to `high`: it has all of the curves that is no further beyond than as much again or,
// on a logarithmic one, a decade. Further away they end at the edge.
function withCurves([low, high], curves, log) {
  const values = curves.flatMap((curve) => curve.y).filter((y) => y !== null && y > 0);
  const [least, most] = extent(values);
  return [Math.max(Math.min(low, least), log ? low / 10 : low), Math.min(Math.max(high, most), log ? high * 10 : high + (high - low))];
}

function gridLines(xAxis, yAxis) {
  const lines = svg("g", { class: "grid" });
  for (const [value, labelled] of xAxis.ticks(7)) {
    const x = xAxis.at(value).toFixed(1);
    lines.append(svg("line", { x1: x, x2: x, y1: PLOT.top, y2: PLOT.height - PLOT.bottom, class: labelled ? null : "fine" }));
  }
  for (const [value, labelled] of yAxis.ticks(6)) {
    const y = yAxis.at(value).toFixed(1);
    lines.append(svg("line", { y1: y, y2: y, x1: PLOT.left, x2: PLOT.width - PLOT.right, class: labelled ? null : "fine" }));
  }
  return lines;
}

function axisLabels(xAxis, yAxis, data) {
  const labels = svg("g", { class: "labels" });
  const bottom = PLOT.height - PLOT.bottom;
  for (const [value, labelled] of xAxis.ticks(7))
    if (labelled) labels.append(svg("text", { x: xAxis.at(value).toFixed(1), y: bottom + 15, "text-anchor": "middle" }, short(value)));
  for (const [value, labelled] of yAxis.ticks(6))
    if (labelled) labels.append(svg("text", { x: PLOT.left - 6, y: (yAxis.at(value) + 4).toFixed(1), "text-anchor": "end" }, short(value)));
  const middle = (PLOT.top + bottom) / 2;
  labels.append(
    svg("text", { x: (PLOT.left + PLOT.width - PLOT.right) / 2, y: PLOT.height - 6, "text-anchor": "middle" }, data.xLabel),
    svg("text", { x: 12, y: middle, "text-anchor": "middle", transform: `rotate(-90 12 ${middle})` }, data.yLabel));
  return labels;
}

function fittedCurve(curve, xAxis, yAxis) {
  const path = (values, order) => order.filter((i) => values[i] !== null && curve.x[i] !== null)
    .map((i) => [xAxis.at(curve.x[i]), yAxis.at(yAxis.log ? Math.max(values[i], yAxis.linear ? 0 : 1e-300) : values[i])])
    .filter(([, y]) => Number.isFinite(y))
    .map(([x, y]) => `${x.toFixed(1)},${Math.max(-1e4, Math.min(1e4, y)).toFixed(1)}`);
  const order = curve.x.map((_, i) => i);
  const band = [...path(curve.high, order), ...path(curve.low, [...order].reverse())];
  return svg("g", { class: `curve ${curve.style}` },
    svg("polygon", { points: band.join(" ") }), svg("polyline", { points: path(curve.y, order).join(" ") }));
}

// All of a series as one path: a thousand points cost no more than one element.
function pointMarks(series, xAxis, yAxis) {
  const r = series.x.length > 200 ? 2 : 3;
  const square = series.style === "rms";
  const mark = square ? `m${-r},${-r}h${2 * r}v${2 * r}h${-2 * r}z` : `m${-r},0a${r},${r} 0 1,0 ${2 * r},0a${r},${r} 0 1,0 ${-2 * r},0`;
  const marks = series.x.map((x, i) => `M${xAxis.at(x).toFixed(1)},${yAxis.at(series.y[i]).toFixed(1)}${mark}`);
  return svg("path", { d: marks.join(""), class: `points ${series.style}`, "data-points": series.x.length });
}

// The nearest point follows the mouse; left and right arrows go from point to point.
function pointing(picture, marker, readOut, series, xAxis, yAxis) {
  const points = series.flatMap((s) => s.x.map((x, i) => ({ x: xAxis.at(x), y: yAxis.at(s.y[i]), text: s.note(i) })));
  points.sort((a, b) => a.x - b.x);
  let at = -1;
  const show = (index) => {
    at = index;
    marker.setAttribute("visibility", index < 0 ? "hidden" : "visible");
    readOut.textContent = index < 0 ? "\u00a0" : points[index].text;
    if (index >= 0) {
      marker.setAttribute("cx", points[index].x);
      marker.setAttribute("cy", points[index].y);
    }
  };
  picture.addEventListener("pointermove", (event) => {
    const box = picture.getBoundingClientRect(), scale = picture.viewBox.baseVal.width / box.width;
    const x = (event.clientX - box.left) * scale, y = (event.clientY - box.top) * scale;
    let nearest = -1, distance = 40 * 40;
    points.forEach((p, i) => {
      const d = (p.x - x) ** 2 + (p.y - y) ** 2;
      if (d < distance) [nearest, distance] = [i, d];
    });
    show(nearest);
  });
  picture.addEventListener("pointerleave", () => show(-1));
  picture.addEventListener("keydown", (event) => {
    const moves = { ArrowRight: at + 1, ArrowLeft: at < 0 ? points.length - 1 : at - 1, Home: 0, End: points.length - 1 };
    if (!(event.key in moves)) return;
    show(Math.max(0, Math.min(moves[event.key], points.length - 1)));
    event.preventDefault();
  });
}
