// <bw-map>: a map that can be moved, enlarged, asked, measured and planned on. Without this script the page shows the same
// map as a picture, with forms for the same questions.
import { Gazetteer, arrow, centre, detail, distance, fieldAt, held, line, outline, scaleBar, whole } from './lattice.js';

const SVG = 'http://www.w3.org/2000/svg';
// The drawing is larger than the window by this share on each side, so that moving it a little paints nothing anew.
const MARGIN = 0.25;
/** Milliseconds between two paintings while somebody moves on without a rest, and how long a rest is. */
const PATIENCE = 350;
const REST = 140;
/** From so many fields on, painting takes longer than a frame, and the whole land is kept in a pane below. */
const GREAT = 1_500;
/** Milliseconds of quiet after which something large is fetched or laid below. */
const QUIET = 1_200;
const CLICK = 5;

const shape = (name, attributes, text) => {
  const element = document.createElementNS(SVG, name);
  for (const key in attributes) element.setAttribute(key, attributes[key]);
  if (text !== undefined) element.textContent = text;
  return element;
};
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '');

export class BwMap extends HTMLElement {
  connectedCallback() {
    this.stage = this.querySelector('[data-stage]');
    if (this.home || !this.stage) return;
    if (this.dataset.picture && !this.stage.querySelector('svg.map')) this.fetchDrawing();
    else this.unfold();
  }

  /** Fetches the drawing of a page that was sent without it. */
  async fetchDrawing() {
    this.stage.setAttribute('aria-busy', 'true');
    try {
      const answer = await fetch(this.dataset.picture, { credentials: 'same-origin' });
      if (!answer.ok || answer.redirected) throw new Error(String(answer.status));
      this.stage.innerHTML = await answer.text();
      this.unfold();
    } catch {
      this.stage.textContent = this.dataset.failed || '';
    } finally {
      this.stage.removeAttribute('aria-busy');
    }
  }

  unfold() {
    this.svg = this.stage.querySelector('svg.map');
    if (!this.svg || this.home) return;
    const [x, y, width, height] = this.svg.getAttribute('viewBox').split(' ').map(Number);
    this.home = { x, y, width, height };
    const [half, row] = this.svg.dataset.lattice.split(' ').map(Number);
    this.lattice = { half, row, flat: this.svg.dataset.orientation === 'flat' };
    const [fields, length, ...unit] = (this.svg.dataset.scale || '').split(' ');
    this.scale = fields ? { fields: Number(fields), length: Number(length), unit: unit.join(' ') } : null;
    this.tool = 'ask';
    this.marks = {};
    this.pointers = new Map();
    this.off = new Set();
    this.words = this.dataset;
    this.prepare();
    this.restore();
    this.listen();
    this.load();
    this.settle();
    if (this.dataset.first) this.use(this.dataset.first);
  }

  disconnectedCallback() {
    this.watch?.disconnect();
    this.stop?.abort();
    clearTimeout(this.quiet);
  }

  /** Puts the second sheet above the map: marks, routes and the pointer are drawn there, and the land is not touched. */
  prepare() {
    this.sheet = shape('svg', { class: 'map-sheet', 'aria-hidden': 'true' });
    for (const name of ['coordinates', 'reach', 'changes', 'route', 'measure', 'hover', 'cursor']) {
      this.marks[name] = this.sheet.appendChild(shape('g', { class: `mark-${name}` }));
    }
    // Each drawing lies in a pane of its own: moving a pane lays out and paints nothing.
    this.panes = [this.svg, this.sheet].map((svg) => {
      const pane = document.createElement('div');
      pane.className = 'mappane';
      pane.append(svg);
      this.stage.append(pane);
      return pane;
    });
    this.stage.tabIndex = 0;
    this.stage.setAttribute('role', 'application');
    this.stage.setAttribute('aria-roledescription', this.words.role || '');
    this.stage.setAttribute('aria-label', this.svg.getAttribute('aria-label'));
    const help = this.querySelector('[data-help]');
    if (help) this.stage.setAttribute('aria-describedby', help.id);
    this.svg.setAttribute('aria-hidden', 'true');
    this.svg.removeAttribute('role');
    this.classList.add('is-live');
    // What the page marked without a script is marked on the second sheet from here on.
    for (const mark of this.svg.querySelectorAll('[data-mark]')) mark.remove();
    this.note = this.querySelector('[data-note]');
    this.bar = this.querySelector('[data-scalebar]');
    for (const element of this.querySelectorAll('[data-live]')) element.hidden = false;
    this.written = Boolean(this.svg.querySelector('[data-layer="coordinates"]'));
    this.cursor = this.spotOf(this.dataset.cursor) || fieldAt(this.lattice, this.home.x + this.home.width / 2, this.home.y + this.home.height / 2);
  }

