import { answerBlockFields, missingBeta, shareBeta } from "../../catalog/index.ts";
import { type ContentBlock, isBlock, type RepairStep, type ViewItem } from "../../spec/index.ts";
import { resultMedia, resultText } from "../projection/message-items.ts";
import { readBackMark } from "../read-back.ts";
import { unsentText } from "./answer-repair.ts";
import { withoutImages } from "./image-repair.ts";
import { imagesIn } from "./media-facts.ts";
import { callPartners } from "./request-ids.ts";
import { isThinkingBlock, requestLocations } from "./violation.ts";

const why = "the provider has refused it";

/** The context for reading a refusal. */
interface RefusalContext {
  /** The beta headers of the request. */
  readonly betas?: readonly string[];
  readonly logAddress?: string;
}

/**
 * The steps that take out of a view what a provider has refused, by the place that its words name: a field where they
 * name one, else the block, which becomes text; of a whole message everything but its text, and its text where there is
 * nothing else. What else is to be refused for the same reason goes with it, and so does the other half of a call, so
 * that one repair is enough. The newest thing said stays as it is: a request without it would ask for something else.
 * None where the words name nothing that stands here.
 */
export function refusedBlockSteps(
  items: readonly ViewItem[],
  words: string,
  { betas = [], logAddress }: RefusalContext = {},
): readonly RepairStep[] {
  const location = refusedLocation(words);
  if (!location) return [];
  const locations = requestLocations(items);
  const named = items.filter((item) => {
    const { message, content } = locations.get(item) ?? {};
    return message === location.message && (location.block === undefined || content === location.block);
  });
  const others = named.filter(({ block }) => !isBareText(block));
  const refused = others.length > 0 ? others : named;
  const isRefused = (item: ViewItem) =>
    refused.includes(item) || refused.some((one) => isAlike(one, item, location, betas));
  const steps = new Map<ViewItem, RepairStep>();
  const newest = items.findLast(({ role }) => role === "user")?.entry;
  const take = (item: ViewItem, path: readonly string[]) => {
    const isNewest = item.entry === newest && isBareText(item.block);
    const step = isNewest ? null : stepFor(item, path, logAddress);
    if (step) steps.set(item, step);
  };
  for (const item of items) if (isRefused(item)) take(item, location.path);
  const gone = [...steps].flatMap(([item, { repair }]) => (repair === "to-text" ? item : []));
  for (const partner of callPartners(items, gone).values()) if (!steps.has(partner)) take(partner, []);
  return items.flatMap((item) => steps.get(item) ?? []);
}

/**
 * Whether what was refused of one item is to be refused of another one: the same field, the same value of a field, a type
 * that nobody knows, a beta that the request lacks, or thinking, of which a provider takes all or nothing.
 */
function isAlike(
  { block, role }: ViewItem,
  other: ViewItem,
  { path, block: isBlockNamed }: RefusedLocation,
  betas: readonly string[],
): boolean {
  if (role !== other.role) return false;
  const isSameType = block.type === other.block.type;
  if (withoutField(block, path)) return isSameType && withoutField(other.block, path) !== null;
  if (isThinkingBlock(block)) return isBlockNamed !== undefined && isThinkingBlock(other.block);
  if (isSameType && !commonTypes.has(block.type)) return true;
  if (isSameType) {
    const value = namedValue(block, path);
    return value !== undefined && value === namedValue(other.block, path);
  }
  if (role !== "assistant") return false;
  if (isUnknown(block)) return isUnknown(other.block);
  if (shareBeta(block.type, other.block.type)) return true;
  const lacksBeta = (one: ContentBlock) => missingBeta(one.type, betas) !== undefined;
  return lacksBeta(block) && lacksBeta(other.block);
}

/** Types whose blocks differ too much for one to speak for all. */
const commonTypes: ReadonlySet<string> = new Set(["text", "tool_use", "tool_result", "image", "document"]);

const isUnknown = ({ type }: ContentBlock) => !commonTypes.has(type) && !answerBlockFields(type);

function isBareText(block: ContentBlock): boolean {
  return isBlock(block, "text") && Object.keys(block).length === 2;
}

function stepFor(item: ViewItem, path: readonly string[], logAddress?: string): RepairStep | null {
  const { block, entry, index } = item;
  const location = { entry, block: index };
  const toText = (text: string): RepairStep => ({ repair: "to-text", place: location, text });
  const mark = readBackMark(entry, logAddress);
  const lighter = withoutField(block, path);
  if (lighter) return { repair: "replace-block", place: location, block: lighter, why };
  if (isThinkingBlock(block)) return { repair: "drop-block", place: location, why };
  if (isBlock(block, "text")) {
    const note = `[A text was here: ${why} · ${mark}]`;
    return block.text === note ? null : toText(isBareText(block) ? note : block.text);
  }
  if (isBlock(block, "tool_use"))
    return toText(`[Call ${block.id} of ${block.name}]\n${JSON.stringify(block.input ?? {})}`);
  if (isBlock(block, "tool_result")) {
    const media = resultMedia(block).map(({ type }) => `[${type}]`);
    return toText([`[Result of the call ${block.tool_use_id}]`, resultText(block), ...media].join("\n"));
  }
  if (isBlock(block, "image"))
    return { repair: "replace-block", place: location, block: withoutImages(item, why, logAddress), why };
  return toText(
    isBlock(block, "document")
      ? `[A document was here: ${why} · ${mark}]`
      : unsentText(block, entry, logAddress),
  );
}

