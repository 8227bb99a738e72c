// Lines of a source file, with what is known of each before it.

// notesOf(line): elements. `start`: the line that is set off. `source.costs`: where lines were counted. gutter(line): text, where there are loops.
function sourceLines(source, notesOf, start, gutter = null) {
  const costs = new Map(source.costs || []);
  const costOf = (line) => costs.has(line)
    ? el("td", { class: "cost", title: `${whole(costs.get(line))} instructions, of ${whole(source.instructions)} that the routine executes itself` },
      `${percentage(share(costs.get(line), source.instructions))} %`)
    : el("td", { class: "cost" });
  const rows = source.lines.map((text, i) => {
    const line = source.first + i;
    return el("tr", { class: line === start ? "start" : null },
      el("td", { class: "notes" }, ...notesOf(line)), el("td", { class: "number" }, String(line)),
      costs.size ? costOf(line) : "", gutter ? el("td", { class: "gutter", "aria-hidden": "true" }, gutter(line)) : "", el("td", { class: "code" }, text || "\u00a0"));
  });
  return el("div", { class: "source" },
    el("h3", {}, source.function ? `Inlined: ${source.function} ` : "Source ", el("span", { class: "path" }, source.path)),
    source.changed ? el("p", { class: "remark" }, "The file was changed after the profile was written: lines may not fit.") : "",
    el("div", { class: "scroll", tabindex: 0, "aria-label": "Source" }, el("table", {}, el("tbody", {}, rows))),
    source.cut ? el("p", { class: "remark" }, "The routine is longer than what is shown.") : "");
}

function missingSource(source, command) {
  return el("div", { class: "source" }, el("h3", {}, "Source"), el("p", { class: "note" }, source.missing),
    source.places.length ? el("div", {}, el("p", { class: "note" }, "Looked for:"),
      el("ul", { class: "places" }, source.places.map((place) => el("li", {}, place))),
      el("p", { class: "note" }, `${command} --format=html --source-path DIR reads files below DIR.`)) : "");
}

// What is passed on with the page.
function heldFiles() {
  const files = summary.sources;
  return el("div", { id: "held" }, el("h3", {}, files.length ? `Source files in this page (${whole(files.length)})` : "No source file is in this page."),
    el("ul", { class: "places" }, files.map(([path, lines]) => el("li", {}, `${path}  (${plural(lines, "line")})`))));
}
