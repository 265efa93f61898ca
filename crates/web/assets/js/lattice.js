// The lattice of a map in numbers: no page, no drawing. Fields have doubled coordinates d and y, both even or both odd;
// d grows east and y grows north where a corner points north ("pointy"), mirrored at the diagonal where a side does ("flat").

/** The middle of a field in the drawing's units. */
export function centre(lattice, d, y) {
  const [px, py] = [d * lattice.half, -y * lattice.row];
  return lattice.flat ? [-py, -px] : [px, py];
}

/** The field at a point of the drawing: the one whose middle is nearest. */
export function fieldAt(lattice, x, y) {
  const [px, py] = lattice.flat ? [-y, -x] : [x, y];
  const about = Math.round(-py / lattice.row);
  let best = null;
  for (const row of [about - 1, about, about + 1]) {
    const odd = row & 1;
    const d = 2 * Math.round((px / lattice.half - odd) / 2) + odd;
    const far = (px - d * lattice.half) ** 2 + (py + row * lattice.row) ** 2;
    if (!best || far < best.far) best = { far, d, y: row };
  }
  // Adding nothing turns a negative zero into zero.
  return [best.d + 0, best.y + 0];
}

/** How many steps lie between two fields. */
export function distance([d1, y1], [d2, y2]) {
  const across = Math.abs(d1 - d2), up = Math.abs(y1 - y2);
  return up + Math.max(0, (across - up) / 2);
}

/** The fields on the straight way from one field to another, both included. */
export function line(lattice, from, to) {
  const steps = distance(from, to);
  const a = centre(lattice, ...from), b = centre(lattice, ...to);
  const fields = [];
  for (let n = 0; n <= steps; n++) {
    const t = steps ? n / steps : 0;
    // A hair off the edge, so that of two fields that are equally near always the same one is taken.
    fields.push(fieldAt(lattice, a[0] + (b[0] - a[0]) * t + 0.01, a[1] + (b[1] - a[1]) * t + 0.02));
  }
  return fields;
}

/** The field that an arrow key leads to. Across the corners the way goes to and fro, so that it stays straight. */
export function arrow(lattice, [d, y], key) {
  const sway = y & 1 ? -1 : 1;
  const steps = lattice.flat
    ? { ArrowUp: [2, 0], ArrowDown: [-2, 0], ArrowRight: [sway, 1], ArrowLeft: [sway, -1] }
    : { ArrowRight: [2, 0], ArrowLeft: [-2, 0], ArrowUp: [sway, 1], ArrowDown: [sway, -1] };
  const step = steps[key];
  return step ? [d + step[0], y + step[1]] : null;
}

/** The outline of a field as data of a path. */
export function outline(lattice, d, y) {
  const [x, z] = centre(lattice, d, y);
  return lattice.flat ? `M${x - 30} ${z}l15-26h30l15 26-15 26h-30z` : `M${x} ${z - 30}l26 15v30l-26 15-26-15v-30z`;
}

/** How a map is drawn when a field is so many pixels wide. */
export function detail(pixels) {
  return pixels >= 44 ? 'near' : pixels >= 26 ? 'middle' : pixels >= 8 ? 'far' : 'tiny';
}

/** The shortest bar of a round number of fields that is at least so many pixels wide, and how far that is. */
export function scaleBar(scale, pixels, least) {
  const round = [1, 2, 3, 5, 10, 20, 50, 100, 200];
  const fields = round.find((n) => n * pixels >= least) ?? 200;
  return { fields, width: fields * pixels, length: (fields * scale.length) / scale.fields };
}

/** A window on the drawing: the middle in units and how many units a pixel is, kept so that the land stays in sight. */
export function held(view, home, width, height) {
  const widest = Math.max(home.width / width, home.height / height) * 1.15;
  const unit = Math.min(Math.max(view.unit, 52 / 150), Math.max(widest, 52 / 150));
  const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
  return {
    unit,
    x: clamp(view.x, home.x, home.x + home.width),
    y: clamp(view.y, home.y, home.y + home.height),
  };
}

/** The window that shows the whole land. */
export function whole(home, width, height) {
  return {
    x: home.x + home.width / 2,
    y: home.y + home.height / 2,
    unit: Math.max(home.width / width, home.height / height),
  };
}

/** What lies where: the server's list, opened so that a field or a name is found at once. */
export class Gazetteer {
  constructor(list) {
    this.fields = new Map();
    this.byLabel = new Map();
    for (const run of list.runs || []) {
      run.labels.forEach((label, n) => {
        const field = {
          d: run.d + 2 * n,
          y: run.y,
          label,
          terrain: list.terrains[run.terrains[n]],
          owner: run.owners?.[n] ? list.realms[run.owners[n]] : '',
          seen: run.seen?.[n] || 0,
          armies: [],
          places: [],
        };
        this.fields.set(`${field.d},${field.y}`, field);
        this.byLabel.set(label, field);
      });
    }
    for (const army of list.armies || []) {
      this.at(army.d, army.y)?.armies.push({ ...army, realm: army.owner ? list.realms[army.owner] : '' });
    }
    for (const place of list.places || []) this.at(place.d, place.y)?.places.push(place);
  }

  at(d, y) {
    return this.fields.get(`${d},${y}`);
  }

  /** A field by what somebody typed: its coordinates, or the beginning of a place's name. */
  find(text) {
    const wanted = text.trim().toLowerCase();
    if (!wanted) return undefined;
    const exact = this.byLabel.get(text.trim());
    if (exact) return exact;
    for (const field of this.fields.values()) {
      if (field.label.toLowerCase() === wanted || field.places.some((p) => p.name.toLowerCase().startsWith(wanted))) return field;
    }
    return undefined;
  }
}
