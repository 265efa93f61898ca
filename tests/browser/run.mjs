// Runs every *.test.mjs beside this file, one after the other, and ends with `N passed, N failed`.
//
//   node run.mjs PROGRAM [FILE...]
//
// PROGRAM is the built `briefwelt`. Pictures of the main pages go to the folder of BRIEFWELT_PICTURES, if it is set.

import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const [program, ...named] = process.argv.slice(2);
if (!program) {
  console.error("usage: node run.mjs PROGRAM [FILE...]");
  process.exit(2);
}
process.env.BRIEFWELT_PROGRAM = program;

const files = named.length
  ? named
  : readdirSync(here)
      .filter((name) => name.endsWith(".test.mjs"))
      .sort()
      .map((name) => join(here, name));

let passed = 0;
let failed = 0;
const stream = run({ files, concurrency: false, timeout: 600_000 });
// A file is reported as a test of its own around its tests: only what stands in it counts.
const counts = (data) => data.nesting === 0 && data.details?.type !== "suite";
stream.on("test:pass", (data) => counts(data) && (passed += 1));
stream.on("test:fail", (data) => counts(data) && (failed += 1));
stream.on("end", () => {
  console.log(`${passed} passed, ${failed} failed`);
  // A run in which nothing was tried proves nothing.
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
});
stream.compose(spec).pipe(process.stdout);
