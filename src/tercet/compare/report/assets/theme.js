// Light or dark: what the reader's system says, or what the button chose.

function byId(id) { return document.getElementById(id); }

function themeButton() {
  const button = byId('theme');
  const dark = () => (document.documentElement.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';
  const name = () => { button.textContent = dark() ? 'Light' : 'Dark'; };
  button.hidden = false;
  button.addEventListener('click', () => { document.documentElement.dataset.theme = dark() ? 'light' : 'dark'; name(); });
  name();
}
