// Puts the page together.

themeButton();
new Lines(new Comparing());
document.documentElement.dataset.ready = 'yes';
