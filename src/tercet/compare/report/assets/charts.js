// Small pieces of page, and the charts of two systems. Text enters the page as text, never as markup.

const SVG = 'http://www.w3.org/2000/svg';

function element(name, attributes = {}, ...children) {
  const found = name.startsWith('svg:') ? document.createElementNS(SVG, name.slice(4)) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) found.addEventListener(key.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) found.setAttribute(key, value === true ? '' : value);
  }
  found.append(...children.flat(9).filter((child) => child !== null && child !== undefined && child !== ''));
  return found;
}

function systemName(report, system, side) {
  return element('bdi', {class: `name is-${side}`, title: report.systems[system]}, report.names[system]);
}

function percent(share, places = 0) { return `${(100 * share).toFixed(places)} %`; }
function pText(p) { return p < 0.001 ? 'p < 0.001' : `p = ${p.toFixed(3)}`; }

function pairSentence(report, first, second) {
  const pair = report.pair(first, second);
  const one = systemName(report, first, 'first');
  const other = systemName(report, second, 'second');
  const number = (count) => count.toLocaleString('en');
  const counts = ` wins ${number(pair.wins)} segments, ties in ${number(pair.ties)} and loses ${number(pair.losses)}.`;
  if (!pair.shown) return ['No difference is shown between ', one, ' and ', other, '. ', one.cloneNode(true), counts];
  const word = pair.margin > 0 ? pair.effect : pair.effect.replace('better', 'worse');
  return [one, ` is ${word} than `, other, ': it', counts];
}

function pairNumbers(report, first, second) {
  const pair = report.pair(first, second);
  const expected = report.curve ? `People are expected to prefer the first in ${percent(pair.probability, 1)} of the segments. ` : '';
  return `${expected}Mean margin ${signed(pair.margin, 3)}, 95 % between ${signed(pair.margin_low, 3)} and ${signed(pair.margin_high, 3)}; ` +
    `permutation test ${pText(pair.p_holm)}, bootstrap ${pText(pair.p_bootstrap_holm)}, both corrected.`;
}

function signed(value, places) { return (value < 0 ? '−' : '+') + Math.abs(value).toFixed(places); }

// Wins, ties and losses as one bar.
function balance(report, first, second) {
  const pair = report.pair(first, second);
  const total = pair.wins + pair.ties + pair.losses;
  const parts = [[pair.wins, 'on-first'], [pair.ties, 'on-tie'], [pair.losses, 'on-second']];
  let x = 0;
  const bars = [];
  for (const [count, name] of parts) {
    const width = 1000 * count / total;
    if (width > 0) bars.push(element('svg:rect', {x, y: 0, width: Math.max(width - 2, 1), height: 14, rx: 3, class: name}));
    x += width;
  }
  const label = `${pair.wins} wins, ${pair.ties} ties, ${pair.losses} losses`;
  return element('svg:svg', {class: 'chart', viewBox: '0 0 1000 14', preserveAspectRatio: 'none', height: 14, role: 'img', 'aria-label': label}, bars);
}

