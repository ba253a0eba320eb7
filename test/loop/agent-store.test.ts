import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { must } from "../../packages/testing/src/conformance/outcomes.ts";
import { say } from "../../packages/testing/src/index.ts";
import { openFolderlessStores } from "../support/folderless-stores.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { answers, keep, memoryFile } from "./agent-memory-support.ts";
import { run, useProject } from "./agent-project.ts";

it("an agent whose store has no folder keeps its log and its memories there, and nothing of them in the data root", async () => {
  const push = memoryFile("feedback", "pushing to main", "Never push to main.");
  const project = await useProject({ script: answers([keep("push.md", push), say("Kept.")]) });
  const stores = await openFolderlessStores(await temporaryFolder());
  const session = await project.open({ stores });
  await run(session, "Never push to main.");
  await session.close();
  const [slug = ""] = must(await stores.projects());
  const store = stores.store(slug);
  expect(must(await store.sessions.ids())).toEqual(["one"]);
  expect(must(await store.tree("memory").read("push.md")).text).toContain("Never push to main.");
  const left = await readdir(join(project.home, "projects", slug), { recursive: true }).catch(() => []);
  expect(left.filter((path) => /^(?:sessions|memory|blobs|recall|agents)/.test(path))).toEqual([]);
  expect(stores.closings()).toBe(0);
});
