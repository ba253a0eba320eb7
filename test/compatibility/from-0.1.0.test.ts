import { readFileSync } from "node:fs";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openMemory, openSession } from "palimpsest";
import { openFileStore } from "palimpsest/stores/files";
import { createVirtualClock } from "palimpsest/testing";
import { describe, expect, it } from "vitest";
import { renamedSettings } from "../../packages/core/src/session/settings/old-settings.ts";
import { must } from "../../packages/testing/src/conformance/outcomes.ts";
import { tellOfConfig, tellOfMemories, tellOfSession, tellOfShow } from "../../scripts/fixtures/tell.mjs";
import { runCli } from "../support/cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** Written by the package 0.1.0 itself: scripts/fixtures/write-0.1.0.mjs. */
const fixture = fileURLToPath(new URL("../fixtures/0.1.0", import.meta.url));

interface SaidOfSession {
  readonly shown: object;
  readonly opened: object;
  readonly kinds: Readonly<Record<string, number>>;
  readonly recalled: object;
  readonly request: {
    readonly system: string;
    readonly tools: string;
    readonly messages: readonly { readonly role: string }[];
  };
}

/** What 0.1.0 said of what it had written. */
interface Said {
  readonly sessions: Readonly<Record<string, SaidOfSession>>;
  readonly memories: object;
  readonly config: readonly { readonly setting: string; readonly levels: readonly string[] }[];
}

const said: Said = JSON.parse(readFileSync(join(fixture, "said.json"), "utf8"));

/** Sessions that are sent otherwise than by 0.1.0, on purpose, and why. All else that was said of them holds. */
const sentOtherwise: Readonly<Record<string, string>> = {
  "undone-twice-of-three":
    "0.1.0 recorded the second undo and did not honour it: what it undid stayed in the request",
};

/** A session has the model that it asks; 0.1.0 showed the name that its newest answer came with. */
const askedModel = (shown: object) => {
  const { model } = shown as { readonly model?: unknown };
  return typeof model === "string" ? { ...shown, model: model.replace(/-\d{8}$/, "") } : shown;
};

async function copyOfFixture() {
  const folder = await temporaryFolder();
  await cp(fixture, folder, { recursive: true });
  const home = join(folder, "home");
  const project = "shop-0a1b2c3d";
  const store = must(await openFileStore({ home, project }));
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCli([...args, "--json"], { home, cwd: folder });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    return JSON.parse(stdout);
  };
  return { folder, project, store, clock: createVirtualClock(), run };
}

describe("what 0.1.0 has written", () => {
  it.each(Object.entries(said.sessions))("is read as it was: session %s", async (id, expected) => {
    const { project, store, clock, run } = await copyOfFixture();
    const { shown, request: sent, ...rest } = expected;
    expect(tellOfShow(await run("sessions", "show", id, "--project", project))).toMatchObject(
      askedModel(shown),
    );
    const { request, ...told } = await tellOfSession(openSession, { store, clock, id });
    expect(told).toEqual(rest);
    if (id in sentOtherwise) {
      const { system, tools, messages } = sent;
      expect(request).toMatchObject({ system, tools });
      expect(request.messages.at(-1)).toEqual(messages.at(-1));
    } else expect(request).toEqual(sent);
  });

  it("names only sessions that are there where it is sent otherwise", () => {
    expect(Object.keys(sentOtherwise).filter((id) => !(id in said.sessions))).toEqual([]);
  });

  it("is remembered: memories, what waits, texts, history and what is found", async () => {
    const { project, store, clock } = await copyOfFixture();
    const memories = await openMemory({ store, project, clock });
    expect(await tellOfMemories(memories)).toMatchObject(said.memories);
    await memories.close();
  });

  it("is set: of the user and of the project, but for what needs trust", async () => {
    const { folder, run } = await copyOfFixture();
    const called: Readonly<Record<string, string>> = renamedSettings;
    // Of flags there is one, which asked for what is the mode thrifty now.
    const mode = { setting: "economy", value: "thrifty" };
    const named = said.config.map((one) => ({
      ...one,
      ...(one.setting === "flags" ? mode : { setting: called[one.setting] ?? one.setting }),
    }));
    // What a project sets waits for trust, unless it only takes away.
    const kept = named.filter(
      ({ setting, levels }) => !levels.includes("project") || setting === "permissions.deny",
    );
    const config = () => run("config", "--cwd", join(folder, "project"));
    const bySetting = <One extends { readonly setting: string }>(all: readonly One[]) =>
      all.toSorted((one, other) => (one.setting < other.setting ? -1 : 1));
    expect(bySetting(tellOfConfig(await config()))).toMatchObject(bySetting(kept));
    await run("config", "trust", "--yes", "--cwd", join(folder, "project"));
    const all = named.map((one): unknown => expect.objectContaining(one));
    expect(tellOfConfig(await config())).toEqual(expect.arrayContaining(all));
  });

  it("can be gone on with: a session takes messages, and a memory a change", async () => {
    const { project, store, clock } = await copyOfFixture();
    const session = await openSession({ store, clock, id: "plain", resume: true });
    await session.add({ role: "assistant", content: "You are welcome." });
    await session.add({ role: "user", content: "Until tomorrow." });
    const { request } = await session.prepare();
    expect(request.messages.map(({ role }) => role)).toEqual([
      ...(said.sessions.plain?.request.messages ?? []).map(({ role }) => role),
      "assistant",
      "user",
    ]);
    await session.close();
    const memories = await openMemory({ store, project, clock });
    const before = (await memories.read("supplier.md")).text;
    const { version } = await memories.write("supplier.md", "Cheese is made here now.", {
      type: "reference",
    });
    expect(version.version).toBe(4);
    await memories.revert({ path: "supplier.md" });
    expect((await memories.read("supplier.md")).text).toBe(before);
    await memories.close();
  });

  it("can be undone: every message that a compaction hid comes back", async () => {
    const { store, clock } = await copyOfFixture();
    const session = await openSession({ store, clock, id: "compacted", resume: true });
    await session.undo();
    const { request } = await session.prepare();
    await session.close();
    expect(request.messages.length).toBe(said.sessions.compacted?.kinds.message);
  });
});