function histogram(report, first, second, width) {
  const margins = Array.from({length: report.segments}, (_, i) => report.margin(first, second, i));
  const sizes = margins.map(Math.abs).sort((a, b) => a - b);
  const reach = sizes[Math.floor(0.995 * (sizes.length - 1))] || 1;
  const half = report.segments < 60 ? 7 : report.segments < 400 ? 12 : 20;
  const counts = new Array(2 * half + 1).fill(0);  // the middle one is for ties
  margins.forEach((margin, i) => {
    const verdict = report.verdict(first, second, i);
    const place = verdict === 0 ? 0 : verdict * Math.min(half, Math.max(1, Math.ceil(Math.abs(margin) / reach * half)));
    counts[half + place]++;
  });
  const [height, base] = [220, 184];
  const step = width / counts.length;
  const most = Math.max(...counts);
  const bars = counts.map((count, i) => {
    const tall = count ? Math.max(1.5, (base - 22) * count / most) : 0;
    // the drawing has the better of the first on the left, as the names under it say
    const x = (counts.length - 1 - i) * step;
    const name = i === half ? 'on-tie' : i > half ? 'on-first' : 'on-second';
    return element('svg:rect', {x: x + 0.75, y: base - tall, width: step - 1.5, height: tall, rx: 1.5, class: name},
      element('svg:title', {}, i === half ? `${count} ties` : `${count} segments`));
  });
  const caption = (x, anchor, text, name) => element('svg:text', {x, y: height - 14, 'text-anchor': anchor, class: name}, text);
  return element('svg:svg', {class: 'chart', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': 'Distribution of margins'},
    bars, element('svg:line', {class: 'zero', x1: 0, x2: width, y1: base, y2: base}),
    element('svg:text', {x: 2, y: 12}, `${most} segments`),
    caption(0, 'start', `← ${clipped(report.names[first])} better`, 'on-first'), caption(width / 2, 'middle', 'tie', 'on-tie'),
    caption(width, 'end', `${clipped(report.names[second])} better →`, 'on-second'));
}

function clipped(name, most = 20) { return name.length > most ? `${name.slice(0, most - 1)}…` : name; }

// The share of segments that the first wins, ties by half, in up to six classes of length of about the same size.
function lengthChart(report, first, second, width) {
  const rows = Array.from({length: report.segments}, (_, i) => ({
    length: wordsOf(report.reference(i, report.closest(i))).length,
    won: (1 + report.verdict(first, second, i)) / 2,
  })).sort((a, b) => a.length - b.length);
  const classes = [];
  const wanted = Math.max(1, Math.min(6, Math.floor(rows.length / 8)));
  for (let k = 0; k < wanted; k++) {
    const part = rows.slice(Math.round(k * rows.length / wanted), Math.round((k + 1) * rows.length / wanted));
    const last = classes.at(-1);
    if (last && part.at(-1).length === last.to) { last.rows.push(...part); continue; }
    while (last && part.length && part[0].length === last.to) last.rows.push(part.shift());
    if (part.length) classes.push({from: part[0].length, to: part.at(-1).length, rows: part});
  }
  const [height, left, top, base] = [220, 34, 12, 176];
  const y = (share) => base - (base - top) * share;
  const step = (width - left) / classes.length;
  const marks = [0, 0.25, 0.5, 0.75, 1].map((share) => [
    element('svg:line', {class: share === 0.5 ? 'zero' : 'axis', x1: left, x2: width, y1: y(share), y2: y(share)}),
    element('svg:text', {x: left - 6, y: y(share) + 4, 'text-anchor': 'end'}, `${100 * share}`)]);
  const points = classes.map((one, k) => {
    const mean = one.rows.reduce((sum, row) => sum + row.won, 0) / one.rows.length;
    const spread = Math.sqrt(one.rows.reduce((sum, row) => sum + (row.won - mean) ** 2, 0) / Math.max(1, one.rows.length - 1) / one.rows.length);
    const x = left + (k + 0.5) * step;
    const [low, high] = [Math.max(0, mean - 1.96 * spread), Math.min(1, mean + 1.96 * spread)];
    const text = one.from === one.to ? `${one.from}` : `${one.from}–${one.to}`;
    return [
      element('svg:line', {class: 'whisker', x1: x, x2: x, y1: y(low), y2: y(high)}),
      element('svg:circle', {cx: x, cy: y(mean), r: 6, class: mean > 0.5 ? 'on-first' : mean < 0.5 ? 'on-second' : 'on-tie'},
        element('svg:title', {}, `${one.rows.length} segments of ${text} words: ${percent(mean)} won`)),
      element('svg:text', {x, y: height - 26, 'text-anchor': 'middle'}, text)];
  });
  return element('svg:svg', {class: 'chart', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': 'Wins by length of the reference'},
    marks, points, element('svg:text', {x: left + (width - left) / 2, y: height - 8, 'text-anchor': 'middle'}, `words; percent of segments won by ${clipped(report.names[first])}`));
}
