// Two months of PYGMA-ISIS in the browser: every page of the second game, a move that cannot be and one that can, the report behind it; then a
// move sheet filled in by clicks on the map, goods assigned, and a stranger met.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { DESKTOP, PHONE, Stage } from "./stage.mjs";

let stage;
let master;
let player;

const WORLD = "/welt/Isis";

before(async () => {
  stage = await Stage.open(async (made) => {
    made.command("world", "new", "--game", "pygma-isis", "--name", "Isis", "--seats", "2", "--computer", "3", "--seed", "isis");
  });
  master = await stage.person();
  player = await stage.person();
});
after(() => stage?.close());

test("a world of the second game takes players", async () => {
  await master.signUp("Clara");
  stage.command("account", "master", "Clara");
  await master.visit(`${WORLD}/leitung/reich/1`);
  await master.page.locator("[name=wer][value=frei]").check();
  await master.page.locator('form[action$="/sitz"] button').click();
  await master.visit(`${WORLD}/leitung/aushang`);
  await master.page.getByRole("radio", { name: "jeder, von der Liste der Welten" }).check();
  await master.page.getByRole("button", { name: "Speichern" }).click();
  await master.page.getByText("Gespeichert.").waitFor();
  await player.signUp("Mira");
  await player.visit("/beitreten/Isis");
  await player.page.fill("[name=name]", "Horstreich");
  await player.page.locator("main form button.prime").click();
  await player.page.waitForURL(`**${WORLD}/`);
  await player.look();
});

const PAGES = ["", "karte", "karte/text", "bericht", "bericht/verlauf", "bericht/wuerfel", "bericht/vergleich", "regeln", "rechner", "zugbogen", "wirtschaft", "briefe", "zeitung", "befehle", "sitz", "chronik"];

test("every page of a ruler is there, wide and narrow, in both languages", async () => {
  for (const path of PAGES) await player.visit(`${WORLD}/${path}`);
  await player.page.setViewportSize(PHONE);
  for (const path of PAGES) await player.visit(`${WORLD}/${path}${path.includes("?") ? "&" : "?"}sprache=en`);
  await player.visit(`${WORLD}/?sprache=de`);
  await player.page.setViewportSize({ width: 1400, height: 1000 });
});

test("a move that cannot be is found at its place, mended and handed in", async () => {
  const { page } = player;
  await player.visit(`${WORLD}/karte/text`);
  const home = (await page.locator("main").innerText()).match(/\d+\/\d+/)[0];
  await player.visit(`${WORLD}/befehle`);
  await page.fill("#text", `ZUG KH 9: ${home}; A\n`);
  await page.locator('button[formaction$="befehle/pruefen"]').click();
  await page.getByText(/KH 9/).first().waitFor();
  await player.look();
  await page.fill("#text", `ZUG KH 1: ${home}; V\n`);
  await page.locator('button[formaction$="befehle/siegeln"]').click();
  await page.waitForURL("**/befehle/quittung/**");
  await player.look();
});

test("the month runs and the report tells of it", async () => {
  const { page } = player;
  stage.command("turn", "run", "--without-missing");
  await player.visit(`${WORLD}/bericht`);
  const report = await page.locator("main").innerText();
  assert.match(report, /Andra/);
  assert.match(report, /Versorgung/);
  assert.match(report, /Voranschlag/);
  await page.locator("details.why:visible").first().locator("summary").click();
  assert.match(await page.locator("details.why[open] a").first().innerText(), /PYG-/);
  await player.look();
  await player.picture("month");
  await player.visit(`${WORLD}/karte`);
  await player.picture("month-map");
  for (const path of ["leitung", "leitung/statistik", "leitung/karte", "leitung/protokoll"]) await master.visit(`${WORLD}/${path}`);
});

