// The view of calling contexts: one of three trees.

const TREES = [
  ["top-down", "Top-down", "callees below callers"],
  ["bottom-up", "Bottom-up", "callers below callees, by self cost"],
  ["flat", "Flat", "object, file, routine"],
];

class ContextView {
  constructor(place, opened) {
    this.place = place;
    this.opened = opened;
    this.kind = "top-down";
    this.expanded = new Set();
    if (!contextCount) {
      place.replaceChildren(el("p", { class: "note" }, "This profile has no calling contexts: profile with --contexts=yes."));
      return;
    }
    this.count = el("output", { class: "faint" });
    this.hidden = new HiddenColumns();
    const rows = el("div", { class: "rows", id: "contexts" });
    place.replaceChildren(
      el("div", { class: "bar" }, choice("tree", "tree", TREES, this.kind, (value) => this.choose(value)),
        el("button", { type: "button", id: "hot-path", title: "Opens the costliest path, as far as one callee has half of its caller's cost", onclick: () => this.hotPath() }, "Hot path"),
        el("button", { type: "button", onclick: () => this.collapse() }, "Collapse"), this.count, this.hidden.element),
      rows);
    this.rows = new VirtualRows(rows, this.columns(), {
      narrow: (hidden) => this.hidden.say(hidden), label: "Calling contexts", role: "treegrid", key: (node) => node.key, sorted: () => {},
      opened: (node) => this.openNode(node), pressed: (event, node) => this.pressed(event, node),
      attributes: (node) => ({ "aria-level": node.level, "aria-expanded": node.expand ? String(this.expanded.has(node.key)) : null }),
    });
    document.addEventListener("chosen", () => this.choose(this.kind));
    this.choose(this.kind);
    this.expandHotPath();
    this.refresh();
  }

  columns() {
    const all = () => summary.totals[chosen.event];
    const number = (id, title, rank, cell, help) => ({ id, title, rank, numeric: true, sorts: false, cell, help });
    return [
      { id: "tree", title: "routine", least: 220, fills: true, sorts: false, indent: (node) => (node.level - 1) * 14 + 15, cell: (node) => this.nameCell(node),
        tip: (node) => (node.routine === null ? null : fullName(node.routine)) },
      number("inclusive", "cost", 2, (n) => whole(n.inclusive), "Inclusive cost"),
      number("share", "%", 1, (n) => percentage(share(n.inclusive, all())), "Percent of the run"),
      number("own", "self", 5, (n) => whole(n.own), "Self cost"),
      number("ownShare", "%", 4, (n) => percentage(share(n.own, all())), "Percent of the run"),
      number("calls", "calls", 3, (n) => whole(n.calls), "Activations"),
      number("sizes", "sizes", 6, (n) => (this.kind === "top-down" ? whole(contexts.sizes[n.contexts[0]]) : ""), "Distinct input sizes in this context"),
      number("contexts", "contexts", 7, (n) => whole(n.contexts.length), "Calling contexts added up"),
      { id: "place", title: "object:file:line", rank: 8, least: 90, sorts: false, cell: (n) => (n.routine === null ? "" : placeOf(n.routine)) },
    ];
  }

  nameCell(node) {
    const mark = node.expand
      ? el("button", { type: "button", class: "twist", tabindex: -1, "aria-label": this.expanded.has(node.key) ? "Close" : "Open",
                       onclick: () => this.toggle(node) }, this.expanded.has(node.key) ? "▾" : "▸")
      : el("span", { class: "twist" });
    const cell = el("span", { class: "node" }, mark, node.name);
    cell.style.paddingLeft = `${(node.level - 1) * 14}px`;
    return cell;
  }

  choose(kind) {
    this.kind = kind;
    this.expanded.clear();
    this.roots = { "top-down": topDown, "bottom-up": bottomUp, flat }[kind]();
    this.rows.cursor = -1;
    this.rows.place.scrollTop = 0;
    if (this.roots.length === 1) this.expanded.add(this.roots[0].key);
    this.refresh();
  }

  // Children are made once, so that their numbers stay.
  childrenOf(node) {
    node.children = node.children || node.expand();
    return node.children;
  }

  refresh() {
    const shown = [];
    const add = (nodes) => {
      for (const node of nodes) {
        shown.push(node);
        if (node.expand && this.expanded.has(node.key)) add(this.childrenOf(node));
      }
    };
    add(this.roots);
    this.count.textContent = `${plural(contextCount, "context")}, ${plural(shown.length, "row")} shown`;
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

  // Returns its last node.
  expandHotPath() {
    let nodes = this.roots, cost = Infinity, last = null;
    while (nodes.length) {
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

  hotPath() {
    const last = this.expandHotPath();
    this.refresh();
    this.rows.move(this.rows.rows.indexOf(last));
    this.rows.table.focus();
  }

  openNode(node) {
    if (node.routine === null) this.toggle(node);
    else this.opened(node.routine, node.contexts.length === 1 && this.kind === "top-down" ? node.contexts[0] : null, node.key);
  }

  pressed(event, node) {
    const open = this.expanded.has(node.key);
    if (event.key === "ArrowRight" && node.expand) {
      if (open) this.rows.move(this.rows.cursor + 1);
      else this.toggle(node);
    } else if (event.key === "ArrowLeft") {
      if (open) this.toggle(node);
      else {
        let at = this.rows.cursor;
        while (at > 0 && this.rows.rows[at].level >= node.level) at--;
        this.rows.move(at);
      }
    } else return false;
    return true;
  }
}
