import type { Accounting, Category } from "@palimpsest/core/spec";

/** One kind of cell in the picture. */
export interface PicturePart {
  readonly label: string;
  readonly tokens: number;
  /** Without colour, every part has a character of its own. */
  readonly plain: string;
  readonly coloured: string;
}

/** How the parts look: a letter, or a colour of the terminal's 256. */
const looks: Readonly<Record<Category, readonly [label: string, letter: string, colour: number]>> = {
  systemPrompt: ["System prompt", "S", 245],
  builtInTools: ["Built-in tools", "B", 75],
  mcpTools: ["MCP tools", "M", 39],
  memoryFiles: ["Memory files", "F", 172],
  summaries: ["Summary", "Y", 226],
  humanMessages: ["Human messages", "H", 46],
  assistantMessages: ["Assistant messages", "A", 141],
  thinking: ["Thinking", "K", 99],
  toolRequests: ["Tool requests", "Q", 204],
  toolResults: ["Tool results", "R", 160],
  attachments: ["Attachments", "@", 80],
  localCommandOutput: ["Local command output", "L", 108],
  imagesAndDocuments: ["Images and documents", "I", 213],
  other: ["Other", "O", 252],
};

const square = "■";

/** What is in the window, in order, without the parts that are 0. */
export function pictureParts({ categories, freeSpace, reservedBuffer }: Accounting): readonly PicturePart[] {
  const used = (Object.keys(looks) as Category[]).map((category): PicturePart => {
    const [label, plain, colour] = looks[category];
    return { label, tokens: categories[category].tokens, plain, coloured: paint(square, colour) };
  });
  const free = { label: "Free space", tokens: freeSpace.tokens, ...emptyCell };
  const reserved = { label: "Reserved buffer", tokens: reservedBuffer.tokens, ...reservedCell };
  return [...used, free, reserved].filter(({ tokens }) => tokens > 0);
}

export const emptyCell = { plain: ".", coloured: paint("□", 240) };
const reservedCell = { plain: "#", coloured: paint("▨", 240) };

function paint(text: string, colour: number): string {
  return `\u001b[38;5;${colour}m${text}\u001b[39m`;
}
