// <bw-world-editor>: the map as a sheet to paint on. Strokes go to the server, which alone knows what is possible; what it
// made is drawn anew, part by part. Without this script the same tools are a form.
import { BwMap } from './map.js';
import { centre, distance, fieldAt, line, outline } from './lattice.js';

const SVG = 'http://www.w3.org/2000/svg';
// The six sides as the host counts them: digit, and the way to the neighbour.
const SIDES = [[1, 1, 1], [2, 2, 0], [3, 1, -1], [4, -1, -1], [5, -2, 0], [6, -1, 1]];
// How long after a stroke the land is drawn anew: a second stroke may follow at once.
const REST = 350;

const shape = (name, attributes) => {
  const element = document.createElementNS(SVG, name);
  for (const key in attributes) element.setAttribute(key, attributes[key]);
  return element;
};

/** Makes one drawing like another, touching only what differs. */
function patch(old, fresh) {
  if (old.isEqualNode(fresh)) return;
  const alike = old.nodeType === 1 && fresh.nodeType === 1 && old.tagName === fresh.tagName && old.childNodes.length === fresh.childNodes.length && fresh.childNodes.length > 0;
  if (!alike) return old.replaceWith(fresh);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  const pairs = [...old.childNodes].map((node, n) => [node, fresh.childNodes[n]]);
  for (const [from, to] of pairs) patch(from, to);
}

