// The numbers behind the map of the page. Run: node --test tests/browser/
import test from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const source = readFileSync(new URL('../../crates/web/assets/js/lattice.js', import.meta.url), 'utf8');
const { Gazetteer, arrow, centre, detail, distance, fieldAt, held, line, outline, scaleBar, whole } = await import(`data:text/javascript,${encodeURIComponent(source)}`);

const pointy = { half: 26, row: 45, flat: false };
const flat = { ...pointy, flat: true };
const steps = [[1, 1], [2, 0], [1, -1], [-1, -1], [-2, 0], [-1, 1]];

test('the middle of a field belongs to it, and so does everything near', () => {
  for (const lattice of [pointy, flat]) {
    for (let y = -5; y <= 5; y++) {
      for (let d = -8; d <= 8; d++) {
        if ((d + y) % 2) continue;
        const [x, z] = centre(lattice, d, y);
        for (const [dx, dy] of [[0, 0], [20, 0], [-20, 5], [3, 20], [-3, -20]]) assert.deepEqual(fieldAt(lattice, x + dx, z + dy), [d, y]);
      }
    }
  }
});

test('where a side points north, columns grow east and rows grow north', () => {
  assert.deepEqual(centre(pointy, 2, 0), [52, -0]);
  assert.deepEqual(centre(pointy, 1, 1), [26, -45]);
  // Mirrored at the diagonal: the doubled row grows north.
  assert.deepEqual(centre(flat, 2, 0).map((n) => n + 0), [0, -52]);
  assert.deepEqual(centre(flat, 1, 1), [45, -26]);
});

test('every neighbour is one step away, and a straight way has as many fields as steps', () => {
  for (const step of steps) assert.equal(distance([0, 0], step), 1);
  assert.equal(distance([0, 0], [4, 0]), 2);
  assert.equal(distance([0, 0], [1, 3]), 3);
  assert.equal(distance([-3, 1], [4, -4]), 6);
  for (const lattice of [pointy, flat]) {
    const way = line(lattice, [-3, 1], [4, -4]);
    assert.equal(way.length, 7);
    assert.deepEqual([way[0], way[6]], [[-3, 1], [4, -4]]);
    for (let n = 1; n < way.length; n++) assert.equal(distance(way[n - 1], way[n]), 1);
  }
});

test('arrows stay on the lattice, and up and down come back', () => {
  for (const lattice of [pointy, flat]) {
    for (const key of ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight']) {
      const [d, y] = arrow(lattice, [3, 1], key);
      assert.equal(Math.abs(d + y) % 2, 0);
      assert.equal(distance([3, 1], [d, y]), 1);
    }
  }
  assert.deepEqual(arrow(pointy, arrow(pointy, [0, 0], 'ArrowUp'), 'ArrowUp'), [0, 2]);
  assert.equal(arrow(pointy, [0, 0], 'x'), null);
});

test('what is drawn depends on the width of a field', () => {
  assert.deepEqual([7.9, 8, 25.9, 26, 43.9, 44].map(detail), ['tiny', 'far', 'far', 'middle', 'middle', 'near']);
});

test('the bar of the scale is round and has room for its words', () => {
  assert.deepEqual(scaleBar({ fields: 3, length: 600 }, 50, 120), { fields: 3, width: 150, length: 600 });
  assert.equal(scaleBar({ fields: 3, length: 600 }, 60, 120).fields, 2);
  assert.equal(scaleBar({ fields: 3, length: 600 }, 59, 120).fields, 3);
  assert.equal(scaleBar({ fields: 1, length: 1 }, 500, 120).fields, 1);
  assert.equal(scaleBar({ fields: 1, length: 1 }, 0.1, 120).fields, 200);
});

test('the window never loses the land', () => {
  const home = { x: -100, y: -100, width: 1000, height: 500 };
  assert.deepEqual(whole(home, 500, 500), { x: 400, y: 150, unit: 2 });
  assert.equal(held({ x: 9e9, y: -9e9, unit: 1 }, home, 500, 500).x, 900);
  assert.equal(held({ x: 0, y: -9e9, unit: 1 }, home, 500, 500).y, -100);
  assert.ok(held({ x: 0, y: 0, unit: 1e9 }, home, 500, 500).unit <= 2.3);
  assert.ok(52 / held({ x: 0, y: 0, unit: 1e-9 }, home, 500, 500).unit <= 150.001);
});

test('a field is found by its place, its coordinates and the name of what stands there', () => {
  const gazetteer = new Gazetteer({
    terrains: ['Wald', 'Wasser'],
    realms: { 2: 'Bär' },
    runs: [{ y: 0, d: -2, labels: ['-1/0', '0/0'], terrains: [1, 0], owners: [0, 2], seen: [0, 5] }],
    armies: [{ d: 0, y: 0, label: 'K.M 1', owner: 2 }, { d: 40, y: 0, label: 'lost' }],
    places: [{ d: 0, y: 0, name: 'Honigwald', kind: 'Burg' }],
  });
  const field = gazetteer.at(0, 0);
  assert.deepEqual([field.label, field.terrain, field.owner, field.seen], ['0/0', 'Wald', 'Bär', 5]);
  assert.equal(field.armies[0].realm, 'Bär');
  assert.equal(gazetteer.find(' 0/0 '), field);
  assert.equal(gazetteer.find('honig'), field);
  assert.equal(gazetteer.find(''), undefined);
  assert.equal(gazetteer.find('nowhere'), undefined);
  assert.equal(gazetteer.at(2, 0), undefined);
  assert.equal(outline(pointy, 0, 0), 'M0 -30l26 15v30l-26 15-26-15v-30z');
});
