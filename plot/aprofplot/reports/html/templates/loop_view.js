// The program as its source has it: object, file, routine, loops in loops, lines.

const loops = summary.loops;
const sourceLineCosts = summary.lines;

const loopTree = (() => {
  const inner = loops.routine.map(() => []), outermost = new Map();
  loops.parent.forEach((parent, i) => {
    if (parent >= 0) inner[parent].push(i);
    else outermost.set(loops.routine[i], [...(outermost.get(loops.routine[i]) || []), i]);
  });
  return { inner, of: (routine) => outermost.get(routine) || [] };
})();

// Lines that have a cost, by number: those in a loop, but in no inner one, and those in no loop of a routine.
const linesIn = (() => {
  const { routine, loop } = sourceLineCosts;
  const lines = groupBy(routine.map((_, i) => i), (i) => (loop[i] < 0 ? `r${routine[i]}` : `l${loop[i]}`));
  const costly = (key) => (lines.get(key) || []).filter((i) => sourceLineCosts.own[chosen.event][i]);
  return { ofLoop: (i) => costly(`l${i}`), ofRoutine: (r) => costly(`r${r}`) };
})();

const tripsOf = (i) => loops.iterations[i] / Math.max(1, loops.executions[i]);
const shortTrips = (i) => { const n = tripsOf(i); return n >= 10 || Number.isInteger(n) ? short(Math.round(n)) : n.toFixed(1); };

// A node: {name, key, level, routine, inclusive (null: not known, or files', which do not add up), own, calls, iterations, growth, expand()}.
function loopNodes(members, level) {
  const event = chosen.event;
  return byInclusive(members.map((i) => {
    const inner = loopTree.inner[i], lines = linesIn.ofLoop(i);
    return { name: loops.name[i], key: `l${i}`, level, routine: loops.routine[i], loop: i, inclusive: loops.inclusive[event][i], own: loops.own[event][i],
      calls: loops.executions[i], iterations: loops.iterations[i], growth: loops.growth[i],
      expand: inner.length || lines.length ? () => [...loopNodes(inner, level + 1), ...lineNodes(lines, level + 1)] : null };
  }));
}

// What a line's calls cost is not in the profile.
function lineNodes(members, level) {
  return members.map((i) => ({ name: sourceLineCosts.name[i], key: `n${i}`, level, routine: sourceLineCosts.routine[i], line: i, inclusive: null,
    own: sourceLineCosts.own[chosen.event][i], calls: null, iterations: null, growth: "", expand: null })).sort((a, b) => b.own - a.own);
}

function routineNode(routine, level) {
  const event = chosen.event, members = loopTree.of(routine), lines = linesIn.ofRoutine(routine);
  return { name: routines.name[routine], key: `r${routine}`, level, routine, inclusive: routines.inclusive[event][routine],
    own: routines.own[event][routine] - members.reduce((sum, i) => sum + ownWithInner(i, event), 0),
    calls: routines.calls[routine], iterations: null, growth: routines.metric[chosen.metric].growth[event][routine],
    expand: members.length || lines.length ? () => withinRoutine(routine, level + 1) : null };
}

const withinRoutine = (routine, level) => [...loopNodes(loopTree.of(routine), level), ...lineNodes(linesIn.ofRoutine(routine), level)];

const ownWithInner = (i, event) => loopTree.inner[i].reduce((sum, j) => sum + ownWithInner(j, event), loops.own[event][i]);

// Objects and files, by the self cost of all in them.
function scopeNodes(members, level, kinds) {
  if (!kinds.length) return byInclusive(members.map((routine) => routineNode(routine, level)));
  const [{ key, name }, ...deeper] = kinds;
  return [...groupBy(members, key)].map(([k, group]) => ({
    name: name(group[0]), key: `s${level}.${key(group[0])}.${k}`, level, routine: null, inclusive: null, own: addUp(routines.own[chosen.event], group),
    calls: null, iterations: null, growth: "", expand: () => scopeNodes(group, level + 1, deeper),
  })).sort((a, b) => b.own - a.own);
}

const SCOPES = [
  { key: (r) => routines.object[r], name: (r) => baseName(objectOf(r)) },
  { key: (r) => `${routines.object[r]}:${routines.file[r]}`, name: (r) => baseName(fileOf(r)) || "(no source file)" },
];

// Whether it is a loop or a line.
const isInRoutine = (node) => node.loop !== undefined || node.line !== undefined;

class LoopView extends TreeView {
  constructor(place, opened) {
    super(place, { id: "loops", label: "Objects, files, routines, loops and lines",
      hot: { id: "hot-loop", text: "Hot loop", title: "Opens the costliest object, file, routine and loop, with its lines" } });
    this.opened = opened;
    document.addEventListener("chosen", () => this.start());
    this.start();
  }

  start() {
    this.roots = scopeNodes(routines.name.map((_, r) => r), 1, SCOPES);
    this.expanded.clear();
    this.openHot();
    this.refresh();
  }

  columns() {
    const all = () => summary.totals[chosen.event];
    const number = this.numberColumn;
    const some = (value) => (value === null ? "" : whole(value));
    return [
      this.treeColumn("object, file, routine, loop, line", (node) => (node.routine === null ? null : isInRoutine(node) ? node.name : fullName(node.routine))),
      { ...number("share", "%", 1, (n) => (n.inclusive === null ? "" : percentage(share(n.inclusive, all()))), "Inclusive cost, percent of the run"),
        part: (n) => share(n.inclusive ?? 0, all()) },
      { ...number("ownShare", "self %", 2, (n) => percentage(share(n.own, all())), "Self cost, without inner loops; of a line, wherever the compiler has put its code"), part: (n) => share(n.own, all()) },
      number("trips", "trips", 3, (n) => (n.loop === undefined ? "" : shortTrips(n.loop)), "Iterations of an execution, mean"),
      number("calls", "executions", 4, (n) => some(n.calls), "Executions of a loop, calls of a routine"),
      { id: "growth", title: "growth", rank: 3, least: 62, sorts: false, cell: (n) => (n.growth === "cannot tell" ? "" : n.growth), help: "A loop's by its input size or, if that tells nothing, by its iterations" },
      number("inclusive", "cost", 6, (n) => some(n.inclusive), "Inclusive cost"),
    ];
  }

  counted() {
    return plural(loops.name.length, "loop");
  }

  openNode(node) {
    if (node.routine === null) this.toggle(node);
    else this.opened(node.routine, node.key);
  }

  // To the costliest loop by self cost, whose node is returned.
  openHot() {
    const own = loops.own[chosen.event];
    if (!own.length) return null;
    const hottest = own.indexOf(own.reduce((a, b) => Math.max(a, b), 0));
    const path = new Set([`r${loops.routine[hottest]}`]);
    for (let i = hottest; i >= 0; i = loops.parent[i]) path.add(`l${i}`);
    const holds = (node) => node.expand && this.childrenOf(node).some((child) => path.has(child.key) || (child.routine === null && holds(child)));
    let nodes = this.roots, last = null;
    while (nodes.length) {
      const next = nodes.find((node) => path.has(node.key) || (node.routine === null && holds(node)));
      if (!next) break;
      last = next;
      if (!next.expand) break;
      this.expanded.add(next.key);
      if (next.key === `l${hottest}`) break;
      nodes = this.childrenOf(next);
    }
    return last;
  }
}
