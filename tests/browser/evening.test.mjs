// One evening on a host: a game master founds a world, two players join, a turn is tried, published, taken back, ruled and
// published again; a player asks why, writes to the other one and to the newspaper.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { DESKTOP, PHONE, Stage } from "./stage.mjs";

let stage;
let master;
let player;
let neighbour;

before(async () => {
  stage = await Stage.open();
  master = await stage.person();
  player = await stage.person({ language: "en-GB", viewport: PHONE });
  neighbour = await stage.person();
});
after(() => stage?.close());

test("the front page is there in both languages, in both lights, at both widths", async () => {
  const visitor = await stage.person();
  await visitor.visit("/");
  assert.equal(await visitor.page.locator("html").getAttribute("lang"), "de");
  await visitor.picture("front");
  await visitor.page.getByRole("link", { name: /EN/ }).click();
  assert.equal(await visitor.page.locator("html").getAttribute("lang"), "en");
  await visitor.page.setViewportSize(PHONE);
  await visitor.look();
  await visitor.page.getByRole("button", { name: "Candlelight" }).click();
  await visitor.look();
  await visitor.page.setViewportSize(DESKTOP);
  await visitor.look();
  await visitor.close();
});

test("a game master signs up and founds a world", async () => {
  await master.signUp("Mira", "Konto anlegen");
  await master.visit("/konto");
  await found(master, "Nebelmark");
  await master.page.getByText("0 von").waitFor();
});

/** Founds a small world of three realms, the last one the computer's. */
async function found(person, name) {
  const { page } = person;
  const next = (label) => page.getByRole("button", { name: label, exact: true }).last().click();
  await person.visit("/neue-welt");
  await page.fill("[name=name]", name);
  await next("Weiter");
  await page.waitForURL("**/neue-welt/reiche");
  await page.fill("[name=reiche]", "3");
  await next("Übernehmen");
  await page.locator("[name='computer.3']").check();
  await next("Weiter");
  await page.waitForURL("**/neue-welt/regeln");
  await page.getByRole("button", { name: "Die Welt" }).click();
  await page.fill("[name='r.world.columns']", "30");
  await page.fill("[name='r.world.rows']", "24");
  await page.fill("[name='r.world.capital_min_distance']", "5");
  await next("Weiter zur Karte");
  await page.waitForURL("**/neue-welt/karte");
  await page.fill("[name=saat]", "nebelmark");
  await next("Weiter");
  await page.waitForURL("**/neue-welt/siegel");
  await person.look();
  await next("Welt gründen");
  await page.waitForURL("**/leitung");
  await person.look();
}

test("the game master opens the world and announces it", async () => {
  await master.visit("/welt/Nebelmark/leitung/aushang");
  await master.page.getByRole("radio", { name: "jeder, von der Liste der Welten" }).check();
  await master.page.fill("[name=vorstellung]", "Eine Insel, drei Reiche, viel Nebel.");
  await master.page.getByRole("button", { name: "Speichern" }).click();
  await master.page.getByText("Gespeichert.").waitFor();
  await master.page.fill("[name=titel]", "Willkommen");
  await master.page.fill("textarea[name=text]", "Der erste Zug ist offen. <b>Kein Fett.</b>");
  await master.page.getByRole("button", { name: "Ankündigen" }).click();
  await master.page.getByText("<b>Kein Fett.</b>").waitFor();
  await master.look();
});

test("a player joins from the public list, in English, on a phone", async () => {
  await player.signUp("Jonas", /account/i);
  await player.visit("/");
  await player.page.getByRole("link", { name: /join/i }).first().click();
  await player.look();
  await player.page.locator("main form button.prime, main form button").first().click();
  await player.page.waitForURL("**/welt/Nebelmark/**");
  await player.look();
  await player.picture("desk-phone");
});

test("another player joins, in German, at a desk", async () => {
  await neighbour.signUp("Selma", "Konto anlegen");
  await neighbour.visit("/beitreten/Nebelmark");
  await neighbour.page.fill("[name=name]", "Dünenreich");
  await neighbour.page.locator("main form button.prime").click();
  await neighbour.page.waitForURL("**/welt/Nebelmark/");
  await neighbour.page.getByText("Ihr führt nun Dünenreich").waitFor();
  await neighbour.look();
  // The name is an order of the first turn, like any other.
  await neighbour.visit("/welt/Nebelmark/befehle");
  await neighbour.page.locator('button[formaction$="befehle/siegeln"]').click();
  await neighbour.page.waitForURL("**/befehle/quittung/**");
  await neighbour.look();
});

test("whoever owes orders is chased", async () => {
  await master.visit("/welt/Nebelmark/leitung");
  await master.page.getByRole("button", { name: "Alle mahnen, die fehlen" }).click();
  await master.page.getByText(/^Gemahnt: [1-9]/).waitFor();
  await master.look();
});

test("the player reads map, report and rules", async () => {
  for (const path of ["karte", "karte/text", "bericht", "bericht/verlauf", "bericht/wuerfel", "regeln", "rechner", "briefe", "zeitung", "befehle"]) {
    await player.visit(`/welt/Nebelmark/${path}`);
  }
});

