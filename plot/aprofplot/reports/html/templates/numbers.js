// Numbers as people read them. Tables have exact numbers, axes and read-outs short ones.

const exactly = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const toThree = new Intl.NumberFormat("en", { maximumFractionDigits: 3 });

const whole = (value) => exactly.format(value);

const decimal = (value) => (Math.abs(value) >= 1000 ? whole(value) : toThree.format(value));

function share(part, all) {
  return all ? (100 * part) / all : 0;
}

const percentage = (value) => value.toFixed(1);

const hundredths = (value) => (Math.round(100 * value) / 100).toFixed(2); // no -0.00

// 1500 -> 1.5k, 0.002 -> 0.002: at most four characters and a unit prefix.
function short(value) {
  const size = Math.abs(value);
  for (const [unit, prefix] of [[1e18, "E"], [1e15, "P"], [1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]])
    if (size >= unit) return `${+(value / unit).toPrecision(4)}${prefix}`;
  return `${+value.toPrecision(4)}`;
}

const plural = (count, one, many) => `${whole(count)} ${count === 1 ? one : many || one + "s"}`;