  spotOf(text) {
    const spot = (text || '').split(',').map(Number);
    return spot.length === 2 && spot.every(Number.isInteger) ? spot : null;
  }

  get size() {
    return [this.stage.clientWidth || 1, this.stage.clientHeight || 1];
  }

  // ---- the window -------------------------------------------------------------------------------------------------

  restore() {
    let kept = null;
    try {
      kept = JSON.parse(sessionStorage.getItem(`bw-map ${this.dataset.key}`));
    } catch { /* nothing kept */ }
    for (const layer of kept?.off ?? (this.dataset.off || '').split(' ').filter(Boolean)) this.layer(layer, false);
    const [width, height] = this.size;
    if (kept?.view && !this.dataset.focus) this.view = held(kept.view, this.home, width, height);
    else {
      this.view = whole(this.home, width, height);
      // On a phone the whole land would be too small to touch: begin at the field in question.
      if (this.dataset.focus || (52 / this.view.unit < 26 && this.dataset.cursor)) {
        const [x, y] = centre(this.lattice, ...this.cursor);
        this.view = held({ x, y, unit: Math.min(this.view.unit, 52 / 54) }, this.home, width, height);
      }
    }
    this.paint();
    if (this.dataset.focus) this.mark('cursor', [this.cursor], 'sel');
    if (this.dataset.main) this.drawSteps();
  }

  keep() {
    clearTimeout(this.keeping);
    this.keeping = setTimeout(() => {
      try {
        sessionStorage.setItem(`bw-map ${this.dataset.key}`, JSON.stringify({ view: this.view, off: [...this.off] }));
      } catch { /* a browser that keeps nothing */ }
    }, 250);
  }

  /** Does what takes a while as soon as nobody moves anything. */
  settle() {
    clearTimeout(this.quiet);
    this.quiet = setTimeout(() => {
      if (!this.under && Number(this.svg.dataset.fields) > GREAT) return this.spread();
      // The sheet that is printed instead of this window; on a small device it is fetched only to print.
      const sheet = this.querySelector('.printmap');
      if (sheet && matchMedia('(min-width: 900px)').matches && !navigator.connection?.saveData) sheet.loading = 'eager';
    }, QUIET);
  }

  /** Lays the whole land below the window, painted once: it shows where the window has not been painted yet, so that nobody who moves on has to wait. */
  spread() {
    this.under?.pane.remove();
    const copy = this.svg.cloneNode(true);
    copy.querySelector('defs')?.remove();
    // Names belong to the first drawing: patterns and outlines are taken from there.
    for (const named of copy.querySelectorAll('[id]')) named.removeAttribute('id');
    const pane = document.createElement('div');
    pane.className = 'mappane below';
    pane.append(copy);
    this.under = { pane, svg: copy };
    this.unroll();
    this.stage.prepend(pane);
    this.settle();
  }

  /** Fits the land below to the size of the window. */
  unroll() {
    const { under } = this, [width, height] = this.size;
    Object.assign(under, whole(this.home, width, height));
    const { x, y, unit } = under;
    under.svg.setAttribute('viewBox', [x - (width / 2) * unit, y - (height / 2) * unit, width * unit, height * unit].map((n) => n.toFixed(2)).join(' '));
    under.svg.dataset.detail = detail(52 / unit);
    Object.assign(under.pane.style, { left: 0, top: 0, width: `${width}px`, height: `${height}px` });
    under.pane.style.transform = this.shift(under);
  }

