import fc from "fast-check";
import type {
  ContentBlock,
  Decision,
  Entry,
  EntryBody,
  Message,
} from "../../packages/core/src/spec/index.ts";

/** One thing that may happen to a session, with choices still open: `pick` numbers choose among what is there. */
export type Operation =
  | { readonly op: "user"; readonly text: string }
  | {
      readonly op: "assistant";
      readonly text: string;
      readonly calls: number;
      readonly sameResponse: boolean;
      readonly thinking: boolean;
    }
  | { readonly op: "result"; readonly pick: number; readonly text: string }
  | { readonly op: "attachment" | "system" | "note"; readonly text: string }
  | {
      readonly op: "offload" | "clear" | "edit" | "snip" | "fold" | "strip" | "restore" | "rewind";
      readonly pick: number;
      readonly pick2: number;
    }
  | {
      readonly op: "compact";
      readonly back: number;
      readonly kept: number;
      readonly anchor: "summary" | "boundary";
    };

const text = fc.constantFrom("alpha", "beta", "gamma delta", "ε😀", "\ud800");
const pick = fc.nat({ max: 1000 });

export const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ op: fc.constant("user" as const), text }) },
  {
    weight: 6,
    arbitrary: fc.record({
      op: fc.constant("assistant" as const),
      text,
      calls: fc.nat({ max: 3 }),
      sameResponse: fc.boolean(),
      thinking: fc.boolean(),
    }),
  },
  { weight: 7, arbitrary: fc.record({ op: fc.constant("result" as const), pick, text }) },
  {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constantFrom("attachment" as const, "system" as const, "note" as const),
      text,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      op: fc.constantFrom(
        "offload",
        "clear",
        "edit",
        "snip",
        "fold",
        "strip",
        "restore",
        "restore",
        "rewind" as const,
      ),
      pick,
      pick2: pick,
    }) as fc.Arbitrary<Operation>,
  },
  {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constant("compact" as const),
      back: fc.nat({ max: 4 }),
      kept: fc.nat({ max: 5 }),
      anchor: fc.constantFrom("summary" as const, "boundary" as const),
    }),
  },
);

/** Some prompts have several blocks, which an offload may store as one. */
function promptOf(given: string): Message["content"] {
  if (given !== "gamma delta") return given;
  return ["gamma", "delta", "epsilon"].map((text) => ({ type: "text", text }));
}

const hasBlocks = (entry: Entry) =>
  entry.kind === "message" && entry.message.type === "user" && promptBlocks(entry.message) === 3;

const promptBlocks = ({ content }: Message) =>
  typeof content === "string" ? 1 : content.filter(({ type }) => type === "text").length;

/** Turns operations into entries of a log, one after the other. */
export interface HistoryWriter {
  readonly entries: readonly Entry[];
  /** Appends what the operation means here; nothing where it means nothing. */
  write(operation: Operation): Entry | null;
  append(body: EntryBody): Entry;
  /** Takes an entry of another history as it is. */
  take(entry: Entry): void;
}

