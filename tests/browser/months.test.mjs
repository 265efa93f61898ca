// A month of PYGMA-ISIS in the browser: every page of the second game, a move that cannot be and one that can, the report behind it.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { PHONE, Stage } from "./stage.mjs";

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

const PAGES = ["", "karte", "karte/text", "bericht", "bericht/verlauf", "bericht/wuerfel", "bericht/vergleich", "regeln", "rechner", "briefe", "zeitung", "befehle", "sitz", "chronik"];

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
