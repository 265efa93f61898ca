// The editor of orders: colours behind a real text field, findings while one writes, repairs at a touch, saving by itself.
// Without this script the same buttons send the same form.

document.documentElement.classList.add("js");
for (const button of document.querySelectorAll("[data-print]")) button.addEventListener("click", () => window.print());

const form = document.querySelector("form[data-editor]");
if (form) edit(form);

function edit(form) {
  const text = form.querySelector("textarea");
  const pen = form.querySelector(".pen");
  const paint = form.querySelector(".paint");
  const findings = form.querySelector("#befunde");
  const saved = form.querySelector("#gesichert");
  const PAINTED_MAX = 60000; // Letters beyond which colours would make typing slow.
  let marks = [];
  let checking = null;
  let checkTimer = 0;
  let saveTimer = 0;
  let savedText = text.value;
  let next = -1;

  // A way that was planned on the map beside is put into what stands here, saved or not.
  document.addEventListener("submit", ({ target }) => {
    if (!target.matches('form[action$="karte/weg"]')) return;
    const field = target.elements.namedItem("text") || target.appendChild(Object.assign(document.createElement("input"), { type: "hidden", name: "text" }));
    field.value = text.value;
    savedText = text.value;
  });

  // ---- colours ----
  function span(kind, letters) {
    const node = document.createElement("span");
    node.className = kind;
    node.textContent = letters;
    return node;
  }

  // A line as pieces of one kind: where a part begins, words, numbers, notes.
  function pieces(line) {
    const list = [];
    const note = line.indexOf(";");
    const said = note < 0 ? line : line.slice(0, note);
    if (/^[$#]/.test(said)) list.push(["t-part", said]);
    else {
      let first = true;
      for (const part of said.split(/(\s+)/)) {
        if (!part) continue;
        const kind = /^\s/.test(part) ? "" : first ? "t-word" : /^[-+]?[\d/]+$/.test(part) ? "t-num" : "";
        if (!/^\s/.test(part)) first = false;
        list.push([kind, part]);
      }
    }
    if (note >= 0) list.push(["t-note", line.slice(note)]);
    return list;
  }

  // Puts pieces into a line, underlining the letters that a finding is about. Columns count characters, not code units.
  function fill(node, line, found) {
    let column = 1;
    for (const [kind, letters] of pieces(line)) {
      for (const [marked, run] of runs(Array.from(letters), column, found)) {
        const piece = span(kind, run);
        if (marked) {
          const under = document.createElement("u");
          under.className = marked;
          under.append(piece);
          node.append(under);
        } else node.append(piece);
      }
      column += Array.from(letters).length;
    }
  }

  function runs(letters, column, found) {
    const list = [];
    letters.forEach((letter, place) => {
      const at = column + place;
      const hit = found.find((mark) => at >= mark.column && at < mark.column + Math.max(1, mark.length));
      const kind = hit ? hit.kind : "";
      const last = list[list.length - 1];
      if (last && last[0] === kind) last[1] += letter;
      else list.push([kind, letter]);
    });
    return list;
  }

  function draw() {
    const lines = text.value.split("\n");
    text.rows = Math.max(17, lines.length + 2);
    const plain = text.value.length > PAINTED_MAX;
    pen.classList.toggle("painted", !plain);
    if (plain) return;
    const current = text.value.slice(0, text.selectionStart).split("\n").length;
    const all = document.createDocumentFragment();
    lines.forEach((line, place) => {
      const found = marks.filter((mark) => mark.line === place + 1);
      const worst = ["e", "w", "h"].find((kind) => found.some((mark) => mark.kind === kind)) || "";
      const row = document.createElement("div");
      row.className = "pl " + worst + (place + 1 === current && document.activeElement === text ? " cur" : "");
      const body = span("pt", "");
      fill(body, line, found.filter((mark) => mark.length > 0));
      row.append(span("pn", String(place + 1)), body);
      all.append(row);
    });
    paint.replaceChildren(all);
    follow();
  }

  function follow() {
    const x = text.scrollLeft;
    for (const body of paint.querySelectorAll(".pt")) body.style.transform = x ? `translateX(${-x}px)` : "";
    paint.scrollTop = text.scrollTop;
  }

  // ---- help at the cursor ----
  const advice = form.querySelector("#cursorhilfe");
  let adviceTimer = 0;
  let advised = "";

  function askForHelp() {
    clearTimeout(adviceTimer);
    adviceTimer = setTimeout(advise, 250);
  }

  async function advise() {
    const before = text.value.slice(0, text.selectionStart).split("\n");
    const line = before.length;
    const column = Array.from(before[line - 1]).length + 1;
    const asked = `${line}:${column}:${text.value}`;
    if (asked === advised) return;
    advised = asked;
    const fields = body();
    fields.set("zeilennr", String(line));
    fields.set("spalte", String(column));
    try {
      const answer = await fetch(form.dataset.help, { method: "POST", body: fields, headers: { "X-Fragment": "1" } });
      if (answer.ok && advised === asked) advice.innerHTML = await answer.text();
    } catch {
      advised = "";
    }
  }

  // ---- findings ----
  function readMarks() {
    marks = Array.from(findings.querySelectorAll("li[data-line]"), (item) => ({
      line: Number(item.dataset.line),
      column: Number(item.dataset.column),
      length: Number(item.dataset.length),
      kind: item.dataset.class,
    })).filter((mark) => mark.line > 0);
  }

  function body() {
    return new URLSearchParams({ zug: form.elements.zug.value, text: text.value });
  }

  async function check() {
    checking?.abort();
    checking = new AbortController();
    findings.classList.add("waiting");
    try {
      const answer = await fetch(form.dataset.check, {
        method: "POST",
        body: body(),
        headers: { "X-Fragment": "1" },
        signal: checking.signal,
      });
      if (answer.status === 409) return form.requestSubmit(); // The turn was run meanwhile: show the page that says so.
      if (!answer.ok) return;
      findings.innerHTML = await answer.text();
      findings.classList.remove("waiting");
      readMarks();
      draw();
    } catch {
      // Offline or overtaken by the next check: the old findings stay.
    }
  }

  async function save() {
    clearTimeout(saveTimer);
    if (text.value === savedText) return;
    const sent = text.value;
    try {
      const answer = await fetch(form.dataset.save, { method: "POST", body: body(), headers: { "X-Fragment": "1" } });
      if (!answer.ok) throw new Error(String(answer.status));
      savedText = sent;
      saved.textContent = await answer.text();
    } catch (trouble) {
      // A host that answers is there: then it is not the line that is broken.
      saved.textContent = { 404: form.dataset.stranger, 413: form.dataset.large }[trouble.message] ?? form.dataset.lost;
    }
  }

  function changed() {
    draw();
    if (text.value !== savedText) saved.textContent = form.dataset.unsaved;
    clearTimeout(checkTimer);
    clearTimeout(saveTimer);
    checkTimer = setTimeout(check, 350);
    saveTimer = setTimeout(save, 2000);
  }

  // Where a line and column of characters lies in the text.
  function offset(line, column) {
    const lines = text.value.split("\n");
    let at = 0;
    for (let n = 0; n < line - 1 && n < lines.length; n++) at += lines[n].length + 1;
    const letters = Array.from(lines[line - 1] || "");
    return at + letters.slice(0, Math.max(0, column - 1)).join("").length;
  }

  function goTo(line, column, length) {
    text.focus();
    text.setSelectionRange(offset(line, column), offset(line, column + length));
    const top = (line - 1) * (text.scrollHeight / Math.max(1, text.value.split("\n").length + 2));
    const y = pen.getBoundingClientRect().top + window.scrollY + top;
    if (y < window.scrollY + 80 || y > window.scrollY + window.innerHeight - 120) window.scrollTo({ top: y - 160 });
    draw();
  }

  // Replaces a range so that the browser's own undo still works.
  function replace(from, to, by) {
    text.focus();
    text.setSelectionRange(from, to);
    const done = by ? document.execCommand("insertText", false, by) : from !== to && document.execCommand("delete");
    if (!done) text.setRangeText(by, from, to, "end");
    changed();
  }

  form.addEventListener("click", (event) => {
    const mend = event.target.closest("[data-repair]");
    if (mend) {
      event.preventDefault();
      const { line, column, length, text: by } = mend.dataset;
      replace(offset(+line, +column), offset(+line, +column + +length), by);
      check();
      return;
    }
    const place = event.target.closest("a.at");
    if (place) {
      event.preventDefault();
      const { line, column, length } = place.closest("li").dataset;
      goTo(+line, +column, +length);
      return;
    }
    const proposal = event.target.closest("[data-insert]");
    if (proposal) {
      const { line, column, length, insert } = proposal.dataset;
      replace(offset(+line, +column), offset(+line, +column + +length), insert + " ");
      advise();
    }
  });

  text.addEventListener("input", changed);
  text.addEventListener("scroll", follow);
  for (const event of ["keyup", "click", "focus", "blur"])
    text.addEventListener(event, () => {
      draw();
      if (event !== "blur") askForHelp();
    });
  document.addEventListener("keydown", (event) => {
    if (event.key === "F8" && marks.length) {
      event.preventDefault();
      next = (next + (event.shiftKey ? marks.length - 1 : 1)) % marks.length;
      const mark = marks[next];
      goTo(mark.line, mark.column, mark.length);
    }
    if (event.key === " " && event.ctrlKey && document.activeElement === text) {
      event.preventDefault();
      advise().then(() => form.querySelector("[data-insert]")?.focus());
    }
    if (event.key === "Escape" && document.activeElement?.closest?.(".proposals")) text.focus();
    if (event.key === "s" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      save();
    }
  });
  window.addEventListener("pagehide", () => {
    if (text.value !== savedText && text.value.length < 20000)
      fetch(form.dataset.save, { method: "POST", body: body(), headers: { "X-Fragment": "1" }, keepalive: true });
  });

  readMarks();
  draw();
}
