// The neighbourhood of a routine in the call graph: its costliest callers, it, its costliest callees; lines are as
// thick as their share of its cost, boxes coloured by growth.

const GRAPH = { width: 560, row: 26, box: 158, height: 20, most: 6 };

function callGraph(routine, callers, callees) {
  const event = chosen.event;
  const sides = [callers, callees].map((edges) => edges.filter(([other]) => other !== routine).slice(0, GRAPH.most));
  if (!sides[0].length && !sides[1].length) return "";
  const height = GRAPH.row * Math.max(1, ...sides.map((side) => side.length));
  const middle = { x: (GRAPH.width - GRAPH.box) / 2, y: height / 2 };
  const cost = Math.max(1, routines.inclusive[event][routine]);
  const parts = sides.flatMap((side, right) => side.flatMap(([other, calls, costs], i) => {
    const x = right ? GRAPH.width - GRAPH.box : 0, y = height / 2 + (i - (side.length - 1) / 2) * GRAPH.row;
    const [from, to] = right ? [middle.x + GRAPH.box, x] : [x + GRAPH.box, middle.x];
    const [start, end] = right ? [middle.y, y] : [y, middle.y], bend = (from + to) / 2;
    const title = `${fullName(other)}: ${plural(calls, "call")}, ${percentage(share(costs[event], cost))} % of the cost of ${routines.name[routine]}`;
    return [svg("path", { d: `M${from},${start}C${bend},${start} ${bend},${end} ${to},${end}`, "stroke-width": (0.7 + 7 * Math.min(1, costs[event] / cost)).toFixed(1) }),
            graphBox(other, x, y, title, other)];
  }));
  return el("div", { class: "call-graph" },
    svg("svg", { viewBox: `0 0 ${GRAPH.width} ${height}`, role: "group", "aria-label": `Callers and callees of ${routines.name[routine]}` },
      parts, graphBox(routine, middle.x, middle.y, fullName(routine), null)), heatKey());
}

// `link`: the routine that a click opens; null: none.
function graphBox(routine, x, y, title, link) {
  const letters = Math.floor((GRAPH.box - 10) / LETTER);
  const open = (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); event.currentTarget.dispatchEvent(new MouseEvent("click", { bubbles: true })); } };
  return svg("g", { class: heatOfRoutine(routine), "data-routine": link, tabindex: link === null ? null : 0, role: link === null ? null : "button", "aria-label": title, onkeydown: open },
    svg("title", {}, title), svg("rect", { x, y: y - GRAPH.height / 2, width: GRAPH.box, height: GRAPH.height, rx: 3 }),
    svg("text", { x: x + GRAPH.box / 2, y: y + 4, "text-anchor": "middle" }, cutName(routines.name[routine], letters)));
}
