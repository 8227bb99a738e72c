// What the pages do alike: tabs, keys, paper.

const ON_PAPER = 200; // rows of a table
const byId = (id) => document.getElementById(id);

class Frame {
  // `table`: a TableView, in the tab `searched`; `shown` is called with the tab that was chosen.
  constructor(tabs, searched, table, details, shown) {
    Object.assign(this, { tabs, searched, table, details, shown });
    this.view = searched;
    for (const tab of tabs) byId(`tab-${tab}`).addEventListener("click", () => this.show(tab));
    document.querySelector("nav").addEventListener("keydown", (event) => this.tabKeys(event));
    document.addEventListener("keydown", (event) => this.keys(event));
    window.addEventListener("beforeprint", () => table.rows.print(ON_PAPER));
    window.addEventListener("afterprint", () => table.rows.print(0));
    makeSplitter(byId("splitter"));
  }

  // Now, and when the address changes.
  ready(follow) {
    follow();
    window.addEventListener("hashchange", follow);
    document.documentElement.dataset.ready = "yes";
  }

  show(name) {
    this.view = name;
    for (const tab of this.tabs) {
      byId(`view-${tab}`).hidden = tab !== name;
      byId(`tab-${tab}`).setAttribute("aria-selected", String(tab === name));
      byId(`tab-${tab}`).tabIndex = tab === name ? 0 : -1;
    }
    this.shown(name);
  }

  keys(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const typing = event.target.matches("input[type=search], select");
    if (event.key === "Escape" && this.details.isOpen) this.details.close();
    else if (event.key === "/" && !typing) {
      this.show(this.searched);
      this.table.search.focus();
    } else return;
    event.preventDefault();
  }

  tabKeys(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = this.tabs[(this.tabs.indexOf(this.view) + step + this.tabs.length) % this.tabs.length];
    this.show(next);
    byId(`tab-${next}`).focus();
  }
}
