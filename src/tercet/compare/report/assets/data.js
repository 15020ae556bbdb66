// Reads what packing.py wrote: deflated bytes in base64, a JSON header, arrays behind it.

async function unpack(text) {
  const packed = Uint8Array.from(atob(text.trim()), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const length = new DataView(bytes.buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  let at = 4 + length;
  const arrays = {};
  for (const [name, kind, size] of header.arrays) {
    const content = bytes.subarray(at, at + size);
    arrays[name] = kind === 'i2' ? planes(content, header.steps[name]) : content;
    at += size;
  }
  return new Report(header, arrays);
}

function planes(content, step) {
  const half = content.length / 2;
  const found = new Float64Array(half);
  for (let i = 0; i < half; i++) found[i] = (((content[half + i] << 8) | content[i]) << 16 >> 16) * step;
  return found;
}

const STAGES = ['exact', 'stem', 'synonym'];

class Report {
  constructor(header, arrays) {
    for (const [key, value] of Object.entries(header)) if (key !== 'closest') this[key] = value;
    this.arrays = arrays;
    const number = this.systems.length;
    this.pairIndex = new Map();
    let next = 0;
    for (let i = 0; i < number; i++) for (let j = i + 1; j < number; j++) this.pairIndex.set(i * number + j, next++);
    this.full = header.full ?? {segments: []};
    this.fullIndex = new Map(this.full.segments.map((segment, place) => [segment, place]));
    this._closest = header.closest || null;
    this.links = null;
  }

  // Numbers of a pair from an array of (pairs, rows, width): read, turned, or made from those of the first system.
  pairValue(name, first, second, row, rows, width, column) {
    const read = (pair) => this.arrays[name][(pair * rows + row) * width + column];
    const number = this.systems.length;
    if (this.additive) return (second ? read(second - 1) : 0) - (first ? read(first - 1) : 0);
    return first < second ? read(this.pairIndex.get(first * number + second)) : -read(this.pairIndex.get(second * number + first));
  }

  margin(first, second, segment) { return this.pairValue('margins', first, second, segment, this.segments, 1, 0); }

  // The margin, parted by what features look at; the last part is what the others leave.
  parts(first, second, segment) {
    const width = this.groups.length - 1;
    const found = [];
    for (let g = 0; g < width; g++) found.push(this.pairValue('contributions', first, second, segment, this.segments, width, g));
    found.push(this.margin(first, second, segment) - found.reduce((a, b) => a + b, 0));
    return found;
  }

  // 1 if the first is better, -1 if the second is, 0 for a tie; exact, unlike the margins, which are rounded.
  verdict(first, second, segment) {
    const read = (i, j) => this.arrays.verdicts[this.pairIndex.get(i * this.systems.length + j) * this.segments + segment] - 1;
    return first < second ? read(first, second) : -read(second, first);
  }

  // Of a model's margin; a metric knows wins and ties only.
  probability(margin) {
    if (!this.curve) return (1 + Math.sign(margin)) / 2;
    const [most, chances] = this.curve;
    const place = Math.min(chances.length - 1.000001, Math.max(0, (margin / most + 1) / 2 * (chances.length - 1)));
    const low = Math.floor(place);
    return chances[low] + (chances[low + 1] - chances[low]) * (place - low);
  }

  pair(first, second) {
    const found = this.pairs[this.pairIndex.get(Math.min(first, second) * this.systems.length + Math.max(first, second))];
    if (first < second) return found;
    return {...found, wins: found.losses, losses: found.wins, probability: 1 - found.probability, margin: -found.margin,
      margin_low: -found.margin_high, margin_high: -found.margin_low, win_rate: 1 - found.win_rate};
  }

  referenceCount(segment) { return this.texts[segment].length - this.systems.length - (this.has_source ? 1 : 0); }
  source(segment) { return this.has_source ? this.texts[segment][0] : null; }
  reference(segment, place) { return this.texts[segment][(this.has_source ? 1 : 0) + place]; }
  closest(segment) { return this._closest ? this._closest[segment] : 0; }
  translation(segment, system) { return this.texts[segment][this.texts[segment].length - this.systems.length + system]; }

  // For every word of a translation the place of its partner in the closest reference, or -1, and how they match.
  linksOf(segment, system) {
    this.links ??= this.decodeLinks();
    return this.links[segment * this.systems.length + system];
  }

  decodeLinks() {
    const {places, stages} = this.arrays;
    const found = [];
    let at = 0;
    let stage = 0;
    for (let segment = 0; segment < this.segments; segment++) {
      for (let system = 0; system < this.systems.length; system++) {
        const links = [];
        let expected = 0;
        for (let i = wordsOf(this.translation(segment, system)).length; i > 0; i--) {
          const code = places[at++];
          if (code === 0) { links.push({to: -1, stage: ''}); continue; }
          let to;
          if (code === 255) { to = places[at] | (places[at + 1] << 8); at += 2; }
          else { const jump = code - 1; to = expected + (jump % 2 ? -(jump + 1) / 2 : jump / 2); }
          links.push({to, stage: STAGES[stages[stage++]]});
          expected = to + 1;
        }
        found.push(links);
      }
    }
    return found;
  }

  // TER: the shifts, then what becomes of each word; replayed as the metric says.
  editsOf(segment, system) {
    const [body, reference] = this.edits[segment].split(' ')[system].split('@');
    const [letters, ...moves] = body.split('|');
    const words = blankSplit(this.translation(segment, system)).map((word, place) => ({word, place, moved: false}));
    const shifts = moves.map((move) => move.split(',').map(Number));
    for (const [start, length, target] of shifts) {
      const block = words.splice(start, length);
      for (const word of block) word.moved = true;
      words.splice(target, 0, ...block);
    }
    const wanted = blankSplit(this.reference(segment, Number(reference ?? 0)));
    let mine = 0;
    let theirs = 0;
    const steps = [...letters].map((letter) => ({letter, hypothesis: letter === 'i' ? null : words[mine++], reference: letter === 'd' ? null : wanted[theirs++]}));
    return {steps, shifts: shifts.length, count: shifts.length + steps.filter((step) => step.letter !== '=').length};
  }
}

function wordsOf(text) { return text === '' ? [] : text.split(/[ \x01]/); }
function plainText(text) { return text.replaceAll('\x01', ''); }
function blankSplit(text) { return text === '' ? [] : plainText(text).split(' '); }
