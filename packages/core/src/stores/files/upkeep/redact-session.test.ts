import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { amount, spread } from "../../../../../../test/support/amount.ts";
import { messageDraft, nastyText, sessionDraft } from "../../../../../../test/support/entries.ts";
import { changingOperations, maintenanceParts } from "../../../../../../test/support/maintenance.ts";
import {
  createVirtualStore,
  logPath,
  virtualHome,
  virtualProject,
} from "../../../../../../test/support/virtual-store.ts";
import { must, refused } from "../../../../../testing/src/conformance/outcomes.ts";
import { createVirtualDisk, type VirtualDisk } from "../../../../../testing/src/virtual-disk.ts";
import { enumeratePowerLosses } from "../../../../../testing/src/virtual-power-losses.ts";
import { createVirtualProcesses } from "../../../../../testing/src/virtual-processes.ts";
import { inlineLargeValues, storeLargeValues } from "../../../log/large-values.ts";
import { createRedaction } from "../../../log/redaction.ts";
import type { Entry, EntryDraft } from "../../../spec/index.ts";
import { isClean } from "../../shared/upkeep.ts";
import { readRedactions, redactSession } from "./session-upkeep.ts";
import { surveySecret } from "./survey-secret.ts";

const secret = 'sk-live-"quoted"-0123456789';
const redaction = must(createRedaction(secret));
const path = logPath("one");
const root = `${virtualHome}/projects/${virtualProject}`;
const large = `${"line with nothing in it\n".repeat(2750)}token: ${secret}\n`;

function toolResult(id: string, content: unknown): EntryDraft {
  const block = { type: "tool_result", tool_use_id: id, content };
  return { kind: "message", message: { type: "user", content: [block] } } as EntryDraft;
}

const drafts: readonly EntryDraft[] = [
  messageDraft("nothing here"),
  messageDraft(`my key is ${secret}, keep it safe`),
  {
    kind: "message",
    message: {
      type: "assistant",
      content: [
        { type: "thinking", thinking: `they said ${secret}`, signature: "sig" },
        { type: "tool_use", id: "t1", name: "Bash", input: { command: `curl -H ${secret}` } },
      ],
    },
  },
  toolResult("t1", large),
  toolResult("t2", [{ type: "text", text: large.replace("line", "other") }]),
  toolResult("t3", "harmless ".repeat(7400)),
  { kind: "note", note: { topic: "title", title: `Rotating ${secret}` } },
];

function draftWith(shape: string, before: string, word: string, after: string): EntryDraft {
  const whole = shape === "none" ? before : before + word + after;
  if (shape === "json") return messageDraft(JSON.stringify({ deep: [JSON.stringify({ [whole]: whole })] }));
  if (shape === "large") return toolResult("t", "filler ".repeat(10_000) + whole);
  if (shape !== "key") return messageDraft(whole);
  const input = { [whole]: [{ inner: whole }], same: 1 };
  const content = [{ type: "tool_use", id: "t", name: "Bash", input }];
  return { kind: "message", message: { type: "assistant", content } };
}

/** Also a tool result under its name, notes, and a damaged line and a torn one that hold the secret. */
async function sessionWithSecret(): Promise<VirtualDisk> {
  const disk = createVirtualDisk();
  const { logs, blobs } = createVirtualStore({ disk });
  const writer = must(await logs.create(sessionDraft("one")));
  for (const draft of drafts) {
    must(await writer.append([must(await storeLargeValues(draft, "one", blobs, { durable: true }))]));
  }
  for (const sha256 of must(await blobs.list("one")))
    must(await blobs.name("one", sha256, sha256.slice(0, 8)));
  must(await writer.close());
  disk.writeWhole(`${root}/session-notes/one.md`, `# Notes\nuse ${secret}\n`);
  const whole = Buffer.from(disk.readWhole(path)).toString("utf8").split("\n");
  const damaged = JSON.stringify({ note: secret });
  disk.writeWhole(path, `${[...whole.slice(0, 3), damaged, ...whole.slice(3)].join("\n")}{"torn":${damaged}`);
  return disk;
}

