// <bw-board>: the board played by clicks and keys without loading the page anew; <bw-replay>: a step seen again. Without this script
// both pages are links and forms that do the same.
import { held } from './lattice.js';
import { BwMap } from './map.js';

const SVG = 'http://www.w3.org/2000/svg';
const WATCH = 3_000;
const WATCH_FIRST = 400;
const BEAT = 1_300;
const calm = matchMedia('(prefers-reduced-motion: reduce)');

/** Where a window stood before its page was replaced. */
let seen = null;

class Tafel extends BwMap {
  connectedCallback() {
    super.connectedCallback();
    if (!this.svg || !this.home) return;
    // The fields of a board are links: they stay for whoever reads or tabs.
    this.svg.removeAttribute('aria-hidden');
    this.svg.setAttribute('role', 'group');
    this.svg.setAttribute('aria-label', this.stage.getAttribute('aria-label'));
    for (const field of this.svg.querySelectorAll('[data-spot]')) if (field.matches('a,button')) field.tabIndex = -1;
    // A finger or mouse may be moving the board; what it means is decided when it is lifted.
    this.stage.addEventListener('click', (event) => {
      if (event.detail > 0) {
        event.preventDefault();
        event.stopPropagation();
      }
    }, true);
  }

  disconnectedCallback() {
    if (this.view) seen = { view: this.view, cursor: this.cursor, home: this.home };
    super.disconnectedCallback();
  }

  restore() {
    super.restore();
    if (seen && this.home && seen.home.width === this.home.width) {
      this.view = held(seen.view, this.home, ...this.size);
      if (!this.dataset.cursor) this.cursor = seen.cursor;
      this.paint();
    }
  }

  load() {
    this.fields = new Map();
    for (const field of this.svg.querySelectorAll('[data-spot]')) this.fields.set(field.dataset.spot, field);
    this.written = true;
    this.gazetteer = { fields: new Map(), at: (d, y) => (this.fields.has(`${d},${y}`) ? { label: '', armies: [], places: [] } : undefined) };
  }

  tell([d, y]) {
    const field = this.fields?.get(`${d},${y}`);
    return field?.getAttribute('aria-label') ?? field?.dataset.label ?? this.words.unknown ?? '';
  }

  open(spot) {
    this.cursor = spot;
    this.mark('cursor', [spot], 'sel');
    this.say(this.tell(spot));
  }
}

class BwBoard extends Tafel {
  open(spot) {
    super.open(spot);
    const field = this.fields?.get(spot.join(','));
    if (field?.matches('button')) submit(field.form, field);
    else if (field?.href?.baseVal) follow(field.href.baseVal);
  }

  use(tool) {
    super.use(tool);
    if (tool === 'ask' && this.fields) document.querySelector('[data-clear]')?.click();
  }
}

/** Puts the board of an answer in the place of the one on the page. */
async function exchange(url, options = {}) {
  const board = document.getElementById('brett');
  if (!board || board.getAttribute('aria-busy')) return;
  const onStage = Boolean(document.activeElement?.closest?.('[data-stage]'));
  const inPanel = Boolean(document.activeElement?.closest?.('#tafel'));
  board.setAttribute('aria-busy', 'true');
  try {
    const answer = await fetch(url, { credentials: 'same-origin', ...options });
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const fresh = page.getElementById('brett');
    if (!answer.ok || !fresh) return location.assign(answer.url || url);
    board.replaceWith(document.importNode(fresh, true));
    for (const old of document.querySelectorAll('main > .flash')) old.remove();
    const flash = page.querySelector('main > .flash');
    if (flash) document.querySelector('main').prepend(document.importNode(flash, true));
    history.replaceState(history.state, '', answer.url);
    if (onStage) document.querySelector('bw-board [data-stage]')?.focus({ preventScroll: true });
    else if (inPanel) document.getElementById('tafel')?.focus({ preventScroll: true });
    const note = document.querySelector('bw-board [data-note]');
    const last = document.querySelector('.draftlines .last code');
    if (note && options.method) note.textContent = flash?.textContent ?? last?.textContent ?? '';
    watch();
  } catch {
    location.assign(typeof url === 'string' ? url : location.href);
  } finally {
    document.getElementById('brett')?.removeAttribute('aria-busy');
  }
}

function follow(address) {
  return exchange(new URL(address, location.href).href);
}

function submit(form, button) {
  const body = new URLSearchParams(new FormData(form, button));
  const action = button?.getAttribute('formaction') ?? form.getAttribute('action');
  return exchange(new URL(action, location.href).href, { method: 'POST', body });
}

/** Others have moved: whoever is to move now first sees what they did, everybody else the board as it is. */
async function turned() {
  await exchange(location.pathname);
  const since = document.getElementById('brett')?.dataset.since;
  if (since) location.assign(since);
}

