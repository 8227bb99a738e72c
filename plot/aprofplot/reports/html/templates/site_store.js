// The page's data: call sites are numbered in the order of their local span on span.

const summary = JSON.parse(document.getElementById("summary-data").textContent);
const sites = summary.sites;

const sourcePart = linesOf("source-data");

// Places of a site's measures, and of the numbers in one.
const ON_WORK = { top: 0, caller: 1, local: 2 }, ON_SPAN = { top: 3, caller: 4, local: 5 };
const COUNT = 0, WORK = 1, SPAN = 2;

const number = (site, measure, value) => sites.measures[site][measure][value];
const parallelismOf = (site, measure) => {
  const span = number(site, measure, SPAN);
  return span ? number(site, measure, WORK) / span : null;
};
const spanShare = (site) => share(number(site, ON_SPAN.local, SPAN), summary.span);
const workShare = (site) => share(number(site, ON_WORK.top, WORK), summary.work);

// As advice.py writes it.
const parallelism = (value) => (value === null ? "" : value < 999.5
  ? value.toLocaleString("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 }) : whole(value));
const fullName = (site) => sites.full[site] || sites.name[site];
