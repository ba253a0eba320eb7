import { firstChars } from "../quote-foreign.ts";
import { sentenceSpans } from "../sentences.ts";

const minChars = 20;
const maxChars = 400;
/** Of longer texts only the beginning is looked at. */
const maxTextChars = 20_000;

const words = (...all: readonly string[]) =>
  new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${all.join("|")})(?![\\p{L}\\p{N}_-])`, "iu");

/** Words with which a choice or a result is stated, and nothing else is. */
const stated = words(
  "root cause|the (?:real |actual )?(?:cause|culprit|reason|problem|bug|issue) (?:is|was)|(?:i|we)(?:'ve|’ve| have)? (?:decided|chose|chosen|concluded|confirmed)|decision|conclusion|finding|verdict",
  String.raw`(?:i|we)(?:'ve|’ve| have)? found (?!it\b|them\b)|turns out|turned out|it follows|rejected|ruled out|settled on|(?:i|we)(?:'ll|’ll| will)? (?:keep|leave|stay with|go with)|(?:instead of|rather than) [^.]{3,80} (?:because|since|so that)`,
  "ursache|grund (?:ist|war|dafür)|(?:ich habe|wir haben) (?:entschieden|beschlossen|festgestellt|gefunden)|entscheidung|entschieden|ergebnis|befund|es stellt sich heraus|stellte sich heraus|wir (?:bleiben bei|behalten|nehmen)|ich (?:behalte|bleibe bei)",
  "la cause|cause racine|(?:j'ai|j’ai|nous avons|on a) (?:décidé|choisi|constaté|trouvé)|décision|conclusion|constat|il s'avère|on garde|nous gardons|je garde",
  "la causa|causa raíz|(?:he|hemos) (?:decidido|elegido|comprobado|encontrado)|decisión|conclusión|hallazgo|resulta que|mantenemos|me quedo con",
);
const statedWithoutSpaces =
  /根本原因|原因是|决定|结论|发现了|结果是|保留|采用|根因|原因は|決定|結論|判明|わかった|分かった|採用|ことにし/;

/** A reason in a line that is a point of a list, or says what is kept, used, done. */
const reasoned = words(
  "because|since|so that|due to|which is why|weil|da|damit|deshalb|wegen|parce que|puisque|car|afin de|porque|ya que|para que|debido a",
);
const reasonedWithoutSpaces = /因为|由于|所以|以便|なので|ため|から/;
const isPoint = /^(?:[-*•+]|\d{1,3}[.)])\s+/u;

/** What is about to be done is neither found nor decided. */
const announced =
  /^(?:[-*•+]\s+)?(?:(?:actually|wait|so|but|and|ok|okay|good|great|right),? )*(?:let me|let's|now,? (?:let me|i'll|i will)|i(?:'ll|’ll| will| am going to|'m going to) (?:check|look|see|start|run|read|search|try|now|first|investigate|find|verify|test|explore|examine)|next,? i|first,? (?:let me|i'll)|ich (?:schaue|prüfe|suche|lese|sehe)|je vais|voy a|让我|我来|まず|これから)/iu;

/**
 * The lines of an agent's text that state a decision or a finding, word for word and in their order. Few rather than
 * many: lines in code, questions and announcements are none.
 */
export function findingLines(text: string): readonly string[] {
  const lines: string[] = [];
  let fence = "";
  for (const line of firstChars(text, maxTextChars).split("\n")) {
    const mark = /^\s*(```+|~~~+)/.exec(line)?.[1] ?? "";
    if (mark !== "" && (fence === "" || mark.startsWith(fence))) fence = fence === "" ? mark : "";
    else if (fence === "") {
      const told = withoutAnnouncement(line.trim());
      if (isFinding(told)) lines.push(told);
    }
  }
  return lines;
}

/** What a line says before it says what comes next. */
function withoutAnnouncement(line: string): string {
  const spans = sentenceSpans(line);
  let end = line.length;
  for (const [from, to] of spans.toReversed()) {
    if (from === 0 || !announced.test(line.slice(from, to))) break;
    end = from;
  }
  return line.slice(0, end).trim();
}

function isFinding(line: string): boolean {
  if (line.length < minChars || line.length > maxChars || /[?？]\W*$/u.test(line) || announced.test(line))
    return false;
  if (/^\||^#/.test(line)) return false;
  if (stated.test(line) || statedWithoutSpaces.test(line)) return true;
  return isPoint.test(line) && (reasoned.test(line) || reasonedWithoutSpaces.test(line));
}