  /** How a pane that was painted for one view lies in the present one. */
  shift({ x, y, unit }) {
    const { view } = this, zoom = unit / view.unit;
    const slide = `translate(${(x - view.x) / view.unit}px,${(y - view.y) / view.unit}px)`;
    return zoom === 1 ? slide : `${slide} scale(${zoom})`;
  }

  /** Paints the land for the present window. Everything else only moves what was painted. */
  paint() {
    clearTimeout(this.later);
    const [width, height] = this.size;
    const [mx, my] = [Math.round(width * MARGIN), Math.round(height * MARGIN)];
    const { x, y, unit } = this.view;
    const box = [x - (width / 2 + mx) * unit, y - (height / 2 + my) * unit, (width + 2 * mx) * unit, (height + 2 * my) * unit];
    const kind = detail(52 / unit);
    if (this.svg.dataset.detail !== kind) this.svg.dataset.detail = kind;
    for (const svg of [this.svg, this.sheet]) svg.setAttribute('viewBox', box.map((n) => n.toFixed(2)).join(' '));
    for (const pane of this.panes) Object.assign(pane.style, { left: `${-mx}px`, top: `${-my}px`, width: `${width + 2 * mx}px`, height: `${height + 2 * my}px`, transform: '' });
    this.base = { ...this.view, margin: [mx, my] };
    if (this.under) this.under.pane.style.transform = this.shift(this.under);
    this.painted = performance.now();
    this.box = box;
    this.coordinates();
    this.ruler();
    this.keep();
  }

  /** Moves or enlarges what is painted; paints anew when it would no longer cover the window, or after a rest. */
  move(view, quiet) {
    const [width, height] = this.size;
    this.view = held(view, this.home, width, height);
    const zoom = this.base.unit / this.view.unit;
    const dx = (this.base.x - this.view.x) / this.view.unit, dy = (this.base.y - this.view.y) / this.view.unit;
    const [mx, my] = this.base.margin;
    const covered = Math.abs(dx) <= (width / 2 + mx) * zoom - width / 2 && Math.abs(dy) <= (height / 2 + my) * zoom - height / 2;
    // Painting a great world takes longer than a frame. Whoever turns the wheel sees what is painted shrink, on the land below or on bare paper, and
    // all is sharp again when he rests. Without the land below, and for whoever drags on and on, it is painted a few times a second.
    const patient = performance.now() - this.painted < PATIENCE;
    const waits = zoom < 1 ? this.under || patient : this.under && patient;
    if ((!covered && !waits) || zoom > 4) this.paint();
    else {
      const transform = this.shift(this.base);
      for (const pane of this.panes) pane.style.transform = transform;
      if (this.under) this.under.pane.style.transform = this.shift(this.under);
      clearTimeout(this.later);
      if (zoom !== 1 || !covered) this.later = setTimeout(() => this.paint(), REST);
      else this.keep();
    }
    this.settle();
    if (!quiet && this.dataset.sync) document.dispatchEvent(new CustomEvent('bw-map-view', { detail: { from: this, view: this.view } }));
  }

  zoom(factor, at) {
    const [x, y] = at || [this.view.x, this.view.y];
    const [width, height] = this.size;
    const { unit } = held({ ...this.view, unit: this.view.unit * factor }, this.home, width, height);
    const k = unit / this.view.unit;
    this.move({ unit, x: x + (this.view.x - x) * k, y: y + (this.view.y - y) * k });
  }

  /** A point of the window in units of the drawing. */
  point(event) {
    const box = this.stage.getBoundingClientRect();
    const { x, y, unit } = this.view;
    return [x + (event.clientX - box.left - box.width / 2) * unit, y + (event.clientY - box.top - box.height / 2) * unit];
  }

