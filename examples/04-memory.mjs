// Memory for a program of your own: markdown files with versions, no model, no network.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openMemory } from "palimpsest";

const folder = await mkdtemp(join(tmpdir(), "palimpsest-example-"));
const memory = await openMemory({ dir: folder }); // the memories of a project: `openMemory({ cwd: "." })`

await memory.write("deploys.md", "Releases go out on Tuesdays.", { type: "reference", expect: 0 });
await memory.write("staging.md", "Staging runs in Frankfurt.", { type: "reference", expect: 0 });

const { text, version } = await memory.read("deploys.md");
await memory.write("deploys.md", text.replace("Tuesdays", "Mondays"), { expect: version.version });
try {
  await memory.write("deploys.md", text.replace("Tuesdays", "Fridays"), { expect: version.version });
} catch (error) {
  console.log(`a write on an old version: ${error.code}, it is at version ${error.facts.version}`);
}

for (const { path, snippet } of await memory.search("when do releases go out", { limit: 1 }))
  console.log(`found ${path}: ${snippet.includes("Mondays") ? "Mondays" : "?"}`);
for (const { version: number, author } of await memory.history("deploys.md"))
  console.log(`version ${number} by ${author}`);

await memory.revert({ path: "deploys.md", version: 1 });
console.log(`taken back: ${(await memory.read("deploys.md")).text.includes("Tuesdays")}`);
await memory.close();
await rm(folder, { recursive: true });