/** Every entry with its large values in it, without who wrote and redacted. */
async function contentOf(disk: VirtualDisk): Promise<readonly Entry[]> {
  const { logs, blobs } = createVirtualStore({ disk });
  const entries: Entry[] = [];
  must(await logs.scan("one", (entry) => entries.push(entry)));
  const whole: Entry[] = [];
  for (const entry of entries) {
    if (entry.kind !== "note" || entry.note.topic !== "redacted")
      whole.push(must(await inlineLargeValues(entry, "one", blobs)));
  }
  return whole;
}

function filesWith(disk: VirtualDisk): readonly string[] {
  return [...disk.snapshot()]
    .filter(([, bytes]) =>
      redaction.needles.some((needle) => Buffer.from(bytes).includes(Buffer.from(needle))),
    )
    .map(([name]) => name);
}

/** The expected log: the same entries with the secret replaced, and without the one thinking block. */
function withoutSecret(entries: readonly Entry[]): readonly Entry[] {
  return entries.map((entry) => {
    const text = JSON.stringify(entry).replaceAll(JSON.stringify(secret).slice(1, -1), "[REDACTED]");
    const redacted = JSON.parse(text);
    if (Array.isArray(redacted.message?.content)) {
      redacted.message.content = redacted.message.content.filter(
        ({ type }: { type: string }) => type !== "thinking",
      );
    }
    return redacted;
  });
}

