import { type ContentBlock, isBlock, type Message, type NamedFile } from "../../spec/index.ts";
import { copyText } from "../copy-text.ts";

/** How many names the ledger keeps: those named last. */
export const maxNamedFiles = 4_000;

/** Characters that paths are made of, by their code. */
const isPathCode = Uint8Array.from({ length: 128 }, (_zero, code) =>
  /[\w.@~+/-]/.test(String.fromCharCode(code)) ? 1 : 0,
);
const fileName = /^[\w@+.-][\w.@+-]*\.[A-Za-z][A-Za-z0-9]{0,7}$/;
const maxPathChars = 160;
/** Names without a folder count by their ending, since much else has a dot in it. */
const bareName =
  /(?<![\w./@-])\.?\w[\w-]*(?:\.[\w-]+)?\.(?:md|ya?ml|json|toml|tsx?|[cm]?js|jsx|go|py|rs|java|kt|rb|php|swift|c|h|cpp|cs|sh|css|html|sql|txt|lock|mod|sum|cfg|ini)(?![\w/(@-]|\.\w)/g;
/** Of longer texts only the beginning is looked at for bare names. */
const maxBareChars = 2_000;

export interface NamedFilesSnapshot {
  readonly files: ReadonlyMap<string, NamedFile>;
  readonly results: number;
}

export const noNamedFiles: NamedFilesSnapshot = { files: new Map(), results: 0 };

/** The files that calls and their results name, as they are named, the last named last. */
interface NamedFiles {
  readonly files: ReadonlyMap<string, NamedFile>;
  /** Reads the text of a call or its result. */
  read(text: string): void;
  /** Later text belongs to the next result. */
  next(): void;
  snapshot(): NamedFilesSnapshot;
}

export function createNamedFiles(start: NamedFilesSnapshot): NamedFiles {
  const files = sharedMap(start.files);
  let { results } = start;

  function see(found: string): void {
    const path = found.replace(/^\.\//, "").replace(/[.-]+$/, "");
    if (!fileName.test(path.slice(path.lastIndexOf("/") + 1))) return;
    const known = files.value.get(path);
    if (known?.newest === results) return;
    const map = files.own();
    if (known) map.delete(path);
    map.set(copyText(path), { count: (known?.count ?? 0) + 1, newest: results });
    const [oldest] = map.size > maxNamedFiles ? map.keys() : [];
    if (oldest !== undefined) map.delete(oldest);
  }

  return {
    get files() {
      return files.value;
    },
    read: (text) => findPaths(text, see),
    next() {
      results += 1;
    },
    snapshot: () => ({ files: files.share(), results }),
  };
}

/** Looks around every slash, so that text without one costs next to nothing. */
function findPaths(text: string, see: (found: string) => void): void {
  for (let slash = text.indexOf("/"); slash !== -1; ) {
    let from = slash;
    while (from > 0 && isPathCode[text.charCodeAt(from - 1)] === 1 && slash - from < maxPathChars) from -= 1;
    let to = slash + 1;
    while (to < text.length && isPathCode[text.charCodeAt(to)] === 1) to += 1;
    if (to - from <= maxPathChars) see(text.slice(from, to));
    slash = text.indexOf("/", to);
  }
  for (const name of text.slice(0, maxBareChars).match(bareName) ?? []) see(name);
}

const localCommandOutput = /^\s*<(?:local-command|bash)-std(?:out|err)\b/;
const systemReminder = /^\s*<system-reminder\b/;

/** Whether a text is the output of a command that the user ran beside the conversation, by the tag it begins with. */
export function isLocalCommandOutput(text: string): boolean {
  return localCommandOutput.test(text);
}

/** Whether a text in a message of the user's is their own, and not what a program put there. */
export function isOwnText(text: string): boolean {
  return !localCommandOutput.test(text) && !systemReminder.test(text);
}

/** What harnesses write into messages of the user's: notices, and what stands in the place of a picture. */
const harnessText =
  /^\s*(?:<(?:task-notification|local-command-caveat|ide_\w+|user-prompt-submit-hook|new-diagnostics)\b|Caveat: The messages below were generated|\[Request interrupted by user[^\]\n]*\]\s*$|(?:\[Image(?: #\d+|: [^\]\n]*)?\]\s*)+$)/;
const interruption = /^\s*\[Request interrupted by user[^\]\n]*\]\s*$/i;
const command =
  /^\s*(?:<command-\w+>[^<]*<\/command-\w+>\s*)*<command-name>\s*\/?([^<]*?)\s*<\/command-name>/;
const commandWords = /<command-args>([\s\S]*?)<\/command-args>/;
const shellInput = /^\s*<bash-input>([\s\S]*?)<\/bash-input>\s*$/;

/**
 * The user's words in a message, exactly; `null` where it is not the user who speaks, or says nothing. Of a command of the
 * harness's that is its name and what the user wrote behind it.
 */
export function userWords(message: Message): string | null {
  if (message.type !== "user" || message.isMeta || message.isCompactSummary) return null;
  const words = blocksOf(message)
    .flatMap((block) => plainText(block) ?? [])
    .filter((text) => isOwnText(text) && !harnessText.test(text))
    .map(spokenText)
    .join("\n");
  return words.trim() === "" ? null : words;
}

function spokenText(text: string): string {
  const shell = shellInput.exec(text)?.[1];
  if (shell !== undefined) return `! ${shell.trim()}`;
  const name = command.exec(text)?.[1];
  if (name === undefined) return text;
  return `/${name} ${commandWords.exec(text)?.[1]?.trim() ?? ""}`.trim();
}

/** Whether a message says that the user broke off what was being done. */
export function isInterruption(message: Message): boolean {
  return (
    message.type === "user" && blocksOf(message).some((block) => interruption.test(plainText(block) ?? ""))
  );
}

/** The blocks of a message, a single text as one; none where its content is not at hand. */
export function blocksOf({ content }: Message): readonly ContentBlock[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? content : [];
}

/** The texts of a content, one a line: of a message or of a result. */
export function contentText(content: string | readonly ContentBlock[] | undefined): string {
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.flatMap((block) => plainText(block) ?? []).join("\n") : "";
}

function plainText(block: ContentBlock): string | undefined {
  return isBlock(block, "text") && typeof block.text === "string" ? block.text : undefined;
}

/**
 * The text, or its beginning and end where it is longer than `maxLength`, with the number of characters left out
 * between them. Never cuts a surrogate pair.
 */
export function boundedText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const half = Math.floor(maxLength / 2);
  const head = isPairAt(text, half - 1) ? half - 1 : half;
  const tail = isPairAt(text, text.length - half - 1) ? text.length - half + 1 : text.length - half;
  return copyText(`${text.slice(0, head)}\n[… ${tail - head} characters left out …]\n${text.slice(tail)}`);
}

/** Whether a surrogate pair begins at this index. */
function isPairAt(text: string, index: number): boolean {
  return (text.codePointAt(index) ?? 0) > 0xffff;
}

/**
 * A collection that can be given away without copying it: `share` costs nothing, and the first change after it works
 * on a copy. What was shared never changes.
 */
interface CopyOnWrite<Shared, Own extends Shared> {
  readonly value: Shared;
  /** For changing it now; not to be kept. */
  own(): Own;
  share(): Shared;
}

/** Begins with a collection that may belong to somebody else. */
function createCopyOnWrite<Shared, Own extends Shared>(
  start: Shared,
  copy: (shared: Shared) => Own,
): CopyOnWrite<Shared, Own> {
  let shared = start;
  let owned: Own | null = null;
  return {
    get value() {
      return owned ?? shared;
    },
    own() {
      owned ??= copy(shared);
      return owned;
    },
    share() {
      shared = owned ?? shared;
      owned = null;
      return shared;
    },
  };
}

export function sharedList<T>(start: readonly T[]): CopyOnWrite<readonly T[], T[]> {
  return createCopyOnWrite<readonly T[], T[]>(start, (list) => [...list]);
}

export function sharedMap<K, V>(start: ReadonlyMap<K, V>): CopyOnWrite<ReadonlyMap<K, V>, Map<K, V>> {
  return createCopyOnWrite<ReadonlyMap<K, V>, Map<K, V>>(start, (map) => new Map(map));
}
