// The bar between table and details: drag it, or move it by arrow keys.

function makeSplitter(bar) {
  const main = bar.parentElement;
  const move = (percent) => {
    const share = Math.max(15, Math.min(85, percent));
    main.style.setProperty("--split", `${share}%`);
    bar.setAttribute("aria-valuenow", Math.round(share));
  };
  bar.addEventListener("pointerdown", (event) => {
    bar.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  bar.addEventListener("pointermove", (event) => {
    if (!bar.hasPointerCapture(event.pointerId)) return;
    const box = main.getBoundingClientRect();
    move((100 * (event.clientY - box.top)) / box.height);
  });
  bar.addEventListener("keydown", (event) => {
    const step = { ArrowUp: -5, ArrowDown: 5 }[event.key];
    if (!step) return;
    move(Number(bar.getAttribute("aria-valuenow")) + step);
    event.preventDefault();
  });
}