test("orders with a mistake are mended and handed in", async () => {
  const { page } = player;
  await player.visit("/welt/Nebelmark/befehle");
  await page.fill("#text", "$A\nK.M 9 0000000000000 V+\n");
  await page.locator('button[formaction$="befehle/pruefen"]').click();
  // The finding names the line, and the army that the realm does not have.
  await page.getByText(/K\.M 9/).first().waitFor();
  await player.look();
  await page.fill("#text", "$R\nR.L 1 1000 0 0\n");
  await page.locator('button[formaction$="befehle/siegeln"]').click();
  await page.waitForURL("**/befehle/quittung/**");
  await player.look();
  await player.picture("receipt-phone");
  await player.visit("/welt/Nebelmark/");
});

const LETTER = `We greet you from the towers of the coast, and we send you *three barrels* of salted herring.

The road along the river belongs to nobody. Let us agree that it stays so: our riders will turn back at the old bridge, and we trust that yours do the same.

Should you hear of ships under a black sail, light the beacon. We shall come.`;

test("a letter reads as it was written, whatever stands in it, and is sealed", async () => {
  const { page } = player;
  await player.visit("/welt/Nebelmark/briefe/neu");
  await page.locator(`.addressees-choice label:has([name=an][value="2"])`).click();
  await page.fill("[name=betreff]", "Greetings");
  await page.fill("textarea[name=text]", "We *greet* you. <script>alert(1)</script>");
  await player.look();
  await page.locator("button[name=tun][value=vorschau]").click();
  await page.locator(".letter-text").getByText("<script>alert(1)</script>").waitFor();
  assert.equal(await page.locator(".letter-text em").innerText(), "greet");
  await player.look();
  await page.fill("textarea[name=text]", LETTER);
  await page.locator("button[name=tun][value=siegeln]").click();
  await page.getByText("Greetings").first().waitFor({ state: "attached" });
  await player.look();
});

test("what belongs to others looks like what does not exist", async () => {
  await player.visit("/welt/Nebelmark/leitung", { status: 404 });
  const hidden = await player.page.locator("main").innerHTML();
  await player.visit("/welt/Nirgendwo/leitung", { status: 404 });
  assert.equal(await player.page.locator("main").innerHTML(), hidden);
});

test("deadlines, notes and fees are kept", async () => {
  await master.visit("/welt/Nebelmark/leitung/fristen");
  const day = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
  await master.page.fill("[name=wann]", `${day}T20:00`);
  await master.page.getByRole("button", { name: "Frist setzen" }).click();
  const [year, , date] = day.split("-");
  await master.page.locator("main").getByText(new RegExp(`, ${Number(date)}\\. \\S+ ${year}, 20:00`)).first().waitFor();
  await master.look();
  await master.visit("/welt/Nebelmark/leitung/reich/1");
  await master.page.fill("textarea[name=text]", "schreibt gern nachts");
  await master.page.getByRole("button", { name: "Notieren" }).click();
  await master.page.fill("[name=betrag]", "20,00");
  await master.page.fill("[name=grund]", "Einzahlung");
  await master.page.getByRole("button", { name: "Buchen" }).click();
  await master.page.getByText("20,00 €").first().waitFor();
  assert.equal(await master.page.inputValue("textarea[name=text]"), "schreibt gern nachts");
  await master.look();
});

test("a turn is tried, published and taken back", async () => {
  await master.visit("/welt/Nebelmark/leitung");
  await master.picture("lead");
  await master.page.getByRole("button", { name: "Probelauf" }).click();
  await master.page.getByText("Nichts wurde veröffentlicht").waitFor();
  await master.look();
  await master.picture("trial");
  await master.page.getByRole("link", { name: /^ansehen/ }).first().click();
  await master.look();
  await master.visit("/welt/Nebelmark/leitung/probe");
  await master.page.getByRole("checkbox", { name: "auch ohne die fehlenden Züge" }).check();
  await master.page.getByRole("button", { name: "Zug 1 veröffentlichen" }).click();
  await master.page.getByText("Zug 1 ist veröffentlicht").first().waitFor();
  await master.look();
  await master.page.getByText("Den Zug zurücknehmen").click();
  await master.page.locator("form[action*=ruecknahme] [name=grund]").fill("Ein Fehler der Leitung");
  await master.page.getByRole("button", { name: "Zug 1 zurücknehmen" }).click();
  await master.page.getByText("Zug 1 ist zurückgenommen. Eine Frist hat er erst wieder, wenn Ihr sie setzt.", { exact: true }).waitFor();
  await master.visit("/welt/Nebelmark/leitung/protokoll");
  await master.page.getByText("Ein Fehler der Leitung").first().waitFor();
  for (const path of ["leitung/statistik", "leitung/karte", "briefe", "zeitung"]) {
    await master.visit(`/welt/Nebelmark/${path}`);
  }
});

