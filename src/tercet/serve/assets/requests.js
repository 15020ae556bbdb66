// Asking the server. What comes back is an answer, or an error whose message is the one line that the server gave.

async function ask(path, options = {}) {
  let answer;
  try {
    answer = await fetch(path, options);
  } catch {
    throw new Error('The server does not answer. Is tercet serve still running?');
  }
  if (answer.status === 204) return null;
  const found = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(found.error ?? `The server answered ${answer.status}.`);
  return found;
}

function showProblem(place, error) {
  place.textContent = error ? error.message : '';
  place.hidden = !error;
  if (error) place.scrollIntoView({block: 'nearest'});
}

// While work is done its form's buttons are off, so that it is not asked for twice.
async function during(form, problem, work) {
  const buttons = [...form.querySelectorAll('button')];
  showProblem(problem, null);
  for (const button of buttons) button.disabled = true;
  try {
    return await work();
  } catch (error) {
    showProblem(problem, error);
    return null;
  } finally {
    for (const button of buttons) button.disabled = false;
  }
}
