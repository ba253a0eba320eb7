import type { HostileAnswer } from "./wire-answer.ts";

type Name = "listing" | "mcp" | "advisor" | "fallback" | "compaction";

/** Blocks that the API takes back only with a beta header, each with what belongs to it. */
export const betaBlocks: Readonly<Record<Name, readonly object[]>> = {
  listing: [{ type: "mcp_tool_listing", mcp_server_name: "s", tools: [] }],
  mcp: [
    { type: "mcp_tool_use", id: "mcptoolu_1", name: "n", server_name: "s", input: {} },
    { type: "mcp_tool_result", tool_use_id: "mcptoolu_1", is_error: false, content: [] },
  ],
  advisor: [
    { type: "server_tool_use", id: "srvtoolu_a", name: "advisor", input: {} },
    {
      type: "advisor_tool_result",
      tool_use_id: "srvtoolu_a",
      content: { type: "advisor_result", text: "No." },
    },
  ],
  fallback: [{ type: "fallback", from: { model: "a" }, to: { model: "b" } }],
  compaction: [{ type: "compaction", content: "All so far." }],
};

const names = Object.keys(betaBlocks) as Name[];
const all = names.flatMap((name) => betaBlocks[name]);
export const allBetas = [
  "mcp-client-2026-09-15",
  "advisor-tool-2026-03-01",
  "server-side-fallback-2026-07-01",
  "compact-2026-01-12",
];

const text = { type: "text", text: "Well." };
const call = { type: "tool_use", id: "toolu_b", name: "Echo", input: { text: "x" } };
const stops: readonly unknown[] = [
  "end_turn",
  "tool_use",
  "pause_turn",
  "max_tokens",
  "model_context_window_exceeded",
  "refusal",
  "compaction",
  "stop_sequence",
  "unheard_of",
  null,
];

/** Two of them, and all of them, one way round and the other. */
const mixtures: readonly (readonly [string, readonly object[]])[] = [
  ...names.flatMap((one, at) =>
    names.slice(at).map((other): readonly [string, readonly object[]] => {
      const more = one === other ? betaBlocks[one] : [...betaBlocks[one], ...betaBlocks[other]];
      return [`${one} and ${other}`, more];
    }),
  ),
  ["all of them", all],
];

/** Answers with blocks that need a beta header which the requests never have, or no longer have after a resume. */
export const betaAnswers: readonly HostileAnswer[] = [
  ...mixtures.flatMap(([name, blocks]): readonly HostileAnswer[] => [
    { name: `blocks of betas: ${name}`, content: [...blocks, text], logged: `"type":"${typeOf(blocks)}"` },
    { name: `blocks of betas: ${name}, the other way round`, content: [text, ...blocks.toReversed()] },
    {
      name: `blocks of betas: ${name}, with the betas until a resume`,
      content: [...blocks, text],
      betas: allBetas,
    },
  ]),
  ...stops.flatMap((reason): readonly HostileAnswer[] => {
    const stop = { stop_reason: reason };
    const behind = `behind the stop reason ${JSON.stringify(reason)}`;
    const reversed = [...all.toReversed(), call];
    return [
      { name: `all blocks of betas ${behind}`, content: all, stop },
      {
        name: `all blocks of betas and a call ${behind}, until a resume`,
        content: reversed,
        stop,
        betas: allBetas,
      },
    ];
  }),
  {
    name: "many blocks of betas",
    content: Array.from({ length: 20 }, (_, at) => [
      { ...betaBlocks.mcp[0], id: `mcptoolu_${at}` },
      { ...betaBlocks.mcp[1], tool_use_id: `mcptoolu_${at}` },
    ]).flat(),
  },
  { name: "halves of calls of betas", content: [betaBlocks.mcp[1], betaBlocks.advisor[1], text] },
  { name: "calls of betas without results", content: [betaBlocks.mcp[0], betaBlocks.advisor[0], text] },
  {
    name: "all blocks of betas, sent back as they are",
    content: [...all, text],
    keepsUnknown: true,
    refusals: 1,
  },
  {
    name: "blocks of betas and blocks nobody knows, sent back as they are",
    content: [{ type: "hologram" }, ...all, { type: "moon" }, text],
    keepsUnknown: true,
    refusals: 2,
  },
];

function typeOf([first]: readonly object[]): string {
  return String((first as { readonly type?: string } | undefined)?.type);
}
