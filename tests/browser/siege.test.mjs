// A small siege on the board of ARMAGEDDON: a crowded deployment put right, a swap of places, a spell refused because somebody is enchanted
// already, odds before a blow, and the ram at the gate until it falls. Two people at two browsers, one of them on a phone.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { DESKTOP, PHONE, Stage } from "./stage.mjs";

let stage;
let master;
let attacker;
let defender;

const WORLD = "/welt/Torburg";
const BOARD = `${WORLD}/brett`;

// Field 17 holds four warriors: the fifth is an error of deployment. Fields 24 and 25 are full, so that places can be swapped. The
// lances on 33 are weakened by the defender's wizard.
const SETUP = `
battle Das Tor von Torburg
player 1 named Angreifer side 1
player 2 named Verteidiger side 2
order 1 2
field 12-13 highland 34 lowland-forest 20 highland 35 lowland-forest
tower 2 27 gate W
keep 2 20 gate SW open
figure 1 Wi 1 at 26
figure 1 S 1..2 at 26
figure 1 S 3..6 at 25
figure 1 L 1..4 at 24
figure 1 S 7..11 at 17
figure 1 L 5..6 at 33 spell weaken 2
figure 1 B 1..2 at 32
figure 1 On 1 at 30 facing O
figure 1 S 12..13 at 30
figure 1 Z 1 at ^31
figure 2 S 21..22 at 27
figure 2 B 21..22 at 27.P
figure 2 BB 23..24 at 20.P
figure 2 LB 21..22 at 20
figure 2 Z 21 at ^20
`;

before(async () => {
  stage = await Stage.open(async (made) => {
    const house = join(made.folder, "house.toml");
    writeFileSync(house, `[battle]\nsetup = '''${SETUP}'''\n`);
    made.command("world", "new", "--game", "armageddon", "--name", "Torburg", "--seats", "2", "--house", house, "--seed", "torburg");
  });
  master = await stage.person();
  attacker = await stage.person();
  defender = await stage.person({ viewport: PHONE });
});
after(() => stage?.close());

/** The lines that the buttons of the page would add. */
async function offered(person) {
  return person.page.locator("#tafel [name=zeile]").evaluateAll((buttons) => buttons.map((button) => button.value));
}

/** Opens every kind of deeds that is folded, one after the other, until one of them has the line. */
async function unfold(person, line) {
  const { page } = person;
  const hrefs = await page.locator(".handcard .kinds .kindchip").evaluateAll((links) => links.map((link) => link.getAttribute("href")));
  for (const href of [null, ...hrefs]) {
    if (href) await page.goto(href);
    const found = (await offered(person)).filter((of) => of.includes(line));
    if (found.length) return found;
  }
  return [];
}

/** Clicks on the offer whose line fits and waits until the draft has it. */
async function choose(person, line) {
  const { page } = person;
  const button = page.locator(`#tafel .offer[value*="${line}"]`).first();
  await button.click();
  await page.locator(".draftlines .last code", { hasText: line }).waitFor();
}

/** Chooses a piece from the list. */
async function take(person, piece) {
  await person.page.locator(".owncard .pchip", { hasText: new RegExp(`(^|[^\\p{L}])${piece}(?!\\d)`, "u") }).first().click();
  await person.page.locator(".handcard h2 small", { hasText: piece }).waitFor();
}

/** Sends the draft and waits until its step has run: what came of it is told at the board while the turn goes on, else moment by moment. */
async function roll(person, button = "#senden [data-send]") {
  await person.page.locator(button).first().click();
  await person.page.waitForURL(/brett\/verlauf\?zug=|brett\?eben=/, { timeout: 30_000 });
  await person.page.locator(".momentlist li").first().waitFor();
}

/** Ends the turn. */
async function end(person) {
  await person.page.goto(BOARD);
  await roll(person, '#senden [name=zeile][value$="ENDE"]');
}

async function moments(person) {
  return (await person.page.locator(".momentlist").innerText()).replaceAll("\n", " ");
}

