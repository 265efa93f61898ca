// What belongs to a person and to no world: a link instead of a password, devices, all data as a file, the way out; and letters that one does not
// want to read.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { DESKTOP, PHONE, Stage } from "./stage.mjs";

const WORLD = "/welt/Nebelmark";
const PASSWORD = "drei Raben auf dem Turm";

let stage;
let master;
let mira;
let jonas;

before(async () => {
  stage = await Stage.open((made) => made.command("world", "new", "--name", "Nebelmark", "--seats", "2", "--seed", "nebelmark"));
  [master, mira, jonas] = [await stage.person(), await stage.person(), await stage.person()];
  for (const [person, name] of [[master, "Clara"], [mira, "Mira"], [jonas, "Jonas"]]) await person.signUp(name);
  stage.command("account", "master", "Clara");
  stage.command("account", "seat", "Mira", "--realm", "1");
  stage.command("account", "seat", "Jonas", "--realm", "2");
});
after(() => stage?.close());

/** The newest mail to somebody that has these words; the host sends within seconds. */
async function mail(to, words) {
  for (let tries = 0; tries < 200; tries += 1) {
    // Long lines of a mail are broken with an equals sign.
    const found = stage.mails().map((text) => text.replaceAll(/=\r?\n/g, "").replaceAll("=3D", "=")).filter((text) => text.includes(`To: ${to}`) && text.includes(words));
    if (found.length > 0) return found.at(-1);
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`no mail to ${to} with ${words}`);
}

test("a link by mail signs in once, and never again", async () => {
  const device = await stage.person({ viewport: PHONE });
  const { page } = device;
  await device.visit("/anmelden/link");
  await page.fill("[name=name]", "MIRA@example.org");
  await page.locator("main form button.prime").click();
  await page.getByText("so ist ein Anmeldelink unterwegs").waitFor();
  const [link] = (await mail("mira@example.org", "/anmelden/link/")).match(/http:\S+\/anmelden\/link\/\w+/);
  // Looking at it uses nothing up: many a mail program does that by itself.
  await device.visit(link);
  await device.visit(link);
  await page.locator("main form button").click();
  await page.waitForURL("**/welten");
  await device.visit("/konto");
  await page.getByText("mit Anmeldelink").waitFor();
  await page.getByText("Adresse bestätigt").waitFor();
  const thief = await stage.person();
  await thief.visit(link, { status: 410 });
  await thief.page.goto("/konto");
  assert.match(thief.page.url(), /\/anmelden\?weiter=/);
  // Of an address that nobody has the page says the same.
  await thief.visit("/anmelden/link");
  await thief.page.fill("[name=name]", "niemand@example.org");
  await thief.page.locator("main form button.prime").click();
  await thief.page.getByText("so ist ein Anmeldelink unterwegs").waitFor();
  await thief.close();
  // A device can be signed out from another one.
  await mira.visit("/konto");
  await mira.page.locator(".sessions li", { hasText: "mit Anmeldelink" }).getByRole("button", { name: "Abmelden" }).click();
  await mira.look();
  await page.goto("/konto");
  assert.match(page.url(), /\/anmelden\?weiter=/);
  await device.close();
});

test("a mail that asks for orders leads to them, by way of signing in", async () => {
  await mira.visit(`${WORLD}/sitz`);
  for (const box of await mira.page.locator("[name=minuten]").all()) await box.setChecked((await box.getAttribute("value")) === "60");
  await mira.page.locator('form[action$="erinnerungen"] button').click();
  await mira.page.getByText("Gespeichert.").waitFor();
  await master.visit(`${WORLD}/leitung`);
  await master.page.getByRole("button", { name: "Alle mahnen, die fehlen" }).click();
  await master.page.getByText(/^Gemahnt: [1-9]/).waitFor();
  const text = await mail("mira@example.org", "weiter=/welt/Nebelmark/befehle");
  const [link] = text.match(/http:\S+\/anmelden\?weiter=\S+/);
  await mira.visit(link);
  assert.match(mira.page.url(), /\/welt\/Nebelmark\/befehle$/);
});

