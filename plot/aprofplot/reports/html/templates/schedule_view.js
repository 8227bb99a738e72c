// What P processors would give, of simulated schedules: a table by P, the routines that keep them idle, and overhead by
// kind.

const SHARES = ["work %", "idle %", "of locks %", "overhead %"];

function scheduleTables(table) {
  const shares = (values) => values.map((value) => el("td", { class: "number" }, percentage(value)));
  const rows = summary.schedules.map(([processors, time, speedup, ...parts]) => el("tr", {},
    el("td", { class: "number" }, whole(processors)), el("td", { class: "number" }, whole(time)),
    el("td", { class: "number" }, speedup.toFixed(2)), shares(parts)));
  const idle = summary.idle.map(([name, ...parts]) => el("tr", {}, shares(parts), el("td", {}, name)));
  const heads = SHARES.map((name) => [name, true]);
  const kinds = summary.overheads.map(([kind, share]) => el("tr", {}, shares([share]), el("td", {}, kind)));
  return el("div", { id: "schedules" }, el("h3", {}, "On P processors, simulated"),
    table([["P", true], ["time", true], ["speedup", true], ...heads], rows),
    el("h3", {}, `Routines on ${whole(summary.shown)}, the most idle first`), table([...heads, ["routine", false]], idle),
    kinds.length ? el("h3", {}, `Overhead on ${whole(summary.shown)}, by kind`) : "",
    kinds.length ? table([["overhead %", true], ["of kind", false]], kinds) : "");
}
