// A world is planned in five steps, looked at before it exists, founded, and changed by hand.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { DESKTOP, PHONE, Stage } from "./stage.mjs";

let stage;
let master;
const EDITOR = "/welt/Inselreich/leitung/karte/bearbeiten";

before(async () => {
  stage = await Stage.open();
  master = await stage.person();
  await master.visit("/registrieren");
  await master.page.fill("[name=name]", "Greta");
  await master.page.fill("[name=post]", "greta@example.org");
  await master.page.fill("[name=kennwort]", "drei Raben auf dem Turm");
  await master.page.getByRole("button", { name: "Konto anlegen" }).click();
  await master.look();
});
after(() => stage?.close());

const press = (label) => master.page.getByRole("button", { name: label, exact: true }).last().click();

/** Looks at a page in both languages and at both widths. */
async function everyWay(path, name) {
  for (const language of ["en", "de"]) {
    for (const [width, size] of [["phone", PHONE], ["desktop", DESKTOP]]) {
      await master.page.setViewportSize(size);
      await master.visit(`${path}${path.includes("?") ? "&" : "?"}sprache=${language}`);
      if (language === "de") await master.picture(width === "phone" ? `${name}-phone` : name, { fullPage: true });
    }
  }
}

test("every step of the plan can be read in both languages at both widths", async () => {
  await master.visit("/neue-welt");
  await master.page.fill("[name=name]", "Inselreich");
  await press("Weiter");
  await master.page.waitForURL("**/neue-welt/reiche");
  await master.page.fill("[name=reiche]", "4");
  await press("Übernehmen");
  for (const step of ["spiel", "reiche", "regeln", "karte", "siegel"]) await everyWay(`/neue-welt/${step}`, `found-${step}`);
  await everyWay("/neue-welt/regeln?abschnitt=house-combat", "found-rules-combat");
  await everyWay("/neue-welt/regeln?suche=GAP-16", "found-rules-search");
});

test("a value that cannot be is told at its field, kept, and mended", async () => {
  const { page } = master;
  await master.visit("/neue-welt/regeln?abschnitt=house-combat");
  await page.fill("[name='r.combat.luck_spread_pct']", "5000");
  await press("Weiter zur Karte");
  await page.locator("[aria-invalid=true]").waitFor();
  assert.equal(await page.inputValue("[name='r.combat.luck_spread_pct']"), "5000");
  await master.look();
  await page.fill("[name='r.combat.luck_spread_pct']", "20");
  await press("Weiter zur Karte");
  await page.waitForURL("**/neue-welt/karte");
});

test("a house rule that the game does not take is named in the language of the page", async () => {
  const { page } = master;
  const river = "[name='r.loss.river']";
  await master.visit("/neue-welt/regeln?suche=GAP-24");
  const book = await page.inputValue(river);
  await page.fill(river, "[10, 0]");
  await press("Weiter zur Karte");
  const trouble = page.getByText(/Das Spiel nimmt diesen Wert nicht: .+ Im Buch steht: \[0, 10\]/);
  await trouble.waitFor();
  assert.doesNotMatch(await trouble.innerText(), /loss\.river|smaller/);
  assert.equal(await page.inputValue(river), "[10, 0]");
  await master.look();
  await page.fill(river, book);
  await press("Weiter zur Karte");
  await page.waitForURL("**/neue-welt/karte");
});

test("the map is seen before the world exists, and another one is a click away", async () => {
  const { page } = master;
  await master.visit("/neue-welt/karte");
  const picture = () => page.locator(".worldmap img").getAttribute("src");
  const first = await picture();
  assert.ok(await page.locator(".worldmap img").evaluate((image) => image.complete && image.naturalWidth > 300), "the picture is drawn");
  assert.equal(await page.locator(".starts tbody tr").count(), 4);
  await press("Andere Karte");
  await page.locator(".starts").waitFor();
  assert.notEqual(await picture(), first);
  await page.fill("[name=saat]", "drei Inseln");
  await press("Zeichnen");
  const chosen = await picture();
  // Back to the rules and forth again: the same map.
  await press("Zurück");
  await page.waitForURL("**/neue-welt/regeln");
  await press("Weiter zur Karte");
  assert.equal(await picture(), chosen);
});

test("the charter shows what differs from the book, and the world is founded", async () => {
  const { page } = master;
  await press("Weiter");
  await page.waitForURL("**/neue-welt/siegel");
  await page.getByText("Glück: Spanne der Würfel").waitFor();
  await page.getByText("Buch: 10", { exact: true }).waitFor();
  await master.picture("charter", { fullPage: true });
  await press("Welt gründen");
  await page.waitForURL("**/welt/Inselreich/leitung");
  await master.look();
});

test("every page of the game master is one click from the desk", async () => {
  await master.visit("/welt/Inselreich/leitung");
  const ways = await master.page.locator(".subnav a").evaluateAll((links) => links.map((link) => link.getAttribute("href")));
  for (const page of ["probe", "karte", "karte/bearbeiten", "fristen", "aushang", "briefe", "briefe/pult", "zeitung", "statistik", "protokoll"]) {
    assert.ok(ways.some((way) => way.endsWith(`/leitung/${page}`)), `${page} is missing`);
  }
  for (const way of ways) await master.visit(way);
});

