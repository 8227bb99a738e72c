// A routine's source with, before each line, what was measured there.

function sourcePanel(routine, details) {
  const source = details.source;
  if (source.missing) return missingSource(source);
  const notes = new Map();
  const note = (line, text, target, title) =>
    notes.set(line, [...(notes.get(line) || []), { text, target, title }]);
  for (const [line, other] of source.starts) {
    const growth = routines.metric[chosen.metric].growth[chosen.event][other];
    note(line, `${percentage(share(routines.inclusive[chosen.event][other], summary.totals[chosen.event]))} % ×${short(routines.calls[other])}` +
      (growth && growth !== "cannot tell" ? `  ${growth}` : ""), other === routine ? null : other,
      `${fullName(other)}: inclusive cost, calls, growth`);
  }
  const edges = new Map(details.callees.map((edge) => [edge[0], edge]));
  for (const [line, callee] of source.calls) {
    const [, calls, cost] = edges.get(callee);
    note(line, `→ ${percentage(share(cost[chosen.event], routines.inclusive[chosen.event][routine]))} % ×${short(calls)}`, callee,
      `calls of ${fullName(callee)} (all its calls from here, found by name): part of this routine's cost, calls`);
  }
  const rows = source.lines.map((text, i) => {
    const line = source.first + i;
    const cells = (notes.get(line) || []).map((n) => n.target === null || n.target === undefined
      ? el("span", { title: n.title }, n.text)
      : el("button", { type: "button", class: "link", title: n.title, "data-routine": n.target }, n.text));
    return el("tr", { class: line === routines.line[routine] ? "start" : null },
      el("td", { class: "notes" }, ...cells), el("td", { class: "number" }, String(line)), el("td", { class: "code" }, text || "\u00a0"));
  });
  return el("div", { class: "source" },
    el("h3", {}, "Source ", el("span", { class: "path" }, source.path)),
    source.changed ? el("p", { class: "remark" }, "The file was changed after the profile was written: lines may not fit.") : "",
    el("div", { class: "scroll", tabindex: 0, "aria-label": "Source" }, el("table", {}, el("tbody", {}, rows))),
    source.cut ? el("p", { class: "remark" }, "The routine is longer than what is shown.") : "");
}

function missingSource(source) {
  return el("div", { class: "source" }, el("h3", {}, "Source"), el("p", { class: "note" }, source.missing),
    source.places.length ? el("div", {}, el("p", { class: "note" }, "Looked for:"),
      el("ul", { class: "places" }, source.places.map((place) => el("li", {}, place))),
      el("p", { class: "note" }, "aprof-report --format=html --source-path DIR looks below DIR, too.")) : "");
}
