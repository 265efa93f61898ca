// A player's ways that an evening does not touch: joining with a people and arms, a way from the map into the orders, a whole
// turn in words alone, holidays and a stand-in, the chronicle.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { PHONE, Stage } from "./stage.mjs";

let stage;
let master;
let player;

const WORLD = "/welt/Nebelmark";
const ARMS = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 120"><path fill="#246" d="M10 10h80v60l-40 40-40-40z"/><script>alert(1)</script></svg>`;

before(async () => {
  stage = await Stage.open(async (made) => {
    const house = join(made.folder, "house.toml");
    writeFileSync(house, "[world]\ncolumns = 30\nrows = 24\ncapital_min_distance = 5\n");
    made.command("world", "new", "--name", "Nebelmark", "--seats", "2", "--computer", "1", "--seed", "nebelmark", "--house", house);
  });
  master = await stage.person();
  player = await stage.person();
});
after(() => stage?.close());

test("a world takes players", async () => {
  await master.signUp("Clara");
  stage.command("account", "master", "Clara");
  await master.visit(`${WORLD}/leitung/reich/1`);
  await master.page.locator("[name=wer][value=frei]").check();
  await master.page.locator('form[action$="/sitz"] button').click();
  await master.visit(`${WORLD}/leitung/aushang`);
  await master.page.getByRole("radio", { name: "jeder, von der Liste der Welten" }).check();
  await master.page.getByRole("button", { name: "Speichern" }).click();
  await master.page.getByText("Gespeichert.").waitFor();
});

test("a player joins with a name, a people and arms", async () => {
  const { page } = player;
  await player.signUp("Mira");
  await player.visit("/beitreten/Nebelmark");
  await page.fill("[name=name]", "Horstreich");
  await page.fill("[name=kultur]", "Ein stolzes Volk auf hohen Felsen, das seine Toten den Winden gibt und von jedem Fremden ein Lied verlangt, ehe es ihn einläßt.");
  // The page says in its own language which file is chosen, whatever the browser speaks.
  assert.equal(await page.locator(".pick .chosen").innerText(), "keine Datei gewählt");
  await page.setInputFiles("[name=wappen]", { name: "wappen.svg", mimeType: "image/svg+xml", buffer: Buffer.from(ARMS) });
  assert.equal(await page.locator(".pick .chosen").innerText(), "wappen.svg");
  await player.look();
  await page.locator("main form button.prime").click();
  await page.waitForURL(`**${WORLD}/`);
  await page.getByText("Ihr führt nun Horstreich").waitFor();
  await player.look();
  const arms = await page.evaluate(async (path) => (await fetch(path)).text(), await page.locator(".brand img.arms").getAttribute("src"));
  assert.match(arms, /M10 10h80v60/);
  assert.doesNotMatch(arms, /script/);
  await player.visit(`${WORLD}/befehle`);
  const draft = await page.inputValue("#text");
  assert.match(draft, /^\$K/m);
  assert.ok(draft.split("\n").every((line) => line.length <= 250), draft);
  assert.match(draft.replaceAll("\n", " "), /ein Lied verlangt, ehe/);
});

test("a way planned on the map becomes a line of the draft", async () => {
  const { page } = player;
  await player.visit(`${WORLD}/befehle`);
  // An army to send: armed now, on the map after the turn.
  await page.fill("#text", "$R\nR.L 1 1000 0 0\n");
  await page.locator('button[formaction$="befehle/siegeln"]').click();
  await page.waitForURL("**/befehle/quittung/**");
  stage.command("turn", "run", "--without-missing");
  await player.visit(`${WORLD}/karte`);
  await page.fill("#weg [name=nach]", "1/0");
  await page.locator("#weg button", { hasText: "Planen" }).click();
  await page.getByRole("button", { name: "In den Befehlsentwurf" }).waitFor();
  await player.look();
  await page.getByRole("button", { name: "In den Befehlsentwurf" }).click();
  await page.waitForURL("**/befehle");
  assert.match(await page.inputValue("#text"), /^\$A\nR\.L 1 \d+/m);
  await page.getByText("Im Entwurf:").waitFor();
  // The desk warns that the draft is not handed in.
  await player.visit(`${WORLD}/`);
  await page.locator(".flash.bad").waitFor();
});

test("map, way, orders and seal can be reached with the keyboard alone", async () => {
  const { page } = player;
  const keys = page.keyboard;
  const reach = async (wanted) => {
    for (let step = 0; step < 150; step += 1) {
      await keys.press("Tab");
      if (await page.evaluate((selector) => document.activeElement.matches(selector), wanted)) return;
    }
    assert.fail(`${wanted} is not reached`);
  };
  await player.visit(`${WORLD}/karte`);
  await reach("bw-map [tabindex='0']");
  await keys.press("ArrowRight");
  await keys.press("Enter");
  await page.locator("#dossier h2").waitFor();
  await reach("#weg [name=nach]");
  await keys.press("Control+A");
  await keys.type("1/0");
  await keys.press("Enter");
  await page.getByRole("button", { name: "In den Befehlsentwurf" }).waitFor();
  await reach("form[action$='karte/weg'] button");
  await keys.press("Enter");
  await page.waitForURL("**/befehle");
  await reach("#text");
  await keys.press("Control+End");
  await keys.type("\nR.L 1 X V+");
  await page.locator(".diag.e").first().waitFor();
  await keys.press("F8");
  await keys.press("Control+A");
  await keys.type("$A\nR.L 1 1 V+");
  await page.locator(".diag.e").first().waitFor({ state: "detached" });
  await reach("button[formaction$='befehle/siegeln']");
  await keys.press("Enter");
  await page.waitForURL("**/befehle/quittung/**");
  await player.look();
});

