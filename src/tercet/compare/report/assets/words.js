// The words of two translations and their reference: marked in the text, and drawn as a ladder with links.

function markedText(words, text, classOf) {
  // the blanks of the text itself stand between its words
  const found = [];
  let at = 0;
  const plain = plainText(text);
  words.forEach((word, i) => {
    const start = plain.indexOf(word, at);
    found.push(plain.slice(at, start));
    const {name, title} = classOf(i);
    found.push(name ? element('span', {class: `w ${name}`, title}, word) : word);
    at = start + word.length;
  });
  return found;
}

function hypothesisText(report, segment, system) {
  const text = report.translation(segment, system);
  const reference = wordsOf(report.reference(segment, report.closest(segment)));
  const links = report.linksOf(segment, system);
  return markedText(wordsOf(text), text, (i) => {
    const {to, stage} = links[i];
    if (to < 0) return {name: 'added', title: 'not in the reference'};
    return stage === 'exact' ? {name: ''} : {name: stage, title: `${stage === 'stem' ? 'the same stem as' : 'a synonym of'} “${reference[to]}”`};
  });
}

function referenceText(report, segment, first, second) {
  const text = report.reference(segment, report.closest(segment));
  const covered = [first, second].map((system) => new Set(report.linksOf(segment, system).map((link) => link.to)));
  return markedText(wordsOf(text), text, (i) => {
    const has = covered.map((places) => places.has(i));
    if (has[0] && has[1]) return {name: ''};
    if (!has[0] && !has[1]) return {name: 'missed', title: 'missing in both translations'};
    return {name: 'half', title: `only in ${report.names[has[0] ? first : second]}`};
  });
}

let ruler = null;
function textWidth(text, size = 14) {
  ruler ??= document.createElement('canvas').getContext('2d');
  ruler.font = `${size}px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif`;
  return ruler.measureText(text).width;
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

// Three lines: the first translation, the reference, the second; a curve for every match.
function ladder(report, segment, first, second) {
  const reference = wordsOf(report.reference(segment, report.closest(segment)));
  const rows = [
    {words: wordsOf(report.translation(segment, first)), links: report.linksOf(segment, first), y: 30},
    {words: reference, links: null, y: 110},
    {words: wordsOf(report.translation(segment, second)), links: report.linksOf(segment, second), y: 190},
  ];
  const gap = 10;
  const backwards = RIGHT_TO_LEFT.test(reference.join(' '));
  for (const row of rows) {
    let x = 0;
    row.places = row.words.map((word) => { const width = textWidth(word); const middle = x + width / 2; x += width + gap; return middle; });
    row.width = Math.max(0, x - gap);
  }
  const inner = Math.max(...rows.map((row) => row.width), 40);
  const width = inner + 8;
  for (const row of rows) {
    const shift = (inner - row.width) / 2;  // centred, so that links stay short
    row.places = row.places.map((x) => 4 + (backwards ? inner - x - shift : x + shift));
  }
  const covered = new Set([...rows[0].links, ...rows[2].links].map((link) => link.to));
  const lines = [];
  for (const [row, from, to] of [[rows[0], 36, 94], [rows[2], 174, 116]]) {
    row.links.forEach((link, i) => {
      if (link.to < 0) return;
      const [x1, x2, middle] = [row.places[i], rows[1].places[link.to], (from + to) / 2];
      lines.push(element('svg:path', {class: `link ${link.stage}`, d: `M${x1.toFixed(1)} ${from}C${x1.toFixed(1)} ${middle} ${x2.toFixed(1)} ${middle} ${x2.toFixed(1)} ${to}`},
        element('svg:title', {}, `${row.words[i]} – ${reference[link.to]}`)));
    });
  }
  const labels = rows.flatMap((row, number) => row.words.map((word, i) => element('svg:text', {
    x: row.places[i].toFixed(1), y: row.y, 'text-anchor': 'middle',
    class: number === 1 ? (covered.has(i) ? '' : 'lack') : (row.links[i].to < 0 ? 'more' : ''),
  }, word)));
  const label = `Words of ${report.names[first]}, the reference and ${report.names[second]}, linked where they match`;
  return element('div', {class: 'ladder'},
    element('div', {class: 'rungs', 'aria-hidden': 'true'}, systemName(report, first, 'first'), element('span', {class: 'faint'}, 'reference'), systemName(report, second, 'second')),
    element('div', {class: 'links', tabindex: 0, role: 'img', 'aria-label': label},
      element('svg:svg', {width: Math.ceil(width), height: 196, viewBox: `0 10 ${Math.ceil(width)} 196`}, lines, labels)));
}

// TER's edits as one line of text.
function editLine(report, segment, system) {
  const {steps} = report.editsOf(segment, system);
  const found = [];
  for (const {letter, hypothesis, reference} of steps) {
    const moved = hypothesis?.moved ? 'moved' : null;
    if (letter === '=') found.push(moved ? element('span', {class: moved, title: 'moved here'}, hypothesis.word) : hypothesis.word);
    else {
      if (hypothesis) found.push(element('del', {title: moved ? 'moved, and replaced' : 'not in the reference'}, hypothesis.word));
      if (reference) found.push(element('ins', {title: 'in the reference'}, reference));
    }
    found.push(' ');
  }
  return element('p', {class: 'edits', dir: 'auto'}, found);
}