test("the game master rules, and the turn is published for good", async () => {
  const { page } = master;
  await master.visit("/welt/Nebelmark/leitung/probe");
  const own = page.locator("section[aria-labelledby=machtwort]");
  // By a form of the game.
  await own.getByText("Allen Reichen schreiben", { exact: true }).click();
  await master.look();
  await own.locator("details[open] textarea").fill("Der Herbst kommt früh.");
  await own.locator("details[open] [name=grund]").fill("Stimmung");
  await own.getByRole("button", { name: /^Merken\s*: Allen Reichen schreiben$/ }).click();
  await page.locator("section[aria-labelledby=urteile]").getByText("Der Herbst kommt früh.").waitFor();
  // In words.
  await own.getByText("In Worten", { exact: true }).click();
  const form = own.locator("details[open] form");
  await form.locator("[name=urteil]").fill("treasury 1 432100");
  await form.locator("[name=grund]").fill("Ein Schatz unter dem Turm");
  await form.getByRole("button").click();
  // Among the judgements of the turn it reads as its form does.
  await page.locator("section[aria-labelledby=urteile]").getByText("Reichsschatz setzen").waitFor();
  await page.locator("section[aria-labelledby=urteile]").getByText("432100").waitFor();
  await master.look();
  await page.getByRole("button", { name: /Probelauf|Noch einmal/ }).first().click();
  await page.getByRole("button", { name: "Zug 1 veröffentlichen" }).waitFor();
  // The game master's own report says what was done by hand.
  await page.getByRole("link", { name: /Spielleit/ }).last().click();
  await page.getByText("treasury 1 432100").first().waitFor();
  await master.look();
  await master.visit("/welt/Nebelmark/leitung/probe");
  await page.getByRole("checkbox", { name: "auch ohne die fehlenden Züge" }).check();
  await page.getByRole("button", { name: "Zug 1 veröffentlichen" }).click();
  await page.getByText("Zug 1 ist veröffentlicht").first().waitFor();
  await master.look();
});

test("the player reads the report and asks why", async () => {
  const { page } = player;
  await player.visit("/welt/Nebelmark/bericht");
  const line = page.locator("details.why:visible").first();
  await line.scrollIntoViewIfNeeded();
  await line.locator("summary").click();
  const rule = line.locator("a.rule-id, a").first();
  assert.match(await rule.innerText(), /THO-/);
  await player.look();
  await player.picture("why-phone");
  await rule.click();
  await page.waitForURL("**/regeln/**");
  assert.match(await page.locator("main").innerText(), /THO-/);
  await player.look();
  // The army that was ordered stands on the map now, and the dice can be looked at.
  await player.visit("/welt/Nebelmark/karte/text");
  assert.match(await page.locator("main").innerText(), /R\.L 1/);
  await player.visit("/welt/Nebelmark/bericht/wuerfel");
});

test("the other player reads the letter, and answers", async () => {
  const { page } = neighbour;
  await neighbour.visit("/welt/Nebelmark/briefe");
  await neighbour.picture("letters");
  await page.getByRole("link", { name: /Greetings/ }).first().click();
  await page.locator(".letter-text").getByText("light the beacon").waitFor();
  // Words may break at soft hyphens.
  assert.equal((await page.locator(".letter-text em").innerText()).replaceAll("\u00ad", ""), "three barrels");
  await neighbour.look();
  await neighbour.picture("letter");
  await master.visit("/welt/Nebelmark/briefe");
});

const ARTICLE = `It rose at dawn, a long shadow under the herring, and the nets went down with it. Old Thorgrim, who has sailed these waters for forty years, swears that its back was as broad as a granary and that it *sang*.

The harbour master doubts the song. He does not doubt the nets, of which eleven are missing, nor the keel that was washed ashore below the cape with marks that no rock has made.

Whoever sails north this summer is advised to keep within sight of land, to carry a drum, and to pay the crew in advance. So writes a clerk who signs with <img src=x onerror=alert(1)>, which nobody here can read.`;

test("an article is handed in, taken, printed and read", async () => {
  await player.visit("/welt/Nebelmark/zeitung/einreichen");
  await player.page.fill("[name=titel]", "A sea serpent off the cape");
  await player.page.fill("[name=vorspann]", "Three boats saw it, and one of them came home");
  await player.page.fill("textarea[name=text]", ARTICLE);
  await player.page.locator("main form button.prime").click();
  await player.look();
  const { page } = master;
  await master.visit("/welt/Nebelmark/leitung/zeitung");
  await page.getByText("A sea serpent off the cape").first().waitFor();
  await page.locator("button[value=annehmen]").first().click();
  await page.locator("button[value=drucken]").click();
  await master.look();
  await neighbour.visit("/welt/Nebelmark/zeitung");
  await neighbour.page.getByText("A sea serpent off the cape").first().waitFor();
  await neighbour.page.getByText("<img src=x onerror=alert(1)>").first().waitFor();
  assert.equal(await neighbour.page.locator("article img").count(), 0);
  await neighbour.picture("newspaper");
  await neighbour.page.setViewportSize(PHONE);
  await neighbour.look();
  await neighbour.page.getByRole("link", { name: /EN/ }).first().click();
  await neighbour.look();
});
