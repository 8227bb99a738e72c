// A table below filters that can be searched, sorted and reset. Those who extend it say what passes:
// `controls()` makes the filters, `found()` the rows, in order.

class TableView {
  // `nothing`: the filter that all rows pass, `by`: the column that sorts at first, `noun`: of a row.
  constructor(place, columns, { label, empty, opened, nothing, by, textColumns, noun, all }) {
    Object.assign(this, { nothing, by, textColumns, noun, all });
    this.filter = { ...nothing };
    this.descending = true;
    this.count = el("output", { id: "count", "aria-live": "polite" });
    this.hidden = new HiddenColumns();
    this.rows = new VirtualRows(place, columns, { label, empty, opened, sorted: (id) => this.sort(id),
      narrow: (hidden) => this.hidden.say(hidden) });
    this.form = document.getElementById("filters");
    this.form.addEventListener("submit", (event) => event.preventDefault());
  }

  searchField(what) {
    return el("input", { type: "search", id: "search", placeholder: "Search  /", size: 22,
      "aria-label": `Search ${what}`, spellcheck: "false", autocomplete: "off", value: this.filter.text,
      oninput: () => this.change("text", this.search.value), onkeydown: (event) => this.searchKey(event) });
  }

  searchKey(event) {
    if (event.key === "Escape" && this.search.value) {
      this.search.value = "";
      this.change("text", "");
      event.stopPropagation();
    } else if (event.key === "ArrowDown" || event.key === "Enter") {
      this.rows.table.focus();
      this.rows.move(Math.max(0, this.rows.cursor));
    } else return;
    event.preventDefault();
  }

  // `options`: [value, text] each.
  select(name, any, options) {
    return el("select", { id: `filter-${name}`, "aria-label": any, onchange: (event) => this.change(name, event.target.value) },
      el("option", { value: "" }, any),
      options.map(([key, text]) => el("option", { value: key, selected: String(key) === this.filter[name] }, text)));
  }

  // [key, "name (count)"] of each distinct value, the most frequent first.
  counted(values, name) {
    const counts = new Map();
    for (const value of values) counts.set(value, (counts.get(value) || 0) + 1);
    return [...counts].sort((a, b) => b[1] - a[1]).map(([key, n]) => [key, `${name(key)} (${whole(n)})`]);
  }

  resetButton() {
    return el("button", { type: "button", id: "reset", onclick: () => this.reset() }, "Reset");
  }

  change(name, value) {
    this.filter[name] = value;
    this.refresh();
  }

  reset() {
    this.filter = { ...this.nothing };
    this.controls();
    this.refresh();
    this.search.focus();
  }

  sort(id) {
    this.descending = id === this.by ? !this.descending : !this.textColumns.has(id);
    this.by = id;
    this.refresh();
    this.rows.head.querySelector(`[data-column=${id}]`).focus();
  }

  refresh() {
    const found = this.found(), all = plural(this.all, this.noun);
    this.count.textContent = found.length === this.all ? all : `${whole(found.length)} of ${all}`;
    this.rows.heads(this.by, this.descending);
    this.rows.set(found, true);
    this.rows.place.scrollTop = 0;
  }
}
