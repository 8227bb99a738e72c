// Axes of a plot: where a value is drawn, and ticks at round numbers.

// low and high: of the data. A logarithmic axis with values below 1 has a linear part up to 1, so
// that a size of 0 has a place.
class Axis {
  constructor(low, high, log, from, to) {
    this.log = log && high > 0;
    this.from = from;
    this.to = to;
    if (this.log) {
      this.linear = low < 1;
      this.low = this.linear ? this.turn(0) : this.turn(low);
      this.high = this.turn(Math.max(high, 1));
      const margin = (this.high - this.low || 1) * 0.03;
      this.low -= this.linear ? 0 : margin;
      this.high += margin;
    } else {
      this.low = Math.min(0, low);
      this.high = high > this.low ? high + 0.04 * (high - this.low) : this.low + 1;
    }
  }

  turn(value) {
    if (!this.log) return value;
    return this.linear ? (value < 1 ? value - 1 : Math.log10(value) ) : Math.log10(value);
  }

  at(value) {
    return this.from + ((this.turn(value) - this.low) / (this.high - this.low)) * (this.to - this.from);
  }

  // [value, has a label], ascending, about `most` of them with one.
  ticks(most) {
    return this.log ? this.decades(most) : this.rounds(most);
  }

  rounds(most) {
    const rough = (this.high - this.low) / most;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = power * ([1, 2, 5].find((k) => k * power >= rough) || 10);
    const found = [];
    for (let k = Math.ceil(this.low / step - 1e-9); k * step <= this.high; k++) found.push([k * step, true]);
    return found;
  }

  decades(most) {
    const found = this.linear ? [[0, true]] : [];
    const first = Math.max(this.linear ? 0 : -300, Math.floor(this.low)), last = Math.ceil(this.high);
    const every = Math.max(1, Math.ceil((last - first) / most));
    const narrow = last - first <= 2;
    for (let power = first; power <= last; power++)
      for (let digit = 1; digit < 10; digit++) {
        const value = digit * 10 ** power;
        const place = this.turn(value);
        if (place < this.low - 1e-9 || place > this.high + 1e-9) continue;
        if (digit === 1) found.push([value, power % every === 0]);
        else if (last - first <= 6) found.push([value, narrow && (digit === 2 || digit === 5)]);
      }
    return found;
  }
}

// Both axes logarithmic where sizes and costs each span three decades: one shape on equal axes.
function spansDecades(values) {
  let low = Infinity, high = -Infinity;
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return low > 0 && high / low >= 1000;
}