describe("redactSession", () => {
  it("takes the secret out of every file of the session and changes nothing else", async () => {
    const disk = await sessionWithSecret();
    const expected = withoutSecret(await contentOf(disk));
    expect(filesWith(disk)).toHaveLength(6);
    const survey = must(await redactSession(maintenanceParts(disk), "one", redaction));
    expect(survey).toMatchObject({
      entries: 5,
      occurrences: 6,
      droppedBlocks: 1,
      inDamage: true,
      removable: [`${path}.torn`, `${path}.corrupt`],
    });
    expect(survey.blobs.size).toBe(2);
    expect(filesWith(disk)).toEqual([]);
    expect(await contentOf(disk)).toEqual(expected);
    expect(Buffer.from(disk.readWhole(`${root}/session-notes/one.md`)).toString()).toBe(
      "# Notes\nuse [REDACTED]\n",
    );
  });

  it("notes in the log and beside it that something was taken out, and never what", async () => {
    const disk = await sessionWithSecret();
    const parts = maintenanceParts(disk);
    must(await redactSession(parts, "one", redaction));
    const entries: Entry[] = [];
    must(await createVirtualStore({ disk }).logs.scan("one", (entry) => entries.push(entry)));
    expect(entries.at(-1)).toMatchObject({ note: { topic: "redacted", occurrences: 6, droppedBlocks: 1 } });
    expect(must(await readRedactions(disk, parts.layout, "one"))).toMatchObject([
      { entries: 5, occurrences: 6, droppedBlocks: 1, blobs: 2, finished: true },
    ]);
  });

  it("keeps tool results second names of their blobs", async () => {
    const disk = await sessionWithSecret();
    must(await redactSession(maintenanceParts(disk), "one", redaction));
    const blobs = must(await disk.list(`${root}/blobs/one`));
    expect(blobs).toHaveLength(3);
    for (const sha256 of blobs) expect(must(await disk.stat(`${root}/blobs/one/${sha256}`)).links).toBe(2);
  });

  it("finds nothing the second time, and changes nothing", async () => {
    const disk = await sessionWithSecret();
    must(await redactSession(maintenanceParts(disk), "one", redaction));
    const before = disk.readWhole(path);
    const again = must(await redactSession(maintenanceParts(disk), "one", redaction));
    expect(isClean(again)).toBe(true);
    expect(disk.readWhole(path)).toEqual(before);
  });

  it("looks without changing anything", async () => {
    const disk = await sessionWithSecret();
    const before = disk.fingerprint();
    const survey = must(await surveySecret(maintenanceParts(disk), "one", redaction));
    expect(survey).toMatchObject({
      entries: 5,
      occurrences: 6,
      droppedBlocks: 1,
      inDamage: true,
      removable: [],
    });
    expect(disk.fingerprint()).toBe(before);
  });

  it("removes a blob that was damaged and holds the secret", async () => {
    const disk = await sessionWithSecret();
    const [first = ""] = must(await disk.list(`${root}/blobs/one`));
    disk.writeWhole(`${root}/blobs/one/${first}`, `changed by hand: ${secret}`);
    const survey = must(await redactSession(maintenanceParts(disk), "one", redaction));
    expect(survey.removable).toContain(`${root}/blobs/one/${first}`);
    expect(filesWith(disk)).toEqual([]);
  });

  it("refuses a session whose id holds the secret, and one that is open elsewhere", async () => {
    const disk = await sessionWithSecret();
    const named = must(createRedaction("one-session-key"));
    expect(refused(await redactSession(maintenanceParts(disk), "a-one-session-key", named))).toBe(
      "invalid-input",
    );
    const processes = createVirtualProcesses({ bootId: "same" });
    const writer = must(await createVirtualStore({ disk, processes }).logs.open("one", () => undefined));
    expect(refused(await redactSession(maintenanceParts(disk, processes.spawn()), "one", redaction))).toBe(
      "held",
    );
    must(await writer.close());
  });

  it("leaves no trace of any secret in any file, and everything else as it was", async () => {
    const anySecret = fc.string({ unit: "grapheme", minLength: 8, maxLength: 20 }).map((text) => `§${text}`);
    const shapes = fc.array(
      fc.tuple(nastyText, fc.constantFrom("text", "key", "json", "large", "none"), nastyText),
      { minLength: 1, maxLength: 6 },
    );
    await fc.assert(
      fc.asyncProperty(anySecret, shapes, async (hidden, items) => {
        const made = createRedaction(hidden);
        fc.pre(made.ok && items.every(([before, , after]) => !`${before}${after}`.includes("§")));
        if (!made.ok) return;
        const build = (word: string) =>
          items.map(([before, shape, after]) => draftWith(shape, before, word, after));
        const disk = createVirtualDisk();
        const { logs, blobs } = createVirtualStore({ disk });
        const writer = must(await logs.create(sessionDraft("one")));
        for (const draft of build(hidden)) {
          must(await writer.append([must(await storeLargeValues(draft, "one", blobs, { durable: true }))]));
        }
        must(await writer.close());
        must(await redactSession(maintenanceParts(disk), "one", made.value));
        for (const [name, bytes] of disk.snapshot()) {
          for (const needle of made.value.needles)
            expect(Buffer.from(bytes).includes(Buffer.from(needle)), name).toBe(false);
        }
        const bodies = (await contentOf(disk))
          .slice(1)
          .map((entry) => entry.kind === "message" && entry.message);
        expect(bodies).toEqual(build("[REDACTED]").map((draft) => draft.kind === "message" && draft.message));
      }),
      { numRuns: amount({ quick: 25, slow: 60 }) },
    );
  });

  it("leaves the old log or the new one wherever it is cut off, and finishes when run again", async () => {
    const disk = await sessionWithSecret();
    const old = await contentOf(disk);
    const expected = withoutSecret(old);
    const trial = disk.afterProcessCrash();
    must(await redactSession(maintenanceParts(trial), "one", redaction));
    let olds = 0;
    for (const index of spread(changingOperations(trial), 20)) {
      const copy = disk.afterProcessCrash();
      copy.crashAt(index);
      await redactSession(maintenanceParts(copy), "one", redaction);
      const losses = [...enumeratePowerLosses(copy, 2)].map((outcome) => outcome.disk);
      for (const after of [copy.afterProcessCrash(), ...losses]) {
        const found = await contentOf(after);
        const isOld = JSON.stringify(found) === JSON.stringify(old);
        if (isOld) olds += 1;
        else expect(found, `operation ${index}`).toEqual(expected);
        const parts = maintenanceParts(after, createVirtualProcesses({ bootId: "third" }));
        must(await redactSession(parts, "one", redaction));
        expect(filesWith(after), `operation ${index}, again`).toEqual([]);
        expect(await contentOf(after), `operation ${index}, again`).toEqual(expected);
        expect(
          must(await readRedactions(after, parts.layout, "one")).map(({ finished }) => finished),
        ).not.toContain(false);
      }
    }
    expect(olds).toBeGreaterThan(amount({ quick: 5, slow: 10 }));
  });
});