test("move sheet and planner are found at the top of every page, on a phone as on a desk", async () => {
  const { page } = player;
  for (const viewport of [PHONE, DESKTOP]) {
    await page.setViewportSize(viewport);
    for (const path of ["", "karte", "befehle"]) {
      await player.visit(`${WORLD}/${path}`);
      for (const name of ["Zugbogen", "Wirtschaft"]) {
        const box = await page.locator(".mainnav").getByRole("link", { name, exact: true }).boundingBox();
        assert.ok(box && box.x >= 0 && box.x + box.width <= viewport.width, `${name} is seen on ${path} at ${viewport.width}`);
      }
    }
  }
});

/** The map beside the sheet: what lies where, and where to click. */
const sheetMap = (page) => ({
  async fields() {
    await page.waitForFunction(() => document.querySelector("bw-sheet-map")?.gazetteer);
    return page.evaluate(() => {
      const plain = ({ d, y, label, terrain, owner, armies }) => ({ d, y, label, terrain, owner, armies });
      return [...document.querySelector("bw-sheet-map").gazetteer.fields.values()].map(plain);
    });
  },
  async click({ d, y }) {
    await page.locator("bw-sheet-map .mapview").scrollIntoViewIfNeeded();
    const [left, top] = await page.evaluate((spot) => {
      const map = document.querySelector("bw-sheet-map");
      map.reveal(spot);
      map.paint();
      map.mark("hover", [spot], "hover");
      const box = map.marks.hover.firstChild.getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2];
    }, [d, y]);
    await page.mouse.click(left, top);
  },
});

const WATER = /wasser|Riff/i;
let meeting;

test("the move sheet is filled in by clicks on the map, and an illegal move is mended", async () => {
  const { page } = player;
  await player.visit(`${WORLD}/zugbogen`);
  const map = sheetMap(page);
  const fields = await map.fields();
  const start = fields.find((field) => field.armies.some((army) => army.own && army.label === "RH 1"));
  assert.ok(start, "the riders stand on the map");
  const reach = await page.evaluate(async (url) => (await fetch(url)).json(), `${WORLD}/zugbogen/reichweite?heer=RH%201`);
  const reached = ({ d, y }) => reach.some(([x, z]) => x === d && z === y);
  const land = fields.filter((field) => !WATER.test(field.terrain) && field.armies.length === 0);
  const far = land.filter((field) => !reached(field)).sort((a, b) => Math.abs(b.y - start.y) + Math.abs(b.d - start.d) - Math.abs(a.y - start.y) - Math.abs(a.d - start.d))[0];
  meeting = land.find((field) => reached(field) && !field.owner) ?? land.find((field) => reached(field) && field !== start);
  assert.ok(far && meeting, "there is land within reach and beyond it");

  const row = page.locator(".sheet-table tr", { has: page.locator('input[value="RH 1"]') });
  const choice = page.locator("[name=heer]");
  await map.click(start);
  while ((await choice.inputValue()) !== "RH 1") await map.click(start);
  await page.locator(".mark-reach path").first().waitFor({ state: "attached" });
  await map.click(far);
  await page.locator(".sheet-table td.e").first().waitFor();
  const [gf, kf] = far.label.split("/");
  assert.match(await page.locator("#bogen").innerText(), /Zugbogen [A-M]\d+/);
  assert.equal(await page.locator("[name=weg]").inputValue(), `${gf}/${kf}`);
  await player.look();

  await page.locator("[data-back]").click();
  await page.locator(".sheet-table td.e").first().waitFor({ state: "detached" });
  await map.click(meeting);
  await page.waitForFunction((label) => document.querySelector("[name=weg]").value === label, meeting.label);
  await page.getByText("geprüft und gesichert").waitFor();
  await page.locator("[data-done]").click();
  const cells = await row.locator("input").evaluateAll((inputs) => inputs.map((input) => input.value));
  assert.equal(`${cells[9]}/${cells[10]}`, meeting.label, "the row of the riders ends where the click was");
  await row.locator("input").last().fill("V");
  await row.locator("input").last().press("Tab");
  await page.waitForFunction(() => !document.querySelector(".sheet-table td.e"));
  await player.look();
  await player.picture("sheet");
  await page.setViewportSize(PHONE);
  await player.look();
  await page.setViewportSize({ width: 1400, height: 1000 });
});

