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

class LoopView {
  constructor(place, opened) {
    this.opened = opened;
    this.expanded = new Set();
    this.count = el("output", { class: "faint" });
    this.hidden = new HiddenColumns();
    const rows = el("div", { class: "rows", id: "loops" });
    place.replaceChildren(el("div", { class: "bar" },
      el("button", { type: "button", id: "hot-loop", title: "Opens the costliest object, file, routine and loop", onclick: () => this.hot() }, "Hot loop"),
      el("button", { type: "button", onclick: () => this.collapse() }, "Collapse"), this.count, this.hidden.element), rows);
    this.rows = new VirtualRows(rows, this.columns(), {
      narrow: (hidden) => this.hidden.say(hidden), label: "Objects, files, routines and loops", role: "treegrid", key: (node) => node.key,
      sorted: () => {}, opened: (node) => (node.routine === null ? this.toggle(node) : this.opened(node.routine, node.key)),
      pressed: (event, node) => this.pressed(event, node),
      attributes: (node) => ({ "aria-level": node.level, "aria-expanded": node.expand ? String(this.expanded.has(node.key)) : null }),
    });
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
    const number = (id, title, rank, cell, help) => ({ id, title, rank, numeric: true, sorts: false, cell, help });
    const some = (value) => (value === null ? "" : whole(value));
    return [
      { id: "tree", title: "object, file, routine, loop", least: 220, fills: true, sorts: false, indent: (node) => (node.level - 1) * 14 + 15, cell: (node) => this.nameCell(node),
        tip: (node) => (node.routine === null ? null : node.loop === undefined ? fullName(node.routine) : node.name) },
      number("share", "%", 1, (n) => (n.inclusive === null ? "" : percentage(share(n.inclusive, all()))), "Inclusive cost, percent of the run"),
      number("ownShare", "self %", 2, (n) => percentage(share(n.own, all())), "Self cost, without inner loops"),
      number("trips", "trips", 3, (n) => (n.loop === undefined ? "" : shortTrips(n.loop)), "Iterations of an execution, mean"),
      number("calls", "executions", 4, (n) => some(n.calls), "Executions of a loop, calls of a routine"),
      { id: "growth", title: "growth", rank: 3, least: 62, sorts: false, cell: (n) => (n.growth === "cannot tell" ? "" : n.growth), help: "A loop's by its iterations" },
      number("inclusive", "cost", 6, (n) => some(n.inclusive), "Inclusive cost"),
    ];
  }

  nameCell(node) {
    const open = this.expanded.has(node.key);
    const mark = node.expand
      ? el("button", { type: "button", class: "twist", tabindex: -1, "aria-label": open ? "Close" : "Open", onclick: () => this.toggle(node) }, open ? "▾" : "▸")
      : el("span", { class: "twist" });
    const cell = el("span", { class: "node" }, mark, node.name);
    cell.style.paddingLeft = `${(node.level - 1) * 14}px`;
    return cell;
  }

  // Children are made once.
  childrenOf(node) {
    node.children = node.children || node.expand();
    return node.children;
  }

  refresh() {
    const shown = [];
    const add = (nodes) => nodes.forEach((node) => {
      shown.push(node);
      if (node.expand && this.expanded.has(node.key)) add(this.childrenOf(node));
    });
    add(this.roots);
    this.count.textContent = `${plural(loops.name.length, "loop")}, ${plural(shown.length, "row")} shown`;
    this.rows.set(shown, true);
  }

  toggle(node) {
    if (!this.expanded.delete(node.key)) this.expanded.add(node.key);
    this.refresh();
  }

  collapse() {
    this.expanded.clear();
    this.refresh();
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

  hot() {
    const last = this.openHot();
    this.refresh();
    this.rows.move(this.rows.rows.indexOf(last));
    this.rows.table.focus();
  }

  pressed(event, node) {
    const open = this.expanded.has(node.key);
    if (event.key === "ArrowRight" && node.expand && !open) this.toggle(node);
    else if (event.key === "ArrowRight" && node.expand) this.rows.move(this.rows.cursor + 1);
    else if (event.key === "ArrowLeft" && open) this.toggle(node);
    else if (event.key === "ArrowLeft") {
      let at = this.rows.cursor;
      while (at > 0 && this.rows.rows[at].level >= node.level) at--;
      this.rows.move(at);
    } else return false;
    return true;
  }
}
