// The view of calling contexts: one of three trees, or an icicle.

const TREES = [
  ["top-down", "Top-down", "loops, lines and callees below callers; lines where a routine has one context"],
  ["bottom-up", "Bottom-up", "callers below callees, by self cost"],
  ["flat", "Flat", "object, file, routine, loop, line"],
  ["icicle", "Icicle", "callees below callers, as wide as their cost"],
];

// Null where the profile has no contexts, which the place says then.
function contextViewIn(place, opened) {
  if (contextCount) return new ContextView(place, opened);
  place.replaceChildren(el("p", { class: "note" }, "This profile has no calling contexts: profile with --contexts=yes."));
  return null;
}

class ContextView extends TreeView {
  constructor(place, opened) {
    super(place, { id: "contexts", label: "Calling contexts",
      hot: { id: "hot-path", text: "Hot path", title: "Opens the costliest path, as far as one callee has half of its caller's cost" },
      before: [choice("tree", "tree", TREES, "top-down", (value) => this.choose(value))] });
    this.opened = opened;
    this.picture = el("div", { class: "icicle-view", hidden: true });
    place.append(this.picture);
    this.icicle = new Icicle(this.picture, opened);
    document.addEventListener("chosen", () => this.choose(this.kind));
    this.choose("top-down");
    this.openHot();
    this.refresh();
  }

  columns() {
    const all = () => summary.totals[chosen.event];
    const number = this.numberColumn;
    return [
      this.treeColumn("routine", (node) => (node.routine === null ? null : fullName(node.routine))),
      number("inclusive", "cost", 2, (n) => (n.inclusive === null ? "" : whole(n.inclusive)), "Inclusive cost"),
      { ...number("share", "%", 1, (n) => (n.inclusive === null ? "" : percentage(share(n.inclusive, all()))), "Percent of the run"), part: (n) => share(n.inclusive ?? 0, all()) },
      number("own", "self", 5, (n) => whole(n.own), "Self cost"),
      { ...number("ownShare", "%", 4, (n) => percentage(share(n.own, all())), "Percent of the run"), part: (n) => share(n.own, all()) },
      number("calls", "calls", 3, (n) => (n.calls === null ? "" : whole(n.calls)), "Activations; executions of loops"),
      number("sizes", "sizes", 6, (n) => (this.kind === "top-down" && !isInRoutine(n) ? whole(contexts.sizes[n.contexts[0]]) : ""), "Distinct input sizes in this context"),
      { id: "growth", title: "growth", rank: 3, least: 62, sorts: false, cell: (n) => this.growthOf(n), help: "Of contexts with five sizes and 1 % of the cost" },
      number("contexts", "contexts", 7, (n) => whole(n.contexts.length), "Calling contexts added up"),
      { id: "place", title: "object:file:line", rank: 8, least: 90, sorts: false, cell: (n) => (n.routine === null ? "" : placeNode(placeOf(n.routine))) },
    ];
  }

  growthOf(node) {
    const ofContext = () => (node.contexts.length === 1 ? contexts.growth[node.contexts[0]] : "");
    const growth = isInRoutine(node) ? node.growth : ofContext();
    return growth === "cannot tell" ? "" : growth;
  }

  choose(kind) {
    this.kind = kind;
    this.picture.hidden = kind !== "icicle";
    this.rows.place.hidden = kind === "icicle";
    this.expanded.clear();
    this.roots = { "top-down": topDownWithLoops, "bottom-up": bottomUp, flat, icicle: topDown }[kind]();
    this.icicle.draw();
    this.rows.cursor = -1;
    this.rows.place.scrollTop = 0;
    if (this.roots.length === 1) this.expanded.add(this.roots[0].key);
    this.refresh();
  }

  counted() {
    return plural(contextCount, "context");
  }

  openHot() {
    let nodes = this.roots, cost = Infinity, last = null;
    while (nodes.length) {
      nodes = nodes.filter((node) => !isInRoutine(node));
      if (!nodes.length) break;
      const hot = nodes.reduce((a, b) => (b.inclusive > a.inclusive ? b : a));
      if (last && hot.inclusive < cost / 2) break;
      last = hot;
      cost = hot.inclusive;
      if (!hot.expand) break;
      this.expanded.add(hot.key);
      nodes = this.childrenOf(hot);
    }
    return last;
  }

  openNode(node) {
    if (node.routine === null) this.toggle(node);
    else this.opened(node.routine, node.contexts.length === 1 && this.kind === "top-down" && !isInRoutine(node) ? node.contexts[0] : null, node.key);
  }
}
