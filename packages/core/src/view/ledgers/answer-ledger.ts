import type { AnswerRecord, FindingRecord } from "../../spec/index.ts";
import { copyText } from "../copy-text.ts";
import { soundsLikeReply } from "../intents/request-words.ts";
import { lastQuestion } from "../sentences.ts";
import { findingLines } from "./finding-lines.ts";
import { boundedText, sharedList } from "./ledger-parts.ts";

/** How much of an answer the ledger keeps; the whole is recalled by its id. */
export const maxAnswerLength = 12_000;
/** How many findings are kept, the newest ones. */
export const maxFindings = 300;
/** A longer reply says by itself what it is about. */
const maxReplyChars = 160;

/** Everything the ledgers know of answers at some entry. Plain data that never changes. */
export interface AnswerSnapshot {
  readonly answers: readonly AnswerRecord[];
  readonly findings: readonly FindingRecord[];
  /** The response that is being written, where the agent spoke last, and how many answers were there before it. */
  readonly writing: LedgerState | null;
  /** The user has said nothing since the newest answer. */
  readonly isNewest: boolean;
}

interface LedgerState {
  readonly response: string | undefined;
  readonly before: number;
  readonly calls: boolean;
}

export const noAnswers: AnswerSnapshot = { answers: [], findings: [], writing: null, isNewest: false };

/** Words of the agent's: one entry of a response, of which several may follow each other. */
interface SpokenPart {
  readonly entry: string;
  readonly seq: number;
  readonly text: string;
  readonly response: string | undefined;
  readonly hasCalls: boolean;
}

/** Answers and findings, kept up to date entry by entry. An entry costs what is new in it. */
export interface AnswerWriter {
  /** An entry of the agent's. */
  speak(part: SpokenPart): void;
  /** An entry that is not the agent's: its response is over. */
  end(): void;
  /** The user said something. */
  reply(entry: string, seq: number, text: string): void;
  readonly answers: readonly AnswerRecord[];
  readonly findings: readonly FindingRecord[];
  snapshot(): AnswerSnapshot;
}

export function createAnswers(start: AnswerSnapshot = noAnswers): AnswerWriter {
  const answers = sharedList(start.answers);
  const findings = sharedList(start.findings);
  let { writing, isNewest } = start;

  function addFindings(found: readonly FindingRecord[]): void {
    if (found.length === 0) return;
    const list = findings.own();
    list.push(...found);
    if (list.length > maxFindings) list.splice(0, list.length - maxFindings);
  }

  const onTheWay = ({ entry, seq, text }: Pick<SpokenPart, "entry" | "seq" | "text">) =>
    findingLines(text).map((line) => ({ entry, seq, text: copyText(line) }));

  /** The response goes on with a call: what it said ended nothing. */
  function withdraw(before: number): void {
    if (answers.value.length === before) return;
    addFindings(answers.own().splice(before).flatMap(onTheWay));
    isNewest = false;
  }

  return {
    speak(part) {
      const { entry, seq, text, response, hasCalls } = part;
      const isSame = writing !== null && (writing.response === response || response === undefined);
      if (!isSame || writing === null) writing = { response, before: answers.value.length, calls: false };
      if (hasCalls) {
        withdraw(writing.before);
        writing = { ...writing, calls: true };
      }
      if (text.trim() === "") return;
      if (writing.calls) addFindings(onTheWay(part));
      else {
        answers.own().push({ entry, seq, text: boundedText(text, maxAnswerLength) });
        isNewest = true;
      }
    },
    end() {
      writing = null;
    },
    reply(entry, seq, text) {
      const isReply =
        text.length <= maxReplyChars && soundsLikeReply(text) && !/^\s*[/!]|[?？]\s*$/.test(text);
      const asked = isNewest && isReply ? answers.value.at(-1) : undefined;
      isNewest = false;
      const question = asked && lastQuestion(asked.text);
      if (question !== undefined) addFindings([{ entry, seq, text, question: copyText(question) }]);
    },
    get answers() {
      return answers.value;
    },
    get findings() {
      return findings.value;
    },
    snapshot: () => ({ answers: answers.share(), findings: findings.share(), writing, isNewest }),
  };
}
