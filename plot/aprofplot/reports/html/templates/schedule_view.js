// What P processors would give, of simulated schedules: a table by P, the routines that keep them idle, and overhead by
// kind.

const SHARES = ["work %", "idle %", "of locks %", "overhead %"];

function scheduleTables() {
  const rows = summary.schedules.map(([processors, time, speedup, ...parts]) => [whole(processors), whole(time), speedup.toFixed(2), ...parts.map(percentage)]);
  const idle = summary.idle.map(([name, ...parts]) => [name, ...parts.map(percentage)]);
  const kinds = summary.overheads.map(([kind, share]) => [kind, percentage(share)]);
  return el("div", { id: "schedules" }, el("h3", {}, "On P processors, simulated"),
    el("div", { id: "by-processors" }, namedTable(["P", "time", "speedup", ...SHARES], rows)),
    el("h3", {}, `Routines on ${whole(summary.shown)}, the most idle first`), namedTable(["routine", ...SHARES], idle),
    kinds.length ? [el("h3", {}, `Overhead on ${whole(summary.shown)}, by kind`), namedTable(["of kind", "overhead %"], kinds)] : "");
}
