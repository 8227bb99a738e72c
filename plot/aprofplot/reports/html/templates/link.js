// The part of the address after #: what to show, so that a link can lead to a view or a routine.
// #routine=NAME&view=contexts&size=both; namesakes have @OBJECT:FILE:LINE after the name.

const namesakes = new Map();
routines.name.forEach((_, r) => namesakes.set(fullName(r), (namesakes.get(fullName(r)) || 0) + 1));
const linkName = (routine) => (namesakes.get(fullName(routine)) > 1 ? `${fullName(routine)}@${placeOf(routine)}` : fullName(routine));

function readLink() {
  const asked = new URLSearchParams(location.hash.slice(1));
  const size = asked.get("size");
  if (size === "both" || metricNames.includes(size)) plotChoice.metric = size;
  const name = asked.get("routine");
  const named = (isIt) => (name === null ? -1 : routines.name.findIndex((_, r) => isIt(r)));
  const exact = named((r) => linkName(r) === name);
  const routine = exact >= 0 ? exact : named((r) => fullName(r) === name || routines.name[r] === name);
  return { view: TABS.includes(asked.get("view")) ? asked.get("view") : null, routine: routine < 0 ? null : routine };
}

// `routine` null: none is open.
function writeLink(view, routine) {
  const shown = new URLSearchParams();
  if (routine !== null) shown.set("routine", linkName(routine));
  if (view !== "routines") shown.set("view", view);
  history.replaceState(null, "", `#${shown}`);
}