/** Without them a block is none of its type. */
const required: ReadonlySet<string> = new Set([
  "type",
  "id",
  "name",
  "input",
  "text",
  "thinking",
  "signature",
  "data",
  "tool_use_id",
  "content",
  "source",
]);

/**
 * A block without the field that a path of the API names, such as `tool_use.caller` or `content.0.foo`: tags of the
 * API's own that no value has a field for are passed over. Of the block itself only a field goes that it can be without;
 * inside its fields, what stands deepest. `null` where the path names no such field.
 */
export function withoutField(block: ContentBlock, path: readonly string[]): ContentBlock | null {
  const keys = keysIn(block, path[0] === block.type ? path.slice(1) : path);
  const [first] = keys;
  if (first === undefined) return null;
  if (!required.has(first)) return cut(block, [first]) as ContentBlock;
  return keys.length > 1 && first !== "input" ? (cut(block, keys) as ContentBlock) : null;
}

/** The value, as JSON, that a path of the API leads to in a block; absent where it names no field but its type. */
function namedValue(block: ContentBlock, path: readonly string[]): string | undefined {
  const keys = keysIn(block, path[0] === block.type ? path.slice(1) : path);
  if (keys.length === 0 || keys[0] === "type") return undefined;
  return JSON.stringify(
    keys.reduce<unknown>((value, key) => (value as Readonly<Record<string, unknown>>)[key], block),
  );
}

/** The keys along a path that are there. */
function keysIn(value: unknown, path: readonly string[]): readonly string[] {
  const keys: string[] = [];
  let now = value;
  for (const name of path) {
    if (typeof now !== "object" || now === null || !Object.hasOwn(now, name)) continue;
    keys.push(name);
    now = (now as Readonly<Record<string, unknown>>)[name];
  }
  return keys;
}

function cut(value: unknown, [key, ...rest]: readonly string[]): unknown {
  const left = (name: string, one: unknown) =>
    name !== key ? [one] : rest.length === 0 ? [] : [cut(one, rest)];
  if (Array.isArray(value)) return value.flatMap((one, at) => left(String(at), one));
  return Object.fromEntries(
    Object.entries(value as object).flatMap(([name, one]) => left(name, one).map((kept) => [name, kept])),
  );
}

const wherePattern = /messages\.(\d+)\.content\.(\d+)/;

/**
 * The steps that take out the image a provider has refused, by the place that its words name; where they name none, all
 * images of the newest message that has any.
 */
export function refusedImageSteps(
  items: readonly ViewItem[],
  words: string,
  logAddress?: string,
): readonly RepairStep[] {
  const locations = requestLocations(items);
  const withImages = items.filter(({ block }) => imagesIn(block).length > 0);
  const [, message, content] = wherePattern.exec(words) ?? [];
  const named = withImages.filter((item) => {
    const location = locations.get(item);
    return location?.message === Number(message) && location.content === Number(content);
  });
  const newest = locations.get(withImages.at(-1) as ViewItem)?.message;
  const refused =
    named.length > 0 ? named : withImages.filter((item) => locations.get(item)?.message === newest);
  return refused.map((item) => ({
    repair: "replace-block",
    place: { entry: item.entry, block: item.index },
    block: withoutImages(item, "the provider has refused it", logAddress),
    why: "the provider has refused an image",
  }));
}

/** The block that a provider names as the reason of a refusal. */
interface RefusedLocation {
  readonly message: number;
  /** Absent where the whole message is named. */
  readonly block?: number;
  /** The path behind the block: `tool_use`, `caller`. Names of fields, numbers, and tags of the API's own. */
  readonly path: readonly string[];
}

const pattern = /\bmessages\.(\d+)((?:\.\w+)*)/;

/** The place in a refusal such as `messages.3.content.1.tool_use.foo: …`; `null` where the words name none. */
export function refusedLocation(words: string): RefusedLocation | null {
  const [, message, rest = ""] = pattern.exec(words) ?? [];
  if (message === undefined) return null;
  const [content, block, ...path] = rest.split(".").slice(1);
  const isBlock = content === "content" && block !== undefined && /^\d+$/.test(block);
  return { message: Number(message), ...(isBlock && { block: Number(block) }), path: isBlock ? path : [] };
}