test("a battle is set up and two people sit down to it", async () => {
  await master.signUp("Clara");
  stage.command("account", "master", "Clara");
  for (const realm of [1, 2]) {
    await master.visit(`${WORLD}/leitung/reich/${realm}`);
    await master.page.locator("[name=wer][value=frei]").check();
    await master.page.locator('form[action$="/sitz"] button').click();
  }
  await master.visit(`${WORLD}/leitung/aushang`);
  await master.page.getByRole("radio", { name: "jeder, von der Liste der Welten" }).check();
  await master.page.getByRole("button", { name: "Speichern" }).click();
  await master.page.getByText("Gespeichert.").waitFor();
  await master.visit(`${WORLD}/leitung/brett`);
  for (const [person, name] of [[attacker, "Mira"], [defender, "Jonas"]]) {
    await person.signUp(name);
    await person.visit("/beitreten/Torburg");
    await person.page.fill("[name=name]", name === "Mira" ? "Angreifer" : "Verteidiger");
    await person.page.locator("main form button.prime").click();
    await person.page.waitForURL(`**${WORLD}/`);
  }
  // A step runs as soon as nobody is missing.
  await master.visit(`${WORLD}/leitung/fristen`);
  await master.page.locator("[name=frueher]").check();
  await master.page.locator('form[action$="/frist/verfahren"] button').click();
});

test("the board is there for both, wide and narrow, in both languages and by candle light", async () => {
  await attacker.visit(BOARD);
  assert.match(await attacker.page.locator(".boardnotes").innerText(), /Ihr seid am Zug/);
  await attacker.picture("board-begin");
  for (const viewport of [PHONE, DESKTOP]) {
    await attacker.page.setViewportSize(viewport);
    for (const language of ["en", "de"]) {
      await attacker.visit(`${BOARD}?sprache=${language}`);
      await attacker.visit(`${BOARD}?figur=S%238&sprache=${language}`);
      await attacker.visit(`${BOARD}?ort=27&sprache=${language}`);
    }
    // By candle light: whoever likes the dark at all, and whoever lights the candle here.
    await attacker.page.emulateMedia({ colorScheme: "dark" });
    await attacker.visit(`${BOARD}?figur=S%238`);
    await attacker.visit(`${BOARD}?ort=27`);
    await attacker.picture(viewport === PHONE ? "board-candle-phone" : "board-candle");
    await attacker.page.emulateMedia({ colorScheme: "light" });
  }
  // The light changes at once; the next page has it when the host has heard of it.
  const light = async (name) => {
    const heard = attacker.page.waitForResponse(/einstellung\/licht$/);
    await attacker.page.locator("[data-light] button").click();
    await attacker.page.locator(`html[data-theme=${name}]`).waitFor();
    await heard;
  };
  await light("candle");
  await attacker.visit(`${BOARD}?figur=Z%231`);
  await light("paper");
  await defender.visit(BOARD);
  assert.match(await defender.page.locator(".draftcard").innerText(), /Ein anderer ist am Zug/);
  await defender.picture("board-phone");
});