test("goods are assigned by hand, then the best proposal is taken", async () => {
  const { page } = player;
  await player.visit(`${WORLD}/wirtschaft`);
  const slot = page.locator(".plot-table select").first();
  const other = await slot.evaluate((select) => [...select.options].find((option) => !option.selected).value);
  await slot.selectOption(other);
  await page.locator('button[value="zuteilen"]').click();
  await page.getByText("Die Zuteilung steht als Befehle im Entwurf.").waitFor();
  assert.equal(await page.locator(".plot-table select").first().inputValue(), other);
  await player.look();
  await player.picture("planner");
  const best = page.locator('button[value="vorschlag"]');
  if (await best.count()) {
    // A field whose places could be better is a row like the others, on a narrow window and on paper too.
    for (const media of ["screen", "print"]) {
      await page.emulateMedia({ media });
      await page.setViewportSize({ width: 800, height: 1000 });
      const shown = await page.locator(".plot-table tbody tr").evaluateAll((rows) => [...new Set(rows.map((row) => getComputedStyle(row).display))]);
      assert.deepEqual(shown, ["table-row"], media);
    }
    await page.emulateMedia({ media: null });
    await page.setViewportSize({ width: 1400, height: 1000 });
    await best.click();
    await page.getByText("Die Zuteilung steht als Befehle im Entwurf.").waitFor();
    assert.equal(await best.count(), 0, "nothing better is left");
  }
  await player.look();
});

test("the sheet is sealed, the month runs, and the report tells of the stranger", async () => {
  const { page } = player;
  await player.visit(`${WORLD}/zugbogen`);
  await page.locator('button[value="siegeln"]').click();
  await page.waitForURL("**/befehle/quittung/**");
  await player.look();
  const sent = await page.evaluate(async () => (await fetch(`${location.pathname}?form=text`)).text());
  assert.match(sent, /ZUG RH 1: /);
  assert.match(sent, /PRODUKTION /);
  // Somebody else's riders have come to the same place.
  const [gf, kf] = meeting.label.split("/").map(Number);
  stage.command("gm", "edict", JSON.stringify({ do: "move-unit", realm: 2, unit: { kind: "RH", number: 1 }, field: { gf, kf } }));
  stage.command("turn", "run", "--without-missing");
  await player.visit(`${WORLD}/bericht`);
  const report = await page.locator("main").innerText();
  assert.match(report, new RegExp(`Begegnungen[^]*${meeting.label}\\s+Bär[^]*Sichtungen[^]*${meeting.label}\\s+RH\\s+2\\.?000 R\\s+Bär`));
  await player.look();
});

test("the sheet works without a script", async () => {
  const plain = await stage.person({ script: false });
  await plain.page.context().addCookies(await player.page.context().cookies());
  await plain.page.goto(`${WORLD}/zugbogen`);
  await plain.page.selectOption("[name=heer]", "RH 2");
  await plain.page.fill("[name=weg]", meeting.label);
  await plain.page.locator('button[value="weg"]').click();
  await plain.page.getByText("Der Weg von RH 2 steht im Zugbogen.").waitFor();
  const row = plain.page.locator(".sheet-table tr", { has: plain.page.locator('input[value="RH 2"]') });
  assert.ok(await row.count());
  const [file] = await Promise.all([plain.page.waitForEvent("download"), plain.page.getByRole("link", { name: "ODS" }).click()]);
  await plain.page.setInputFiles("[name=datei]", await file.path());
  await plain.page.locator(".upload button").click();
  await plain.page.getByText("Der Zugbogen ist gelesen").waitFor();
  await plain.close();
});
