/** Programs that only read. */
export const dreamPrograms = ["ls", "find", "grep", "cat", "stat", "wc", "head", "tail"] as const;

const isProgram = (name: string) => (dreamPrograms as readonly string[]).includes(name);

/** Options by which `find` would run or write. */
const refusedTests = /^-(?:exec|execdir|ok|okdir|delete|fls|fprint0?|fprintf)$/;

interface Node {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Words, quotes, patterns and choices: everything that stands for itself or for names of files. */
const plain = new Set([
  "Script",
  "Statement",
  "Pipeline",
  "SimpleCommand",
  "Word",
  "Literal",
  "SingleQuoted",
  "DoubleQuoted",
  "Escaped",
  "Glob",
  "BraceExpansion",
  "Range",
  "Redirection",
]);

/** Why a script is not run; `null`: it only reads. Whatever is not known to be harmless is refused. */
export function refuseScript(script: unknown): string | null {
  return isNode(script) ? refuseNode(script) : "it cannot be read";
}

function refuseNode(node: Node): string | null {
  if (!plain.has(node.type)) return `${node.type} is not part of this shell`;
  if (node.type === "Statement" && (node.background || node.deferredError))
    return "it does not end by itself";
  if (node.type === "Redirection") return refuseRedirection(node);
  if (node.type === "SimpleCommand") {
    const refusal = refuseCommand(node);
    if (refusal !== null) return refusal;
  }
  for (const child of childrenOf(node)) {
    const refusal = refuseNode(child);
    if (refusal !== null) return refusal;
  }
  return null;
}

function refuseCommand({ name, args, assignments }: Node): string | null {
  if (!Array.isArray(assignments) || assignments.length > 0) return "variables are not part of this shell";
  const program = literalText(name);
  if (program === null || !isProgram(program)) return `${program ?? "this"} is not one of its programs`;
  if (program !== "find") return null;
  const words = Array.isArray(args) ? args.map(literalText) : [null];
  const test = words.find((word) => word !== null && refusedTests.test(word));
  if (test) return `find ${test} is not part of this shell`;
  return words.some((word, at) => word === null && hasHidden(args, at)) ? "find needs plain words" : null;
}

/** Patterns may name files for `find` to begin at; inside braces its own words could be hidden. */
function hasHidden(args: unknown, at: number): boolean {
  const word = Array.isArray(args) ? (args[at] as Node | undefined) : undefined;
  return !Array.isArray(word?.parts) || word.parts.some((part: Node) => part.type === "BraceExpansion");
}

/** Errors may go where nobody looks, or to the output. */
function refuseRedirection({ operator, fd, target, fdVariable }: Node): string | null {
  const to = literalText(target);
  const isSilent = operator === ">" && fd === 2 && to === "/dev/null";
  const isJoined = operator === ">&" && fd === 2 && to === "1";
  return fdVariable === undefined && (isSilent || isJoined)
    ? null
    : "redirections are not part of this shell";
}

/** A word's text where it stands for itself; `null` where it depends on something. */
function literalText(word: unknown): string | null {
  if (!isNode(word) || !Array.isArray(word.parts)) return null;
  let text = "";
  for (const part of word.parts as readonly Node[]) {
    const said =
      part.type === "DoubleQuoted" ? literalText(part) : typeof part.value === "string" ? part.value : null;
    if (said === null) return null;
    text += said;
  }
  return text;
}

function childrenOf(node: Node): readonly Node[] {
  return Object.values(node)
    .flatMap((value) => (Array.isArray(value) ? value : [value]))
    .filter(isNode);
}

function isNode(value: unknown): value is Node {
  return (
    typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string"
  );
}
