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

function createPlace() {
  return { disk: createVirtualDisk(), home, clock: createVirtualClock(), ids: createVirtualIds() };
}

describe("trust", () => {
  it("holds for the content that was trusted, across processes", async () => {
    const place = createPlace();
    expect(await isTrusted(place, content)).toEqual({ ok: true, value: false });
    expect(await trust(place, content)).toMatchObject({ ok: true });
    expect(await isTrusted(place, content)).toEqual({ ok: true, value: true });
    expect(await isTrusted({ disk: place.disk.attach(), home }, content)).toEqual({ ok: true, value: true });
  });

  it("holds for no other byte and no other path", async () => {
    const place = createPlace();
    await trust(place, content);
    const bytes = Buffer.from('{"hooks": 1}');
    for (let position = 0; position < bytes.length; position += 1) {
      const changed = Buffer.from(bytes);
      changed[position] = (changed[position] ?? 0) ^ 1;
      expect(await isTrusted(place, toFileContent(content.path, changed))).toMatchObject({ value: false });
    }
    expect(await isTrusted(place, toFileContent("/other/.palimpsest/settings.json", bytes))).toMatchObject({
      value: false,
    });
    expect(await isTrusted(place, toFileContent(content.path, bytes))).toMatchObject({ value: true });
  });

  it("may be given twice, and by two processes at once", async () => {
    const place = createPlace();
    const other = { ...place, disk: place.disk.attach(), ids: createVirtualIds("b") };
    const outcomes = await Promise.all([trust(place, content), trust(other, content), trust(place, content)]);
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, true, true]);
    expect([...place.disk.snapshot().keys()]).toEqual([`${home}/trust/${content.digest}.json`]);
  });

  it("is kept in a file that only its owner reads, with path and time", async () => {
    const place = createPlace();
    await trust(place, content);
    const path = `${home}/trust/${content.digest}.json`;
    expect(await place.disk.stat(path)).toMatchObject({ value: { mode: 0o600 } });
    expect(await place.disk.stat(`${home}/trust`)).toMatchObject({ value: { mode: 0o700 } });
    expect(JSON.parse(Buffer.from(place.disk.readWhole(path)).toString())).toEqual({
      path: content.path,
      at: "2026-01-01T00:00:00.000Z",
    });
  });

  it("is not lent by a link or a folder of the record's name", async () => {
    const place = createPlace();
    await place.disk.makeDirectory(`${home}/trust/${content.digest}.json`);
    expect(await isTrusted(place, content)).toEqual({ ok: true, value: false });
    const linked = createPlace();
    await linked.disk.makeDirectory(`${home}/trust`);
    linked.disk.writeWhole("/elsewhere", "{}");
    linked.disk.plantLink(`${home}/trust/${content.digest}.json`, "/elsewhere");
    expect(await isTrusted(linked, content)).toEqual({ ok: true, value: false });
  });

  it("says so when it cannot be looked up or remembered", async () => {
    const place = createPlace();
    place.disk.writeWhole(`${home}/trust`, "a file");
    expect(await isTrusted(place, content)).toMatchObject({ ok: false, error: { code: "not-directory" } });
    expect(await trust(place, content)).toMatchObject({ ok: false });
  });

  it("is revoked for every version of a file, and for no other file", async () => {
    const place = createPlace();
    const older = toFileContent(content.path, Buffer.from('{"hooks": 0}'));
    const elsewhere = toFileContent("/other/.palimpsest/settings.json", Buffer.from('{"hooks": 1}'));
    for (const each of [older, content, elsewhere]) await trust(place, each);
    expect(await revokeTrust(place, [content.path])).toEqual({ ok: true, value: 2 });
    expect([...place.disk.snapshot().keys()]).toEqual([`${home}/trust/${elsewhere.digest}.json`]);
    expect(await revokeTrust(place, [content.path])).toEqual({ ok: true, value: 0 });
    expect(await revokeTrust(createPlace(), [content.path])).toEqual({ ok: true, value: 0 });
  });

  it("is revoked with every record that does not say whose it is", async () => {
    const place = createPlace();
    await trust(place, content);
    place.disk.writeWhole(`${home}/trust/${content.digest}.json`, "");
    await place.disk.makeDirectory(`${home}/trust/folder.json`);
    expect(await isTrusted(place, content)).toEqual({ ok: true, value: true });
    expect(await revokeTrust(place, [])).toEqual({ ok: true, value: 1 });
    expect(await isTrusted(place, content)).toEqual({ ok: true, value: false });
  });

  it("stays revoked after power loss, and says so when it cannot be revoked", async () => {
    const place = createPlace();
    await trust(place, content);
    for (const folder of [`${home}/trust`, home, "/home", "/"]) await place.disk.syncDirectory(folder);
    expect(await isTrusted({ disk: place.disk.afterPowerLoss(loseUnsynced), home }, content)).toMatchObject({
      value: true,
    });
    await revokeTrust(place, [content.path]);
    expect(await isTrusted({ disk: place.disk.afterPowerLoss(loseUnsynced), home }, content)).toMatchObject({
      value: false,
    });
    await trust(place, content);
    place.disk.failWhen(({ name }) => name === "remove", "permission");
    expect(await revokeTrust(place, [content.path])).toMatchObject({ error: { code: "permission" } });
  });
});
