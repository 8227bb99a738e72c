// The place below the table: what is known of the row that is open. Those who extend it fill it.

class DetailsPane {
  // `open` is called with the number of a link, in its attribute data-`kind`.
  constructor(place, kind, open, closed) {
    Object.assign(this, { place, closed, opened: null });
    place.addEventListener("click", (event) => {
      const link = event.target.closest(`[data-${kind}]`);
      if (link) open(Number(link.dataset[kind]));
    });
  }

  get isOpen() {
    return this.opened !== null;
  }

  // `tip`: of the place, `parts`: below the headline.
  fill(name, where, tip, figures, ...parts) {
    this.place.replaceChildren(
      el("div", { class: "headline" }, el("h2", { id: "details-name" }, name),
        el("span", { class: "place", title: tip }, where), el("span", { class: "figures" }, figures),
        el("button", { type: "button", class: "close", "aria-label": "Close (Escape)", title: "Close (Escape)", onclick: () => this.close() }, "×")),
      ...parts);
    this.place.setAttribute("aria-labelledby", "details-name");
    this.place.scrollTop = 0;
  }

  // Whether it is seen, if a row is open.
  allow(seen) {
    this.place.hidden = !seen || !this.isOpen;
    document.querySelector("main").classList.toggle("split", !this.place.hidden);
  }

  close() {
    this.opened = null;
    this.allow(false);
    this.place.replaceChildren();
    this.closed();
  }
}
