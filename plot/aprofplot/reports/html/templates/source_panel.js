// A routine's source with, before each line, what was measured there.

function sourcePanel(routine, details) {
  const source = details.source;
  const inlined = (details.inlined || []).map(inlinedLines);
  if (source.missing) return el("div", {}, inlined, missingSource(source, "aprof-report"));
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
  const notesOf = (line) => (notes.get(line) || []).map((n) => n.target === null || n.target === undefined
    ? el("span", { title: n.title }, n.text)
    : el("button", { type: "button", class: "link", title: n.title, "data-routine": n.target }, n.text));
  const brackets = details.loops || [];
  const gutter = brackets.length ? loopGutter(brackets, (line, text, title) => note(line, text, null, title)) : null;
  return el("div", {}, sourceLines(source, notesOf, routines.line[routine], gutter), inlined);
}

// Of code that was inlined, whose loops the routine executes.
function inlinedLines(part) {
  const notes = new Map();
  const gutter = loopGutter(part.loops, (line, text, title) => notes.set(line, [...(notes.get(line) || []), el("span", { title }, text)]));
  return sourceLines(part, (line) => notes.get(line) || [], null, gutter);
}
