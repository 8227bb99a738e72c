// Which columns of a table are shown and how wide they are, so that names come first.
//
// A column has `rank`: where the window is narrow, that of the greatest goes first, one of rank 0
// never, and so stays the number that sorts; `least`: px to which it may be cut, but not below its
// head's width; without it, it is never cut; `fills`: it takes what room is left; `says`: false if it
// says nothing of this profile, so that it is not shown; `indent(row)`: px before the text.

const MEASURED = 300; // rows, and those that come into sight
const NAMES = 0.25; // of the room, at least, if they need it
const LONGEST = 6; // texts of a column that are laid out to measure it

class ColumnWidths {
  constructor(columns, place) {
    this.columns = columns.filter((c) => c.says !== false);
    this.needs = new Map(this.columns.map((c) => [c, 0]));
    this.heads = new Map(this.needs);
    this.place = place;
  }

  // Whether some column needs more than it did before.
  measure(rows) {
    const cells = this.columns.map((c) => {
      const texts = rows.slice(0, MEASURED).map((row) => [textOf(c.cell(row)), c.indent ? c.indent(row) : 0]);
      return texts.sort((a, b) => b[0].length + b[1] / 7 - a[0].length - a[1] / 7).slice(0, LONGEST);
    });
    const table = el("table", { class: "measure", "aria-hidden": "true" },
      el("thead", {}, el("tr", {}, this.columns.map((c) => el("th", {}, el("span", {}, c.sorts === false ? c.title : `${c.title} ▾`))))),
      el("tbody", {}, el("tr", {}, this.columns.map((c, i) => el("td", { class: c.numeric ? "number" : c.id },
        cells[i].map(([text, indent]) => indented(el("div", {}, text), indent)))))));
    this.place.append(table);
    let grown = false;
    this.columns.forEach((column, i) => {
      const head = table.rows[0].cells[i], { paddingLeft, paddingRight } = getComputedStyle(head);
      const title = head.firstChild.getBoundingClientRect().width;
      this.heads.set(column, Math.ceil(title + parseFloat(paddingLeft) + parseFloat(paddingRight)));
      const need = Math.ceil(head.getBoundingClientRect().width);
      grown = grown || need > this.needs.get(column);
      this.needs.set(column, Math.max(need, this.needs.get(column)));
    });
    table.remove();
    return grown;
  }

  // [column, px] of those that are shown in `room`; `sorted`: the id of the one that sorts.
  fit(room, sorted) {
    const least = (c) => Math.min(this.needs.get(c), c.fills ? Math.max(c.least, NAMES * room) : Math.max(c.least ?? Infinity, this.heads.get(c)));
    const rank = (c) => (c.id === sorted && c.numeric ? 0 : c.rank ?? 0);
    const sum = (shown, width) => shown.reduce((all, c) => all + width(c), 0);
    const shown = [...this.columns];
    while (sum(shown, least) > room) {
      const last = shown.reduce((a, b) => (rank(b) > rank(a) ? b : a));
      if (!rank(last)) break;
      shown.splice(shown.indexOf(last), 1);
    }
    const widths = new Map(shown.map((c) => [c, least(c)]));
    let spare = Math.max(0, room - sum(shown, least));
    const elastic = shown.filter((c) => c.least !== undefined).sort((a, b) => rank(a) - rank(b));
    for (const column of elastic) {
      const more = Math.min(spare, this.needs.get(column) - widths.get(column));
      widths.set(column, widths.get(column) + more);
      spare -= more;
    }
    const filling = shown.find((c) => c.fills) || shown[0];
    widths.set(filling, widths.get(filling) + spare);
    return shown.map((c) => [c, widths.get(c)]);
  }
}

// Where a table says that there is no room for some columns, and for which.
class HiddenColumns {
  constructor() {
    this.element = el("output", { class: "faint hidden-columns" });
  }

  say(columns) {
    this.element.textContent = columns.length ? `+ ${plural(columns.length, "column")}` : "";
    this.element.title = `In a wider window: ${columns.map((c) => c.title).join(", ")}`;
  }
}

const textOf = (content) => (content instanceof Node ? content.textContent : String(content ?? ""));

function indented(node, px) {
  if (px) node.style.paddingLeft = `${px}px`;
  return node;
}