test("a whole turn can be played with the pages of words alone", async () => {
  const reader = await stage.person({ script: false, viewport: PHONE });
  await reader.page.goto("/anmelden");
  await reader.page.fill("[name=name]", "Mira");
  await reader.page.fill("[type=password]", "drei Raben auf dem Turm");
  await reader.page.locator("main form button.prime").first().click();
  // What happened, as lines to be read aloud.
  const report = await (await reader.page.goto(`${WORLD}/bericht?form=lesen`)).text();
  assert.match(report, /Horstreich|Adler/);
  // Where things lie: the own places first, with neighbours and what a step costs in the dossier.
  await reader.page.goto(`${WORLD}/karte/text`);
  await reader.page.getByRole("heading", { level: 1 }).waitFor();
  assert.match(await reader.page.locator("main").innerText(), /R\.L 1/);
  const land = await (await reader.page.goto(`${WORLD}/karte/text?form=text`)).text();
  assert.match(land, /^0\/0: /m);
  // Every field says where it lies from a place with a name.
  assert.match(land, /^1\/0: .*; von .+ aus ein Feld nach Osten/m);
  await reader.page.goto(`${WORLD}/karte?ort=0/0`);
  assert.match(await reader.page.locator("#dossier").innerText(), /Schritt kostet/);
  // A way, into the draft, without a script.
  await reader.page.goto(`${WORLD}/karte?heer=R.L+1&nach=1/0#weg`);
  await reader.page.getByRole("button", { name: "In den Befehlsentwurf" }).click();
  // Orders and their findings as text, then sealed with the form.
  const orders = await (await reader.page.goto(`${WORLD}/befehle?form=text`)).text();
  assert.match(orders, /R\.L 1 \d+/);
  await reader.page.goto(`${WORLD}/befehle`);
  await reader.page.locator('button[formaction$="befehle/siegeln"]').click();
  await reader.page.waitForURL("**/befehle/quittung/**");
  stage.command("turn", "run", "--without-missing");
  const next = await (await reader.page.goto(`${WORLD}/bericht?form=lesen`)).text();
  assert.match(next, /R\.L 1/);
  await reader.close();
});

test("the desk tells what came since the last visit, and the chronicle leads to every turn", async () => {
  const { page } = player;
  await player.visit(`${WORLD}/`);
  assert.match(await page.locator("main").innerText(), /Spielzug 2/);
  // Only figures that changed, each with how much.
  assert.ok((await page.locator(".figures-short tbody tr").count()) > 1);
  assert.equal(await page.locator(".figures-short .same").count(), 0);
  await player.visit(`${WORLD}/chronik`);
  assert.equal(await page.locator(".chronicle tbody tr").count(), 3);
  for (const href of await page.locator(".chronicle tbody tr").first().locator("a").evaluateAll((links) => links.map((link) => link.getAttribute("href")))) {
    await player.visit(href);
  }
});

test("holidays, reminders and a stand-in", async () => {
  const { page } = player;
  const friend = await stage.person();
  await friend.signUp("Freundin");
  await player.visit(`${WORLD}/sitz`);
  const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const today = await page.locator("[name=von]").first().getAttribute("min");
  const stand = page.locator('form[action$="sitz/vertretung"]').last();
  await stand.locator("[name=konto]").fill("Freundin");
  await stand.locator("[name=von]").fill(today);
  await stand.locator("[name=bis]").fill(day);
  await stand.getByRole("button").click();
  await page.getByText("Freundin vertritt Euch").waitFor();
  await player.look();
  await player.picture("seat");
  await friend.visit(`${WORLD}/`);
  await friend.page.getByText("Ihr vertretet Horstreich.").waitFor();
  // Letters stay closed to her until the ruler opens them.
  await friend.visit(`${WORLD}/briefe`);
  assert.equal(await friend.page.locator(".lettergrid").count(), 0);
  await friend.close();
});

test("the printed map and report carry no tools", async () => {
  const { page } = player;
  await player.visit(`${WORLD}/karte`);
  await page.emulateMedia({ media: "print" });
  assert.equal(await page.locator(".maptools:visible, .mapzoom:visible, .mapframe:visible").count(), 0);
  const drawn = await page.locator(".printmap").evaluate(async (image) => {
    await image.decode();
    return image.naturalWidth > 0 && image.getBoundingClientRect().height > 200;
  });
  assert.ok(drawn, "the sheet of the map is printed");
  await page.emulateMedia({ media: null });
});

test("paper is white and carries no ways, by whatever light the page is read", async () => {
  const { page } = player;
  for (const light of ["system", "candle"]) {
    if (light === "candle") {
      await player.visit(`${WORLD}/`);
      await page.locator("[data-light] button").click();
      await page.locator('html[data-theme="candle"]').waitFor();
    }
    await player.visit(`${WORLD}/bericht`);
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    const looks = await page.evaluate(() => {
      const of = (element) => getComputedStyle(element);
      return [of(document.body).color, of(document.body).backgroundColor, of(document.querySelector(".sheet")).backgroundColor];
    });
    assert.deepEqual(looks, ["rgb(0, 0, 0)", "rgb(255, 255, 255)", "rgb(255, 255, 255)"], light);
    assert.equal(await page.locator("nav:visible, .deadline:visible, .btn:visible").count(), 0, light);
    await page.emulateMedia({ media: null, colorScheme: null });
  }
  await page.locator("[data-light] button").click();
});
