import { expect, it } from "vitest";
import { createVirtualStore } from "../../../../../test/support/virtual-store.ts";
import { must } from "../../../../testing/src/conformance/outcomes.ts";
import { createVirtualClock } from "../../../../testing/src/virtual-clock.ts";
import { createVirtualDisk } from "../../../../testing/src/virtual-disk.ts";
import { loadSessionTexts } from "./project-dreams.ts";

it("reads the newest logs as files, as many as there is room for", async () => {
  const clock = createVirtualClock();
  const store = createVirtualStore({ clock, disk: createVirtualDisk({ clock }) });
  for (const id of ["ses_old", "ses_new"]) {
    const writer = must(await store.logs.create({ kind: "session", session: { id, project: "p" } }));
    must(await writer.append([{ kind: "message", message: { type: "user", content: `I am ${id}` } }]));
    must(await writer.close());
    await clock.advance(60_000);
  }
  const all = (await loadSessionTexts(store))();
  expect([...all.keys()].sort()).toEqual(["ses_new.jsonl", "ses_old.jsonl"]);
  expect(all.get("ses_old.jsonl")).toContain("I am ses_old");
  const { bytes } = await store.sessions.listing("ses_new");
  expect([...(await loadSessionTexts(store, bytes))().keys()]).toEqual(["ses_new.jsonl"]);
  expect((await loadSessionTexts(store, 0))().size).toBe(0);
});
