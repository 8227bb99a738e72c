// What pictures of routines have in common: colours by growth, of a law's exponent, or that it is not known;
// names that fit.

// [class, least exponent, what it says]; a logarithm counts 0.1.
const HEAT = [["steep", 1.9, "n^2 and more"], ["above", 1.15, "above n log n"], ["linear", 0.9, "n, n log n"], ["below", 0.05, "below n"], ["constant", -99, "constant"]];
const UNKNOWN = ["unknown", -Infinity, "not known"]; // or in doubt

const heatOf = (rank) => (HEAT.find(([, least]) => rank >= least) ?? UNKNOWN)[0];
const heatOfRoutine = (routine) => heatOf(routines.metric[chosen.metric].rank[chosen.event][routine]);

const LETTER = 6.6; // px, of names in pictures
const cutName = (name, letters) => (name.length > letters ? `${name.slice(0, letters - 1)}…` : name);

function heatKey() {
  return el("p", { class: "key" }, "growth: ", ...[...HEAT, UNKNOWN].flatMap(([name, , text]) => [el("span", { class: "entry" }, el("span", { class: `heat ${name}` }), text), " "]));
}
