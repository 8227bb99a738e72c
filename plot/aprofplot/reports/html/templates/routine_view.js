// The view of all routines: filters above a table.

const fitOf = (r, name) => fitColumn(name)[r];
const certainty = (value) => (value ? `${Math.round(100 * value)}` : "");

const ROUTINE_COLUMNS = [
  { id: "name", title: "routine", least: 190, fills: true, cell: (r) => nameNode(routines.name[r]), tip: fullName,
    help: "Its name, template arguments folded; the whole name is in the details" },
  { id: "place", title: "object:file:line", rank: 8, least: 130, cell: (r) => placeNode(placeOf(r)),
    tip: (r) => `${objectOf(r)}${fileOf(r) ? `\n${fileOf(r)}:${routines.line[r]}` : ""}`, help: "Where it is" },
  { id: "inclusive", title: "cost", rank: 3, numeric: true,
    cell: (r) => whole(SORT_KEYS.inclusive(r)), help: "Inclusive cost: of it and of all that it calls" },
  { id: "inclusive", title: "%", rank: 2, numeric: true, sorts: false,
    cell: (r) => percentage(share(SORT_KEYS.inclusive(r), summary.totals[chosen.event])), help: "Inclusive cost, percent of the run",
    part: (r) => share(SORT_KEYS.inclusive(r), summary.totals[chosen.event]) },
  { id: "own", title: "self", rank: 10, numeric: true,
    cell: (r) => whole(SORT_KEYS.own(r)), help: "Self cost: without what it calls" },
  { id: "own", title: "%", rank: 9, numeric: true, sorts: false,
    cell: (r) => percentage(share(SORT_KEYS.own(r), summary.totals[chosen.event])), help: "Self cost, percent of the run",
    part: (r) => share(SORT_KEYS.own(r), summary.totals[chosen.event]) },
  { id: "calls", title: "calls", rank: 5, numeric: true, cell: (r) => whole(routines.calls[r]),
    tip: (r) => (routines.unfinished[r] ? `${plural(routines.unfinished[r], "call")} had not returned` : null),
    help: "Activations" },
  { id: "sizes", title: "sizes", rank: 6, numeric: true, cell: (r) => whole(SORT_KEYS.sizes(r)),
    help: "Distinct input sizes" },
  { id: "largest", title: "max size", rank: 12, numeric: true, cell: (r) => whole(SORT_KEYS.largest(r)),
    help: "The largest input size, in cells" },
  { id: "growth", title: "growth", rank: 1, cell: (r) => {
      const growth = fitOf(r, "growth");
      return growth === "cannot tell" ? el("span", { class: "faint" }, "?") : growth;
    },
    tip: (r) => (fitOf(r, "growth") === "cannot tell" ? "cannot tell: see its details" : null),
    help: "The law that fits how cost grows with the input size; ?: the points cannot tell; behind a law: sure below 50 %, sorted after the others" },
  { id: "confidence", title: "sure %", rank: 7, numeric: true, cell: (r) => certainty(fitOf(r, "confidence")),
    help: "Confidence in the growth, percent (Akaike weight)" },
  { id: "thread", title: "thread %", rank: 11, says: routines.induced.some((shares) => shares && shares[0]), numeric: true,
    cell: (r) => (routines.induced[r] ? percentage(routines.induced[r][0]) : ""),
    help: "How much of the TRMS input other threads brought" },
  { id: "external", title: "ext. %", rank: 12, says: routines.induced.some((shares) => shares && shares[1]), numeric: true,
    cell: (r) => (routines.induced[r] ? percentage(routines.induced[r][1]) : ""),
    help: "How much of the TRMS input came from outside, through the kernel" },
  { id: "richness", title: "richness", rank: 13, says: routines.richness.some(Boolean), numeric: true,
    cell: (r) => (routines.richness[r] === null ? "" : hundredths(routines.richness[r])),
    help: "Profile richness: (TRMS sizes - RMS sizes) / RMS sizes" },
  { id: "problems", title: "problem", rank: 4, least: 400, says: routines.problems.flat(2).length > 0,
    cell: (r) => (problemsOf(r).length ? problemsOf(r)[0][2] : ""),
    tip: (r) => problemsOf(r).map((p) => p[2]).join("\n") || null,
    help: "What deserves a look; sorted by steepness of growth × share of cost" },
];

class RoutineView extends TableView {
  constructor(opened) {
    super(document.getElementById("routines"), ROUTINE_COLUMNS, {
      label: "Routines", opened, by: "problems", textColumns: TEXT_COLUMNS, noun: "routine", all: routines.name.length,
      nothing: { text: "", object: "", file: "", growth: "", problem: "", mine: false } });
    this.controls();
    this.refresh();
  }

  controls() {
    const all = routines.name.map((_, r) => r);
    this.search = this.searchField("name, object, file");
    const problemNames = { growth: "steep growth", rms: "RMS misleads", threads: "input from threads" };
    const kinds = new Map();
    for (const r of all) for (const problem of problemsOf(r)) kinds.set(problem[0], (kinds.get(problem[0]) || 0) + 1);
    this.form.replaceChildren(
      this.search,
      this.select("object", "all objects", this.counted(routines.object, (i) => baseName(routines.objects[i]))),
      this.select("file", "all files", this.counted(routines.file, (i) => baseName(routines.files[i]) || "(unknown)")),
      this.select("growth", "any growth", this.counted(fitColumn("class"), (name) => name)
        .sort((a, b) => GROWTHS.indexOf(a[0]) - GROWTHS.indexOf(b[0]))),
      this.select("problem", "any problem", [...kinds].map(([kind, n]) => [kind, `${problemNames[kind]} (${n})`])),
      el("label", { title: "Leaves out the system's libraries, the dynamic linker and, in objects with debug information, what has no source file" },
        el("input", { type: "checkbox", id: "mine", checked: this.filter.mine,
                      onchange: (event) => this.change("mine", event.target.checked) }), " my code only"),
      this.resetButton(),
      this.count,
      this.hidden.element,
      el("span", { class: "right" },
        metricNames.length > 1 ? choice("size", "page-metric", metricNames.map((m, i) => [String(i), m.toUpperCase(), summary.metrics[i].unit]),
          String(chosen.metric), (value) => this.choose("metric", value)) : "",
        eventNames.length > 1 ? choice("cost", "page-event", eventNames.map((e, i) => [String(i), e, summary.events[i].unit]),
          String(chosen.event), (value) => this.choose("event", value)) : ""));
  }

  choose(what, value) {
    chosen[what] = Number(value);
    this.controls();
    this.refresh();
    this.form.querySelector(`[name=page-${what}]:checked`).focus();
    document.dispatchEvent(new Event("chosen"));
  }

  found() {
    return sortRoutines(passing(this.filter), this.by, this.descending);
  }
}
