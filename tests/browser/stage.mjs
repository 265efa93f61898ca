// What every browser test stands on: a host on a port of its own, a browser, and an eye for accessibility.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const PROGRAM = process.env.BRIEFWELT_PROGRAM ?? "briefwelt";
const PICTURES = process.env.BRIEFWELT_PICTURES;

/** Pictures that the documentation shows; the others are taken only if BRIEFWELT_PICTURES_ALL is set. */
const SHOWN = ["front", "desk", "map-route", "orders-map", "why-phone", "receipt-phone", "letter", "newspaper", "lead", "trial", "editor-painted", "month-map", "sheet", "planner", "board", "board-storeys", "board-replay"];

/** Widths at which pages are looked at. */
export const DESKTOP = { width: 1400, height: 1000 };
export const PHONE = { width: 390, height: 844 };

/** A host in a folder of its own, with mail going to files. */
export class Stage {
  static async open(prepare = () => {}) {
    const stage = new Stage();
    stage.folder = mkdtempSync(join(tmpdir(), "briefwelt-browser-"));
    stage.mail = join(stage.folder, "mail");
    mkdirSync(stage.mail);
    await prepare(stage);
    const port = await freePort();
    stage.address = `http://127.0.0.1:${port}`;
    stage.server = spawn(PROGRAM, ["serve", "--data", stage.folder, "--listen", `127.0.0.1:${port}`], {
      env: { ...process.env, BRIEFWELT_MAIL_FOLDER: stage.mail },
      stdio: ["ignore", "ignore", "pipe"],
    });
    stage.log = "";
    stage.server.stderr.on("data", (bytes) => (stage.log += bytes));
    await stage.answering();
    stage.browser = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
    });
    return stage;
  }

  /** Runs a command of the program on this stage's folder and returns what it said. */
  command(...words) {
    return execFileSync(PROGRAM, ["--data", this.folder, ...words], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  }

  async answering() {
    for (let attempt = 0; attempt < 200; attempt += 1) {
      if (this.server.exitCode !== null) break;
      try {
        if ((await fetch(`${this.address}/healthz`)).ok) return;
      } catch {
        // Not listening yet.
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`the host does not answer: ${this.log}`);
  }

  /** A person with a browser of his own. */
  async person({ language = "de-DE", viewport = DESKTOP, script = true } = {}) {
    const context = await this.browser.newContext({ baseURL: this.address, locale: language, viewport, javaScriptEnabled: script, timezoneId: "Europe/Berlin", reducedMotion: "reduce" });
    context.setDefaultTimeout(10_000);
    return new Person(await context.newPage(), this);
  }

  /** Letters that the host sent by mail, oldest first. */
  mails() {
    return readdirSync(this.mail)
      .sort()
      .map((name) => readFileSync(join(this.mail, name), "utf8"));
  }

  async close() {
    await this.browser?.close();
    if (this.server && this.server.exitCode === null) {
      const gone = new Promise((resolve) => this.server.once("exit", resolve));
      this.server.kill("SIGTERM");
      await gone;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** One person's browser window. Whatever page it shows is checked for accessibility and for errors of its scripts. */
class Person {
  constructor(page, stage) {
    this.page = page;
    this.stage = stage;
    this.troubles = [];
    page.on("pageerror", (error) => this.troubles.push(`script: ${error.message}`));
    page.on("console", (message) => {
      const refused = message.type() === "error" && !/status of 4\d\d/.test(message.text());
      if (refused) this.troubles.push(`console: ${message.text()}`);
    });
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(stage.address) && !/^(data|blob|about):/.test(url)) this.troubles.push(`asked elsewhere: ${url}`);
    });
  }

  /** Makes an account; the button is called by its words. */
  async signUp(name, words = "Konto anlegen") {
    await this.visit("/registrieren");
    await this.page.fill("[name=name]", name);
    await this.page.fill("[name=post]", `${name.toLowerCase()}@example.org`);
    await this.page.fill("[name=kennwort]", "drei Raben auf dem Turm");
    await this.page.getByRole("button", { name: words }).click();
    await this.look();
  }

  /** Opens a page and looks at it. */
  async visit(path, { status = 200 } = {}) {
    const answer = await this.page.goto(path);
    assert.equal(answer.status(), status, `${path} answered ${answer.status()}`);
    await this.look();
  }

  /** Checks the page that is shown now: nothing serious for those who cannot see it well, nothing wider than the window, no trouble. */
  async look() {
    const where = this.page.url().replace(this.stage.address, "");
    // A page without script is judged by another one with script; axe cannot run in it.
    if (await this.page.evaluate(() => true).catch(() => false)) {
      // A colour that is still changing has no contrast of its own yet.
      await this.page.waitForLoadState("load");
      await this.page.evaluate(() => Promise.allSettled(document.getAnimations().map((animation) => animation.finished)));
      await this.page.evaluate(axe);
      const findings = await this.page.evaluate(async () => {
        const { violations } = await globalThis.axe.run(document, { resultTypes: ["violations"] });
        return violations
          .filter((finding) => finding.impact === "serious" || finding.impact === "critical")
          .map((finding) => `${finding.id} (${finding.impact}): ${finding.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(" | ")}`);
      });
      assert.deepEqual(findings, [], `accessibility of ${where}`);
      const overflow = await this.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(overflow <= 1, `${where} is ${overflow} pixels wider than the window`);
      // On a phone nothing is pushed sideways but maps, rows of layers and what was typed line by line.
      const pushed = await this.page.evaluate(() => {
        if (innerWidth > 400) return [];
        const may = "pre, textarea, .code, .maptools, .maptools *, .mapview, .mapview *, .nav, .boardview, .boardview *, svg *, .editor, .editor *";
        const wide = (box) => box.clientWidth > 0 && box.scrollWidth > box.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(box).overflowX);
        return [...document.querySelectorAll("main *")].filter((box) => !box.matches(may) && wide(box)).map((box) => `${box.tagName}.${box.className}: ${box.textContent.trim().slice(0, 60)}`);
      });
      assert.deepEqual(pushed, [], `boxes of ${where} that must be pushed sideways`);
      // Nothing at the top of a page lies on something else, however many ways a game has.
      const covered = await this.page.evaluate(() => {
        const parts = [...document.querySelectorAll(".top :is(.brand, .nav a, .deadline, .btn)")];
        const boxes = parts.map((part) => [part.innerText.trim() || part.className, part.getBoundingClientRect()]).filter(([, box]) => box.width > 0);
        const meets = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
        return boxes.flatMap(([name, box], at) => boxes.slice(at + 1).filter(([, other]) => meets(box, other)).map(([other]) => `${name} / ${other}`));
      });
      assert.deepEqual(covered, [], `the top of ${where}`);
    }
    assert.deepEqual(this.troubles, [], `troubles on ${where}`);
  }

  /** Takes a picture for the documentation, if pictures are wanted. */
  async picture(name, options = {}) {
    if (!PICTURES || !(SHOWN.includes(name) || process.env.BRIEFWELT_PICTURES_ALL)) return;
    if (!existsSync(PICTURES)) mkdirSync(PICTURES, { recursive: true });
    await this.page.screenshot({ path: join(PICTURES, `${name}.png`), ...options });
  }

  async close() {
    await this.page.context().close();
  }
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
