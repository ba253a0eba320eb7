import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isRecord, parseJson } from "@palimpsest/core/internal";
import type { ConversationNode } from "./conversation.ts";

/** What finds a conversation again after the gateway was restarted: digests and ids, nothing that was said. */
export interface ConversationRecord {
  readonly session: string;
  readonly protocol: string;
  readonly model: string;
  readonly nodes: readonly ConversationNode[];
}

/** Conversations by the digest of all that was said up to their newest response. Losing one costs a new session. */
export interface HeadFiles {
  find(digest: string): Promise<ConversationRecord | undefined>;
  /** Of one session only the newest is kept. */
  write(record: ConversationRecord, before: string | undefined): Promise<void>;
}

const kept = 2_000;
const isName = /^[0-9a-f]{32}\.json$/;

/** Throws where the folder cannot be made; what goes wrong later is as if nothing had been kept. */
export async function openHeadFiles(folder: string): Promise<HeadFiles> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await forgetOld(folder);
  return {
    async find(digest) {
      const text = await readFile(join(folder, `${digest}.json`), "utf8").catch(() => "");
      return toConversationRecord(parseJson(text), digest);
    },
    async write(record, before) {
      const digest = record.nodes.at(-1)?.digest ?? "";
      const path = join(folder, `${digest}.json`);
      const draft = `${path}.${record.session}`;
      await writeFile(draft, JSON.stringify(record), { mode: 0o600 });
      await rename(draft, path);
      if (before !== undefined && before !== digest)
        await rm(join(folder, `${before}.json`), { force: true });
    },
  };
}

async function forgetOld(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => isName.test(name));
  if (names.length <= kept) return;
  const times = await Promise.all(
    names.map(async (name) => ({
      name,
      ms: (await stat(join(folder, name)).catch(() => null))?.mtimeMs ?? 0,
    })),
  );
  const old = times.sort((a, b) => b.ms - a.ms).slice(kept);
  await Promise.all(old.map(({ name }) => rm(join(folder, name), { force: true })));
}

function toConversationRecord(value: unknown, digest: string): ConversationRecord | undefined {
  if (!isRecord(value) || !Array.isArray(value.nodes) || !value.nodes.every(isNode)) return undefined;
  const { session, protocol, model, nodes } = value;
  const texts = [session, protocol, model].every((text) => typeof text === "string");
  return texts && nodes.at(-1)?.digest === digest ? (value as unknown as ConversationRecord) : undefined;
}

function isNode(node: unknown): node is ConversationNode {
  return isRecord(node) && typeof node.digest === "string" && typeof node.entry === "string";
}