  /** Makes sure a field is in sight, and not at the very rim. */
  reveal(spot) {
    const [x, y] = centre(this.lattice, ...spot), [width, height] = this.size, { unit } = this.view;
    const room = [(width / 2 - 50) * unit, (height / 2 - 50) * unit];
    const near = (value, middle, most) => Math.min(Math.max(middle, value - most), value + most);
    const [nx, ny] = [near(x, this.view.x, Math.max(room[0], 0)), near(y, this.view.y, Math.max(room[1], 0))];
    if (nx !== this.view.x || ny !== this.view.y) this.move({ unit, x: nx, y: ny });
  }

  // ---- what is drawn on the second sheet ------------------------------------------------------------------------------

  mark(name, spots, kind) {
    this.marks[name].replaceChildren(...spots.flatMap(([d, y]) => {
      const data = outline(this.lattice, d, y);
      return kind === 'sel' ? [shape('path', { class: 'sel2', d: data }), shape('path', { class: 'sel', d: data })] : [shape('path', { class: kind, d: data })];
    }));
  }

  /** On large maps the coordinates of the fields in the window; small maps bring their own. */
  coordinates() {
    const group = this.marks.coordinates;
    const pixels = 52 / this.view.unit;
    if (this.written || !this.gazetteer || pixels < 44 || this.off.has('coordinates')) return group.replaceChildren();
    const [x, y, width, height] = this.box, list = document.createDocumentFragment();
    for (const field of this.gazetteer.fields.values()) {
      const [cx, cy] = centre(this.lattice, field.d, field.y);
      if (cx > x && cx < x + width && cy > y && cy < y + height) list.append(shape('text', { x: cx, y: cy - 18.5 }, field.label));
    }
    group.replaceChildren(list);
  }

  ruler() {
    if (!this.bar || !this.scale) return;
    const { fields, width, length } = scaleBar(this.scale, 52 / this.view.unit, 120);
    this.bar.style.width = `${width}px`;
    const number = length.toLocaleString(document.documentElement.lang || 'de');
    this.bar.textContent = fill(fields === 1 ? this.words.scaleOne : this.words.scaleMany, { fields, length: number, unit: this.scale.unit });
  }

  /** A dotted way with the number of the week at each field where one ends. */
  drawWay(name, steps, kind) {
    const points = steps.map(({ spot }) => centre(this.lattice, ...spot));
    const data = points.map(([x, y], n) => `${n ? 'L' : 'M'}${x} ${y}`).join('');
    const parts = [shape('path', { class: `${kind} ${kind}-under`, d: data }), shape('path', { class: kind, d: data })];
    steps.forEach(({ label, tone }, n) => {
      if (label === undefined || label === '') return;
      const [x, y] = points[n];
      const stop = shape('g', { class: `stop ${tone || ''}`, transform: `translate(${x} ${y})` });
      stop.append(shape('circle', { r: 10.5 }), shape('text', { y: 4 }, label));
      parts.push(stop);
    });
    this.marks[name].replaceChildren(...parts);
  }

  /** A route that the server has put into the page: `data-steps` of any element in the answer. */
  drawSteps(root = document) {
    const source = root.querySelector?.(`[data-steps]`);
    if (!source) return this.marks.route.replaceChildren();
    const steps = source.dataset.steps.split(';').filter(Boolean).map((text) => {
      const [d, y, label, tone] = text.split(',');
      return { spot: [Number(d), Number(y)], label, tone };
    });
    if (steps.every(({ spot }) => spot.every(Number.isFinite))) this.drawWay('route', steps, 'route');
  }

  // ---- asking ---------------------------------------------------------------------------------------------------------

  async load() {
    this.stop = new AbortController();
    try {
      const answer = await fetch(this.dataset.index, { signal: this.stop.signal, credentials: 'same-origin' });
      if (answer.ok) this.gazetteer = new Gazetteer(await answer.json());
      this.coordinates();
    } catch { /* the map stays a map, only without words under the pointer */ }
  }

