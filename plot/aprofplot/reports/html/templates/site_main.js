// Puts the page together: views, details, keys, paper.

const ON_PAPER = 200; // rows of a table
const TABS = ["sites", "program"];
const byId = (id) => document.getElementById(id);

const details = new SiteDetails(byId("details"), (site) => open(site), () => closed());
const siteView = new SiteView((site) => open(site));
const programView = new ProgramView(byId("view-program"));
let view = "sites";

function open(site) {
  details.show(site);
  siteView.rows.mark(site);
  writeLink();
}

function closed() {
  siteView.rows.mark(null);
  writeLink();
  if (view === "sites") siteView.rows.table.focus();
}

function show(name) {
  view = name;
  for (const tab of TABS) {
    byId(`view-${tab}`).hidden = tab !== name;
    byId(`tab-${tab}`).setAttribute("aria-selected", String(tab === name));
    byId(`tab-${tab}`).tabIndex = tab === name ? 0 : -1;
  }
  details.allow(name === "sites");
  programView.draw();
  writeLink();
}

// The part of the address after #: #site=NAME@FILE:LINE&view=program
const linkName = (site) => `${fullName(site)}@${sites.place[site]}`;

function writeLink() {
  const shown = new URLSearchParams();
  if (details.site !== null) shown.set("site", linkName(details.site));
  if (view !== "sites") shown.set("view", view);
  history.replaceState(null, "", `#${shown}`);
}

// Without a site, the first of the table is opened.
function follow() {
  const asked = new URLSearchParams(location.hash.slice(1));
  const found = asked.get("site") === null ? -1 : sites.name.findIndex((_, s) => linkName(s) === asked.get("site"));
  const site = found >= 0 ? found : details.site ?? siteView.rows.rows[0];
  const wanted = asked.get("view");
  if (site !== undefined) {
    open(site);
    siteView.rows.move(siteView.rows.rows.indexOf(site));
  }
  if (TABS.includes(wanted)) show(wanted);
}

function keys(event) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const typing = event.target.matches("input[type=search], select");
  if (event.key === "Escape" && details.site !== null) details.close();
  else if (event.key === "/" && !typing) {
    show("sites");
    siteView.search.focus();
  } else return;
  event.preventDefault();
}

function tabKeys(event) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const next = TABS[(TABS.indexOf(view) + step + TABS.length) % TABS.length];
  show(next);
  byId(`tab-${next}`).focus();
}

for (const tab of TABS) byId(`tab-${tab}`).addEventListener("click", () => show(tab));
document.querySelector("nav").addEventListener("keydown", tabKeys);
document.addEventListener("keydown", keys);
window.addEventListener("beforeprint", () => siteView.rows.print(ON_PAPER));
window.addEventListener("afterprint", () => siteView.rows.print(0));
new ResizeObserver(() => { details.draw(); programView.draw(); }).observe(document.querySelector("main"));
makeSplitter(byId("splitter"));
byId("advice").replaceChildren(...summary.advice.map((text) => el("li", {}, text)),
  ...summary.warnings.map((text) => el("li", { class: "remark" }, `Warning: ${text}`)));
const total = Object.fromEntries(summary.totals.map(([name, value]) => [name, value]));
byId("facts").textContent = `parallelism ${total.parallelism}, burdened ${total["burdened parallelism"]}, work ${total.work}, span ${total.span} ${summary.unit}`;
follow();
window.addEventListener("hashchange", () => follow());
document.documentElement.dataset.ready = "yes";
