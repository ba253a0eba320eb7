/** Which options of a program change nothing; all others, shortened ones too, are taken to. */
export interface OptionRules {
  /** Letters that may stand alone or together behind one dash. */
  readonly letters?: string;
  /** Letters that take a value, behind them or as the next word; no other letter may stand before them. */
  readonly valued?: string;
  /** Long options, whole, with one or two dashes as they are written; a value may follow `=`. */
  readonly words?: readonly string[];
  /** A number behind one dash: `-20`. */
  readonly hasCount?: boolean;
  /** Words that are no options: how many at most; absent: any. */
  readonly maxOperands?: number;
  /** What such a word must look like. */
  readonly operand?: RegExp;
  /** What the first of them must look like, which must be there. */
  readonly firstOperand?: RegExp;
}

/**
 * Whether these words are only operands and options that the rules know. A dash makes an option behind `--` too: that
 * may be the value of the option before it.
 */
export function fitsRules(words: readonly string[], rules: OptionRules): boolean {
  const options = words.filter((word) => word.startsWith("-") && word !== "-" && word !== "--");
  const operands = words.filter((word) => !word.startsWith("-") || word === "-");
  const { maxOperands = Number.POSITIVE_INFINITY, operand, firstOperand } = rules;
  return (
    options.every((option) => isKnown(option, rules)) &&
    operands.length <= maxOperands &&
    (operand === undefined || operands.every((word) => operand.test(word))) &&
    (firstOperand === undefined || firstOperand.test(operands[0] ?? ""))
  );
}

function isKnown(
  option: string,
  { letters = "", valued = "", words = [], hasCount = false }: OptionRules,
): boolean {
  const [name = ""] = option.split("=");
  if (words.includes(name)) return true;
  if (option.startsWith("--")) return false;
  if (hasCount && /^-\d+$/.test(option)) return true;
  const first = option.charAt(1);
  return valued.includes(first) || [...option.slice(1)].every((letter) => letters.includes(letter));
}
