// Three lines or more, pasted; the verdict between any two, explained as the report explains it.

class Lines {
  constructor(comparing) {
    this.comparing = comparing;  // what takes texts of several lines
    this.form = byId('lines-form');
    this.references = byId('lines-references');
    this.translations = byId('lines-translations');
    this.addReference();
    this.addTranslation();
    this.addTranslation();
    byId('add-reference').addEventListener('click', () => this.addReference(true));
    byId('add-translation').addEventListener('click', () => this.addTranslation(true));
    byId('add-source').addEventListener('click', () => this.addSource());
    byId('lines-example').addEventListener('click', () => this.example());
    this.form.addEventListener('submit', (event) => { event.preventDefault(); this.submit(); });
    this.form.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) { event.preventDefault(); this.form.requestSubmit(); }
    });
  }

  addLine(place, label, text, removable, focus) {
    const id = `line-${Lines.count = (Lines.count ?? 0) + 1}`;
    const area = element('textarea', {id, rows: 2, dir: 'auto', spellcheck: 'false', placeholder: text});
    const row = element('div', {class: 'line'}, label(id), area);
    const remove = element('button', {type: 'button', class: 'remove', title: 'Remove', 'aria-label': 'Remove this line',
      onclick: () => { row.remove(); this.renumber(); place.querySelector('textarea')?.focus(); }}, '✕');
    if (removable) row.append(remove);
    place.append(row);
    this.renumber();
    if (focus) area.focus();
    return row;
  }

  renumber() {
    const labels = [...this.references.querySelectorAll('label[data-kind="reference"]')];
    labels.forEach((label, i) => { label.textContent = labels.length > 1 ? `Reference ${i + 1}` : 'Reference'; });
  }

  addReference(focus = false) {
    const first = !this.references.querySelector('[data-kind="reference"]');
    return this.addLine(this.references, (id) => element('label', {for: id, 'data-kind': 'reference'}), 'How it should be said', !first, focus);
  }

  addSource(focus = true) {
    byId('add-source').hidden = true;
    const row = this.addLine(this.references, (id) => element('label', {for: id, 'data-kind': 'source'}, 'Source'), 'What was translated', true, focus);
    row.querySelector('.remove').addEventListener('click', () => { byId('add-source').hidden = false; });
    return row;
  }

  addTranslation(focus = false) {
    const taken = this.names();
    const letter = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].find((one) => !taken.includes(one)) ?? `${taken.length + 1}`;
    const name = () => element('div', {class: 'naming'}, element('input', {type: 'text', value: letter, maxlength: 80, 'aria-label': `Name of translation ${letter}`}));
    const row = this.addLine(this.translations, name, 'A translation', taken.length >= 2, focus);
    row.querySelector('textarea').setAttribute('aria-label', `Translation ${letter}`);
    byId('add-translation').hidden = taken.length >= 15;
    return row;
  }

  names() { return [...this.translations.querySelectorAll('.naming input')].map((input) => input.value.trim()); }

  texts(place, kind) {
    return [...place.querySelectorAll('.line')].filter((row) => !kind || row.querySelector(`[data-kind="${kind}"]`)).map((row) => row.querySelector('textarea').value);
  }

  async example() {
    const lines = async (name) => (await (await fetch(`/assets/${name}.txt`)).text()).split('\n')[2];
    await during(this.form, byId('lines-problem'), async () => {
      const [reference, careful, hasty] = await Promise.all(['reference', 'careful', 'hasty'].map(lines));
      this.references.querySelector('textarea').value = reference;
      const rows = [...this.translations.querySelectorAll('.line')];
      [['careful', careful], ['hasty', hasty]].forEach(([name, text], i) => {
        rows[i].querySelector('input').value = name;
        rows[i].querySelector('textarea').value = text;
      });
    });
    this.submit();
  }

  async submit() {
    byId('verdict').hidden = true;
    await during(this.form, byId('lines-problem'), async () => {
      const references = this.texts(this.references, 'reference');
      const [source] = this.texts(this.references, 'source');
      const names = this.names();
      const texts = this.texts(this.translations);
      const empty = references.findIndex((text) => !text.trim());
      if (empty >= 0) throw new Error('There is no reference yet; write or paste one.');
      if (names.some((name) => !name)) throw new Error('A translation has no name; give it one.');
      const twice = names.find((name, i) => names.indexOf(name) < i);
      if (twice !== undefined) throw new Error(`Two translations are called “${twice}”; give one another name.`);
      if (texts.filter((text) => text.trim()).length < 1) throw new Error('There are no translations yet; write or paste two.');
      if ([...references, ...texts, source ?? ''].some((text) => text.trim().includes('\n'))) {
        this.comparing.start(this.asFiles(references, names, texts, source));
        return;
      }
      const wanted = {references, translations: Object.fromEntries(names.map((name, i) => [name, texts[i]])), packed: true};
      if (source?.trim()) wanted.source = source;
      const found = await ask('/api/verdict', {method: 'POST', headers: {'content-type': 'application/json'}, body: JSON.stringify(wanted)});
      await this.show(found);
    });
  }

  asFiles(references, names, texts, source) {
    const sent = new FormData();
    const file = (text) => new Blob([text.replace(/\s+$/, '') + '\n'], {type: 'text/plain'});
    references.forEach((text, i) => sent.append('references', file(text), references.length > 1 ? `reference ${i + 1}` : 'reference'));
    texts.forEach((text, i) => sent.append('translations', file(text), names[i]));
    if (source?.trim()) sent.append('source', file(source), 'source');
    return sent;
  }

  async show(found) {
    const report = await unpack(found.packed);
    const places = report.order;
    const choose = (first, second) => {
      byId('verdict-title').replaceChildren(...sentences(report, 0, first, second)[0]);
      byId('verdict-why').replaceChildren(explanation(report, 0, first, second));
    };
    byId('verdict-others').replaceChildren(...(places.length > 2 ? this.others(report, found, choose) : []));
    choose(...[places[0], places[1]].sort((a, b) => a - b));  // as they stand in the form, in its colours
    byId('verdict-notes').replaceChildren(...found.notes.map((note) => element('p', {}, note)), element('p', {}, element('code', {}, found.signature)));
    byId('verdict').hidden = false;
    byId('verdict-title').focus({preventScroll: true});
    byId('verdict-title').scrollIntoView({block: 'start', behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth'});
  }

  // More than two: their order, and a choice of which two to look at.
  others(report, found, choose) {
    const select = (label, chosen) => element('select', {'aria-label': label, onchange: changed},
      report.order.map((system) => element('option', {value: system, selected: system === chosen}, report.names[system])));
    const changed = (event) => {
      const [first, second] = [Number(one.value), Number(other.value)];
      if (first !== second) { choose(first, second); return; }
      const free = report.order.find((system) => system !== first);  // the other select gives way
      (event.target === one ? other : one).value = free;
      choose(Number(one.value), Number(other.value));
    };
    const [first, second] = [report.order[0], report.order[1]].sort((a, b) => a - b);
    const one = select('First translation', first);
    const other = select('Second translation', second);
    const score = found.kind === 'model' ? 'Expected to be preferred' : 'Beats';
    return [brief(found.ranking, score), element('div', {class: 'controls'}, element('label', {}, 'Compare', one), element('label', {}, 'with', other))];
  }
}

function brief(ranking, score) {
  const rank = (one) => one.rank_low < one.rank_high ? `${one.rank_low}–${one.rank_high}` : `${one.rank}`;
  return element('table', {class: 'brief'},
    element('thead', {}, element('tr', {}, element('th', {scope: 'col', class: 'number'}, 'Rank'), element('th', {scope: 'col'}, 'System'), element('th', {scope: 'col', class: 'number'}, score))),
    element('tbody', {}, ranking.map((one) => element('tr', {}, element('td', {class: 'number'}, rank(one)),
      element('th', {scope: 'row'}, element('bdi', {}, one.system)), element('td', {class: 'number strong'}, percent(one.score / 100, 1))))));
}