/** Looks from time to time whether the step has run that this page waits for. */
let watching = 0;
/** How soon the page looks: at first soon for what it has sent itself, later seldom. */
let patience = WATCH_FIRST;
function watch() {
  clearTimeout(watching);
  const board = document.getElementById('brett');
  if (!board?.dataset.watch) return;
  watching = setTimeout(async () => {
    if (!document.hidden) {
      try {
        const answer = await fetch(board.dataset.stand, { credentials: 'same-origin' });
        const { step } = await answer.json();
        if (step !== Number(board.dataset.step)) return board.dataset.next ? location.assign(board.dataset.next) : turned();
      } catch { /* the next look may succeed */ }
    }
    watch();
  }, board.dataset.next ? patience : WATCH);
  patience = Math.min(patience * 1.5, WATCH);
}

document.addEventListener('click', (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  const link = event.target.closest?.('#brett a.pchip, #brett a.kindchip, #brett a[data-clear], #brett a.bf');
  if (!link) return;
  event.preventDefault();
  follow(link.href?.baseVal ?? link.href);
});
document.addEventListener('submit', (event) => {
  const button = event.submitter;
  if (!event.target.closest?.('#brett') || button?.dataset.send !== undefined) return;
  event.preventDefault();
  submit(event.target, button);
});
document.addEventListener('keydown', (event) => {
  if (event.key.toLowerCase() !== 'u' || event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.('input,textarea,select')) return;
  const undo = document.querySelector('[data-undo]');
  if (!undo) return;
  event.preventDefault();
  submit(undo.form, undo);
});
// Whoever points at an offer sees its field.
for (const kind of ['pointerover', 'focusin']) {
  document.addEventListener(kind, (event) => {
    const offer = event.target.closest?.('[data-offer]');
    const board = document.querySelector('bw-board');
    if (!offer || !board?.marks?.reach) return;
    const spot = board.spotOf(offer.dataset.offer);
    board.mark('reach', spot ? [spot] : [], 'reach');
  });
}

// ---- the replay --------------------------------------------------------------------------------------------------------

class BwReplay extends Tafel {
  connectedCallback() {
    super.connectedCallback();
    if (!this.svg || this.moments) return;
    this.now = Number(this.dataset.now);
    this.controls();
    this.begin();
  }