test("a cut through the tower shows every storey, its gate and who is there", async () => {
  await attacker.visit(`${BOARD}?ort=27`);
  const cut = attacker.page.locator(".cutcard");
  assert.ok((await cut.locator(".storey").count()) >= 2);
  assert.match(await cut.innerText(), /Tor geschlossen/);
  assert.match(await cut.innerText(), /S#21/);
  assert.match(await cut.innerText(), /B#21/);
  await attacker.picture("board-storeys");
});

test("a wizard's deeds are folded by kind, and what is asked for shines on the board", async () => {
  const { page } = attacker;
  await page.goto(`${BOARD}?figur=Z%231`);
  const few = await page.locator("#tafel .offer").count();
  const lights = await page.locator(".light").count();
  const folds = page.locator(".handcard .kinds .kindchip");
  assert.ok((await folds.count()) > 2, "nothing is folded");
  assert.ok(few < 40 && lights < 12, `${few} deeds and ${lights} fields at once`);
  await attacker.picture("board-kinds");
  const fold = folds.filter({ hasText: "Stärken" }).first();
  const count = Number(await fold.locator("small").innerText());
  await fold.click();
  await page.locator(".handcard h4", { hasText: "Stärken" }).waitFor();
  assert.equal(await page.locator('.handcard .offer[value*="STAERKEN"]').count(), count);
  await attacker.look();
  // A click on a field tells what can be done there, of this kind.
  await page.locator("a.bf.target").first().focus();
  const place = await page.locator("a.bf.target").first().getAttribute("href");
  await attacker.visit(place);
  assert.ok((await page.locator(".herecard .offer").count()) > 0);
  await page.locator(".kindchip", { hasText: "alle Arten" }).click();
  await page.locator(".handcard h4", { hasText: "Stärken" }).waitFor({ state: "detached" });
});

test("legal steps are bright fields, and a click writes a line that can be taken back", async () => {
  const { page } = attacker;
  await page.goto(BOARD);
  await take(attacker, "S#8");
  const steps = await page.locator("button.bt").count();
  assert.ok(steps > 0, "no field is bright");
  await attacker.look();
  await attacker.picture("board");
  const value = await page.locator("button.bt").first().getAttribute("value");
  const line = value.trim().split("\n").at(-1);
  await page.locator("button.bt").first().click();
  await page.locator(".draftlines .last code", { hasText: line }).waitFor();
  await attacker.look();
  await page.locator("[data-stage]").focus();
  await page.keyboard.press("u");
  await page.locator(".draftlines .last code", { hasText: line }).waitFor({ state: "detached" });
  // The same with the keyboard alone: the cursor goes to a field, Enter takes the step there.
  await page.locator("bw-board [data-stage]").focus();
  await page.keyboard.press("ArrowRight");
  assert.notEqual(await page.locator("bw-board [data-note]").innerText(), "");
});

test("two full fields swap places", async () => {
  const { page } = attacker;
  await page.goto(BOARD);
  await take(attacker, "S#3");
  const [swap] = await unfold(attacker, "TAUSCHE S#3 25 MIT L#");
  assert.ok(swap, "no swap is offered");
  await choose(attacker, swap.trim().split("\n").at(-1));
  await take(attacker, "S#3");
  assert.match(await page.locator(".handfacts").innerText(), /auf 24/);
});

test("a spell on a field where somebody is enchanted already is not offered, and refused where it is written", async () => {
  const { page } = attacker;
  await page.goto(`${BOARD}?figur=Z%231`);
  const spells = await unfold(attacker, "ZAUBER STAERKEN");
  assert.ok(spells.length > 0, "no spell is offered");
  assert.ok(!spells.some((line) => /STAERKEN 33\b/.test(line)), "a double enchantment is offered");
  await attacker.visit(`${WORLD}/befehle`);
  const text = await page.locator("#text").inputValue();
  await page.fill("#text", `${text.trimEnd()}\nZAUBER STAERKEN 33\n`);
  await page.locator('button[formaction$="befehle/sichern"]').click();
  await page.waitForLoadState();
  await attacker.visit(BOARD);
  assert.match(await page.locator(".draftcard .diag").innerText(), /schon unter einem Zauber/);
  await attacker.picture("board-refused");
  await page.locator("[data-undo]").click();
  await page.locator(".draftcard .diag").waitFor({ state: "detached" });
});

test("the first step puts the crowded deployment right and is seen again with its reasons", async () => {
  const { page } = attacker;
  await page.goto(BOARD);
  await roll(attacker);
  const told = await moments(attacker);
  assert.match(told, /S#7|17/);
  assert.match(told, /S#3/);
  await attacker.look();
  await page.locator("a", { hasText: "Letzten Zug ansehen" }).click();
  await page.locator("bw-replay").waitFor();
  await page.locator(".momentlist details.why summary").first().click();
  assert.match(await page.locator(".momentlist details.why[open] a").first().innerText(), /ARM-/);
  await attacker.look();
  await page.locator("[data-go=first]").click();
  await page.locator("[data-where]", { hasText: "Vor dem Zug" }).waitFor();
  await page.locator("[data-go=last]").click();
  assert.equal(await page.locator('.pc[data-piece="S#7"]:not(.off)').count(), 0, "the fifth warrior is gone");
});

test("odds stand beside a blow before it is chosen, and the ram strikes until the gate falls", async () => {
  const { page } = attacker;
  let fallen = false;
  for (let round = 1; round <= 24 && !fallen; round += 1) {
    await page.goto(`${BOARD}?figur=Wi%231`);
    const blow = page.locator('#tafel .offer[value*="RAMME Wi#1 -> 27"]').first();
    await blow.waitFor();
    const odds = await page.locator(".oddwords").first().innerText();
    assert.match(odds, /\d %/);
    if (round === 1) {
      await attacker.look();
      await attacker.picture("board-odds");
    }
    await blow.click();
    await page.locator(".drafttools .rolls").waitFor();
    if (round === 1) await attacker.look();
    await roll(attacker);
    const told = await moments(attacker);
    fallen = await page.goto(`${BOARD}?ort=27`).then(() => page.locator(".cutcard .openings .broken").count()).then(Boolean);
    if (fallen) {
      assert.match(told, /Wi#1/);
      break;
    }
    await end(attacker);
    await defender.page.goto(BOARD);
    await end(defender);
  }
  assert.ok(fallen, "the gate still stands");
  await attacker.look();
  await page.locator("a", { hasText: "Letzten Zug ansehen" }).click();
  await page.locator(".throws table").waitFor();
  assert.ok((await page.locator(".throws tbody tr").count()) > 0);
  await page.locator("[data-go=last]").click();
  await attacker.look();
  await attacker.picture("board-replay", { fullPage: true });
});

test("the replay is there without a script, for every earlier step, on a phone and in English", async () => {
  await attacker.page.setViewportSize(PHONE);
  await attacker.visit(`${BOARD}/verlauf?zug=1&bild=1&sprache=en`);
  await attacker.visit(`${BOARD}/verlauf?zug=1&sprache=de`);
  await attacker.page.setViewportSize(DESKTOP);
  await defender.visit(`${BOARD}/verlauf?zug=1`);
  await defender.picture("board-replay-phone");
  await master.visit(`${WORLD}/leitung/brett`);
  await master.visit(`${WORLD}/leitung/brett/verlauf?zug=1`);
  for (const picture of ["brett.svg", "brett.png?breite=800"]) {
    const answer = await attacker.page.request.get(`${stage.address}${WORLD}/${picture}`);
    assert.equal(answer.status(), 200, picture);
  }
  const state = await attacker.page.context().storageState();
  const plain = await stage.person({ script: false });
  await plain.page.context().addCookies(state.cookies);
  await plain.page.goto(`${BOARD}/verlauf?zug=1&bild=0`);
  await plain.page.locator("[data-go=forward]").click();
  await plain.page.waitForURL("**bild=1");
  // The whole turn by links and forms.
  await plain.page.goto(BOARD);
  await plain.page.locator(".owncard .pchip.can").first().click();
  await plain.page.locator("#tafel .offer").first().click();
  await plain.page.locator(".draftlines li").first().waitFor();
  await plain.page.locator("[data-undo]").click();
  await plain.close();
});

test("the board prints as a sheet", async () => {
  await attacker.visit(BOARD);
  await attacker.page.emulateMedia({ media: "print" });
  await attacker.page.locator(".printmap").evaluate((image) => {
    image.loading = "eager";
    return image.decode();
  });
  assert.ok(await attacker.page.locator(".printmap").isVisible());
  await attacker.picture("board-print");
  await attacker.page.emulateMedia({ media: "screen" });
});
