import { expect, it } from "vitest";
import { loadSettings, trust } from "../../packages/core/src/session/settings/index.ts";
import { createVirtualClock, createVirtualDisk, createVirtualIds } from "../../packages/testing/src/index.ts";
import { useClients, usePrograms } from "./support.ts";

it("starts nothing that a project's settings name before they are trusted", async () => {
  const programs = await usePrograms();
  const disk = createVirtualDisk();
  const [home, project] = ["/home/.palimpsest", "/work/project"];
  const mcp = { a: programs.settings() };
  disk.writeWhole(`${project}/.palimpsest/settings.json`, JSON.stringify({ mcp }));
  const load = async () => {
    const loaded = await loadSettings({ disk, home, project });
    if (!loaded.ok) throw loaded.error;
    return loaded.value;
  };

  const { settings, untrusted } = await load();
  const before = useClients(settings.mcp ?? {});
  await before.clients.start();
  expect([settings, before.clients.status(), programs.ids()]).toEqual([{}, [], []]);

  const location = { disk, home, clock: createVirtualClock(), ids: createVirtualIds() };
  for (const { content } of untrusted) await trust(location, content);
  const after = useClients((await load()).settings.mcp ?? {});
  await after.clients.start();
  expect(after.clients.status()).toMatchObject([{ name: "a", state: "ready" }]);
  expect(programs.ids()).toHaveLength(1);
});