  controls() {
    this.addEventListener('click', (event) => {
      const control = event.target.closest('[data-go]');
      if (!control || !this.moments) return;
      event.preventDefault();
      this.go(control.dataset.go);
    });
    document.addEventListener('click', (event) => {
      const link = event.target.closest?.('.momentlist li[data-moment] > p > a');
      if (!link || !this.moments || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.pause();
      this.show(Number(link.closest('li').dataset.moment));
    });
  }

  async begin() {
    try {
      const answer = await fetch(this.dataset.moments, { credentials: 'same-origin' });
      if (!answer.ok) return;
      this.moments = await answer.json();
    } catch {
      return;
    }
    this.last = this.moments.length - 1;
    // Whoever comes from the last page sees the step from its beginning; a moment in the address is shown as it is.
    if (!new URLSearchParams(location.search).has('bild') && this.last > 0) {
      this.show(0, false);
      if (!calm.matches) this.play();
    } else this.show(Math.min(this.now, this.last), false);
  }

  go(where) {
    if (where === 'play') return this.timer ? this.pause() : this.play();
    this.pause();
    this.show({ first: 0, back: this.now - 1, forward: this.now + 1, last: this.last }[where] ?? this.now);
  }

  play() {
    if (this.now >= this.last) this.show(0, false);
    const beat = () => {
      if (this.now >= this.last) return this.pause();
      this.show(this.now + 1);
      this.timer = setTimeout(beat, this.moments[this.now]?.moves.length ? BEAT : BEAT * 0.8);
    };
    this.timer = setTimeout(beat, 400);
    this.button();
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.button();
  }

  button() {
    const button = this.querySelector('[data-go=play]');
    if (button) button.textContent = this.timer ? button.dataset.pause : button.dataset.play;
  }

  /** The state of the board when so many moments have passed. */
  state(number) {
    const state = { places: new Map(), looks: new Map(), labels: new Map(), plans: '' };
    for (const moment of this.moments.slice(0, number + 1)) {
      for (const [name, look] of moment.looks) state.looks.set(name, look);
      for (const [name, ...place] of moment.moves) state.places.set(name, place);
      for (const name of moment.gone) state.places.delete(name);
      for (const [spot, label] of moment.labels) state.labels.set(spot, label);
      if (moment.plans !== undefined) state.plans = moment.plans;
    }
    return state;
  }

  show(number, animate = true) {
    this.now = Math.max(0, Math.min(number, this.last));
    const state = this.state(this.now), moment = this.moments[this.now];
    const layer = this.svg.querySelector('[data-layer=pieces]');
    layer.classList.toggle('moving', animate && !calm.matches);
    const counters = new Map([...layer.querySelectorAll('.pc')].map((counter) => [counter.dataset.piece, counter]));
    for (const [name, [x, y, factor]] of state.places) {
      let counter = counters.get(name);
      if (!counter) {
        counter = document.createElementNS(SVG, 'g');
        counter.setAttribute('class', 'pc off');
        counter.dataset.piece = name;
        layer.append(counter);
      }
      const look = state.looks.get(name);
      if (look !== undefined && counter.drawn !== look) {
        counter.innerHTML = look;
        counter.drawn = look;
      }
      counter.removeAttribute('transform');
      counter.style.transform = `translate(${x}px,${y}px) scale(${factor})`;
      counter.classList.remove('off');
      counters.delete(name);
    }
    for (const counter of counters.values()) {
      if (!counter.style.transform) {
        counter.style.transform = (counter.getAttribute('transform') || '').replace(/translate\(([-\d.]+) ([-\d.]+)\)/, 'translate($1px,$2px)');
        counter.removeAttribute('transform');
      }
      counter.classList.add('off');
    }
    this.badges(moment.badges);
    this.plans(state.plans);
    this.marksOf(moment.marks);
    for (const [spot, label] of state.labels) {
      const field = this.fields?.get(spot);
      if (field && field.dataset.label !== label) {
        field.dataset.label = label;
        field.querySelector('title').textContent = label;
      }
    }
    this.words_of(animate);
  }

  badges(list) {
    let layer = this.svg.querySelector('[data-layer=badges]');
    if (!layer) {
      layer = document.createElementNS(SVG, 'g');
      layer.dataset.layer = 'badges';
      for (const [name, value] of [['font-weight', '700'], ['text-anchor', 'middle'], ['aria-hidden', 'true']]) layer.setAttribute(name, value);
      this.svg.querySelector('[data-layer=pieces]').after(layer);
    }
    layer.innerHTML = list.map(([x, y, size, count]) => {
      const r = Math.max(size * 0.3, 4.2);
      return `<g transform="translate(${x + size * 0.42} ${y - size * 0.42})"><circle r="${r}" fill="var(--map-halo)" stroke="var(--map-ink)" stroke-width=".9"/><text y="${r * 0.46}" font-size="${r * 1.35}" fill="var(--map-ink)">${Number(count)}</text></g>`;
    }).join('');
  }

  plans(markup) {
    if (this.drawnPlans === markup) return;
    const old = this.svg.querySelector('[data-layer=buildings]');
    if (this.drawnPlans !== undefined || !old) {
      old?.remove();
      this.svg.querySelector('[data-layer=pieces]').insertAdjacentHTML('beforebegin', markup);
    }
    this.drawnPlans = markup;
  }

  marksOf(data) {
    let mark = this.svg.querySelector('[data-marks]');
    if (!mark) {
      mark = document.createElementNS(SVG, 'path');
      mark.setAttribute('class', 'bf moment');
      mark.dataset.marks = '';
      this.svg.querySelector('[data-layer=pieces]').before(mark);
    }
    mark.setAttribute('d', data || 'M0 0');
    mark.style.display = data ? '' : 'none';
  }

  /** The words beside the board, and the dice. */
  words_of(animate) {
    const items = document.querySelectorAll('.momentlist li[data-moment]');
    let text = '', dice = '';
    for (const item of items) {
      const here = Number(item.dataset.moment) === this.now;
      item.classList.toggle('now', here);
      const link = item.querySelector('p > a');
      if (here) {
        link.setAttribute('aria-current', 'step');
        text = link.textContent;
        dice = item.querySelector('.dicerow')?.innerHTML ?? '';
        const list = item.parentElement;
        if (list.scrollHeight > list.clientHeight) list.scrollTop = item.offsetTop - list.offsetTop - list.clientHeight / 3;
      } else link.removeAttribute('aria-current');
    }
    const thrown = this.querySelector('[data-thrown]');
    if (thrown) {
      const words = document.createElement('span');
      words.textContent = text;
      thrown.innerHTML = dice;
      thrown.append(words);
    }
    const where = this.querySelector('[data-where]');
    if (where) where.textContent = this.now ? this.dataset.at.replace('{now}', this.now).replace('{all}', this.last) : this.dataset.start;
    if (!this.timer) this.say(text);
    if (animate) history.replaceState(history.state, '', `${this.dataset.address}&bild=${this.now}`);
    const field = this.moments[this.now].marks.match(/^M([-\d.]+) ([-\d.]+)/);
    if (field && animate && this.view) this.bring(Number(field[1]), Number(field[2]) + 30);
  }

  /** Moves the window where a moment happens outside of it. */
  bring(x, y) {
    const [width, height] = this.size, { unit } = this.view;
    if (Math.abs(x - this.view.x) > (width / 2 - 40) * unit || Math.abs(y - this.view.y) > (height / 2 - 40) * unit) this.move({ unit, x, y });
  }

  key(event) {
    const go = { ' ': 'play', '.': 'forward', ',': 'back' }[event.key];
    if (go && this.moments && event.target === this.stage) {
      event.preventDefault();
      return this.go(go);
    }
    super.key(event);
  }
}

export { BwBoard, BwReplay };
if (globalThis.customElements) {
  if (!customElements.get('bw-board')) customElements.define('bw-board', BwBoard);
  if (!customElements.get('bw-replay')) customElements.define('bw-replay', BwReplay);
}
watch();
