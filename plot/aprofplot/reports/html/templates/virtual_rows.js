// A table of any length of which only the rows in sight are in the document.
//
// columns: {id, title, help, numeric, cell(row) -> text or node, tip(row) -> text, sorts, part(row) -> percent, for a bar}, and what
// column_widths.js says. options: {label, role, key(row), attributes(row) -> attributes, opened(row),
// sorted(id), key pressed: pressed(event, row) -> handled, empty: said of no rows, narrow(columns):
// told which columns there is no room for}.

const ROW_HEIGHT = 21; // as in page.css
const SPARE = 8; // rows above and below those in sight

class VirtualRows {
  constructor(place, columns, options) {
    this.place = place;
    this.widths = new ColumnWidths(columns, place);
    this.shown = this.widths.columns;
    this.options = options;
    this.rows = [];
    this.cursor = -1;
    this.open = null;
    this.all = false; // for printing
    this.head = el("tr", { role: "row", "aria-rowindex": 1 });
    this.above = el("tr", { role: "presentation", class: "space" });
    this.below = el("tr", { role: "presentation", class: "space" });
    this.body = el("tbody", { role: "rowgroup" });
    this.empty = el("p", { class: "note", hidden: true }, options.empty || "No routine passes the filters.");
    this.cols = el("colgroup");
    this.table = el("table", { role: options.role || "grid", "aria-label": options.label, tabindex: 0,
                               onfocus: () => this.focused(), onkeydown: (e) => this.pressed(e), onclick: (e) => this.clicked(e) },
      this.cols,
      el("thead", { role: "rowgroup" }, this.head), this.body);
    this.name = `rows${VirtualRows.count = (VirtualRows.count || 0) + 1}`;
    place.replaceChildren(this.table, this.empty);
    place.addEventListener("scroll", () => this.draw());
    new ResizeObserver(() => { this.widths.measure(this.rows); this.fit(); this.draw(); }).observe(place);
    this.heads(null, false);
  }

  // Columns anew, as the place has room for them.
  fit() {
    if (!this.place.clientWidth) return; // not laid out
    const fitted = this.all ? this.widths.columns.map((c) => [c, 0]) : this.widths.fit(this.place.clientWidth, this.sorted);
    const columns = fitted.map(([column]) => column);
    const same = columns.length === this.shown.length && columns.every((c, i) => c === this.shown[i]);
    this.shown = columns;
    this.cols.replaceChildren(...fitted.map(([, width]) => {
      const col = el("col");
      if (width) col.style.width = `${width}px`;
      return col;
    }));
    this.table.style.minWidth = `${fitted.reduce((all, [, width]) => all + width, 0)}px`;
    if (same) return;
    this.heads(this.sorted, this.descending);
    this.draw(true);
    if (this.options.narrow) this.options.narrow(this.widths.columns.filter((c) => !columns.includes(c)));
  }

  heads(sorted, descending) {
    Object.assign(this, { sorted, descending });
    this.head.replaceChildren(...this.shown.map((c) => {
      const order = c.id === sorted ? (descending ? "descending" : "ascending") : "none";
      const title = c.sorts === false ? el("span", { title: c.help }, c.title)
        : el("button", { type: "button", title: c.help, "data-column": c.id, tabindex: 0,
                         onclick: () => this.options.sorted(c.id) }, c.title);
      return el("th", { role: "columnheader", scope: "col", class: c.numeric ? "number" : null,
                        "aria-sort": c.sorts === false ? null : order }, title);
    }));
  }

  set(rows, keepCursor) {
    const key = this.options.key || ((row) => row);
    const at = keepCursor && this.cursor >= 0 ? key(this.rows[this.cursor]) : null;
    this.rows = rows;
    this.cursor = at === null ? -1 : rows.findIndex((row) => key(row) === at);
    this.table.setAttribute("aria-rowcount", rows.length + 1);
    this.empty.hidden = rows.length > 0;
    this.first = -1;
    this.widths.measure(rows);
    this.fit();
    this.draw();
  }