  /** What can be said of a field in one line. */
  tell([d, y]) {
    const field = this.gazetteer?.at(d, y);
    if (!field) return this.words.unknown || '';
    const parts = [field.label, field.terrain];
    if (field.places.length) parts.push(field.places.map((p) => (p.name ? `${p.kind} ${p.name}` : p.kind)).join(', '));
    if (field.owner) parts.push(field.owner);
    if (field.armies.length) parts.push(field.armies.map((a) => [a.own ? '' : a.realm, a.label].filter(Boolean).join(' ')).join(', '));
    if (field.seen) parts.push(fill(this.words.seen || '', { step: field.seen }));
    return parts.join(' · ');
  }

  say(text) {
    if (this.note && this.note.textContent !== text) this.note.textContent = text;
  }

  /** Loads a piece of a page into its place; a later question cancels an earlier one. */
  async ask(url, target) {
    this.asking?.abort();
    this.asking = new AbortController();
    target.setAttribute('aria-busy', 'true');
    try {
      const answer = await fetch(url, { signal: this.asking.signal, credentials: 'same-origin', headers: { 'X-Fragment': '1' } });
      if (answer.redirected || !(answer.ok || answer.status === 422)) throw new Error(String(answer.status));
      target.innerHTML = await answer.text();
      return true;
    } catch (error) {
      if (error.name !== 'AbortError') target.textContent = this.words.failed || '';
      return false;
    } finally {
      target.removeAttribute('aria-busy');
    }
  }

  async open(spot) {
    this.cursor = spot;
    this.mark('cursor', [spot], 'sel');
    const field = this.gazetteer?.at(...spot);
    this.say(this.tell(spot));
    const target = document.getElementById(this.dataset.target);
    if (!field || !target) return;
    const input = document.querySelector('form[data-field-form] input[name=ort]');
    if (input) input.value = field.label;
    const url = new URL(this.dataset.field, location.href);
    url.searchParams.set('ort', field.label);
    if (await this.ask(url, target)) {
      // On a phone the story stands between the map and the field that was chosen on it.
      this.querySelector('[data-to-field]')?.removeAttribute('hidden');
      const here = new URL(location.href);
      here.searchParams.set('ort', field.label);
      history.replaceState(history.state, '', here);
    }
  }

  measure(spot) {
    if (!this.from || this.to) {
      [this.from, this.to] = [spot, null];
      this.mark('measure', [spot], 'sel');
      return this.say(fill(this.words.measureTo || '', { from: this.gazetteer?.at(...spot)?.label ?? '' }));
    }
    this.to = spot;
    const steps = distance(this.from, spot);
    const way = line(this.lattice, this.from, spot);
    this.drawWay('measure', way.map((s, n) => ({ spot: s, label: n === way.length - 1 ? String(steps) : '' })), 'rule-line');
    const length = this.scale ? ` (${((steps * this.scale.length) / this.scale.fields).toLocaleString(document.documentElement.lang || 'de')} ${this.scale.unit})` : '';
    const name = (s) => this.gazetteer?.at(...s)?.label ?? '?';
    this.say(fill(this.words.measured || '', { from: name(this.from), to: name(spot), fields: steps, length }));
  }

  /** Planning: a click on an own army chooses it, a click elsewhere is where it shall go. */
  async plan(spot) {
    const form = document.querySelector('form[data-route-form]');
    const field = this.gazetteer?.at(...spot);
    if (!form || !field) return this.say(this.words.unknown || '');
    const own = field.armies.filter((army) => army.own);
    const choice = form.elements.namedItem('heer');
    const chosen = own.find((army) => army.label !== choice.value) || own[0];
    if (own.length && this.planning !== 'target') {
      choice.value = chosen.label;
      this.planning = 'target';
      this.mark('reach', [spot], 'reach');
      return this.say(fill(this.words.planTo || '', { army: chosen.label }));
    }
    if (!choice.value) return this.say(this.words.planFrom || '');
    form.elements.namedItem('nach').value = field.label;
    this.planning = null;
    await this.submitRoute(form);
  }

  async submitRoute(form) {
    const target = document.getElementById(form.dataset.target);
    const url = new URL(form.dataset.fragment, location.href);
    for (const [name, value] of new FormData(form)) url.searchParams.set(name, value);
    if (target && (await this.ask(url, target))) {
      this.marks.reach.replaceChildren();
      this.drawSteps(target);
      const line = target.querySelector('[data-summary]');
      if (line) this.say(line.textContent.trim());
    }
  }

