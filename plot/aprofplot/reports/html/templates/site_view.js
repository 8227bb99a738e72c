// The view of all call sites: filters above a table.

const measured = (id, title, rank, measure, value, help) => ({
  id, title, rank, numeric: true, cell: (s) => whole(number(s, measure, value)), key: (s) => number(s, measure, value), help });
const ratio = (id, title, rank, measure, help) => ({
  id, title, rank, numeric: true, cell: (s) => parallelism(parallelismOf(s, measure)), key: (s) => parallelismOf(s, measure) ?? -1, help });

const siteName = (s) => {
  const parts = sites.name[s].split(/( -> )/);
  return parts.length < 3 ? parts[0] : el("span", { class: "site" }, parts.map((part) => el("span", {}, part)));
};

const SITE_COLUMNS = [
  { id: "name", title: "call site", least: 170, fills: true, cell: siteName, tip: fullName, key: (s) => sites.name[s].toLowerCase(),
    help: "Caller and callee; their whole names are in the details" },
  { id: "place", title: "file:line", rank: 3, least: 110, cell: (s) => placeNode(sites.place[s]), tip: (s) => `${sites.line[s][0]}:${sites.line[s][1]}`,
    key: (s) => sites.place[s].toLowerCase(), help: "Where the call is" },
  { id: "kind", title: "kind", rank: 10, says: sites.spawned.some(Boolean), cell: (s) => sites.kind[s], key: (s) => sites.kind[s], help: "main: nobody called it; call; spawn" },
  { id: "share", title: "% span", rank: 1, numeric: true, cell: (s) => percentage(spanShare(s)), key: spanShare, part: spanShare,
    help: "Local span on span, percent of the program's span: what the callee's own code takes of the longest path" },
  measured("local_span", "local span on span", 4, ON_SPAN.local, SPAN, "What the callee's own code, called from here, takes of the longest path"),
  measured("span_count", "calls on span", 9, ON_SPAN.local, COUNT, "Calls that return on the longest path"),
  ratio("span_parallelism", "par. on span", 8, ON_SPAN.top, "Parallelism of the calls on the longest path"),
  measured("work", "work", 5, ON_WORK.top, WORK, "Work of all calls from here, recursion counted once"),
  { id: "work_share", title: "%", rank: 6, numeric: true, cell: (s) => percentage(workShare(s)), key: workShare, part: workShare, help: "The same, percent of the program's work" },
  measured("span", "span", 7, ON_WORK.top, SPAN, "Their span"),
  ratio("parallelism", "parallelism", 2, ON_WORK.top, "Work / span"),
  measured("calls", "calls", 8, ON_WORK.local, COUNT, "All calls from here"),
  { id: "spawned", title: "spawned", rank: 11, says: sites.spawned.some(Boolean), numeric: true, cell: (s) => whole(sites.spawned[s]), key: (s) => sites.spawned[s], help: "How many of them were spawned" },
];
const TEXT_COLUMNS = new Set(["name", "place", "kind"]);

class SiteView extends TableView {
  constructor(opened) {
    super(document.getElementById("sites"), SITE_COLUMNS, {
      label: "Call sites", empty: "No call site passes the filters.", opened, by: "local_span",
      textColumns: TEXT_COLUMNS, noun: "call site", all: sites.name.length, nothing: { text: "", kind: "" } });
    this.haystacks = sites.name.map((_, s) => `${fullName(s)}\n${sites.line[s][0]}:${sites.line[s][1]}\n${sites.object[s]}`.toLowerCase());
    this.controls();
    this.refresh();
  }

  controls() {
    this.search = this.searchField("name, file, line, object");
    this.form.replaceChildren(this.search, this.select("kind", "any kind", this.counted(sites.kind, (kind) => kind)),
      this.resetButton(), this.count, this.hidden.element);
  }

  found() {
    const words = this.filter.text.toLowerCase().split(/\s+/).filter(Boolean);
    const found = [...sites.name.keys()].filter((s) => (this.filter.kind === "" || sites.kind[s] === this.filter.kind) &&
      words.every((word) => this.haystacks[s].includes(word)));
    const key = SITE_COLUMNS.find((c) => c.id === this.by).key, order = this.descending ? -1 : 1;
    const keys = new Map(found.map((s) => [s, key(s)]));
    return found.sort((a, b) => (keys.get(a) < keys.get(b) ? -order : keys.get(a) > keys.get(b) ? order : a - b));
  }
}
