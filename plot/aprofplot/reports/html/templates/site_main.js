// Puts the page together: views and details.

const TABS = ["findings", "sites", "program"];

const details = new SiteDetails(byId("details"), (site) => open(site), () => closed());
const siteView = new SiteView((site) => open(site));
const programView = new ProgramView(byId("view-program"));
const findings = new SiteFindings(byId("view-findings"), (site) => {
  frame.show("sites");
  open(site);
  siteView.rows.move(siteView.rows.rows.indexOf(site));
});
const frame = new Frame(TABS, "sites", siteView, details, (view) => {
  details.allow(view === "sites");
  programView.draw();
  findings.draw();
  writeLink();
});

function open(site) {
  details.show(site);
  siteView.rows.mark(site);
  writeLink();
}

function closed() {
  siteView.rows.mark(null);
  writeLink();
  if (frame.view === "sites") siteView.rows.table.focus();
}

// The part of the address after #: #site=NAME@FILE:LINE&view=program
const linkName = (site) => `${fullName(site)}@${sites.place[site]}`;

function writeLink() {
  const shown = new URLSearchParams();
  if (details.opened !== null) shown.set("site", linkName(details.opened));
  if (frame.view !== "sites") shown.set("view", frame.view);
  history.replaceState(null, "", `#${shown}`);
}

// The page opens on its findings, a link to a site on that. Without a site, the first of the table is opened.
function follow() {
  const asked = new URLSearchParams(location.hash.slice(1));
  const found = asked.get("site") === null ? -1 : sites.name.findIndex((_, s) => linkName(s) === asked.get("site"));
  const site = found >= 0 ? found : details.opened ?? siteView.rows.rows[0];
  const wanted = asked.get("view");
  if (site !== undefined) {
    open(site);
    siteView.rows.move(siteView.rows.rows.indexOf(site));
  }
  frame.show(TABS.includes(wanted) ? wanted : found >= 0 ? "sites" : "findings");
}

new ResizeObserver(() => { details.draw(); programView.draw(); }).observe(document.querySelector("main"));
const total = Object.fromEntries(summary.totals.map(([name, value]) => [name, value]));
byId("facts").textContent = `parallelism ${total.parallelism}, burdened ${total["burdened parallelism"]}, work ${total.work}, span ${total.span} ${summary.unit}`;
frame.ready(follow);