test("the brush paints a stretch of land with the mouse, and it can be undone", async () => {
  const { page } = master;
  await everyWay(EDITOR, "editor");
  await page.setViewportSize(DESKTOP);
  await master.visit(EDITOR);
  await page.locator("input[name=werkzeug][value=terrain]").check();
  await page.locator("input[name='terrain.terrain'][value=vul]").check({ force: true });
  const stage_ = page.locator("[data-stage]");
  const box = await stage_.boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.waitForFunction(() => document.querySelector("bw-world-editor").gazetteer);
  const before = await volcanoes();
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 120, y, { steps: 8 });
  await page.mouse.up();
  await page.getByText(/Änderungen? gemacht/).waitFor();
  await page.waitForFunction(() => !document.querySelector("bw-world-editor .painted"));
  assert.ok((await volcanoes()) > before, "the stroke is in the world");
  await master.look();
  await master.picture("editor-painted");
  await page.getByRole("button", { name: "Rückgängig" }).click();
  await page.getByText("zurückgenommen").first().waitFor();
  assert.equal(await volcanoes(), before);
  await page.getByRole("button", { name: "Wiederholen" }).click();
  await page.getByText("gilt wieder").waitFor();
  assert.ok((await volcanoes()) > before);
});

/** How many fields of the sheet are volcanoes. */
async function volcanoes() {
  const text = await (await master.page.request.get(`${EDITOR}/blatt`)).text();
  return text.split("\n").filter((line) => / vul /.test(line)).length;
}

test("the keyboard paints too", async () => {
  const { page } = master;
  await master.visit(EDITOR);
  await page.locator("input[name=werkzeug][value=terrain]").check();
  await page.locator("input[name='terrain.terrain'][value=vul]").check({ force: true });
  await page.waitForFunction(() => document.querySelector("bw-world-editor").gazetteer);
  await page.locator("[data-stage]").focus();
  for (const key of ["ArrowUp", "ArrowUp", "ArrowUp"]) await page.keyboard.press(key);
  const before = await volcanoes();
  await page.keyboard.press("Enter");
  await page.getByText(/gemacht|geht nicht/).waitFor();
  const after = await volcanoes();
  await page.keyboard.press("Control+z");
  await page.getByText("zurückgenommen").first().waitFor();
  assert.equal(after, before + 1);
  assert.equal(await volcanoes(), before);
});

test("what cannot be is refused with a reason", async () => {
  const { page } = master;
  await master.visit(EDITOR);
  await page.locator("input[name=werkzeug][value=gate]").check();
  await page.fill("[name='gate.code']", "7");
  await page.fill("[name=orte]", "0/0");
  await press("Ändern");
  await page.getByText("dort steht kein Weltentor").waitFor();
  await master.look();
});

test("without a script the editor is a form, and a saved map is loaded again", async () => {
  const plain = await stage.person({ script: false });
  await plain.page.context().addCookies(await master.page.context().cookies());
  const { page } = plain;
  const map = await (await page.request.get(`${EDITOR}/blatt`)).text();
  const land = map.split("\n").map((line) => line.split(" ")).find((line) => line[0] === "field" && line[2] === "tla" && line[3] === "0" && line[4] === "-");
  await page.goto(`${EDITOR}?werkzeug=terrain`);
  await page.locator("input[name='terrain.terrain'][value=tsu]").check();
  await page.fill("[name=orte]", land[1]);
  await page.getByRole("button", { name: "Ändern" }).click();
  await page.getByText("Die Karte ist geändert").waitFor();
  assert.notEqual(await (await page.request.get(`${EDITOR}/blatt`)).text(), map);
  await page.setInputFiles("input[type=file]", { name: "karte.txt", mimeType: "text/plain", buffer: Buffer.from(map) });
  await page.getByRole("button", { name: "Karte laden" }).click();
  await page.getByText("Die Karte ist geändert").waitFor();
  assert.equal(await (await page.request.get(`${EDITOR}/blatt`)).text(), map);
  await plain.close();
});

test("the keeper's room is there in both languages at both widths", async () => {
  for (const [path, name] of [["/verwaltung", "keeping"], ["/verwaltung/konten", "keeping-accounts"], ["/verwaltung/welten", "keeping-worlds"], ["/verwaltung/beschwerden", "keeping-complaints"]]) await everyWay(path, name);
  await master.visit("/verwaltung");
  await press("Untersuchen");
  await master.page.getByText("Alles ist heil").waitFor();
  await master.look();
});

for (const [game, name, section, field] of [
  ["pygma-isis", "Städtebund", "house-settling", "r.settling.min_distance"],
  ["armageddon", "Zwingburg", "house-bow", "r.bow.range"],
]) {
  test(`a world of ${game} is planned with its own rules and looked at`, async () => {
    const { page } = master;
    await page.setViewportSize(DESKTOP);
    await master.visit("/neue-welt?neu=ja");
    await page.locator(`input[name=spiel][value=${game}]`).check({ force: true });
    await page.fill("[name=name]", name);
    await press("Weiter");
    await page.waitForURL("**/neue-welt/reiche");
    await everyWay("/neue-welt/reiche", `found-${game}-seats`);
    await everyWay("/neue-welt/regeln", `found-${game}-rules`);
    await everyWay(`/neue-welt/regeln?abschnitt=${section}`, `found-${game}-section`);
    assert.equal(await page.locator(`[name='${field}']`).count(), 1, "the section has its rules");
    // Every label is a sentence, not a key.
    const text = await page.locator("main").innerText();
    assert.doesNotMatch(text, /house[.-]|word\./);
    await everyWay("/neue-welt/karte", `found-${game}-map`);
    await page.setViewportSize(DESKTOP);
    await press("Weiter");
    await page.waitForURL("**/neue-welt/siegel");
    await press("Welt gründen");
    await page.waitForURL(`**/welt/${encodeURIComponent(name)}/leitung`);
    await master.look();
  });
}
