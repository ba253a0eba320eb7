import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  canonicalMessage,
  chainTurns,
  commonLength,
  decideMatch,
  type KnownConversation,
  responseProbe,
  type Turn,
} from "./match-conversation.ts";

const user = (content: Turn["content"]): Turn => ({ role: "user", content });
const assistant = (content: Turn["content"]): Turn => ({ role: "assistant", content });
const text = (words: string, more: object = {}) => ({ type: "text", text: words, ...more });

describe("the canonical form of a message", () => {
  it("is the same however a client writes it down", () => {
    const call = { type: "tool_use", id: "t1", name: "Read", input: { a: 1, b: [2] } };
    const one = [text("Hello, "), text("you."), call];
    const other = [
      { type: "thinking", thinking: "Hm.", signature: "s" },
      text("Hello, you. ", { cache_control: { type: "ephemeral" }, citations: null }),
      text(""),
      { name: "Read", input: { b: [2], a: 1 }, id: "t1", type: "tool_use" },
    ];
    expect(canonicalMessage(assistant(one))).toBe(canonicalMessage(assistant(other)));
    expect(canonicalMessage(user("Hi"))).toBe(canonicalMessage(user([text("Hi")])));
    const result = (content: unknown) => user([{ type: "tool_result", tool_use_id: "t1", content } as never]);
    expect(canonicalMessage(result("x"))).toBe(canonicalMessage(result([text("x")])));
  });

  it("is another where something else is said", () => {
    const forms = [
      user("Hi"),
      assistant("Hi"),
      user("Hi there"),
      user([{ type: "tool_result", tool_use_id: "t1", content: "Hi" }]),
      user([{ type: "tool_result", tool_use_id: "t2", content: "Hi" }]),
      user([{ type: "tool_result", tool_use_id: "t1", content: "Hi", is_error: true }]),
      user([{ type: "image", source: { type: "url", url: "a" } }]),
      user([{ type: "image", source: { type: "url", url: "b" } }]),
    ].map(canonicalMessage);
    expect(new Set(forms).size).toBe(forms.length);
  });
});

describe("chains of digests", () => {
  it("say how many messages two lists begin with in common", () => {
    const lists = fc.array(fc.constantFrom("a", "b"), { maxLength: 12 });
    fc.assert(
      fc.property(lists, lists, (one, other) => {
        const digests = (words: readonly string[]) => chainTurns(words.map((word) => user(word))).digests;
        const differs = one.findIndex((word, at) => word !== other[at]);
        const common = differs === -1 ? Math.min(one.length, other.length) : differs;
        expect(commonLength(digests(one), digests(other))).toBe(common);
      }),
    );
  });
});

describe("which conversation a request belongs to", () => {
  const list = [user("1"), assistant("2"), user("3"), assistant("4")];
  const known = (turns: readonly Turn[], more: Partial<KnownConversation> = {}): KnownConversation => {
    const { digests, lastAssistant, lastResponse } = chainTurns(turns);
    return {
      id: "a",
      digests,
      answered: lastAssistant + 1,
      isBusy: false,
      ...(lastResponse !== undefined && { response: lastResponse }),
      ...more,
    };
  };
  const match = (turns: readonly Turn[], ...conversations: readonly KnownConversation[]) =>
    decideMatch(chainTurns(turns), conversations);

  it.each<[string, readonly Turn[], KnownConversation, object]>([
    [
      "goes on behind the newest response",
      [...list, user("5")],
      known(list),
      { kind: "continue", id: "a", common: 4 },
    ],
    [
      "goes on after an unanswered request",
      [...list, user("6")],
      known([...list, user("5")]),
      { kind: "continue", common: 4 },
    ],
    [
      "branches off in the middle",
      [...list.slice(0, 2), user("5")],
      known(list),
      { kind: "branch", from: "a", common: 2 },
    ],
    [
      "branches off a request under way",
      [...list, user("5")],
      known(list, { isBusy: true }),
      { kind: "branch", from: "a" },
    ],
    [
      "is the same with an edit",
      [user("1"), assistant("x"), user("3"), assistant("4"), user("5")],
      known(list),
      { kind: "edit", id: "a", common: 1 },
    ],
    [
      "is unknown where nobody relayed its response",
      [user("1"), assistant("x"), user("3")],
      known(list),
      { kind: "unknown" },
    ],
    ["is new without a response", [user("1")], known(list), { kind: "first" }],
    ["is tried again", [user("1")], known([user("1")]), { kind: "retry", id: "a", common: 1 }],
    [
      "is not tried again while it is under way",
      [user("1")],
      known([user("1")], { isBusy: true }),
      { kind: "first" },
    ],
  ])("%s", (_name, turns, conversation, expected) => {
    expect(match(turns, conversation)).toMatchObject(expected);
  });

  it("is the one that was named, and the newest of several", () => {
    expect(decideMatch(chainTurns([user("x")]), [known(list)], "a")).toEqual({
      kind: "named",
      id: "a",
      common: 0,
    });
    expect(match([...list, user("5")], known(list), known(list, { id: "b" }))).toMatchObject({ id: "b" });
  });
});

describe("the probe of a response", () => {
  it("is the id of its last call, words of its text, or nothing", () => {
    const call = { type: "tool_use", id: "toolu_1", name: "Read", input: {} };
    expect(responseProbe([text("Words that are long enough."), call])?.toString()).toBe('"toolu_1"');
    expect(responseProbe([text("é Words that are long enough.\n")])?.toString()).toBe(
      " Words that are long enough.",
    );
    expect(responseProbe([text("Ja.")])).toBeUndefined();
  });
});
