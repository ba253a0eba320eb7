import { foldText } from "./fold-text.ts";
import { englishWords, foreignOrders, orderVerbs, orderWords } from "./imperative-words.ts";
import { namesAddress } from "./names-address.ts";
import { setsNorm } from "./sets-norm.ts";
import { unmaskWords } from "./unmask-words.ts";

const programs =
  "apt|apt-get|awk|bash|brew|cargo|cat|chmod|chown|cmd|cp|crontab|curl|dd|deno|docker|eval|exec|find|gh|git|go|gpg|helm|iex|java|kubectl|ln|make|mkfs|mv|nc|ncat|node|npm|npx|openssl|perl|php|pip|pip3|pnpm|powershell|pwsh|python|python3|rm|rsync|ruby|scp|sed|sh|source|ssh|su|sudo|systemctl|tar|tee|uv|uvx|wget|xargs|yarn|zsh|bun|bunx";
const command = new RegExp(
  [
    String.raw`(?:^|\n)\s*(?:[-*>]\s+|\d+[.)]\s+)?(?:\$|%|>)\s+\S`,
    String.raw`(?:^|\n)\s*#\s+(?:[.~]{0,2}/\S|[\w.-]+\s+(?:-{1,2}\w|[.~]{0,2}/\S))`,
    String.raw`(?:^|[\n;|&(:"'])\s*(?:[-*]\s+)?(?:sudo\s+)?(?:\.{0,2}/[\w./-]*)?(?:${programs})\s+(?:-{1,2}\w|[\w./~$-])`,
    String.raw`\b(?:run|running|runs|execut\w+|typ(?:e|ing)|invok\w+|using|via|with|call\w*)\s+(?:the\s+)?(?:command\s+)?["']?(?:${programs})\s+\S`,
    String.raw`\|\s*(?:ba|z|da)?sh\b`,
    String.raw`\b(?:rm|mv|cp|chmod)\s+-\w`,
    String.raw`&&|\|\||\$\(|>\s*/|/dev/tcp|base64\s+-d|--?no-verify|--force\b|<script\b`,
  ].join("|"),
);
/** Scripts that are not read here, and Latin letters that no language writes and no lookalike is known of. */
const foreignScript =
  /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]|[\u1d00-\u1dbf\ua720-\ua7ff]/u;

/** So many words without a single English one: nobody here can tell what they say. */
const minJudgedWords = 5;

/**
 * Whether a text asks for something: an order, an address or a command to follow, or words in a language that is not
 * understood here. For untrusted text, where a fact that is held back costs a confirmation and an order that is not costs
 * more: it errs on that side.
 */
export function isImperative(text: string): boolean {
  const folded = foldText(text);
  const plain = folded.replaceAll(/[*_~#]+/g, "");
  if (isForeign(plain)) return true;
  const spoken = [plain, joined(plain)];
  const read = [...spoken, ...spoken.map(unmaskWords)];
  if ([folded, unmaskWords(folded), ...read].some(isHit)) return true;
  if (read.flatMap(sentencesOf).some(beginsWithOrder)) return true;
  const words = plain.match(/\p{L}{2,}/gu) ?? [];
  return words.length >= minJudgedWords && !englishWords.test(plain);
}

/** So many words of a name can be an order; fewer are a topic. */
const minOrderedWords = 4;

/**
 * Whether the name of a file asks for something: indexes list it, so that it is read as a sentence is. A few words name a
 * topic, such as `run-tests`, unless one of them makes an order wherever it stands.
 */
export function isImperativePath(path: string): boolean {
  const folded = foldText(path);
  return pathAsks(folded) || pathAsks(unmaskWords(folded));
}

function pathAsks(folded: string): boolean {
  const parts = folded
    .replace(/\.md$/, "")
    .split("/")
    .map((part) => part.replaceAll(/[-_\s]+/g, " ").trim());
  const spoken = parts.join(" ");
  if (orderWords.test(spoken) || namesAddress(spoken) || isForeign(spoken)) return true;
  if (spoken.split(/[^\p{L}\p{N}]+/u).length < minOrderedWords) return false;
  return isHit(spoken) || parts.flatMap(sentencesOf).some(beginsWithOrder);
}

function isForeign(text: string): boolean {
  return foreignScript.test(text.replaceAll(/[^\p{L}]/gu, ""));
}

function isHit(text: string): boolean {
  return (
    setsNorm(text) ||
    orderWords.test(text) ||
    foreignOrders.test(text) ||
    namesAddress(text) ||
    command.test(text)
  );
}

/** Letters set apart ("r u n", "a.l.w.a.y.s") are read as the word they make. */
function joined(text: string): string {
  return text.replaceAll(/\b(?:\p{L}[ .\-_]){2,}\p{L}\b/gu, (letters) => letters.replaceAll(/[ .\-_]/g, ""));
}

function sentencesOf(text: string): readonly string[] {
  return text.split(
    /[.!?;:,\n\u2014\u2013()"'`]+|\s-\s|\b(?:and|then|or|but|so|also|just|simply|first|next|finally)\b/,
  );
}

const politeness =
  /^(?:\s|[-*>•\d]|(?:also|just|simply|first|next|finally|now|note|important|todo|action|step)\b)*/;

function beginsWithOrder(sentence: string): boolean {
  const [, verb = "", next = ""] = /^(\p{L}+)(?:\s+(\S+))?/u.exec(sentence.replace(politeness, "")) ?? [];
  return orderVerbs.has(verb) && !/^(?:is|are|was|were|has|had|of|in|for|on|at|by)$/.test(next);
}