  draw(force) {
    const height = this.place.clientHeight || 400;
    const first = this.all ? 0 : Math.max(0, Math.floor(this.place.scrollTop / ROW_HEIGHT) - SPARE);
    const count = this.all ? this.all : Math.ceil(height / ROW_HEIGHT) + 2 * SPARE;
    const start = Math.max(0, Math.min(first, this.rows.length - 1));
    const stop = Math.min(this.rows.length, start + count);
    if (!force && start === this.first && stop === this.last) return;
    [this.first, this.last] = [start, stop];
    this.above.style.height = `${start * ROW_HEIGHT}px`;
    this.below.style.height = this.all ? "0" : `${(this.rows.length - stop) * ROW_HEIGHT}px`;
    const made = [];
    for (let index = start; index < stop; index++) made.push(this.row(index));
    this.body.replaceChildren(this.above, ...made, this.below);
    if (start !== this.measured) {
      this.measured = start;
      if (this.widths.measure(this.rows.slice(start, stop))) this.fit();
    }
    const active = this.cursor >= start && this.cursor < stop ? `${this.name}-${this.cursor}` : null;
    if (active) this.table.setAttribute("aria-activedescendant", active);
    else this.table.removeAttribute("aria-activedescendant");
  }

  row(index) {
    const row = this.rows[index];
    const key = (this.options.key || ((r) => r))(row);
    const cells = this.shown.map((c) => {
      const content = c.cell(row);
      const cell = el("td", { role: "gridcell", class: c.part ? "number part" : c.numeric ? "number" : c.id,
                              title: c.tip ? c.tip(row) : typeof content === "string" && !c.numeric ? content : null },
        content);
      if (c.part) cell.style.setProperty("--part", `${Math.min(100, c.part(row)).toFixed(1)}%`);
      return cell;
    });
    return el("tr", { role: "row", id: `${this.name}-${index}`, "data-index": index,
                      "aria-rowindex": index + 2, class: index === this.cursor ? "cursor" : null,
                      "aria-selected": key === this.open ? "true" : "false",
                      ...(this.options.attributes ? this.options.attributes(row) : {}) }, cells);
  }

  // Shows which row is open; `key` as options.key gives it.
  mark(key) {
    this.open = key;
    this.draw(true);
  }

  move(index) {
    if (!this.rows.length) return;
    this.cursor = Math.max(0, Math.min(index, this.rows.length - 1));
    const top = this.cursor * ROW_HEIGHT, room = this.place.clientHeight - 2 * ROW_HEIGHT - 10;
    if (top < this.place.scrollTop) this.place.scrollTop = top;
    else if (top > this.place.scrollTop + room) this.place.scrollTop = top - room;
    this.draw(true);
  }

  // By keys, not by the mouse: a row must be where the keys start from. (Rows made anew while the
  // mouse is down would take the click with them.)
  focused() {
    if (this.cursor >= 0 || !this.rows.length || !this.table.matches(":focus-visible")) return;
    this.cursor = Math.min(Math.ceil(this.place.scrollTop / ROW_HEIGHT), this.rows.length - 1);
    this.draw(true);
  }

  clicked(event) {
    const row = event.target.closest("tr[data-index]");
    if (!row) return;
    this.cursor = Number(row.dataset.index);
    this.draw(true);
    if (!event.target.closest("button")) this.options.opened(this.rows[this.cursor]);
  }

  pressed(event) {
    if (event.target.closest("button") || event.ctrlKey || event.altKey || event.metaKey) return;
    const page = Math.max(1, Math.floor(this.place.clientHeight / ROW_HEIGHT) - 2);
    const moves = { ArrowDown: this.cursor + 1, ArrowUp: this.cursor - 1, PageDown: this.cursor + page,
                    PageUp: this.cursor - page, Home: 0, End: this.rows.length - 1 };
    const row = this.rows[this.cursor];
    if (event.key in moves) this.move(moves[event.key]);
    else if ((event.key === "Enter" || event.key === " ") && row !== undefined) this.options.opened(row);
    else if (!this.options.pressed || row === undefined || !this.options.pressed(event, row)) return;
    event.preventDefault();
  }

  // For paper: the first `most` rows of all, or back to those in sight (0).
  print(most) {
    this.all = most;
    this.fit();
    this.draw(true);
  }
}
