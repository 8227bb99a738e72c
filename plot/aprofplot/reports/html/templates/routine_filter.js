// Which routines are shown, and in which order.

const GROWTHS = ["1", "log n", "log^2 n", "log^3 n", "sqrt n", "n", "n log n", "n^1.5", "n^2", "n^2 log n", "n^3", "2^n", "n^c", "c^n", "cannot tell"];

const fitColumn = (name) => routines.metric[chosen.metric][name][chosen.event];

const problemsOf = (routine) => routines.problems[chosen.event][routine];
const scoreOf = (routine) => problemsOf(routine).reduce((sum, problem) => sum + problem[1], 0);

// What each column sorts by.
const SORT_KEYS = {
  name: (r) => routines.name[r].toLowerCase(),
  place: (r) => placeOf(r).toLowerCase(),
  inclusive: (r) => routines.inclusive[chosen.event][r],
  own: (r) => routines.own[chosen.event][r],
  calls: (r) => routines.calls[r],
  sizes: (r) => routines.metric[chosen.metric].sizes[r],
  largest: (r) => routines.metric[chosen.metric].largest[r],
  growth: (r) => fitColumn("rank")[r],
  confidence: (r) => fitColumn("confidence")[r],
  thread: (r) => (routines.induced[r] ? routines.induced[r][0] : -1),
  external: (r) => (routines.induced[r] ? routines.induced[r][1] : -1),
  richness: (r) => routines.richness[r] ?? -2,
  problems: (r) => (routines.startUp[r] ? -1 : scoreOf(r)),
};
const TEXT_COLUMNS = new Set(["name", "place"]);

const haystacks = routines.name.map((_, r) =>
  `${fullName(r)}\n${objectOf(r)}\n${fileOf(r)}`.toLowerCase());

// The numbers of the routines that pass. filter: {text, object, file, growth, problem, mine}; text
// is words, each of which must be in the name, the object or the file.
function passing(filter) {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  const classes = fitColumn("class");
  const found = [];
  for (let r = 0; r < routines.name.length; r++) {
    if (filter.mine && !routines.mine[r]) continue;
    if (filter.object !== "" && routines.object[r] !== Number(filter.object)) continue;
    if (filter.file !== "" && routines.file[r] !== Number(filter.file)) continue;
    if (filter.growth !== "" && classes[r] !== filter.growth) continue;
    if (filter.problem !== "" && !problemsOf(r).some((problem) => problem[0] === filter.problem)) continue;
    if (words.every((word) => haystacks[r].includes(word))) found.push(r);
  }
  return found;
}

// In place; equal ones by cost, as they come.
function sortRoutines(found, by, descending) {
  const key = SORT_KEYS[by];
  const keys = new Map(found.map((r) => [r, key(r)]));
  const order = descending ? -1 : 1;
  found.sort((a, b) => {
    const x = keys.get(a), y = keys.get(b);
    return x < y ? -order : x > y ? order : a - b;
  });
  return found;
}
