// The little script that every page carries. Without it every way, form and page still works.
const root = document.documentElement;

// The candle: the light changes at once, the server remembers it.
for (const form of document.querySelectorAll('form[data-light]')) {
  const button = form.querySelector('button');
  const dark = () => root.dataset.theme ? root.dataset.theme === 'candle' : matchMedia('(prefers-color-scheme:dark)').matches;
  const show = () => { button.setAttribute('aria-pressed', dark()); button.value = dark() ? 'paper' : 'candle'; };
  show();
  form.addEventListener('submit', event => {
    event.preventDefault();
    // As it is now: the machine may have turned dark since the page was opened.
    const light = dark() ? 'paper' : 'candle';
    root.dataset.theme = light;
    show();
    fetch(form.action, { method: 'POST', body: new URLSearchParams({ licht: light }), redirect: 'manual', keepalive: true });
  });
}

// On a narrow screen the way that is open is scrolled into sight.
for (const here of document.querySelectorAll('.nav [aria-current]')) {
  const list = here.closest('ul');
  list.scrollLeft = here.offsetLeft - (list.clientWidth - here.clientWidth) / 2;
}

// A file is chosen in the language of the page, not of the browser.
for (const input of document.querySelectorAll('input[type=file][data-choose]')) {
  const part = (name, text) => {
    const span = document.createElement('span');
    span.className = name;
    span.textContent = text;
    span.setAttribute('aria-hidden', 'true');
    return span;
  };
  const box = document.createElement('span');
  box.className = 'pick';
  const name = part('chosen', '');
  input.before(box);
  box.append(part('btn', input.dataset.choose), name, input);
  const show = () => { name.textContent = input.files.length ? Array.from(input.files, file => file.name).join(', ') : input.dataset.none; };
  input.addEventListener('change', show);
  show();
}
