import { mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Disk, DiskFile, DiskStat, Result } from "../packages/core/src/spec/index.ts";
import { createNodeDisk } from "../packages/core/src/stores/files/disk/node-disk.ts";
import { readWholeFile } from "../packages/core/src/stores/files/disk/whole-file.ts";
import { createVirtualDisk } from "../packages/testing/src/virtual-disk.ts";

type Command =
  | { readonly call: "open"; readonly path: string; readonly how: "read" | "append" | "create" }
  | {
      readonly call:
        | "stat"
        | "list"
        | "makeDirectory"
        | "remove"
        | "removeTree"
        | "syncDirectory"
        | "realPath";
      readonly path: string;
    }
  | { readonly call: "rename" | "link"; readonly path: string; readonly to: string }
  | { readonly call: "file-read"; readonly slot: number; readonly position: number; readonly length: number }
  | { readonly call: "file-append"; readonly slot: number; readonly bytes: Uint8Array }
  | { readonly call: "file-truncate"; readonly slot: number; readonly length: number }
  | { readonly call: "file-set-modified"; readonly slot: number; readonly ms: number }
  | { readonly call: "file-sync" | "file-stat" | "file-close"; readonly slot: number };

const links = { "/d/link-to-file": "../a", "/link-to-directory": "d", "/link-to-nothing": "nowhere" };
const folders = ["/d", "/d/e", "/a", "/a/x", "/link-to-directory/a", ...Object.keys(links)];
const paths = [...folders, "/b", "/d/a", "/d/e/a", "/d/e/../a"];

const one = <const T extends string>(...values: T[]) => fc.constantFrom<T[]>(...values);
const path = one(...paths);
const slot = fc.nat(7);
const bytes = fc.uint8Array({ minLength: 1, maxLength: 9 });
const commands: readonly (readonly [weight: number, fc.Arbitrary<Command>])[] = [
  [5, fc.record({ call: one("open"), path, how: one("read", "append", "create") })],
  [4, fc.record({ call: one("rename", "link"), path, to: path })],
  [3, fc.record({ call: one("stat", "remove", "realPath"), path })],
  [3, fc.record({ call: one("list", "makeDirectory"), path: one(...folders) })],
  [1, fc.record({ call: one("removeTree", "syncDirectory"), path })],
  [3, fc.record({ call: one("file-append"), slot, bytes })],
  [2, fc.record({ call: one("file-read"), slot, position: fc.nat(12), length: fc.nat(12) })],
  [1, fc.record({ call: one("file-truncate"), slot, length: fc.nat(12) })],
  [1, fc.record({ call: one("file-set-modified"), slot, ms: fc.nat(2 ** 31) })],
  [2, fc.record({ call: one("file-stat", "file-close", "file-sync"), slot })],
];
const command = fc.oneof(...commands.map(([weight, arbitrary]) => ({ weight, arbitrary })));

/** What a caller may rely on: sizes and link counts of directories differ between file systems. */
function comparableStat({ kind, bytes, links, mode }: DiskStat) {
  return kind === "directory" ? { kind, mode } : { kind, bytes, links, mode };
}

/** One disk with the files opened on it, under a root of its own. */
function createSubject(disk: Disk, root: string) {
  const files: DiskFile[] = [];

  async function onFile(command: Extract<Command, { slot: number }>): Promise<unknown> {
    const at = command.slot % Math.max(1, files.length);
    const file = files[at];
    if (file === undefined) return "no file is open";
    switch (command.call) {
      case "file-read": {
        const into = new Uint8Array(command.length);
        return [outcome(await file.read(command.position, into)), into];
      }
      case "file-append":
        return outcome(await file.append(command.bytes));
      case "file-truncate":
        return outcome(await file.truncate(command.length));
      case "file-set-modified": {
        const set = outcome(await file.setModified(command.ms));
        return [set, outcome(await file.stat(), ({ modifiedMs }) => Math.round(modifiedMs))];
      }
      case "file-sync":
        return outcome(await file.sync());
      case "file-stat":
        return outcome(await file.stat(), comparableStat);
      case "file-close":
        files.splice(at, 1);
        return outcome(await file.close());
    }
  }

  async function run(command: Command): Promise<unknown> {
    if ("slot" in command) return onFile(command);
    const path = root + command.path;
    switch (command.call) {
      case "open": {
        const opened = await disk.open(path, command.how);
        if (opened.ok) files.push(opened.value);
        return outcome(opened, () => "opened");
      }
      case "stat":
        return outcome(await disk.stat(path), comparableStat);
      case "rename":
      case "link":
        return outcome(await disk[command.call](path, root + command.to));
      case "realPath":
        return outcome(await disk.realPath(path), (real) => real.slice(root.length));
      default:
        return outcome<unknown>(await disk[command.call](path));
    }
  }

  /** Everything under a directory, with hard links shown as such. */
  async function tree(path = root, identities: string[] = []): Promise<unknown> {
    const stat = orThrow(await disk.stat(path));
    if (!identities.includes(stat.identity)) identities.push(stat.identity);
    const comparable = { ...comparableStat(stat), identity: identities.indexOf(stat.identity) };
    if (stat.kind === "file") return { ...comparable, content: orThrow(await readWholeFile(disk, path)) };
    if (stat.kind !== "directory") return comparable;
    const inside: Record<string, unknown> = {};
    for (const name of orThrow(await disk.list(path)))
      inside[name] = await tree(`${path}/${name}`, identities);
    return { ...comparable, inside };
  }

  async function closeAll(): Promise<void> {
    for (const file of files) await file.close();
  }

  return { run, tree, closeAll };
}

function outcome<T>(result: Result<T>, toComparable: (value: T) => unknown = (value) => value) {
  return result.ok ? { value: toComparable(result.value) } : { failsWith: result.error.code };
}

function orThrow<T>(result: Result<T>): T {
  if (!result.ok) throw result.error;
  return result.value;
}

let home = "";
beforeAll(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), "palimpsest-disk-")));
});
afterAll(() => rm(home, { recursive: true, force: true }));

test("the virtual disk behaves as the machine's own, whatever is done to it", async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(command, { maxLength: 60, size: "max" }), async (commands) => {
      const root = `${home}/${run++}`;
      const [virtualDisk, nodeDisk] = [createVirtualDisk(), createNodeDisk()];
      for (const disk of [virtualDisk, nodeDisk]) await disk.makeDirectory(`${root}/d/e`);
      for (const [from, target] of Object.entries(links)) {
        virtualDisk.plantLink(root + from, target);
        await symlink(target, root + from);
      }
      const [virtual, real] = [createSubject(virtualDisk, root), createSubject(nodeDisk, root)];
      try {
        for (const command of commands) {
          const expected = { command, outcome: await real.run(command) };
          expect({ command, outcome: await virtual.run(command) }).toEqual(expected);
        }
        expect(await virtual.tree()).toEqual(await real.tree());
      } finally {
        await real.closeAll();
      }
    }),
    { numRuns: 200 },
  );
});
