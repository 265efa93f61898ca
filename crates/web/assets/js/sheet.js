// The order sheet: clicks on the map put ways in, and what one writes is checked and kept by itself. Without this script the same form
// has a field for the way and buttons for all else.
import { BwMap } from './map.js';

const fill = (text, values) => (text || '').replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '');
const REST = 500;

class BwSheetMap extends BwMap {
  connectedCallback() {
    super.connectedCallback();
    if (!this.svg || this.desk) return;
    this.desk = document.querySelector('form[data-sheet]');
    this.tables = document.getElementById('bogen');
    this.army = '';
    this.way = [];
    for (const button of this.desk.querySelectorAll('[data-back],[data-done]')) button.hidden = false;
    this.desk.querySelector('[data-back]').addEventListener('click', () => this.back());
    this.desk.querySelector('[data-done]').addEventListener('click', () => this.done());
    this.desk.elements.namedItem('heer').addEventListener('change', (event) => this.chooseArmy(event.target.value));
    this.tables.addEventListener('change', () => {
      clearTimeout(this.rest);
      this.rest = setTimeout(() => this.send('pruefen'), REST);
    });
    this.drawWays();
    this.say(this.words.begin || '');
  }

  /** A click on an own army chooses it; every further click is a field of its way. */
  choose(spot) {
    this.cursor = spot;
    this.mark('cursor', [spot], 'sel');
    const field = this.gazetteer?.at(...spot);
    if (!field) return this.say(this.words.unknown || '');
    const own = field.armies.filter((army) => army.own).map((army) => army.label);
    if (own.length && (!this.army || (!this.way.length && field.label === this.origin))) {
      const next = own[(own.indexOf(this.army) + 1) % own.length];
      this.origin = field.label;
      return this.chooseArmy(next);
    }
    if (!this.army) return this.say(this.words.begin || '');
    this.way.push(field.label);
    return this.put();
  }

  async chooseArmy(name) {
    [this.army, this.way] = [name, []];
    this.desk.elements.namedItem('heer').value = name;
    this.desk.elements.namedItem('weg').value = '';
    this.marks.reach.replaceChildren();
    if (!name) return this.say(this.words.begin || '');
    this.say(fill(this.words.chosen, { army: name }));
    try {
      const url = new URL(this.desk.dataset.reach, location.href);
      url.searchParams.set('heer', name);
      const answer = await fetch(url, { credentials: 'same-origin' });
      if (answer.ok && this.army === name) this.mark('reach', await answer.json(), 'reach');
    } catch { /* without the reach the clicks count all the same */ }
  }

  async put() {
    this.desk.elements.namedItem('weg').value = this.way.join(' > ');
    const [army, place] = [this.army, this.way.at(-1) ?? ''];
    await this.send('weg');
    this.say(fill(place ? this.words.put : this.words.chosen, { army, place }));
  }

  back() {
    if (!this.army) return;
    this.way.pop();
    this.put();
  }

  done() {
    this.chooseArmy('');
    this.origin = null;
  }

  use(tool) {
    super.use(tool);
    if (this.desk) this.done();
  }

  /** Sends the sheet; what comes back takes its place. Whatever was written meanwhile stays. */
  send(act) {
    clearTimeout(this.rest);
    this.sending = (this.sending || Promise.resolve()).then(() => this.exchange(act)).catch(() => this.told(this.desk.dataset.lost));
    return this.sending;
  }

  async exchange(act) {
    const data = new URLSearchParams(new FormData(this.desk));
    data.append('tat', act);
    const before = this.cellsNow();
    const answer = await fetch(this.desk.action, { method: 'POST', credentials: 'same-origin', headers: { 'X-Fragment': '1' }, body: data });
    if (answer.redirected || !answer.ok) throw new Error(String(answer.status));
    const text = await answer.text();
    const now = this.cellsNow(), focus = document.activeElement?.name;
    this.tables.innerHTML = text;
    for (const [name, value] of now) {
      const input = this.desk.elements.namedItem(name);
      if (before.get(name) !== value && input) input.value = value;
    }
    if (focus?.startsWith('z.')) this.desk.elements.namedItem(focus)?.focus({ preventScroll: true });
    this.drawWays();
    this.told(this.desk.dataset.saved);
  }

  cellsNow() {
    return new Map([...this.tables.querySelectorAll('input[type=text]')].map((input) => [input.name, input.value]));
  }

  told(text) {
    const saved = document.getElementById('gesichert');
    if (saved) saved.textContent = text || '';
  }

  drawWays() {
    const ways = (this.tables.querySelector('[data-ways]')?.dataset.ways || '').split('|').filter(Boolean);
    const drawn = [];
    for (const way of ways) {
      const spots = way.split(';').map((spot) => spot.split(',').map(Number));
      if (!spots.every((spot) => spot.length === 2 && spot.every(Number.isFinite))) continue;
      this.drawWay('route', spots.map((spot, n) => ({ spot, label: n ? String(n) : '', tone: n === spots.length - 1 ? 'end' : '' })), 'route');
      drawn.push(...this.marks.route.childNodes);
    }
    this.marks.route.replaceChildren(...drawn);
  }
}

customElements.define('bw-sheet-map', BwSheetMap);
