import { describe, expect, it } from "vitest";
import {
  createVirtualClock,
  createVirtualDisk,
  createVirtualIds,
  loseUnsynced,
} from "../../../../testing/src/index.ts";
import { isTrusted, revokeTrust, toFileContent, trust } from "./trust.ts";

const home = "/home/.palimpsest";
const content = toFileContent("/project/.palimpsest/settings.json", Buffer.from('{"hooks": 1}'));

function createLocation() {
  return { disk: createVirtualDisk(), home, clock: createVirtualClock(), ids: createVirtualIds() };
}

describe("trust", () => {
  it("holds for the content that was trusted, across processes", async () => {
    const location = createLocation();
    expect(await isTrusted(location, content)).toEqual({ ok: true, value: false });
    expect(await trust(location, content)).toMatchObject({ ok: true });
    expect(await isTrusted(location, content)).toEqual({ ok: true, value: true });
    expect(await isTrusted({ disk: location.disk.attach(), home }, content)).toEqual({
      ok: true,
      value: true,
    });
  });

  it("holds for no other byte and no other path", async () => {
    const location = createLocation();
    await trust(location, content);
    const bytes = Buffer.from('{"hooks": 1}');
    for (let position = 0; position < bytes.length; position += 1) {
      const changed = Buffer.from(bytes);
      changed[position] = (changed[position] ?? 0) ^ 1;
      expect(await isTrusted(location, toFileContent(content.path, changed))).toMatchObject({ value: false });
    }
    expect(await isTrusted(location, toFileContent("/other/.palimpsest/settings.json", bytes))).toMatchObject(
      {
        value: false,
      },
    );
    expect(await isTrusted(location, toFileContent(content.path, bytes))).toMatchObject({ value: true });
  });

  it("may be given twice, and by two processes at once", async () => {
    const location = createLocation();
    const other = { ...location, disk: location.disk.attach(), ids: createVirtualIds("b") };
    const outcomes = await Promise.all([
      trust(location, content),
      trust(other, content),
      trust(location, content),
    ]);
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, true, true]);
    expect([...location.disk.snapshot().keys()]).toEqual([`${home}/trust/${content.digest}.json`]);
  });

  it("is kept in a file that only its owner reads, with path and time", async () => {
    const location = createLocation();
    await trust(location, content);
    const path = `${home}/trust/${content.digest}.json`;
    expect(await location.disk.stat(path)).toMatchObject({ value: { mode: 0o600 } });
    expect(await location.disk.stat(`${home}/trust`)).toMatchObject({ value: { mode: 0o700 } });
    expect(JSON.parse(Buffer.from(location.disk.readWhole(path)).toString())).toEqual({
      path: content.path,
      at: "2026-01-01T00:00:00.000Z",
    });
  });

  it("is not lent by a link or a folder of the record's name", async () => {
    const location = createLocation();
    await location.disk.makeDirectory(`${home}/trust/${content.digest}.json`);
    expect(await isTrusted(location, content)).toEqual({ ok: true, value: false });
    const linked = createLocation();
    await linked.disk.makeDirectory(`${home}/trust`);
    linked.disk.writeWhole("/elsewhere", "{}");
    linked.disk.plantLink(`${home}/trust/${content.digest}.json`, "/elsewhere");
    expect(await isTrusted(linked, content)).toEqual({ ok: true, value: false });
  });

  it("says so when it cannot be looked up or remembered", async () => {
    const location = createLocation();
    location.disk.writeWhole(`${home}/trust`, "a file");
    expect(await isTrusted(location, content)).toMatchObject({ ok: false, error: { code: "not-directory" } });
    expect(await trust(location, content)).toMatchObject({ ok: false });
  });

  it("is revoked for every version of a file, and for no other file", async () => {
    const location = createLocation();
    const older = toFileContent(content.path, Buffer.from('{"hooks": 0}'));
    const elsewhere = toFileContent("/other/.palimpsest/settings.json", Buffer.from('{"hooks": 1}'));
    for (const each of [older, content, elsewhere]) await trust(location, each);
    expect(await revokeTrust(location, [content.path])).toEqual({ ok: true, value: 2 });
    expect([...location.disk.snapshot().keys()]).toEqual([`${home}/trust/${elsewhere.digest}.json`]);
    expect(await revokeTrust(location, [content.path])).toEqual({ ok: true, value: 0 });
    expect(await revokeTrust(createLocation(), [content.path])).toEqual({ ok: true, value: 0 });
  });

  it("is revoked with every record that does not say whose it is", async () => {
    const location = createLocation();
    await trust(location, content);
    location.disk.writeWhole(`${home}/trust/${content.digest}.json`, "");
    await location.disk.makeDirectory(`${home}/trust/folder.json`);
    expect(await isTrusted(location, content)).toEqual({ ok: true, value: true });
    expect(await revokeTrust(location, [])).toEqual({ ok: true, value: 1 });
    expect(await isTrusted(location, content)).toEqual({ ok: true, value: false });
  });

  it("stays revoked after power loss, and says so when it cannot be revoked", async () => {
    const location = createLocation();
    await trust(location, content);
    for (const folder of [`${home}/trust`, home, "/home", "/"]) await location.disk.syncDirectory(folder);
    expect(
      await isTrusted({ disk: location.disk.afterPowerLoss(loseUnsynced), home }, content),
    ).toMatchObject({
      value: true,
    });
    await revokeTrust(location, [content.path]);
    expect(
      await isTrusted({ disk: location.disk.afterPowerLoss(loseUnsynced), home }, content),
    ).toMatchObject({
      value: false,
    });
    await trust(location, content);
    location.disk.failWhen(({ name }) => name === "remove", "permission");
    expect(await revokeTrust(location, [content.path])).toMatchObject({ error: { code: "permission" } });
  });
});
