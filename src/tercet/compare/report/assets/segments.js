// The segments: sorted, filtered, a page at a time; each opens into its explanation.

const PAGE = 50;

class Segments {
  constructor(report, places) {
    this.report = report;
    this.places = places;  // elements of the page: filters, count, table, pager
    this.state = {query: '', verdict: 'all', certainty: 0, sort: 'decided', down: true, page: 0, open: new Set()};
    this.plain = report.texts.map((row) => row.map((text) => plainText(text).toLowerCase()).join('\n'));
    this.buildFilters();
  }

  setPair(first, second) {
    Object.assign(this, {first, second});
    this.margins = Array.from({length: this.report.segments}, (_, i) => this.report.margin(first, second, i));
    const [both, one, tie, other] = this.verdictSelect.options;
    one.textContent = `${this.report.names[first]} better`;
    other.textContent = `${this.report.names[second]} better`;
    both.textContent = 'all';
    tie.textContent = 'ties';
    this.state.open.clear();
    this.state.page = 0;
    this.update();
  }

  buildFilters() {
    const changed = (key, read) => (event) => { this.state[key] = read(event.target.value); this.state.page = 0; this.update(); };
    const option = ([value, text]) => element('option', {value}, text);
    this.search = element('input', {type: 'search', placeholder: 'words in any text', autocomplete: 'off', oninput: changed('query', (text) => text.toLowerCase())});
    this.verdictSelect = element('select', {onchange: changed('verdict', String)}, [['all', ''], ['1', ''], ['0', ''], ['-1', '']].map(option));
    const certainty = element('select', {onchange: changed('certainty', Number)}, [['0', 'any'], ['0.55', '55 % or more'], ['0.65', '65 % or more'], ['0.8', '80 % or more']].map(option));
    const field = (name, control, cls) => element('label', {class: cls}, name, control);
    this.places.filters.append(field('Search', this.search, 'grow'), field('Verdict', this.verdictSelect));
    if (this.report.curve) this.places.filters.append(field('Probability', certainty));
    document.addEventListener('keydown', (event) => {
      const typing = /^(input|select|textarea)$/i.test(event.target.tagName ?? '');
      if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey) { event.preventDefault(); this.search.focus(); }
    });
  }

  chosen() {
    const {report, margins, state} = this;
    const terms = state.query.split(/\s+/).filter(Boolean);
    const numbers = margins.map((_, i) => i).filter((i) => {
      if (state.verdict !== 'all' && report.verdict(this.first, this.second, i) !== Number(state.verdict)) return false;
      if (state.certainty && Math.max(report.probability(margins[i]), 1 - report.probability(margins[i])) < state.certainty) return false;
      return terms.every((term) => this.plain[i].includes(term) || `${i + 1}` === term);
    });
    const key = {
      number: (i) => i, text: (i) => this.report.reference(i, report.closest(i)).toLowerCase(), decided: (i) => Math.abs(margins[i]),
      margin: (i) => margins[i], verdict: (i) => report.verdict(this.first, this.second, i), length: (i) => wordsOf(report.reference(i, report.closest(i))).length,
    }[state.sort];
    const keys = new Map(numbers.map((i) => [i, key(i)]));
    const turn = state.down ? -1 : 1;
    return numbers.sort((a, b) => { const [x, y] = [keys.get(a), keys.get(b)]; return x < y ? -turn : x > y ? turn : a - b; });
  }

  update(focus = null) {
    const {report, state, places} = this;
    const numbers = this.chosen();
    const pages = Math.max(1, Math.ceil(numbers.length / PAGE));
    state.page = Math.min(state.page, pages - 1);
    this.visible = numbers.slice(state.page * PAGE, (state.page + 1) * PAGE);
    places.count.textContent = `${numbers.length.toLocaleString('en')} of ${report.segments.toLocaleString('en')} segments` + (pages > 1 ? `, page ${state.page + 1} of ${pages}` : '');
    this.rows = this.visible.map((segment) => this.row(segment));
    const list = element('div', {class: 'list'}, this.rows.length ? this.rows : element('p', {class: 'note'}, 'No segment fits; take a filter back.'));
    list.addEventListener('keydown', (event) => this.move(event));
    places.table.replaceChildren(this.heads(), list);
    const turn = (text, by, off) => element('button', {type: 'button', class: 'button', disabled: off, onclick: () => { state.page += by; this.update(); places.table.scrollIntoView({block: 'start'}); }}, text);
    places.pager.replaceChildren(...(pages > 1 ? [turn('← earlier', -1, state.page === 0), turn('later →', 1, state.page === pages - 1)] : []));
    if (focus) this.heading(focus)?.focus();
  }

  heading(key) { return [...this.places.table.querySelectorAll('.heads button')].find((one) => one.dataset.key === key); }

  heads() {
    const {state} = this;
    const names = [['number', 'Segment'], ['text', 'Reference'], ['verdict', 'Verdict'], ['decided', this.report.curve ? 'Probability' : 'Difference'], ['margin', 'Margin'], ['length', 'Words']];
    return element('div', {class: 'heads', role: 'group', 'aria-label': 'Sort by'}, names.map(([key, name]) => {
      const now = state.sort === key;
      return element('button', {type: 'button', 'data-key': key, 'aria-pressed': String(now), title: `Sort by ${name.toLowerCase()}`, onclick: () => {
        Object.assign(state, {sort: key, down: now ? !state.down : key !== 'number' && key !== 'text', page: 0});
        this.update(key);
      }}, name + (now ? (state.down ? ' ↓' : ' ↑') : ''));
    }));
  }

  row(segment) {
    const {report, first, second} = this;
    const margin = this.margins[segment];
    const verdict = report.verdict(first, second, segment);
    const chance = report.probability(margin);
    const side = verdict > 0 ? 'first' : verdict < 0 ? 'second' : '';
    const text = verdict ? report.names[verdict > 0 ? first : second] : 'tie';
    const likely = Math.max(chance, 1 - chance);
    const size = report.curve ? 2 * likely - 1 : Math.min(1, Math.abs(margin) / (this.largest ||= Math.max(...this.margins.map(Math.abs), 1e-9)));
    const button = element('button', {type: 'button', 'aria-expanded': 'false', 'data-segment': segment},
      element('span', {class: 'n'}, `${segment + 1}`),
      element('span', {class: 'text', dir: 'auto'}, plainText(report.reference(segment, report.closest(segment)))),
      element('span', {class: 'verdict'}, element('span', {class: `chip${side ? ` is-${side}` : ''}`}, element('bdi', {}, text))),
      element('span', {class: 'chance'},
        element('svg:svg', {viewBox: '0 0 100 10', preserveAspectRatio: 'none', 'aria-hidden': 'true'},
          element('svg:rect', {x: 0, y: 2, width: Math.max(2, 100 * size).toFixed(1), height: 6, rx: 3, class: side ? `on-${side}` : 'on-tie'})),
        element('span', {class: 'tabular'}, report.curve ? percent(likely) : Math.abs(margin).toFixed(1))),
      element('span', {class: 'm tabular'}, signed(margin, 2)),
      element('span', {class: 'l tabular'}, `${wordsOf(report.reference(segment, report.closest(segment))).length}`));
    const row = element('div', {class: 'row'}, button);
    button.addEventListener('click', () => this.toggle(row, button, segment));
    if (this.state.open.has(segment)) this.toggle(row, button, segment, true);
    return row;
  }

  toggle(row, button, segment, open = row.childElementCount === 1) {
    row.classList.toggle('open', open);
    button.setAttribute('aria-expanded', String(open));
    if (open && row.childElementCount === 1) row.append(explanation(this.report, segment, this.first, this.second));
    if (!open && row.childElementCount > 1) row.lastElementChild.remove();
    this.state.open[open ? 'add' : 'delete'](segment);
  }

  move(event) {
    const row = event.target.closest('.row');
    const place = this.rows.indexOf(row);
    if (place < 0) return;
    const button = row.firstElementChild;
    if (event.key === 'Escape') {
      if (row.childElementCount > 1) this.toggle(row, button, Number(button.dataset.segment), false);
      button.focus();
      return;
    }
    if (event.target !== button) return;
    const next = {ArrowDown: place + 1, ArrowUp: place - 1, Home: 0, End: this.rows.length - 1}[event.key];
    if (next === undefined) return;
    event.preventDefault();
    this.rows[Math.max(0, Math.min(this.rows.length - 1, next))].firstElementChild.focus();
  }
}