test("letters of somebody are turned away, and one is reported", async () => {
  const { page } = jonas;
  await jonas.visit(`${WORLD}/briefe/neu`);
  await page.locator("label.chip", { has: page.locator("[name=an][value='1']") }).click();
  await page.fill("[name=betreff]", "Ein Wort unter uns");
  await page.fill("textarea[name=text]", "An Euch allein.\n\nIch weiß, wo Ihr wohnt, und ich meine nicht im Spiel.");
  await page.locator("button[value=siegeln]").click();
  await page.waitForLoadState();
  stage.command("turn", "run", "--without-missing");
  await mira.visit(`${WORLD}/briefe`);
  await mira.page.getByRole("link", { name: /Ein Wort unter uns/ }).first().click();
  // A short line before all else greets; the great initial begins what follows.
  assert.equal((await mira.page.locator(".letter-text p.hail").innerText()).replaceAll("\u00ad", ""), "An Euch allein.");
  await mira.page.locator("details.complain summary").click();
  await mira.look();
  await mira.page.fill("[name=grund]", "Das ist kein Spiel mehr.");
  await mira.page.locator("button[value=melden]").click();
  await mira.page.getByText("Die Spielleitung hat Eure Meldung.").waitFor();
  await mira.page.locator("details.complain summary").click();
  await mira.page.locator("button[value=sperren]").click();
  await mira.page.getByText("Boten dieses Reiches werden abgewiesen.").waitFor();
  await master.visit(`${WORLD}/leitung/briefe/pult`);
  await master.page.getByText("Das ist kein Spiel mehr.").waitFor();
  await mira.visit(`${WORLD}/briefe/einstellungen`);
  assert.equal(await mira.page.locator("[name=sperre]:checked").count(), 1);
});

test("all data comes as one file, and a deleted account leaves no name behind", async () => {
  const { page } = mira;
  await mira.visit(`${WORLD}/sitz`);
  const absence = page.locator('form[action$="abwesenheit"]').last();
  // The day of the player's own place, which may be another one than by the clock of the machine.
  const today = await absence.locator("[name=von]").getAttribute("min");
  for (const field of ["von", "bis"]) await absence.locator(`[name=${field}]`).fill(today);
  await absence.locator("[name=notiz]").fill("im Krankenhaus");
  await absence.locator("button").click();
  await page.getByText("im Krankenhaus").waitFor();
  // One day is told as one day, not as a night that ends tomorrow.
  assert.doesNotMatch(await page.locator(".sessions").first().innerText(), /00:00/);
  await mira.visit("/konto");
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByText("Daten herunterladen").click()]);
  const data = JSON.parse(readFileSync(await download.path(), "utf8"));
  const [seat] = data.worlds.holds;
  assert.equal(data.account.mail, "mira@example.org");
  assert.match(data.exported_at, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  assert.equal(seat.absences[0].note, "im Krankenhaus");
  assert.equal(seat.papers.reported[0].reason, "Das ist kein Spiel mehr.");
  assert.deepEqual(seat.papers.settings.blocked_realms, [2]);
  assert.equal(data.worlds.reminders[0].minutes_before, "60");
  assert.doesNotMatch(JSON.stringify(data), /argon2/);
  await mira.visit("/konto/loeschen");
  await page.fill("[name=name]", "Clara");
  await page.locator("main button.prime").click();
  await page.getByText("Das ist nicht der Name dieses Kontos.").waitFor();
  await mira.look();
  await page.fill("[name=name]", "Mira");
  await page.locator("main button.prime").click();
  await page.getByText("Euer Konto ist gelöscht.").waitFor();
  await page.goto("/anmelden");
  await page.fill("[name=name]", "Mira");
  await page.fill("[name=kennwort]", PASSWORD);
  await page.locator("main form button.prime").first().click();
  await page.getByText("Name und Kennwort passen nicht zusammen.").waitFor();
  // The record of the world tells what happened, and no longer who it was; the next holder is not away.
  await master.visit(`${WORLD}/leitung/protokoll`);
  assert.doesNotMatch(await master.page.locator("main").innerText(), /Mira/);
  await master.visit(`${WORLD}/leitung/fristen`);
  assert.doesNotMatch(await master.page.locator("main").innerText(), /Krankenhaus/);
});

test("without a script there is no button that only a script answers", async () => {
  const plain = await stage.person({ script: false, viewport: PHONE });
  await plain.page.goto("/anmelden");
  await plain.page.fill("[name=name]", "Jonas");
  await plain.page.fill("[name=kennwort]", PASSWORD);
  await plain.page.locator("main form button.prime").first().click();
  for (const path of ["", "karte", "befehle"]) {
    await plain.page.goto(`${WORLD}/${path}`);
    for (const tool of await plain.page.locator("[data-live], [data-print]").all()) assert.equal(await tool.isVisible(), false, path);
  }
  await plain.close();
});

test("names of eighty letters push nothing out of the window", async () => {
  const name = "W".repeat(80);
  stage.command("world", "new", "--name", "Lang", "--seat", `${name}=Jonas`, "--computer", "1", "--seed", "lang");
  stage.command("account", "seat", "Jonas", "--realm", "1", "--world", "Lang");
  await jonas.visit("/konto");
  await jonas.page.locator('form[action="/konto"] [name=name]').fill(name);
  await jonas.page.locator('form[action="/konto"] button.prime').click();
  await jonas.page.getByText("Gespeichert.").waitFor();
  for (const viewport of [PHONE, DESKTOP]) {
    await jonas.page.setViewportSize(viewport);
    for (const path of ["/welten", "/konto", ...["", "sitz", "bericht", "karte", "briefe/neu", "wappen", "chronik"].map((page) => `/welt/Lang/${page}`)]) await jonas.visit(path);
  }
});
