// A skirmish against the computer, from the founding of the world to its last round, by clicks alone: the computer moves by itself, what it did is
// seen in one go, men walk together, and dice bring one back to the board.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Stage } from "./stage.mjs";

let stage;
let player;

const WORLD = "/welt/Handgemenge";
const BOARD = `${WORLD}/brett`;
const ROUNDS = 4;

const SETUP = `
battle Das Treffen im Feld
player 1 named Rot side 1
player 2 named Blau side 2
order 1 2
centre 0 26 market
figure 1 SB 1..4 at 24
figure 1 B 1..2 at 23
figure 2 S 11..13 at 28
`;

before(async () => {
  stage = await Stage.open(async (made) => {
    const house = join(made.folder, "house.toml");
    writeFileSync(house, `[battle]\nsetup = '''${SETUP}'''\n[sequence]\nround_limit = ${ROUNDS}\n`);
    made.command("world", "new", "--game", "armageddon", "--name", "Handgemenge", "--seats", "1", "--computer", "1", "--house", house, "--seed", "feld");
  });
  player = await stage.person();
});
after(() => stage?.close());

/** Sends a draft and waits for what came of it. */
async function send(button) {
  await player.page.locator(button).first().click();
  await player.page.waitForURL(/verlauf\?zug=|brett\?eben=/, { timeout: 30_000 });
  await player.page.locator(".momentlist li").first().waitFor();
}

/** Waits until it is the player's turn again or the battle is over; tells which. */
async function turn() {
  for (let look = 0; look < 120; look += 1) {
    await player.page.goto(BOARD);
    if (await player.page.locator(".boardnotes .mover.me").count()) return true;
    if (!(await player.page.locator(".boardnotes .mover").count())) return false;
    await player.page.waitForTimeout(250);
  }
  throw new Error("the computer does not move");
}

test("somebody sits down to play against the computer", async () => {
  await player.signUp("Mira");
  stage.command("account", "master", "Mira");
  await player.visit(`${WORLD}/leitung/reich/1`);
  await player.page.locator("[name=wer][value=frei]").check();
  await player.page.locator('form[action$="/sitz"] button').click();
  const other = await stage.person();
  await other.signUp("Jonas");
  await player.visit(`${WORLD}/leitung/aushang`);
  await player.page.getByRole("radio", { name: "jeder, von der Liste der Welten" }).check();
  await player.page.getByRole("button", { name: "Speichern" }).click();
  await player.page.getByText("Gespeichert.").waitFor();
  await other.visit("/beitreten/Handgemenge");
  await other.page.locator("main form button.prime").click();
  await other.page.waitForURL(`**${WORLD}/`);
  player = other;
  assert.ok(await turn(), "nothing runs before somebody has sat down");
  assert.match(await player.page.locator(".maphead small").innerText(), /Runde 1/);
});

test("a field is one click however far it is, and four men go there together", async () => {
  const { page } = player;
  await page.goto(`${BOARD}?figur=SB%231`);
  assert.ok(await page.locator('.handcard .offer[value*="ZIEHE SB#1 24>25>26"]').count(), "two fields are one click");
  await player.look();
  await page.locator(".handcard .kindchip", { hasText: "alle 4 zusammen" }).click();
  const together = page.locator('.handcard .offer[value*="SB#1,SB#2,SB#3,SB#4 24>25"]').first();
  await together.waitFor();
  await player.look();
  await player.picture("board-together");
  await page.locator('.handcard .offer[value*="SB#1,SB#2,SB#3,SB#4 24>25>26"]').click();
  await page.locator(".draftlines .last code", { hasText: "24>25>26" }).waitFor();
});

test("the battle is played to its end, and the computer moves by itself", async () => {
  const { page } = player;
  let seen = 0;
  while (await turn()) {
    const market = page.locator('.generalcard .offer[value*="BESITZ HZ"]').first();
    if (await market.count()) {
      await market.click();
      await page.locator(".draftlines .last code", { hasText: "BESITZ" }).waitFor();
    }
    // Everybody strikes whom he can reach, once.
    for (const name of ["SB#1", "SB#2", "SB#3", "SB#4", "B#1", "B#2"]) {
      await page.goto(`${BOARD}?figur=${encodeURIComponent(name)}`);
      const blow = page.locator('.handcard .offer[value*="ANGRIFF"], .handcard .offer[value*="SCHUSS"]').first();
      if (!(await blow.count())) continue;
      assert.match(await page.locator(".handcard .oddwords").first().innerText(), /\d %/);
      await blow.click();
      await page.locator(".drafttools .rolls").waitFor();
      await send("#senden [data-send]");
      assert.match(page.url(), /eben=/, "the turn goes on at the board");
      assert.ok((await page.locator(".justnow .die").count()) > 0, "the dice are told");
      await player.look();
    }
    await page.goto(BOARD);
    await send('#senden [name=zeile][value$="ENDE"]');
    if (!(await turn())) break;
    const others = page.locator("a", { hasText: "Ansehen, was die anderen taten" });
    if (await others.count()) {
      await others.click();
      await page.locator(".momentlist li").first().waitFor();
      assert.match(await page.locator(".momentlist").innerText(), /Bär/);
      if (!seen) await player.look();
      seen += 1;
    }
  }
  assert.ok(seen > 0, "what the computer did was never shown");
  await page.goto(BOARD);
  assert.match(await page.locator(".boardnotes").innerText(), /Sieg für|unentschieden/);
  await player.look();
  await player.visit(`${WORLD}/bericht`);
  await page.getByRole("link", { name: "Alles in einem Stück" }).click();
  await page.locator("#zeit-1").waitFor();
  assert.match(await page.locator("main").innerText(), /Runde um Runde|Es treten an/);
  await player.look();
  await player.picture("battle-whole", { fullPage: true });
  await player.visit(`${WORLD}/chronik`);
});

test("whoever is alone founds a ready battle and sits down to it at once", async () => {
  const alone = await stage.person();
  const { page } = alone;
  const next = (label) => page.getByRole("button", { name: label, exact: true }).last().click();
  await alone.signUp("Selma");
  await alone.visit("/neue-welt");
  await page.locator("input[name=spiel][value=armageddon]").check({ force: true });
  await page.fill("[name=name]", "Ein Abend");
  await next("Weiter");
  await page.waitForURL("**/neue-welt/reiche");
  assert.equal(await page.locator("input[name=groesse]").count(), 4, "four battles are ready");
  await alone.look();
  await page.locator("input[name=groesse]").nth(2).check({ force: true });
  await next("Weiter");
  await page.waitForURL("**/neue-welt/regeln");
  await next("Weiter zur Karte");
  await page.waitForURL("**/neue-welt/karte");
  await alone.look();
  await next("Weiter");
  await page.waitForURL("**/neue-welt/siegel");
  await alone.look();
  await next("Als Bär spielen");
  await page.waitForURL("**/brett");
  await alone.look();
  // The besiegers are the computer's and begin.
  const board = page.url();
  for (let look = 0; look < 120 && !(await page.locator(".boardnotes .mover.me").count()); look += 1) {
    await page.waitForTimeout(250);
    await page.goto(board);
  }
  await page.goto(`${board}?figur=Z%2311`);
  await page.locator(".handcard .kindchip", { hasText: "bei einem Pasch: Stärken" }).click();
  await page.locator('.handcard .offer[value*="ANWEISUNG PASCH"]').first().click();
  await page.locator(".boardnotes", { hasText: "Anweisung bei einem Pasch" }).waitFor();
  await alone.look();
});