  use(tool) {
    this.tool = tool;
    [this.from, this.to, this.planning] = [null, null, null];
    this.marks.measure.replaceChildren();
    this.marks.reach.replaceChildren();
    this.dataset.using = tool;
    for (const button of this.querySelectorAll('button[data-tool]')) button.setAttribute('aria-pressed', button.dataset.tool === tool);
    this.say({ measure: this.words.measureFrom, plan: this.words.planFrom }[tool] || '');
  }

  choose(spot) {
    this.cursor = spot;
    if (this.tool === 'measure') this.measure(spot);
    else if (this.tool === 'plan') this.plan(spot);
    else this.open(spot);
  }

  layer(name, on) {
    this.off[on ? 'delete' : 'add'](name);
    for (const svg of [this.svg, this.under?.svg]) svg?.classList.toggle(`no-${name}`, !on);
    for (const button of this.querySelectorAll(`button[data-toggle="${CSS.escape(name)}"]`)) button.setAttribute('aria-pressed', on);
    if (this.box) {
      this.coordinates();
      this.keep();
    }
  }

  // ---- hands and keys -------------------------------------------------------------------------------------------------

  listen() {
    const { stage } = this;
    stage.addEventListener('wheel', (event) => {
      if (!event.ctrlKey && !this.contains(document.activeElement)) return;
      event.preventDefault();
      const strength = Math.min(Math.abs(event.deltaY) * (event.deltaMode ? 20 : 1), 160);
      this.zoom(Math.exp((Math.sign(event.deltaY) * strength) / 480), this.point(event));
    }, { passive: false });
    stage.addEventListener('pointerdown', (event) => this.press(event));
    stage.addEventListener('pointermove', (event) => this.drag(event));
    for (const name of ['pointerup', 'pointercancel']) stage.addEventListener(name, (event) => this.release(event));
    stage.addEventListener('pointerleave', () => this.marks.hover.replaceChildren());
    stage.addEventListener('dblclick', (event) => this.zoom(0.6, this.point(event)));
    stage.addEventListener('keydown', (event) => this.key(event));
    this.addEventListener('click', (event) => {
      const button = event.target.closest('button');
      if (!button) return;
      const { zoom, toggle, tool } = button.dataset;
      if (zoom === 'in') this.zoom(0.7);
      if (zoom === 'out') this.zoom(1 / 0.7);
      if (zoom === 'home') this.all();
      if (toggle) this.layer(toggle, button.getAttribute('aria-pressed') !== 'true');
      if (tool) this.use(this.tool === tool ? 'ask' : tool);
    });
    // Of two maps beside each other one answers for the page.
    if (this.dataset.main) this.serve();
    if (this.dataset.sync) {
      document.addEventListener('bw-map-view', ({ detail: { from, view } }) => {
        if (from !== this) this.move(view, true);
      });
    }
    this.watch = new ResizeObserver(() => {
      this.paint();
      if (this.under) this.unroll();
    });
    this.watch.observe(stage);
  }

