// Puts the parts together once the data are read.

function pairControls(report, choose) {
  const select = (label) => {
    const found = element('select', {'aria-label': label}, report.order.map((system) => element('option', {value: system}, report.names[system])));
    found.addEventListener('change', () => choose(Number(one.value), Number(other.value), found));
    return found;
  };
  const one = select('First system');
  const other = select('Second system');
  const swap = element('button', {type: 'button', class: 'button', title: 'Change places', onclick: () => choose(Number(other.value), Number(one.value))}, '⇄');
  byId('pair-controls').append(one, swap, other);
  return (first, second) => { one.value = first; other.value = second; };
}

function start(report) {
  const places = Object.fromEntries(['filters', 'count', 'table', 'pager'].map((id) => [id, byId(id)]));
  const segments = new Segments(report, places);
  const cells = [...document.querySelectorAll('.matrix button')];
  const choose = (first, second, changed = null) => {
    if (first === second) {  // the other select gives way
      const free = report.order.find((system) => system !== first);
      if (changed === byId('pair-controls').lastElementChild) first = free;
      else second = free;
    }
    show(first, second);
    for (const cell of cells) cell.setAttribute('aria-pressed', String(Number(cell.dataset.first) === first && Number(cell.dataset.second) === second));
    byId('pair-sentence').replaceChildren(...pairSentence(report, first, second));
    byId('pair-numbers').textContent = pairNumbers(report, first, second);
    byId('pair-balance').replaceChildren(balance(report, first, second));
    draw = () => {
      const room = (id) => Math.max(280, Math.min(600, byId(id).clientWidth || 520));
      byId('histogram').replaceChildren(histogram(report, first, second, room('histogram')));
      byId('lengths').replaceChildren(lengthChart(report, first, second, room('lengths')));
    };
    draw();
    segments.largest = 0;
    segments.setPair(first, second);
  };
  let draw = () => {};
  let waiting = 0;
  addEventListener('resize', () => { clearTimeout(waiting); waiting = setTimeout(() => draw(), 120); });
  const show = pairControls(report, choose);
  byId('pair').hidden = byId('segments').hidden = false;
  for (const cell of cells) cell.addEventListener('click', () => choose(Number(cell.dataset.first), Number(cell.dataset.second)));
  choose(report.order[0], report.order[1]);
  document.documentElement.dataset.ready = 'yes';
}

themeButton();
unpack(byId('data').textContent).then(start).catch((error) => {
  const problem = byId('problem');
  problem.textContent = typeof DecompressionStream === 'undefined'
    ? 'The segments cannot be shown: this browser is older than 2023. Any current one opens them.'
    : `The segments cannot be shown: ${error.message}`;
  problem.hidden = false;
});