export function createHistory(): HistoryWriter {
  const entries: Entry[] = [];
  const calls: string[] = [];
  let response = 0;

  function append(body: EntryBody): Entry {
    const seq = (entries.at(-1)?.seq ?? 0) + 1;
    const at = new Date(Date.UTC(2026, 0, 1) + seq * 1000).toISOString();
    const entry = { v: 1, seq, epoch: 1, id: `e${seq}`, at, ...body } as Entry;
    entries.push(entry);
    return entry;
  }

  const message = (body: Message) => append({ kind: "message", message: body });
  const head = { layer: "test", reason: "chosen at random", frees: 1 };
  const decide = (decision: Decision) => append({ kind: "decision", decision });
  const chosen = <T>(list: readonly T[], number: number): T | undefined =>
    list[number % Math.max(1, list.length)];

  function write(operation: Operation): Entry | null {
    const basis = entries.length;
    const messages = entries.filter(({ kind }) => kind === "message");
    switch (operation.op) {
      case "user":
        return message({ type: "user", content: promptOf(operation.text) });
      case "assistant": {
        if (!operation.sameResponse || response === 0) response += 1;
        const uses = Array.from({ length: operation.calls }, (_, index) => `t${basis + 1}_${index}`);
        calls.push(...uses);
        const content: ContentBlock[] = [
          ...(operation.thinking ? [{ type: "thinking", thinking: "hm", signature: "s" }] : []),
          { type: "text", text: operation.text },
          ...uses.map((id) => ({ type: "tool_use", id, name: "Read", input: { path: id } })),
        ];
        const usage = { input: 10, output: 5, cacheRead: 100, cacheCreation: 20 };
        return message({ type: "assistant", content, responseId: `r${response}`, usage });
      }
      case "result": {
        const id = chosen(calls, operation.pick);
        if (id === undefined) return null;
        return message({
          type: "user",
          content: [{ type: "tool_result", tool_use_id: id, content: operation.text }],
        });
      }
      case "attachment":
        return message({ type: "attachment", subtype: "file", content: operation.text });
      case "system":
        return message({ type: "system", content: operation.text });
      case "note":
        return append({ kind: "note", note: { topic: "title", title: operation.text } });
      case "offload": {
        const prompt = chosen(messages.filter(hasBlocks), operation.pick2);
        if (prompt && operation.pick2 % 3 === 0) {
          const block = operation.pick % 2;
          const blocks = [{ entry: prompt.id, block, lastBlock: block + 1, preview: "stored" }];
          return decide({ ...head, basis, type: "offload", results: [], blocks });
        }
        const toolUseId = chosen(calls, operation.pick);
        if (toolUseId === undefined) return null;
        return decide({
          ...head,
          basis,
          type: "offload",
          results: [{ toolUseId, preview: operation.pick2 % 4 ? "preview" : null }],
        });
      }
      case "clear": {
        const toolUseId = chosen(calls, operation.pick);
        if (toolUseId === undefined) return null;
        const part = operation.pick2 % 2 ? "result" : "input";
        return decide({
          ...head,
          basis,
          type: "clear",
          parts: [{ toolUseId, part, label: `cleared ${toolUseId}` }],
        });
      }
      case "edit": {
        const toolUseId = chosen(calls, operation.pick);
        const anchor = chosen(messages, operation.pick2);
        if (toolUseId === undefined || !anchor) return null;
        return decide({
          ...head,
          basis,
          type: "cache-edit",
          parts: [{ toolUseId, part: "result" }],
          edit: { type: "cache_edits", edits: [{ type: "delete", cache_reference: toolUseId }] },
          behind: { entry: anchor.id, block: 0 },
        });
      }
      case "snip": {
        const gone = [chosen(messages, operation.pick), chosen(messages, operation.pick2)].flatMap(
          (entry) => entry?.id ?? [],
        );
        return gone.length === 0
          ? null
          : decide({ ...head, basis, type: "snip", entries: gone, marker: "[snipped]" });
      }
      case "fold": {
        const [from, to] = [chosen(messages, operation.pick), chosen(messages, operation.pick2)];
        return from && to
          ? decide({ ...head, basis, type: "fold", from: from.id, to: to.id, summary: "[folded]" })
          : null;
      }
      case "strip": {
        const upTo = chosen(messages, operation.pick);
        return upTo ? decide({ ...head, basis, type: "strip-thinking", upTo: upTo.id }) : null;
      }
      case "restore": {
        const target = chosen(
          entries.filter(({ kind }) => kind === "decision"),
          operation.pick,
        );
        return target
          ? decide({ ...head, basis, type: "restore", decision: target.id, decisionSeq: target.seq })
          : null;
      }
      case "rewind": {
        const target = chosen(entries, operation.pick);
        return target ? decide({ ...head, basis, type: "rewind", to: target.id, toSeq: target.seq }) : null;
      }
      case "compact": {
        const covered = basis - operation.back;
        const last = entries[covered - 1];
        if (!last) return null;
        const first = entries[Math.max(0, covered - operation.kept)];
        const kept =
          operation.kept > 0 && first && first.seq <= covered
            ? {
                head: first.id,
                headSeq: first.seq,
                tail: last.id,
                tailSeq: covered,
                anchor: operation.anchor,
              }
            : undefined;
        const summary: Message = { type: "user", content: `summary ${basis}`, isCompactSummary: true };
        const attachments: readonly Message[] =
          operation.kept % 2 ? [{ type: "attachment", content: "file", subtype: "file" }] : [];
        return decide({
          ...head,
          basis: covered,
          type: "compact",
          trigger: "auto",
          strategy: "test",
          tokensBefore: 2,
          tokensAfter: 1,
          summary,
          covers: last.id,
          ...(kept && { kept }),
          attachments,
          discoveredTools: [],
        });
      }
    }
  }

  return { entries, write, append, take: (entry) => entries.push(entry) };
}
