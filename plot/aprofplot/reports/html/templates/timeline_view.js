// The schedule on P processors as the page has it: a row for each processor, a colour for each function, hatches for
// waiting for locks, and a line below what is on the critical path. What is empty is idle.

const TIMELINE = { left: 34, right: 8, row: 18, bottom: 36 };
const FUNCTION_CLASSES = 7; // as Bars are made for (schedule_data.py)

// Spans are processor, begin, end, one after the other; `from` and `height` say where in a row.
function spanPath(spans, xAxis, from, height) {
  let path = "";
  for (let i = 0; i < spans.length; i += 3) {
    const x = xAxis.at(spans[i + 1]), width = Math.max(0.4, xAxis.at(spans[i + 2]) - x);
    path += `M${x.toFixed(1)},${(spans[i] * TIMELINE.row + from).toFixed(1)}h${width.toFixed(1)}v${height}h${(-width).toFixed(1)}z`;
  }
  return path;
}

function barClass(index, what) {
  if (what === "waiting") return "bar waits";
  return what === "others" ? "bar others" : `bar function-${index % FUNCTION_CLASSES}`;
}

function whatRuns(timeline, processor, time) {
  for (const [name, , spans] of timeline.bars)
    for (let i = 0; i < spans.length; i += 3)
      if (spans[i] === processor && spans[i + 1] <= time && time < spans[i + 2])
        return `${name}, from ${short(spans[i + 1])} to ${short(spans[i + 2])}`;
  return "idle";
}

function drawTimeline(place, readOut, timeline) {
  sizePlot(place);
  const height = timeline.processors * TIMELINE.row;
  const xAxis = new Axis(0, timeline.time, false, TIMELINE.left, PLOT.width - TIMELINE.right);
  const left = xAxis.at(0), right = xAxis.at(timeline.time); // it has margins
  const rows = Array.from({ length: timeline.processors }, (_, p) => p);
  const step = Math.ceil(timeline.processors / 16);
  const labels = svg("g", { class: "labels" },
    rows.filter((p) => p % step === 0).map((p) => svg("text", { x: TIMELINE.left - 6, y: (p + 0.75) * TIMELINE.row, "text-anchor": "end" }, p)),
    xAxis.ticks(7).filter(([value, labelled]) => labelled && value <= timeline.time).map(([value]) =>
      svg("text", { x: xAxis.at(value).toFixed(1), y: height + 14, "text-anchor": "middle" }, short(value))),
    svg("text", { x: (left + right) / 2, y: height + 30, "text-anchor": "middle" }, "time"));
  const hatch = svg("pattern", { id: "hatch", width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
    svg("line", { x1: 0, x2: 0, y1: 0, y2: 6 }));
  const picture = svg("svg", { viewBox: `0 0 ${PLOT.width} ${height + TIMELINE.bottom}`, role: "img", class: "plot timeline",
                               "aria-label": `schedule on ${timeline.processors} processors` },
    svg("defs", {}, hatch), rows.map((p) => svg("rect", { class: "row", x: left, y: p * TIMELINE.row + 2, width: right - left, height: TIMELINE.row - 4 })),
    timeline.bars.map(([, what, spans], i) => svg("path", { class: barClass(i, what), d: spanPath(spans, xAxis, 2, TIMELINE.row - 6) })),
    svg("path", { class: "bar critical", d: spanPath(timeline.critical, xAxis, TIMELINE.row - 4, 2) }), labels);
  picture.addEventListener("pointermove", (event) => {
    const box = picture.getBoundingClientRect(), scale = PLOT.width / box.width;
    const processor = Math.floor(((event.clientY - box.top) * scale) / TIMELINE.row);
    const time = timeline.time * ((event.clientX - box.left) * scale - left) / (right - left);
    if (processor >= 0 && processor < timeline.processors && time >= 0 && time <= timeline.time)
      readOut.value = `processor ${processor} at ${short(time)}: ${whatRuns(timeline, processor, time)}`;
  });
  const sample = (style, title) => el("span", { class: "entry" }, svg("svg", { class: "sample timeline", viewBox: "0 0 14 10", width: 14, height: 10 },
    svg("rect", { class: style, width: 14, height: 10 })), ` ${title}`);
  place.replaceChildren(picture, el("p", { class: "key" },
    timeline.bars.map(([name, what], i) => sample(barClass(i, what), name)), sample("row", "idle"), sample("bar critical", "critical path (below)")));
}
