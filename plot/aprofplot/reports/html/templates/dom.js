// Makes elements. Text goes in as text only: nothing from a profile is ever read as HTML.

const SVG = "http://www.w3.org/2000/svg";

function fill(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat().filter((c) => c !== null && c !== undefined && c !== ""));
  return made;
}

const el = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);

const svg = (tag, attributes, ...children) =>
  fill(document.createElementNS(SVG, tag), attributes, children);

// A routine's name of which, where there is no room, its qualifiers give way first: `a::B<c::d>::f(int)`
// is cut before `f(int)`.
function nameNode(name) {
  let depth = 0, last = 0;
  for (let i = 0; i < name.length && !(depth === 0 && name[i] === "(" && last); i++) {
    if ("<({[".includes(name[i])) depth++;
    else if (">)}]".includes(name[i]) && name[i - 1] !== "-") depth--;
    else if (depth === 0 && name.startsWith("::", i)) last = i + 2;
  }
  return last ? el("span", { class: "site" }, el("span", {}, name.slice(0, last)), el("span", {}, name.slice(last))) : name;
}

// A place, `file:line`, of which the file gives way first.
function placeNode(place) {
  const at = place.lastIndexOf(":");
  return at < 0 ? place : el("span", { class: "site" }, el("span", {}, place.slice(0, at)), el("span", {}, place.slice(at)));
}

// A group of radio buttons that look like one switch; calls `chosen` with the value.
function choice(label, name, options, value, chosen) {
  const buttons = options.map(([key, text, help]) =>
    el("label", { title: help },
      el("input", { type: "radio", name, value: key, checked: key === value,
                    onchange: () => chosen(key) }),
      el("span", {}, text)));
  return el("fieldset", { class: "choice", "aria-label": label || name }, label ? el("legend", {}, label) : "", ...buttons);
}

// One JSON value a line: split once, parsed one by one.
function linesOf(id) {
  let lines = null;
  const parsed = new Map();
  return (index) => {
    if (lines === null) lines = document.getElementById(id).textContent.split("\n").filter((l) => l !== "");
    if (!parsed.has(index)) parsed.set(index, lines[index] ? JSON.parse(lines[index]) : {});
    return parsed.get(index);
  };
}