class BwWorldEditor extends BwMap {
  connectedCallback() {
    super.connectedCallback();
    if (!this.svg || this.form) return;
    this.form = document.getElementById('werkzeuge');
    this.waiting = Promise.resolve();
    this.strokes = this.sheet.appendChild(shape('g', { class: 'mark-strokes' }));
    this.hand('paint');
    this.form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.send(this.form.elements.namedItem('orte').value, this.strokes.appendChild(shape('g', {})));
    });
    this.addEventListener('click', (event) => {
      const button = event.target.closest('button[data-mode]');
      if (button) this.hand(button.dataset.mode);
    });
    // Two dabs in a row are no wish to come nearer.
    this.addEventListener('dblclick', (event) => this.dataset.hand === 'paint' && event.stopPropagation(), { capture: true });
    this.addEventListener('submit', (event) => {
      event.preventDefault();
      this.turn(event.target.action);
    });
  }

  hand(mode) {
    this.dataset.hand = mode;
    for (const button of this.querySelectorAll('button[data-mode]')) button.setAttribute('aria-pressed', button.dataset.mode === mode);
  }

  /** The chosen tool: what it takes, and how wide it is. */
  get chosen() {
    const radio = this.form.querySelector('input[name=werkzeug]:checked');
    const tool = radio?.closest('.tool');
    return { tool, places: Boolean(tool?.dataset.place), sides: Boolean(tool?.dataset.side), brush: Number(this.form.elements.namedItem('umkreis').value) || 0 };
  }

  // ---- painting -------------------------------------------------------------------------------------------------------

  begin() {
    return { group: this.strokes.appendChild(shape('g', {})), marks: new Map(), last: null };
  }

  /** The side of a field that lies nearest to a point. */
  sideAt(spot, [x, y]) {
    const [cx, cy] = centre(this.lattice, ...spot);
    const towards = SIDES.map(([digit, d, up]) => {
      const [nx, ny] = centre(this.lattice, spot[0] + d, spot[1] + up);
      return { digit, to: [nx - cx, ny - cy], dot: (x - cx) * (nx - cx) + (y - cy) * (ny - cy) };
    });
    return towards.reduce((best, side) => (side.dot > best.dot ? side : best));
  }

  /** Adds what lies under the pointer to a stroke. */
  touch(stroke, point) {
    const spot = fieldAt(this.lattice, ...point), { sides, brush } = this.chosen;
    if (sides) {
      const field = this.gazetteer?.at(...spot), side = this.sideAt(spot, point);
      if (!field || stroke.marks.has(`${field.label}:${side.digit}`)) return;
      stroke.marks.set(`${field.label}:${side.digit}`, true);
      const [cx, cy] = centre(this.lattice, ...spot), [ux, uy] = side.to, far = Math.hypot(ux, uy);
      const [mx, my] = [cx + ux / 2, cy + uy / 2], [px, py] = [(-uy / far) * 13, (ux / far) * 13];
      stroke.group.append(shape('path', { class: 'painted-side', d: `M${mx - px} ${my - py}L${mx + px} ${my + py}` }));
      return;
    }
    const way = stroke.last ? line(this.lattice, stroke.last, spot) : [spot];
    stroke.last = spot;
    for (const middle of way) for (const near of this.around(middle, brush)) this.dab(stroke, near);
  }

  around([d, y], brush) {
    const spots = [];
    for (let up = -brush; up <= brush; up += 1) {
      for (let across = -2 * brush; across <= 2 * brush; across += 1) {
        const near = [d + across, y + up];
        if (((across + up) & 1) === 0 && distance([d, y], near) <= brush) spots.push(near);
      }
    }
    return spots;
  }

  dab(stroke, spot) {
    const field = this.gazetteer?.at(...spot);
    if (!field || stroke.marks.has(field.label)) return;
    stroke.marks.set(field.label, true);
    stroke.group.append(shape('path', { class: 'painted', d: outline(this.lattice, ...spot) }));
  }

  finish(stroke) {
    const places = [...stroke.marks.keys()].join(' ');
    if (!places) return stroke.group.remove();
    this.send(places, stroke.group);
  }

  press(event) {
    const paints = this.dataset.hand === 'paint' && this.chosen.places && !event.button && !event.shiftKey;
    if (paints && this.pointers.size === 0) {
      this.stage.focus({ preventScroll: true });
      this.stage.setPointerCapture(event.pointerId);
      this.pointers.set(event.pointerId, [event.clientX, event.clientY]);
      this.start = { x: event.clientX, y: event.clientY, view: { ...this.view }, moved: true };
      this.stroke = this.begin();
      this.touch(this.stroke, this.point(event));
      return;
    }
    // A second finger moves the map: the stroke was not meant.
    this.stroke?.group.remove();
    this.stroke = null;
    super.press(event);
  }

  drag(event) {
    if (this.stroke && this.pointers.has(event.pointerId)) {
      const parts = event.getCoalescedEvents?.() ?? [];
      for (const part of parts.length ? parts : [event]) this.touch(this.stroke, this.point(part));
      return;
    }
    super.drag(event);
  }

  release(event) {
    const { stroke } = this;
    if (stroke && this.pointers.delete(event.pointerId)) {
      this.stroke = null;
      if (event.type === 'pointerup') this.finish(stroke);
      else stroke.group.remove();
      return;
    }
    super.release(event);
  }

  /** A field chosen by key, or by a click while the hand only moves: paint it, or write it into the form. */
  choose(spot) {
    this.cursor = spot;
    const field = this.gazetteer?.at(...spot);
    if (!field) return;
    this.form.elements.namedItem('orte').value = field.label;
    this.say(this.tell(spot));
    const { places, brush } = this.chosen;
    if (this.dataset.hand !== 'paint' || !places) return;
    const stroke = this.begin();
    for (const near of this.around(spot, brush)) this.dab(stroke, near);
    this.finish(stroke);
  }

  key(event) {
    const again = event.key.toLowerCase() === 'y' || (event.key.toLowerCase() === 'z' && event.shiftKey);
    if ((event.ctrlKey || event.metaKey) && /^[zy]$/i.test(event.key)) {
      event.preventDefault();
      return this.turn(again ? this.dataset.redo : this.dataset.undo);
    }
    super.key(event);
  }

  // ---- the server -----------------------------------------------------------------------------------------------------

  /** Sends a stroke. One after the other: the second stands on the first. */
  send(places, group) {
    const data = new URLSearchParams(new FormData(this.form));
    data.set('orte', places);
    // The brush has been spread already where the map was painted on.
    if (group.firstChild) data.set('umkreis', '0');
    if (this.dataset.needsReason === 'true' && !data.get('grund').trim()) {
      group.remove();
      this.form.elements.namedItem('grund').focus();
      return this.complain([this.dataset.reasonFirst]);
    }
    this.post(this.dataset.stroke, data, group);
  }

  turn(address) {
    this.post(address, new URLSearchParams(), this.strokes.appendChild(shape('g', {})));
  }

  post(address, body, group) {
    this.say(this.dataset.busy);
    this.waiting = this.waiting.then(async () => {
      try {
        const answer = await fetch(address, { method: 'POST', body, credentials: 'same-origin', headers: { 'X-Fragment': '1' } });
        if (!answer.ok) throw new Error(String(answer.status));
        this.hear(await answer.json(), group);
      } catch {
        group.remove();
        this.say('');
        this.complain([this.dataset.failed]);
      }
    });
  }

  hear(told, group) {
    this.say(told.message);
    this.complain(told.faults);
    const set = (name, on) => {
      const button = this.querySelector(`[data-${name}-button]`);
      if (button) button.disabled = !on;
    };
    set('undo', told.undo);
    set('redo', told.redo);
    const list = document.querySelector('[data-changes]');
    if (list) list.innerHTML = told.list;
    if (!told.made) return group.remove();
    group.dataset.done = '1';
    clearTimeout(this.drawing);
    this.drawing = setTimeout(() => this.refresh(), REST);
  }

  complain(faults) {
    const place = document.querySelector('[data-troubles]');
    if (!place) return;
    place.replaceChildren();
    if (!faults.length) return;
    const list = document.createElement('ul');
    list.className = 'flash bad troubles';
    for (const fault of faults) {
      const item = document.createElement('li');
      item.textContent = fault;
      list.append(item);
    }
    place.append(list);
  }

  /** Draws the land anew where it changed. Strokes that came meanwhile stay until the next time. */
  async refresh() {
    const done = [...this.strokes.children].filter((group) => group.dataset.done);
    try {
      const answer = await fetch(this.dataset.picture, { credentials: 'same-origin' });
      if (!answer.ok) return;
      const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('svg.map');
      if (!fresh) return;
      // The drawing itself stays, with all that belongs to the window; what is in it is exchanged where it differs.
      const parts = [...document.importNode(fresh, true).childNodes], old = [...this.svg.childNodes];
      if (parts.length === old.length) old.forEach((part, n) => patch(part, parts[n]));
      else this.svg.replaceChildren(...parts);
      if (this.under) this.spread();
      for (const group of done) group.remove();
      await this.load();
    } catch { /* the strokes stay marked, and the next one tries again */ }
  }
}

if (globalThis.customElements && !customElements.get('bw-world-editor')) customElements.define('bw-world-editor', BwWorldEditor);
