// A table of a tree's nodes, to open and close. A node: {name, key, level, routine (null: none of its own),
// expand() (null: nothing below)}. What derives from it makes `roots`, and has
// columns(), openNode(node), counted() -> how many there are of what it shows, and openHot() -> the last node of
// the costliest path, which it opens.

class TreeView {
  // `id` of the rows, `label`: said of them, `hot`: {id, text, title} of the button, `before`: further controls.
  constructor(place, { id, label, hot, before = [] }) {
    this.roots = [];
    this.expanded = new Set();
    this.count = el("output", { class: "faint" });
    this.hidden = new HiddenColumns();
    const rows = el("div", { class: "rows", id });
    place.replaceChildren(
      el("div", { class: "bar" }, ...before,
        el("button", { type: "button", id: hot.id, title: hot.title, onclick: () => this.showHot() }, hot.text),
        el("button", { type: "button", onclick: () => this.collapse() }, "Collapse"), this.count, this.hidden.element),
      rows);
    this.rows = new VirtualRows(rows, this.columns(), {
      narrow: (hidden) => this.hidden.say(hidden), label, role: "treegrid", key: (node) => node.key, sorted: () => {},
      opened: (node) => this.openNode(node), pressed: (event, node) => this.pressed(event, node),
      attributes: (node) => ({ "aria-level": node.level, "aria-expanded": node.expand ? String(this.expanded.has(node.key)) : null }),
    });
  }

  treeColumn(title, tip) {
    return { id: "tree", title, least: 220, fills: true, sorts: false, indent: (node) => (node.level - 1) * 14 + 15, cell: (node) => this.nameCell(node), tip };
  }

  numberColumn(id, title, rank, cell, help) {
    return { id, title, rank, numeric: true, sorts: false, cell, help };
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

  // Children are made once, so that their numbers stay.
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
    this.count.textContent = `${this.counted()}, ${plural(shown.length, "row")} shown`;
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

  showHot() {
    const last = this.openHot();
    this.refresh();
    this.rows.move(this.rows.rows.indexOf(last));
    this.rows.table.focus();
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
