// The view of all call sites: filters above a table.

const measured = (id, title, width, measure, value, help) => ({
  id, title, width, numeric: true, cell: (s) => whole(number(s, measure, value)), key: (s) => number(s, measure, value), help });
const ratio = (id, title, width, measure, help) => ({
  id, title, width, numeric: true, cell: (s) => parallelism(parallelismOf(s, measure)), key: (s) => parallelismOf(s, measure) ?? -1, help });

const SITE_COLUMNS = [
  { id: "name", title: "call site", width: 0, cell: (s) => sites.name[s], tip: fullName, key: (s) => sites.name[s].toLowerCase(),
    help: "Caller and callee; their whole names are in the details" },
  { id: "place", title: "file:line", width: 148, cell: (s) => sites.place[s], tip: (s) => `${sites.line[s][0]}:${sites.line[s][1]}`,
    key: (s) => sites.place[s].toLowerCase(), help: "Where the call is" },
  { id: "kind", title: "kind", width: 52, cell: (s) => sites.kind[s], key: (s) => sites.kind[s], help: "main: nobody called it; call; spawn" },
  { id: "share", title: "% span", width: 60, numeric: true, cell: (s) => percentage(spanShare(s)), key: spanShare,
    help: "Local span on span, percent of the program's span: what the callee's own code takes of the longest path" },
  measured("local_span", "local span on span", 130, ON_SPAN.local, SPAN, "What the callee's own code, called from here, takes of the longest path"),
  measured("span_count", "calls on span", 100, ON_SPAN.local, COUNT, "Calls that return on the longest path"),
  ratio("span_parallelism", "par. on span", 88, ON_SPAN.top, "Parallelism of the calls on the longest path"),
  measured("work", "work", 108, ON_WORK.top, WORK, "Work of all calls from here, recursion counted once"),
  { id: "work_share", title: "%", width: 48, numeric: true, cell: (s) => percentage(workShare(s)), key: workShare, help: "The same, percent of the program's work" },
  measured("span", "span", 108, ON_WORK.top, SPAN, "Their span"),
  ratio("parallelism", "parallelism", 84, ON_WORK.top, "Work / span"),
  measured("calls", "calls", 84, ON_WORK.local, COUNT, "All calls from here"),
  { id: "spawned", title: "spawned", width: 84, numeric: true, cell: (s) => whole(sites.spawned[s]), key: (s) => sites.spawned[s], help: "How many of them were spawned" },
];
const TEXT_COLUMNS = new Set(["name", "place", "kind"]);

class SiteView {
  constructor(opened) {
    this.filter = { text: "", kind: "" };
    this.by = "local_span";
    this.descending = true;
    this.count = el("output", { id: "count", "aria-live": "polite" });
    this.haystacks = sites.name.map((_, s) => `${fullName(s)}\n${sites.line[s][0]}:${sites.line[s][1]}\n${sites.object[s]}`.toLowerCase());
    this.rows = new VirtualRows(document.getElementById("sites"), SITE_COLUMNS,
      { label: "Call sites", opened, sorted: (id) => this.sort(id), empty: "No call site passes the filters." });
    this.form = document.getElementById("filters");
    this.form.addEventListener("submit", (event) => event.preventDefault());
    this.controls();
    this.refresh();
  }

  controls() {
    this.search = el("input", { type: "search", id: "search", placeholder: "Search  /", size: 22,
      "aria-label": "Search name, file, line, object", spellcheck: "false", autocomplete: "off",
      oninput: () => this.change("text", this.search.value), onkeydown: (event) => this.searchKey(event) });
    const kinds = new Map();
    for (const kind of sites.kind) kinds.set(kind, (kinds.get(kind) || 0) + 1);
    this.form.replaceChildren(this.search,
      el("select", { id: "filter-kind", "aria-label": "any kind", onchange: (event) => this.change("kind", event.target.value) },
        el("option", { value: "" }, "any kind"), [...kinds].map(([kind, n]) => el("option", { value: kind }, `${kind} (${whole(n)})`))),
      el("button", { type: "button", id: "reset", onclick: () => this.reset() }, "Reset"), this.count);
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

  change(name, value) {
    this.filter[name] = value;
    this.refresh();
  }

  reset() {
    this.filter = { text: "", kind: "" };
    this.controls();
    this.refresh();
    this.search.focus();
  }

  sort(id) {
    this.descending = id === this.by ? !this.descending : !TEXT_COLUMNS.has(id);
    this.by = id;
    this.refresh();
    this.rows.head.querySelector(`[data-column=${id}]`).focus();
  }

  refresh() {
    const words = this.filter.text.toLowerCase().split(/\s+/).filter(Boolean);
    const found = [...sites.name.keys()].filter((s) => (this.filter.kind === "" || sites.kind[s] === this.filter.kind) &&
      words.every((word) => this.haystacks[s].includes(word)));
    const key = SITE_COLUMNS.find((c) => c.id === this.by).key, order = this.descending ? -1 : 1;
    const keys = new Map(found.map((s) => [s, key(s)]));
    found.sort((a, b) => (keys.get(a) < keys.get(b) ? -order : keys.get(a) > keys.get(b) ? order : a - b));
    const all = sites.name.length;
    this.count.textContent = found.length === all ? plural(all, "call site") : `${whole(found.length)} of ${plural(all, "call site")}`;
    this.rows.heads(this.by, this.descending);
    this.rows.set(found, true);
    this.rows.place.scrollTop = 0;
  }
}
