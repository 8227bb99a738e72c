// Calling contexts as an icicle: callees below their callers, each as wide as its cost, coloured by growth.

const ICICLE_ROW = 19; // px
const NARROWEST = 1.5; // px: what is narrower is left out

class Icicle {
  // `opened` is called with routine, context and the key of a row in the top-down tree.
  constructor(place, opened) {
    Object.assign(this, { place, opened, widened: null, cursor: 0, boxes: [] });
    this.readOut = el("output", { class: "read-out" }, "\u00a0");
    this.picture = el("div", { class: "icicle", tabindex: 0, role: "application", "aria-label": "Calling contexts as an icicle: arrow keys move, Enter widens",
      onkeydown: (event) => this.pressed(event), onclick: (event) => this.at(event, (i) => this.choose(i)),
      onpointermove: (event) => this.at(event, (i) => this.say(i)), onfocus: () => this.say(this.cursor) });
    place.replaceChildren(heatKey(), this.readOut, this.picture);
    new ResizeObserver(() => this.draw()).observe(this.picture);
  }

  // From what is widened: its callers at full width, then it and what it calls.
  layOut(width) {
    const cost = contexts.inclusive[chosen.event];
    const boxes = [{ context: null, level: 0, left: 0, width, parent: -1 }];
    const above = [];
    for (let i = this.widened === null ? -1 : contexts.parent[this.widened]; i >= 0; i = contexts.parent[i]) above.unshift(i);
    for (const context of above) boxes.push({ context, level: boxes.length, left: 0, width, parent: boxes.length - 1 });
    const add = (members, parent, left, scale) => {
      for (const context of [...members].sort((a, b) => cost[b] - cost[a])) {
        const wide = cost[context] * scale;
        if (wide < NARROWEST) break;
        boxes.push({ context, level: boxes[parent].level + 1, left, width: wide, parent });
        add(contextChildren.children[context], boxes.length - 1, left, scale);
        left += wide;
      }
    };
    const members = this.widened === null ? contextChildren.roots : [this.widened];
    add(members, boxes.length - 1, 0, width / Math.max(1, addUp(cost, members)));
    return boxes;
  }

  draw() {
    const width = this.picture.clientWidth;
    if (!width) return;
    this.boxes = this.layOut(width);
    this.cursor = Math.min(this.cursor, this.boxes.length - 1);
    const height = ICICLE_ROW * (1 + this.boxes.reduce((most, box) => Math.max(most, box.level), 0));
    this.marks = this.boxes.map((box, i) => svg("g", { "data-box": i, class: box.context === null ? "unknown" : this.heat(box.context) },
      svg("rect", { x: box.left.toFixed(1), y: box.level * ICICLE_ROW, width: Math.max(box.width - 1, 1).toFixed(1), height: ICICLE_ROW - 1 }),
      box.width > 4 * LETTER ? svg("text", { x: (box.left + 4).toFixed(1), y: box.level * ICICLE_ROW + 13 }, this.label(box)) : ""));
    this.picture.replaceChildren(svg("svg", { width, height, "aria-hidden": "true" }, this.marks));
    this.mark();
  }

  heat(context) {
    return contexts.growth[context] ? heatOf(contexts.rank[context]) : heatOfRoutine(contexts.routine[context]);
  }

  label(box) {
    const name = box.context === null ? "all contexts" : contextName(box.context), letters = Math.floor((box.width - 6) / LETTER);
    return cutName(name, letters);
  }

  // What the mouse is on.
  at(event, act) {
    const box = event.target.closest("[data-box]");
    if (box) act(Number(box.dataset.box));
  }

  say(i) {
    this.cursor = i;
    const { context } = this.boxes[i];
    const cost = context === null ? addUp(contexts.inclusive[chosen.event], contextChildren.roots) : contexts.inclusive[chosen.event][context];
    const growth = context === null ? "" : contexts.growth[context];
    this.readOut.textContent = context === null ? "all contexts" : `${contextPath(context)}   ${percentage(share(cost, summary.totals[chosen.event]))} %   ` +
      plural(contexts.calls[context], "call") + (growth && growth !== "cannot tell" ? `   ${growth}` : "");
    this.mark();
  }

  mark() {
    this.marks.forEach((mark, i) => mark.classList.toggle("pointed-at", i === this.cursor));
  }

  choose(i) {
    const { context } = this.boxes[i];
    this.widened = context;
    this.cursor = 0;
    this.draw();
    const at = this.boxes.findIndex((box) => box.context === context);
    this.say(at);
    if (context !== null) this.opened(contexts.routine[context], context, `t${context}`);
  }

  pressed(event) {
    const box = this.boxes[this.cursor];
    const siblings = this.boxes.map((_, i) => i).filter((i) => this.boxes[i].level === box.level);
    const beside = siblings[siblings.indexOf(this.cursor) + ({ ArrowRight: 1, ArrowLeft: -1 }[event.key] ?? NaN)];
    const below = this.boxes.findIndex((other) => other.parent === this.cursor);
    if (event.key === "Enter" || event.key === " ") this.choose(this.cursor);
    else if (beside !== undefined) this.say(beside);
    else if (event.key === "ArrowDown" && below >= 0) this.say(below);
    else if (event.key === "ArrowUp" && box.parent >= 0) this.say(box.parent);
    else return;
    event.preventDefault();
  }
}
