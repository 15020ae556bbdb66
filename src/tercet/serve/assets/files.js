// Files to compare: they are sent, the comparison is watched, and its report can be opened.

class Comparing {
  constructor() {
    this.form = byId('files-form');
    this.problem = byId('files-problem');
    this.form.addEventListener('submit', (event) => { event.preventDefault(); this.submit(); });
    byId('files-example').addEventListener('click', () => this.example());
    byId('job-end').addEventListener('click', () => this.forget());
    byId('result-forget').addEventListener('click', () => this.forget());
    const known = location.hash.match(/^#comparison=([\w-]+)$/);
    if (known) this.watch(known[1]);
  }

  submit() {
    const sent = new FormData(this.form);
    for (const [key, file] of [...sent]) if (!file.name) { sent.delete(key); }
    return this.start(sent);
  }

  async example() {
    const sent = new FormData();
    await during(this.form, this.problem, async () => {
      for (const name of ['reference', 'careful', 'literal', 'hasty']) {
        const text = await (await fetch(`/assets/${name}.txt`)).blob();
        sent.append(name === 'reference' ? 'references' : 'translations', text, `${name}.txt`);
      }
    });
    return this.start(sent);
  }

  async start(sent) {
    byId('result').hidden = byId('job').hidden = true;
    this.watching = null;
    byId('files').scrollIntoView({block: 'nearest'});
    await during(this.form, this.problem, async () => {
      const size = [...sent.values()].reduce((sum, file) => sum + file.size, 0);
      const limit = Number(this.form.dataset.limit);
      if (!sent.has('references')) throw new Error('There are no references yet; choose at least one file.');
      if (!sent.has('translations')) throw new Error('There are no translations yet; choose a file for each system.');
      if (size > limit) throw new Error(`The files are ${(size / 1e6).toFixed(1)} MB, more than the ${limit / 1e6} MB taken here; use tercet compare on the command line.`);
      const {id} = await ask('/api/comparisons', {method: 'POST', body: sent});
      history.replaceState(null, '', `#comparison=${id}`);
      this.watch(id);
    });
  }

  // Asks often at first, and less often the longer it takes.
  async watch(id) {
    this.watching = id;
    const since = Date.now();
    byId('result').hidden = true;
    byId('job').hidden = false;
    try {
      for (let pause = 120; this.watching === id; pause = Math.min(1500, pause * 1.25)) {
        const status = await ask(`/api/comparisons/${id}`);
        if (this.watching !== id) return;
        if (status.state === 'failed') throw new Error(status.error);
        if (status.state === 'done') { this.show(id, status.summary); return; }
        this.tell(status, Math.round((Date.now() - since) / 1000));
        await new Promise((resolve) => { setTimeout(resolve, pause); });
      }
    } catch (error) {
      if (this.watching !== id) return;
      history.replaceState(null, '', location.pathname);
      byId('job').hidden = true;
      showProblem(this.problem, error);
    }
  }

  tell(status, seconds) {
    const what = {waiting: 'Waiting for other comparisons to end', judging: 'Judging the translations'}[status.stage] ?? 'Writing the report';
    const size = `${status.systems.length} systems, ${status.segments.toLocaleString('en')} segments`;
    byId('job-stage').textContent = `${what}: ${size}${seconds >= 3 ? `, ${seconds} s so far` : ''}.`;
    const bar = byId('job-progress');
    if (status.progress > 0) bar.value = status.progress;
    else bar.removeAttribute('value');  // it moves, for nobody knows how far it is
  }

  show(id, summary) {
    byId('job').hidden = true;
    byId('result-title').textContent = summary.headline;
    byId('result-setting').textContent = summary.setting;
    byId('result-ranking').replaceChildren(brief(summary.ranking, 'Score'));
    byId('result-open').href = `/api/comparisons/${id}/report`;
    byId('result-save').href = `/api/comparisons/${id}/report?download=true`;
    byId('result').hidden = false;
    byId('result-open').focus();
  }

  async forget() {
    const id = this.watching;
    this.watching = null;
    history.replaceState(null, '', location.pathname);
    byId('job').hidden = byId('result').hidden = true;
    try {
      if (id) await ask(`/api/comparisons/${id}`, {method: 'DELETE'});
    } catch (error) {
      showProblem(this.problem, error);
    }
  }
}