  /** The forms and links of the page lead to the map. */
  serve() {
    document.addEventListener('submit', (event) => {
      if (event.target.matches('form[data-route-form]')) {
        event.preventDefault();
        this.submitRoute(event.target);
      }
      if (event.target.matches('form[data-field-form]')) {
        const field = this.gazetteer?.find(event.target.elements.namedItem('ort').value);
        if (!field) return;
        event.preventDefault();
        this.reveal([field.d, field.y]);
        this.open([field.d, field.y]);
      }
    });
    document.addEventListener('click', (event) => {
      const link = event.target.closest('a[data-spot]');
      const spot = link && this.spotOf(link.dataset.spot);
      if (!spot || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.reveal(spot);
      this.open(spot);
    });
  }

  all() {
    this.view = whole(this.home, ...this.size);
    this.paint();
    this.move(this.view);
  }

  press(event) {
    if (event.button) return;
    this.pointers.set(event.pointerId, [event.clientX, event.clientY]);
    this.start = { x: event.clientX, y: event.clientY, view: { ...this.view }, moved: this.pointers.size > 1 };
    if (this.pointers.size === 2) this.pinch = this.span();
    this.stage.focus({ preventScroll: true });
  }

  /** Middle and distance of two fingers. */
  span() {
    const [a, b] = [...this.pointers.values()];
    return { x: (a[0] + b[0]) / 2, y: (a[1] + b[1]) / 2, far: Math.max(Math.hypot(a[0] - b[0], a[1] - b[1]), 1), view: { ...this.view } };
  }

  drag(event) {
    if (!this.pointers.has(event.pointerId)) {
      if (event.pointerType === 'mouse') this.hover(fieldAt(this.lattice, ...this.point(event)));
      return;
    }
    this.pointers.set(event.pointerId, [event.clientX, event.clientY]);
    if (this.pointers.size >= 2 && this.pinch) {
      const now = this.span(), { view } = this.pinch, box = this.stage.getBoundingClientRect();
      const unit = (view.unit * this.pinch.far) / now.far;
      const [ox, oy] = [this.pinch.x - box.left - box.width / 2, this.pinch.y - box.top - box.height / 2];
      const [nx, ny] = [now.x - box.left - box.width / 2, now.y - box.top - box.height / 2];
      return this.move({ unit, x: view.x + ox * view.unit - nx * unit, y: view.y + oy * view.unit - ny * unit });
    }
    const [dx, dy] = [event.clientX - this.start.x, event.clientY - this.start.y];
    if (!this.start.moved && Math.hypot(dx, dy) <= CLICK) return;
    if (!this.start.moved) {
      this.start.moved = true;
      this.stage.setPointerCapture(event.pointerId);
      this.marks.hover.replaceChildren();
    }
    const { view } = this.start;
    this.move({ unit: view.unit, x: view.x - dx * view.unit, y: view.y - dy * view.unit });
  }

  release(event) {
    if (!this.pointers.delete(event.pointerId)) return;
    if (this.pointers.size) {
      // One finger of two was lifted: the other goes on moving the map from here.
      const [[x, y]] = this.pointers.values();
      [this.pinch, this.start] = [null, { x, y, view: { ...this.view }, moved: true }];
      return;
    }
    const clicked = event.type === 'pointerup' && !this.start.moved;
    this.pinch = null;
    if (clicked) this.choose(fieldAt(this.lattice, ...this.point(event)));
    else if (this.base.x !== this.view.x || this.base.y !== this.view.y) this.later = setTimeout(() => this.paint(), REST);
  }

  hover(spot) {
    if (this.hovered && this.hovered[0] === spot[0] && this.hovered[1] === spot[1] && this.marks.hover.firstChild) return;
    this.hovered = spot;
    const known = this.gazetteer?.at(...spot);
    this.mark('hover', known ? [spot] : [], 'hover');
    if (this.tool === 'ask' || known) this.hint(this.tell(spot));
  }

  /** What is under the pointer; not spoken, unlike what was chosen. */
  hint(text) {
    const hint = this.querySelector('[data-hint]');
    if (hint) hint.textContent = text;
  }

  key(event) {
    if (event.target !== this.stage || event.altKey || event.metaKey) return;
    const next = arrow(this.lattice, this.cursor, event.key);
    if (next) {
      event.preventDefault();
      this.cursor = next;
      this.mark('cursor', [next], 'sel');
      this.reveal(next);
      this.say(this.tell(next));
      return;
    }
    const act = {
      Enter: () => this.choose(this.cursor),
      ' ': () => this.choose(this.cursor),
      '+': () => this.zoom(0.8),
      '=': () => this.zoom(0.8),
      '-': () => this.zoom(1.25),
      0: () => this.all(),
      Escape: () => this.use('ask'),
    }[event.key];
    if (act && !event.ctrlKey) {
      event.preventDefault();
      act();
    }
  }
}

if (globalThis.customElements && !customElements.get('bw-map')) customElements.define('bw-map', BwMap);
