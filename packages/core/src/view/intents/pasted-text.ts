import { announcesRules } from "./order-words.ts";

/** How a line of a log, of a trace or of a difference between files begins. */
const machineLine = new RegExp(
  [
    String.raw`^\s*[[(]?\d{4}-\d\d-\d\d[T\s,/]`,
    String.raw`^\s*[[(]?\d{1,2}:\d\d:\d\d\b`,
    String.raw`^\s*[[(]?(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL)\b[\])]?[\s:]`,
    String.raw`^\s+at \S+[.(]`,
    String.raw`^\s*File "[^"]+", line \d`,
    String.raw`^\s*(?:Caused by|Suppressed|Traceback)\b`,
    String.raw`^\s*(?:[\w$]+\.)*\w+(?:Error|Exception|Warning):`,
    String.raw`^[+-](?:\t| {3,})\S`,
    String.raw`^(?:@@|\+\+\+|---|diff --git) \S`,
    String.raw`^\s*[A-Z][\w-]* \S+\[\d+\]:`,
    String.raw`^\s*(?://|/\*|#!|#include\b|(?:import|export|const|let|var|public|private|protected|func|def|class) [\w{*$]+.*[({=;:]|(?:if|for|while|switch) ?\(|return\b.*;|[{}][\s;,)]*$)`,
  ].join("|"),
);
/** How a line of code ends. */
const codeEnd = /[;{}]\s*$/;
/** Of a line only its beginning and its end tell what it is: longer ones cost no more. */
const maxLookedChars = 300;
/** What stands at the head of a mail, in the languages that orders are heard in. */
const mailHeader =
  /^\s*>?\s*(?:from|to|cc|bcc|subject|date|sent|von|an|betreff|datum|gesendet|de|à|objet|date|envoyé|para|asunto|fecha|发件人|收件人|抄送|主题|日期|差出人|宛先|件名|日時)\s*[:：]\s*\S/iu;
/** A line that parts what is pasted from what is asked behind it. */
const separator = /^\s*(?:[-=_*~]\s*){3,}$/;
const introduces = /[:：]\s*$/;
/** Below a line that ends in a colon, more than this is pasted, unless the line announces rules of the user's own. */
const maxBelowChars = 500;
const maxLastChars = 500;
const heading =
  /(?<![\p{L}])(?:rules?|conventions?|constraints?|requirements?|guidelines?|instructions?|important|remember|always|never|regeln?|vorgaben?|wichtig|règles?|consignes?|reglas?|normas?)(?![\p{L}])|规则|规矩|规定|要求|约定|注意|ルール|規則|約束|決まり/iu;

/**
 * A message with what its author pasted blanked out, every character of the rest where it was: lines that programs write,
 * mails, and long texts below a line that introduces them. The last paragraph is the author's own where it may be.
 */
export function maskPasted(text: string): string {
  const lines = text.split("\n");
  const heads = lines.map((line) => line.slice(0, maxLookedChars));
  const pasted = lines.map(
    (line, at) => machineLine.test(heads[at] ?? "") || codeEnd.test(line.slice(-maxLookedChars)),
  );
  for (let at = 0; at < lines.length; at += 1) {
    const isMail = mailHeader.test(heads[at] ?? "") && mailHeader.test(heads[at + 1] ?? "");
    const from = isMail ? at : introducedAt(lines, at);
    if (from === undefined) continue;
    const to = endOfPaste(lines, from, isMail && hasText(lines.slice(0, from), 0));
    const chars = lines.slice(from, to).reduce((sum, line) => sum + line.length + 1, 0);
    if (!isMail && chars < maxBelowChars) continue;
    pasted.fill(true, from, to);
    at = to - 1;
  }
  return lines.map((line, at) => (pasted[at] ? line.replaceAll(/\S/g, " ") : line)).join("\n");
}

/** Where the text begins that this line introduces. */
function introducedAt(lines: readonly string[], at: number): number | undefined {
  const line = lines[at] ?? "";
  if (!introduces.test(line.slice(-maxLookedChars))) return undefined;
  const isOwn = heading.test(line) || announcesRules.test(line.toLowerCase());
  return isOwn ? undefined : at + 1;
}

/** `isAsked`: what is wanted stands before it already. */
function endOfPaste(lines: readonly string[], from: number, isAsked: boolean): number {
  const parted = lines.findLastIndex(
    (line, at) => at > from && separator.test(line.slice(0, maxLookedChars)),
  );
  if (parted !== -1 && lines.slice(parted + 1).some((line) => line.trim() !== "")) return parted + 1;
  if (isAsked) return lines.length;
  const last = lines.findLastIndex((line, at) => at > from && line.trim() === "" && hasText(lines, at + 1));
  if (last === -1) return lines.length;
  const end = lines.slice(last + 1).join("\n");
  return end.length <= maxLastChars && !/^\s*[-*•\d]/.test(end) ? last + 1 : lines.length;
}

function hasText(lines: readonly string[], from: number): boolean {
  return lines.slice(from).some((line) => line.trim() !== "");
}
