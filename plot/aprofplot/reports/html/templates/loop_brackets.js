// Beside the source, a bracket from the first to the last line of each loop, inner ones to the right.

// brackets: [first line, last line, depth, loop]. Returns line -> text of the gutter; `notes` is told of each loop.
function loopGutter(brackets, note) {
  const depth = 1 + Math.max(-1, ...brackets.map((b) => b[2]));
  for (const [first, , , i] of brackets)
    note(first, `↻${shortTrips(i)}${loops.executions[i] > 1 ? ` ×${(loops.executions[i] < 10000 ? whole : short)(loops.executions[i])}` : ""}` + (loops.growth[i] ? `  ${loops.growth[i]}` : ""),
      `${loops.name[i]}: ${whole(loops.iterations[i])} iterations in ${plural(loops.executions[i], "execution")}, growth by input size or iterations`);
  return (line) => {
    const marks = new Array(depth).fill(" ");
    for (const [first, last, at] of brackets)
      if (first <= line && line <= last) marks[at] = first === last ? "[" : line === first ? "┌" : line === last ? "└" : "│";
    return marks.join("");
  };
}
