// The desk of a player in a world that has lived for some years: the map and its field, the season as a story, armies with their
// orders; a long way on the map, and a line of orders by clicks.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { PHONE, Stage } from "./stage.mjs";

const WORLD = "/welt/Demo";

let stage;
let adler;
const passwords = {};

before(async () => {
  stage = await Stage.open(async (made) => {
    const said = made.command("demo");
    for (const [, name, password] of said.matchAll(/^ {2}(\S+), Kennwort (\S+)/gm)) passwords[name] = password;
  });
  adler = await signIn("Adler");
});
after(() => stage?.close());

async function signIn(name, options) {
  const person = await stage.person(options);
  const { page } = person;
  await page.goto("/anmelden");
  await page.fill("[name=name]", name);
  await page.fill("[type=password]", passwords[name]);
  await page.locator("main form button.prime").first().click();
  await page.waitForURL((url) => !url.pathname.startsWith("/anmelden"));
  return person;
}

/** The map has its drawing and answers. */
const live = (page) => page.locator("bw-map.is-live").first().waitFor();

test("the desk tells the season week by week, and every line says why", async () => {
  const { page } = adler;
  await adler.visit(`${WORLD}/`);
  await live(page);
  const story = page.locator(".desk-story .season");
  // What happened in the weeks, and behind them what was conquered at the end.
  assert.ok((await story.locator(".week").count()) >= 2);
  await story.getByRole("heading", { name: "Nach der letzten Woche" }).waitFor({ state: "attached" });
  const why = story.locator("details.why").first();
  await why.locator("summary").click();
  assert.match(await why.locator("a.rule-id").first().innerText(), /^THO-/);
  // A week that happened is a way to its place in the story, a quiet one leads to the report.
  const week = story.locator(".weeks a.war, .weeks a.ev").first();
  assert.match(await week.getAttribute("href"), /^#zeit-\d+$/);
  assert.equal(await page.locator(await week.getAttribute("href")).count(), 1);
  const quiet = story.locator(".weeks a:not(.war):not(.ev)").first();
  assert.match(await quiet.getAttribute("href"), /bericht\?zug=\d+#zeit-\d+$/);
  assert.match(await quiet.getAttribute("title"), /nichts geschah$/);
  await adler.look();
  await page.evaluate(() => scrollTo(0, 0));
  await adler.picture("desk", { fullPage: true, clip: { x: 0, y: 0, width: 1400, height: 1700 } });
});

test("a click on the map opens the field, and layers can be put away", async () => {
  const { page } = adler;
  await adler.visit(`${WORLD}/`);
  await live(page);
  // Where the realm is at home lies open at once.
  await page.locator("#dossier h2", { hasText: "0/0" }).waitFor();
  const armies = page.getByRole("button", { name: "Heere", exact: true });
  assert.equal(await armies.getAttribute("aria-pressed"), "true");
  await armies.click();
  assert.equal(await armies.getAttribute("aria-pressed"), "false");
  assert.ok(await page.locator("svg.map.no-armies").count());
  await armies.click();
  // The field of an army, from the list of armies.
  const row = page.locator(".desk-hosts tbody tr").first();
  const place = await row.locator("a[data-spot]").innerText();
  await row.locator("a[data-spot]").click();
  await page.locator("#dossier h2", { hasText: place }).waitFor();
  // The address keeps the field, so that it is there again.
  assert.match(decodeURIComponent(page.url()), new RegExp(`ort=${place}`));
  await page.reload();
  await page.locator("#dossier h2", { hasText: place }).waitFor();
  await adler.look();
});

test("armies stand on the desk with what the draft tells them", async () => {
  const { page } = adler;
  await adler.visit(`${WORLD}/`);
  const rows = page.locator(".desk-hosts tbody tr");
  const name = async (at) => (await rows.nth(at).locator("th").innerText()).trim();
  const [first, second, third] = [await name(0), await name(1), await name(2)];
  const tag = (army) => page.locator(".desk-hosts tr", { has: page.locator(`th:text-is("${army}")`) }).locator(".tag").first();
  // An army without an order has no word about it, but the way to give it one.
  const plan = (army) => page.getByRole("link", { name: `${army} hat keinen Befehl: Weg planen` });
  await plan(first).waitFor();
  await adler.visit(`${WORLD}/befehle`);
  await page.fill("#text", `$A\n${first} 0 V+\n${second} 7 V+\n`);
  await page.locator('button[formaction$="befehle/sichern"]').click();
  await page.getByText("gesichert").first().waitFor();
  await adler.visit(`${WORLD}/`);
  assert.equal(await tag(first).innerText(), "bleibt");
  // A line that cannot be read commands nobody, but the army it names was not forgotten.
  assert.equal(await tag(second).innerText(), "Fehler");
  await page.locator(".desk-hosts code", { hasText: `${second} 7 V+` }).waitFor();
  await plan(third).waitFor();
  await plan(first).waitFor({ state: "detached" });
  // The player's own line stands beside it, and the desk says that nothing was handed in.
  await page.locator(".desk-hosts code", { hasText: `${first} 0 V+` }).waitFor();
  assert.equal(await page.locator(".desk-turn .tag").innerText(), "Entwurf, nicht abgegeben");
  await page.locator(".flash.bad").waitFor();
  await adler.look();
});

test("a long way is planned on the map, week by week", async () => {
  const { page } = adler;
  await adler.visit(`${WORLD}/karte`);
  await live(page);
  // Where the realm is at home lies open before anybody asks.
  await page.locator("#dossier h2", { hasText: "0/0" }).waitFor();
  const army = await page.locator("#weg select[name=heer] option").first().innerText();
  const target = await page.evaluate(async (label) => {
    const map = document.querySelector("bw-map");
    for (let tries = 0; !map.gazetteer && tries < 100; tries += 1) await new Promise((done) => setTimeout(done, 50));
    const fields = [...map.gazetteer.fields.values()];
    const from = fields.find((field) => field.armies.some((of) => of.own && of.label === label));
    const far = (field) => Math.max(Math.abs(field.y - from.y), (Math.abs(field.d - from.d) + Math.abs(field.y - from.y)) / 2);
    return fields.filter((field) => field.owner === from.owner && far(field) >= 3).sort((a, b) => far(a) - far(b))[0].label;
  }, army);
  await page.fill("#weg [name=nach]", target);
  await page.locator("#weg button", { hasText: "Planen" }).click();
  await page.getByRole("button", { name: "In den Befehlsentwurf" }).waitFor();
  assert.ok((await page.locator("#plan tbody tr").count()) >= 3);
  assert.match(await page.locator("#plan [data-summary]").innerText(), /Woche/);
  await adler.look();
  await adler.picture("map-route", { fullPage: true, clip: { x: 0, y: 0, width: 1400, height: 1500 } });
});

test("a click on the map beside the orders writes a line into what stands in the editor", async () => {
  const { page } = adler;
  await adler.visit(`${WORLD}/befehle`);
  await page.fill("#text", "; noch nicht gesichert\n");
  await live(page);
  const army = await page.locator("#weg select[name=heer] option").first().innerText();
  // By clicks: the army, then a field beside it. Where they lie on the screen, the map itself knows.
  const spots = await page.evaluate(async (label) => {
    const map = document.querySelector("bw-map");
    for (let tries = 0; !map.gazetteer && tries < 100; tries += 1) await new Promise((done) => setTimeout(done, 50));
    const fields = [...map.gazetteer.fields.values()];
    const home = fields.find((field) => field.armies.some((of) => of.own && of.label === label));
    const next = fields.filter((field) => Math.abs(field.d - home.d) + Math.abs(field.y - home.y) === 2 && field.owner === home.owner && !field.armies.length);
    return [home, ...next].map((field) => [field.d, field.y]);
  }, army);
  const click = async ([d, y]) => {
    await page.evaluate(([d, y]) => document.querySelector("bw-map").reveal([d, y]), [d, y]);
    const at = await page.evaluate(([d, y]) => {
      const map = document.querySelector("bw-map");
      const box = map.stage.getBoundingClientRect();
      return [box.left + box.width / 2 + (d * 26 - map.view.x) / map.view.unit, box.top + box.height / 2 + (-y * 45 - map.view.y) / map.view.unit];
    }, [d, y]);
    await page.mouse.click(...at);
  };
  await page.locator("#weg").scrollIntoViewIfNeeded();
  await page.locator("[data-note]", { hasText: /Heer/ }).waitFor();
  await click(spots[0]);
  await page.locator("[data-note]", { hasText: army.slice(0, 3) }).waitFor();
  await click(spots[1]);
  const take = page.getByRole("button", { name: "In den Befehlsentwurf" });
  await take.waitFor();
  await adler.look();
  await adler.picture("orders-map", { fullPage: true });
  await take.click();
  await page.getByText("Im Entwurf:").waitFor();
  const text = await page.inputValue("#text");
  assert.match(text, /^; noch nicht gesichert$/m);
  assert.match(text, /^\$A\n\S+ \d+ [1-6]\d* /m);
});

test("on a phone the story follows the map, and from a chosen field a way leads down to it", async () => {
  const { page } = adler;
  await page.setViewportSize(PHONE);
  try {
    await adler.visit(`${WORLD}/`);
    await live(page);
    const top = async (part) => (await page.locator(part).first().boundingBox()).y;
    assert.ok((await top(".desk-map")) < (await top(".desk-story")));
    assert.ok((await top(".desk-story")) < (await top(".mapdossier")));
    const way = page.locator("[data-to-field]");
    assert.equal(await way.isVisible(), false);
    await page.locator(".desk-hosts a[data-spot]").first().click();
    await way.waitFor({ state: "visible" });
    await way.click();
    await page.waitForFunction(() => Math.abs(document.getElementById("dossier").getBoundingClientRect().top) < innerHeight);
    await adler.look();
  } finally {
    await page.setViewportSize({ width: 1400, height: 1000 });
  }
});

test("every page about the past fits a phone", async () => {
  const { page } = adler;
  await page.setViewportSize(PHONE);
  try {
    for (const path of ["bericht", "bericht?form=tabelle", "bericht/vergleich", "bericht/verlauf", "bericht/suche?was=Heer", "bericht/wuerfel", "chronik", "rechner", "karte", "karte/text"]) await adler.visit(`${WORLD}/${path}`);
    // The names of the lines stand below them instead of beside.
    await adler.visit(`${WORLD}/bericht/verlauf`);
    const [wide, narrow] = [page.locator(".drawn.wide svg").first(), page.locator(".drawn.narrow svg").first()];
    assert.deepEqual([await wide.isVisible(), await narrow.isVisible()], [false, true]);
    const letters = await narrow.locator("text.name").first().evaluate((name) => name.getBoundingClientRect().height);
    assert.ok(letters >= 11, `names of ${letters} pixels cannot be read`);
  } finally {
    await page.setViewportSize({ width: 1400, height: 1000 });
  }
});

test("long numbers in sentences have their digits in groups, in both languages", async () => {
  const { page } = adler;
  await adler.visit(`${WORLD}/?ort=0/0`);
  const dossier = page.locator("#dossier");
  await dossier.getByText(/\d\.000 GS/).first().waitFor();
  assert.doesNotMatch(await dossier.innerText(), /\d{5}/);
  await adler.visit(`${WORLD}/bericht/vergleich`);
  assert.doesNotMatch(await page.locator("main").innerText(), /\d{5}/);
  await adler.visit(`${WORLD}/?ort=0/0&sprache=en`);
  await dossier.getByText(/\d,000 GS/).first().waitFor();
  await adler.visit(`${WORLD}/?sprache=de`);
});

test("a die says in words what it decides, and its own name beside it", async () => {
  const { page } = adler;
  const die = page.locator(".dice li", { has: page.locator(".die-name") }).first();
  const said = async (turn, language) => {
    await page.goto(`${WORLD}/bericht?zug=${turn}&sprache=${language}`);
    if ((await die.count()) === 0) return null;
    const name = await die.locator(".die-name").textContent();
    return [(await die.locator(":scope > span").textContent()).replace(name, "").trim(), name];
  };
  let turn = 8;
  while (turn > 0 && (await said(turn, "de")) === null) turn -= 1;
  assert.ok(turn > 0, "no turn of the demonstration has a die of this realm");
  const [[german, name], [english, same]] = [await said(turn, "de"), await said(turn, "en")];
  await page.goto(`${WORLD}/?sprache=de`);
  // The name is what the value is reckoned from: it is the same for everybody.
  assert.match(name, /^THO-[A-Z]+-\d+ /);
  assert.equal(same, name);
  assert.notEqual(german, english);
  for (const words of [german, english]) assert.doesNotMatch(words, /THO-/);
});

test("another language shows the same turn, and the name of a world leads everybody home", async () => {
  const { page } = adler;
  await adler.visit(`${WORLD}/bericht?zug=3&form=tabelle`);
  await page.locator("a[hreflang=en]").click();
  await page.waitForURL(/zug=3&form=tabelle&sprache=en$/);
  await page.getByRole("heading", { level: 1, name: "Report of turn 3" }).waitFor();
  await page.locator("a[hreflang=de]").click();
  await page.waitForURL(/zug=3&form=tabelle&sprache=de$/);
  const master = await signIn("Spielleiter");
  await master.visit(`${WORLD}/leitung/fristen`);
  await master.page.locator("a.brand").click();
  await master.page.waitForURL(/leitung$/);
  await master.look();
  await master.visit(`${WORLD}/leitung/protokoll`);
  await master.page.getByText("Reich Greif (7) ist wieder frei.").waitFor();
  for (const path of ["statistik", "reich/1/bericht", "protokoll", "karte", "fristen", "probe"]) {
    await master.page.setViewportSize(PHONE);
    await master.visit(`${WORLD}/leitung/${path}`);
  }
  await master.close();
});

test("a land of thousands of fields is painted when the hand rests, not while it moves", async () => {
  const house = join(stage.folder, "wide.toml");
  writeFileSync(house, "[world]\ncolumns = 60\nrows = 40\ncapital_min_distance = 8\n");
  stage.command("world", "new", "--name", "Weites Land", "--seats", "2", "--seed", "weit", "--house", house);
  stage.command("--world", "Weites Land", "account", "master", "Spielleiter");
  const master = await signIn("Spielleiter");
  const { page } = master;
  await master.visit("/welt/Weites%20Land/leitung/karte");
  await live(page);
  // The whole land lies below the window as soon as nothing else is to do; it has no names of its own.
  await page.locator(".mappane.below").waitFor({ state: "attached" });
  assert.equal(await page.locator(".mappane.below [id]").count(), 0);
  const paintings = await page.evaluate(async () => {
    const map = document.querySelector("bw-map");
    const seen = { moving: 0, rested: 0 };
    let count = 0;
    const watch = new MutationObserver((changes) => (count += changes.length));
    watch.observe(map.svg, { attributeFilter: ["viewBox"] });
    const box = map.stage.getBoundingClientRect();
    map.stage.focus();
    const turn = (deltaY) => map.stage.dispatchEvent(new WheelEvent("wheel", { deltaY, clientX: box.left + box.width / 2, clientY: box.top + box.height / 2, bubbles: true, cancelable: true }));
    for (let n = 0; n < 6; n += 1) turn(-100);
    await new Promise((done) => setTimeout(done, 600));
    count = 0;
    for (let n = 0; n < 12; n += 1) turn(100);
    await Promise.resolve();
    seen.moving = count;
    await new Promise((done) => setTimeout(done, 600));
    seen.rested = count;
    return seen;
  });
  assert.deepEqual(paintings, { moving: 0, rested: 1 });
  // A layer that is put away is put away below too.
  await page.getByRole("button", { name: "Reiche", exact: true }).click();
  assert.equal(await page.locator("svg.map.no-realms").count(), 2);
  await master.look();
  await master.close();
});
