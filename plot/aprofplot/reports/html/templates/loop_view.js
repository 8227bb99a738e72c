// The program as its source has it: object, file, routine, loops in loops.

const loops = summary.loops;

const loopTree = (() => {
  const inner = loops.routine.map(() => []), outermost = new Map();
  loops.parent.forEach((parent, i) => {
    if (parent >= 0) inner[parent].push(i);
    else outermost.set(loops.routine[i], [...(outermost.get(loops.routine[i]) || []), i]);
  });
  return { inner, of: (routine) => outermost.get(routine) || [] };
})();

const tripsOf = (i) => loops.iterations[i] / Math.max(1, loops.executions[i]);
const shortTrips = (i) => { const n = tripsOf(i); return n >= 10 || Number.isInteger(n) ? short(Math.round(n)) : n.toFixed(1); };

// A node: {name, key, level, routine, inclusive (null: files' do not add up), own, calls, iterations, growth, expand()}.
function loopNodes(members, level) {
  const event = chosen.event;
  return byInclusive(members.map((i) => ({
    name: loops.name[i], key: `l${i}`, level, routine: loops.routine[i], loop: i, inclusive: loops.inclusive[event][i], own: loops.own[event][i],
    calls: loops.executions[i], iterations: loops.iterations[i], growth: loops.growth[i],
    expand: loopTree.inner[i].length ? () => loopNodes(loopTree.inner[i], level + 1) : null,
  })));
}

function routineNode(routine, level) {
  const event = chosen.event, members = loopTree.of(routine);
  return { name: routines.name[routine], key: `r${routine}`, level, routine, inclusive: routines.inclusive[event][routine],
    own: routines.own[event][routine] - members.reduce((sum, i) => sum + ownWithInner(i, event), 0),
    calls: routines.calls[routine], iterations: null, growth: routines.metric[chosen.metric].growth[event][routine],
    expand: members.length ? () => loopNodes(members, level + 1) : null };
}

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

class LoopView extends TreeView {
  constructor(place, opened) {
    super(place, { id: "loops", label: "Objects, files, routines and loops",
      hot: { id: "hot-loop", text: "Hot loop", title: "Opens the costliest object, file, routine and loop" } });
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
      this.treeColumn("object, file, routine, loop", (node) => (node.routine === null ? null : node.loop === undefined ? fullName(node.routine) : node.name)),
      { ...number("share", "%", 1, (n) => (n.inclusive === null ? "" : percentage(share(n.inclusive, all()))), "Inclusive cost, percent of the run"),
        part: (n) => share(n.inclusive ?? 0, all()) },
      { ...number("ownShare", "self %", 2, (n) => percentage(share(n.own, all())), "Self cost, without inner loops"), part: (n) => share(n.own, all()) },
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
      if (!next.expand || next.key === `l${hottest}`) break;
      this.expanded.add(next.key);
      nodes = this.childrenOf(next);
    }
    return last;
  }
}
