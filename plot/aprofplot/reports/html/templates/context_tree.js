// Calling contexts as trees: top-down (callees below callers), bottom-up (callers below callees) and
// flat (object, file, routine, loop, line). Nodes are made when their parent is opened.
//
// A node: {name, routine, contexts, level, inclusive, own, calls, expand() -> nodes, key}.
// Inclusive cost counts a context only if none of its callers is in the same node: recursion, and
// calls within an object, never count twice.

const contextCount = contexts.parent.length;

const contextChildren = (() => {
  const children = Array.from({ length: contextCount }, () => []);
  const roots = [];
  contexts.parent.forEach((parent, i) => (parent < 0 ? roots : children[parent]).push(i));
  return { children, roots };
})();

// `members`: contexts. Those without a caller (to any depth) of the same kind; kind(i) -> key.
function outermost(members, kind) {
  return members.filter((i) => {
    const own = kind(i);
    for (let p = contexts.parent[i]; p >= 0; p = contexts.parent[p]) if (kind(p) === own) return false;
    return true;
  });
}

const addUp = (values, members) => members.reduce((sum, i) => sum + values[i], 0);

function makeNode(name, key, level, members, outer, expand, routine) {
  const event = chosen.event;
  return { name, key, level, routine, contexts: members, expand,
           inclusive: addUp(contexts.inclusive[event], outer),
           own: addUp(contexts.own[event], members), calls: addUp(contexts.calls, members) };
}

const byInclusive = (nodes) => nodes.sort((a, b) => b.inclusive - a.inclusive || b.own - a.own);

const mergedContexts = new Set(contexts.merged); // beyond --max-contexts
const contextName = (i) => routines.name[contexts.routine[i]] + (mergedContexts.has(i) ? " (merged contexts)" : "");

function topDown(members = contextChildren.roots, level = 1) {
  return byInclusive(members.map((i) => {
    const below = contextChildren.children[i];
    return makeNode(contextName(i), `t${i}`, level, [i], [i], below.length ? () => topDown(below, level + 1) : null, contexts.routine[i]);
  }));
}

// The same with the loops and lines of each routine before its callees. Lines are not by context: a routine that has several
// has none. Older profiles do not have loops by context: then their numbers are those of all contexts of the routine, and the
// rows say so.
function topDownWithLoops(members = contextChildren.roots, level = 1) {
  return topDown(members, level).map((node) => {
    const [context] = node.contexts, own = ranIn(context, loopTree.of(node.routine)), lines = linesFor(context, linesIn.ofRoutine(node.routine));
    const expand = () => [...loopsIn(context, own, level + 1), ...linesAt(context, lines, level + 1),
      ...topDownWithLoops(contextChildren.children[context], level + 1)];
    return { ...node, expand: node.expand || own.length || lines.length ? expand : null };
  });
}

const isOnlyContext = (context) => contextsOfRoutine().get(contexts.routine[context]).length === 1;
const linesFor = (context, lines) => (isOnlyContext(context) ? lines : []);
const linesAt = (context, lines, level) => lineNodes(lines, level).map((node) => ({ ...node, contexts: [context] }));

const contextLoops = new Map(contexts.loops.loop.map((loop, row) => [`${contexts.loops.context[row]}.${loop}`, row]));

// Those of the loops, or else of the loops in them, that ran in the context; all if that is not known.
const ranIn = (context, members) => (!contextLoops.size ? members
  : members.flatMap((i) => (contextLoops.has(`${context}.${i}`) ? [i] : ranIn(context, loopTree.inner[i]))));

function loopsIn(context, members, level) {
  const all = contextsOfRoutine().get(contexts.routine[context]);
  const among = contextLoops.size || all.length === 1 ? "" : `, in all ${all.length} contexts`;
  return byInclusive(loopNodes(members, level).map((node) => {
    const inner = ranIn(context, loopTree.inner[node.loop]), lines = linesFor(context, linesIn.ofLoop(node.loop));
    return { ...node, ...numbersIn(context, node.loop), key: `t${context}.${node.key}`, contexts: all, name: node.name + among,
      growth: all.length > 1 && !among ? "" : node.growth,
      expand: inner.length || lines.length ? () => [...loopsIn(context, inner, level + 1), ...linesAt(context, lines, level + 1)] : null };
  }));
}

function numbersIn(context, loop) {
  const row = contextLoops.get(`${context}.${loop}`), { executions, iterations, inclusive, own } = contexts.loops;
  return row === undefined ? {}
    : { calls: executions[row], iterations: iterations[row], inclusive: inclusive[chosen.event][row], own: own[chosen.event][row] };
}

function groupBy(members, key) {
  const groups = new Map();
  for (const member of members) {
    const k = key(member);
    if (!groups.has(k)) groups.set(k, []);
    groups.get(k).push(member);
  }
  return groups;
}

const everyContext = () => contexts.parent.map((_, i) => i);
const routineOf = (i) => contexts.routine[i];
let byRoutine = null;
const contextsOfRoutine = () => (byRoutine ||= groupBy(everyContext(), routineOf));

function bottomUp() {
  const nodes = [];
  for (const [routine, members] of groupBy(everyContext(), routineOf))
    nodes.push(callersNode(routine, `b${routine}`, 1, members.map((i) => [i, i]), new Set(outermost(members, routineOf))));
  return nodes.sort((a, b) => b.own - a.own || b.inclusive - a.inclusive);
}

// `pairs`: [context of the root's routine, its caller so many levels up].
function callersNode(routine, key, level, pairs, outer) {
  const members = pairs.map(([i]) => i);
  const above = pairs.map(([i, at]) => [i, contexts.parent[at]]).filter(([, at]) => at >= 0);
  const expand = () => [...groupBy(above, ([, at]) => contexts.routine[at])]
    .map(([caller, group]) => callersNode(caller, `${key}.${caller}`, level + 1, group, outer))
    .sort((a, b) => b.own - a.own || b.inclusive - a.inclusive);
  return makeNode(routines.name[routine], key, level, members, members.filter((i) => outer.has(i)), above.length ? expand : null, routine);
}

function flat() {
  const objectAt = (i) => routines.object[contexts.routine[i]];
  const fileAt = (i) => `${objectAt(i)}:${routines.file[contexts.routine[i]]}`;
  const level = (members, depth) => {
    const kind = [objectAt, fileAt, routineOf][depth];
    return byInclusive([...groupBy(members, kind)].map(([key, group]) => {
      const r = contexts.routine[group[0]];
      const name = [baseName(objectOf(r)), baseName(fileOf(r)) || "(no source file)", routines.name[r]][depth];
      return makeNode(name, `f${depth}.${key}`, depth + 1, group, outermost(group, kind), depth < 2 ? () => level(group, depth + 1) : withinFlat(r, group, depth + 2), depth < 2 ? null : r);
    }));
  };
  return level(everyContext(), 0);
}

// The loops and lines of a routine in all of its contexts; null if it has none.
function withinFlat(routine, all, level) {
  if (!loopTree.of(routine).length && !linesIn.ofRoutine(routine).length) return null;
  const inContexts = (nodes) => nodes.map((node) => ({ ...node, contexts: all, expand: node.expand && (() => inContexts(node.expand())) }));
  return () => inContexts(withinRoutine(routine, level));
}

// Names from the root to a context, the last 12.
function contextPath(context) {
  const names = [];
  for (let i = context; i >= 0; i = contexts.parent[i]) names.unshift(contextName(i));
  return (names.length > 12 ? ["…", ...names.slice(-12)] : names).join(" › ");
}
