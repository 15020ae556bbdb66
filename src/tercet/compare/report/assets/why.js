// Why a verdict on a segment is what it is: plain words first, then pictures, then numbers.

function counted(number, noun) { return `${number} ${noun}${number === 1 ? '' : 's'}`; }
function listed(items, last = 'and') { return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} ${last} ${items.at(-1)}`; }
function quoted(words, most = 8) {
  const named = words.slice(0, most).map((word) => `“${word}”`);
  return words.length > most ? `${named.join(', ')} and ${words.length - most} more` : listed(named);
}

function editWords({steps, shifts, count}) {
  const kinds = [['s', 'replaced'], ['i', 'missing'], ['d', 'too many']];
  const parts = kinds.map(([letter, word]) => [steps.filter((step) => step.letter === letter).length, word]);
  parts.push([shifts, 'moved']);
  const details = parts.filter(([number]) => number).map(([number, word]) => `${number} ${word}`).join(', ');
  return counted(count, 'edit') + (details ? ` (${details})` : '');
}

function sentences(report, segment, first, second) {
  const margin = report.margin(first, second, segment);
  const verdict = report.verdict(first, second, segment);
  const chance = report.probability(margin);
  const one = () => systemName(report, first, 'first');
  const other = () => systemName(report, second, 'second');
  const [better, worse, likely] = verdict < 0 ? [other, one, 1 - chance] : [one, other, chance];
  const found = [];
  if (verdict === 0) found.push([one(), ' and ', other(), report.curve ? ` tie (${percent(chance)} for the first).` : ' tie.']);
  else if (!report.curve) found.push([better(), ' is better than ', worse(), `: ${report.model} differs by ${Math.abs(margin).toFixed(2)}.`]);
  else {
    const word = report.likelihoods.find(([bound]) => likely >= bound)[1];
    found.push([better(), ` is ${word} than `, worse(), `: ${percent(likely)} of people who prefer one are expected to prefer it.`]);
  }
  const reference = wordsOf(report.reference(segment, report.closest(segment)));
  const covered = [first, second].map((system) => new Set(report.linksOf(segment, system).map((link) => link.to).filter((to) => to >= 0)));
  found.push([one(), ` has ${covered[0].size} of the reference’s ${counted(reference.length, 'word')}, `, other(), ` has ${covered[1].size}.`]);
  for (const [mine, theirs, name] of [[covered[0], covered[1], one], [covered[1], covered[0], other]]) {
    const only = [...mine].filter((place) => !theirs.has(place)).sort((a, b) => a - b).map((place) => reference[place]);
    if (only.length) found.push(['Only ', name(), ` has ${quoted(only)}.`]);
  }
  const edits = [first, second].map((system) => editWords(report.editsOf(segment, system)));
  found.push(['To become the reference ', one(), ` takes ${edits[0]}, `, other(), ` ${edits[1]}.`]);
  const place = report.fullIndex.get(segment);
  if (place !== undefined && report.full.paths) {
    const paths = [first, second].map((system) => counted(report.full.paths[place][system].filter((step) => step[0] !== '=').length, 'edit'));
    found.push(['To become the nearest paraphrase of it ', one(), ` takes ${paths[0]}, `, other(), ` ${paths[1]}.`]);
  }
  const parts = report.parts(first, second, segment).map((value, i) => [report.groups[i], value]).sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]));
  if (parts.length > 1) {
    for (const [sign, name] of [[1, one], [-1, other]]) {
      const named = parts.filter(([, value]) => sign * value >= 0.005).slice(0, 3).map(([group, value]) => `${group} (${(sign * value).toFixed(2)})`);
      if (named.length) found.push(['For ', name(), ` speak${named.length === 1 ? 's' : ''} ${listed(named)}.`]);
    }
  }
  return found;
}

// Bars to the left speak for the first system, bars to the right for the second, as the names over them say.
function contributionBars(report, segment, first, second) {
  const parts = report.parts(first, second, segment).map((value, i) => [report.groups[i], value]).sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]));
  parts.push(['together', report.margin(first, second, segment)]);
  const most = Math.max(...parts.map(([, value]) => Math.abs(value)), 1e-9);
  const rows = parts.map(([name, value], i) => {
    const bar = element('span', {class: `stick ${value > 0 ? 'first' : 'second'}`});
    bar.style.width = `${(Math.abs(value) / most * 100).toFixed(1)}%`;
    const filled = element('span', {class: 'reach'}, bar, element('span', {class: 'value'}, Math.abs(value).toFixed(3)));
    const last = i === parts.length - 1 ? ' last' : '';
    return [element('span', {class: `what${last}`}, name), element('span', {class: `left${last}`}, value > 0 ? filled : ''), element('span', {class: `right${last}`}, value > 0 ? '' : filled)];
  });
  return element('div', {class: 'bars'}, element('span'), element('span', {class: 'left is-first'}, `← for ${clipped(report.names[first])}`),
    element('span', {class: 'right is-second'}, `for ${clipped(report.names[second])} →`), rows);
}

function featureTable(report, segment, first, second) {
  const place = report.fullIndex.get(segment);
  if (place === undefined || !report.arrays.values) return null;
  const [rows, width] = [report.full.segments.length, report.features.length];
  const parts = report.arrays.every
    ? report.features.map((_, i) => report.pairValue('every', first, second, place, rows, width, i))
    : report.parts(first, second, segment);
  const value = (system, i) => report.full.unknown[i] ? '' : Number((report.arrays.values[(system * rows + place) * width + i] * report.full.scales[i]).toPrecision(4));
  const order = parts.map((part, i) => [part, i]).sort((a, b) => Math.abs(b[0]) - Math.abs(a[0]));
  return element('details', {}, element('summary', {}, `Every feature (${width})`),
    element('div', {class: 'scroll'}, element('table', {class: 'features'},
      element('thead', {}, element('tr', {}, ['Adds', 'Looks at', 'Feature'].map((head, i) => element('th', {scope: 'col', class: i ? '' : 'number'}, head)),
        [first, second].map((system, i) => element('th', {scope: 'col', class: 'number'}, systemName(report, system, i ? 'second' : 'first'))))),
      element('tbody', {}, order.map(([part, i]) => element('tr', {},
        element('td', {class: `number ${part > 0 ? 'is-first' : part < 0 ? 'is-second' : 'faint'}`}, part ? signed(part, 4) : '0'),
        element('td', {}, report.groups[report.group_of[i]]), element('td', {}, element('code', {}, report.features[i])),
        element('td', {class: 'number'}, `${value(first, i)}`), element('td', {class: 'number'}, `${value(second, i)}`)))))));
}

function paraphrases(report, segment, first, second) {
  const place = report.fullIndex.get(segment);
  if (place === undefined || !report.full.paths) return null;
  const line = (system, side) => {
    const steps = report.full.paths[place][system];
    const edits = steps.filter((step) => step[0] !== '=').length;
    const words = steps.flatMap((step) => {
      const [mine, path] = step.slice(1).split('\t');
      if (step[0] === '=') return [mine, ' '];
      if (step[0] === 's') return [element('del', {}, mine), element('ins', {}, path), ' '];
      return [element(step[0] === 'd' ? 'del' : 'ins', {}, mine), ' '];
    });
    return [element('dt', {}, systemName(report, system, side), element('br'), counted(edits, 'edit')), element('dd', {}, element('p', {class: 'edits', dir: 'auto'}, words))];
  };
  return element('details', {}, element('summary', {}, 'The nearest paraphrase of the reference (HyTERA)'),
    element('dl', {class: 'texts'}, line(first, 'first'), line(second, 'second')));
}

function trees(report, segment, first, second) {
  const place = report.fullIndex.get(segment);
  if (place === undefined || !report.full.trees) return null;
  const [reference, ...others] = report.full.trees[place];
  const found = element('details', {}, element('summary', {}, 'Trees: chunks and discourse; green is found on the other side too'));
  found.addEventListener('toggle', () => {
    if (found.childElementCount > 1 || !found.open) return;
    const other = readTree(reference);
    const pairs = [[first, 'first'], [second, 'second']].map(([system, side]) => [systemName(report, system, side), readTree(others[system])]);
    for (const [name, tree] of pairs) found.append(element('p', {}, name), treePicture(tree, other));
    for (const [name, tree] of pairs) found.append(element('p', {}, 'The reference, linked with ', name.cloneNode(true)), treePicture(readTree(reference), tree));
  });
  return found;
}

function explanation(report, segment, first, second) {
  const line = (title, ...content) => [element('dt', {}, title), element('dd', {dir: 'auto'}, content)];
  const count = report.referenceCount(segment);
  const others = Array.from({length: count}, (_, i) => i).filter((i) => i !== report.closest(segment));
  const key = (name, text) => element('span', {}, element('span', {class: `w ${name}`}, 'word'), ` ${text}`);
  const full = report.fullIndex.has(segment);
  return element('div', {class: 'why'},
    element('ul', {class: 'plain'}, sentences(report, segment, first, second).map((parts) => element('li', {}, parts))),
    element('dl', {class: 'texts'},
      report.has_source ? line('source', plainText(report.source(segment))) : null,
      line(count > 1 ? `reference ${report.closest(segment) + 1}` : 'reference', referenceText(report, segment, first, second)),
      others.map((i) => line(`reference ${i + 1}`, plainText(report.reference(segment, i)))),
      line(systemName(report, first, 'first'), hypothesisText(report, segment, first)),
      line(systemName(report, second, 'second'), hypothesisText(report, segment, second))),
    element('p', {class: 'legend'}, key('missed', 'in neither translation'), key('half', 'in one of them'), key('added', 'not in the reference'), key('stem', 'same stem'), key('synonym', 'synonym')),
    element('h3', {}, 'Words'), ladder(report, segment, first, second),
    report.groups.length > 1 ? [element('h3', {}, 'What decided'), contributionBars(report, segment, first, second)] : null,
    featureTable(report, segment, first, second),
    element('h3', {}, 'Edits to the reference (TER)'),
    element('dl', {class: 'texts'}, [[first, 'first'], [second, 'second']].map(([system, side]) => [
      element('dt', {}, systemName(report, system, side)), element('dd', {}, editLine(report, segment, system))])),
    paraphrases(report, segment, first, second), trees(report, segment, first, second),
    full ? null : element('p', {class: 'note'}, `Every feature, the nearest paraphrase and trees are kept for the ${report.full.segments.length} segments in which the systems differ most.`));
}
