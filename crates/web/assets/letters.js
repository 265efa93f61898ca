// Letters keep themselves while they are written; printing has a button. Everything works without this script.
for (const button of document.querySelectorAll('[data-print]')) {
  button.hidden = false;
  button.addEventListener('click', () => print());
}

for (const form of document.querySelectorAll('form[data-autosave]')) {
  const note = document.querySelector('[data-saved]');
  let timer = 0, busy = false, dirty = false, closing = false, waiting = null;
  const save = async () => {
    if (busy || closing) { return; }
    busy = true;
    dirty = false;
    const body = new URLSearchParams(new FormData(form));
    body.set('tun', 'selbst');
    try {
      const answer = await fetch(form.action, { method: 'POST', body, headers: { 'x-autosave': '1' } });
      const address = answer.headers.get('x-draft');
      if (answer.status === 204 && address) {
        form.action = address;
        history.replaceState(null, '', address);
        if (note) { note.textContent = note.dataset.text; }
      }
    } catch { /* without a connection the next change tries again */ }
    busy = false;
    if (waiting) { form.requestSubmit(waiting); return; }
    if (dirty) { plan(); }
  };
  const plan = () => { clearTimeout(timer); timer = setTimeout(save, 2500); };
  form.addEventListener('input', () => { dirty = true; if (note) { note.textContent = ''; } plan(); });
  // What is being saved is finished first: a letter must not end up in two drafts.
  form.addEventListener('submit', event => {
    closing = true;
    clearTimeout(timer);
    if (busy) { event.preventDefault(); waiting = event.submitter; }
  });
}
