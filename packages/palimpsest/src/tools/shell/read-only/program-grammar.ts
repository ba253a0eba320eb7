/** The kind of an option's value to its program; `path` is read. */
export type ValueKind = "text" | "number" | "path";

export interface OptionForm {
  /** One for each value that it must have; more than one only as the words behind it. */
  readonly values: readonly ValueKind[];
  /** Its value, if any, stands in the same word: `-C3`, `--color=auto`. */
  readonly isOptional: boolean;
  readonly isAllowed: boolean;
  readonly isHarmful: boolean;
}

export interface ProgramGrammar {
  /**
   * Every option that the program has, divided by commas: its names divided by spaces, of one character for letters, and
   * then `=kind` for a value, `=kind+kind` for two, `[=kind]` for one that may be missing. `-abc` is a row of letters.
   * `!` before an option says that it may do harm, `?` that what it reads cannot be told: neither is allowed, but names of
   * files that might be options keep a pattern from a program with harmful ones only.
   */
  readonly options?: string;
  /**
   * `letters` is GNU's and POSIX's: letters in a row, the value behind its letter or in the next word, two dashes for long
   * ones. With `following`, values are the next words, one for each letter, while the row goes on. With `words` an option
   * is a whole word behind one dash or two; with `none` every word is an operand. `letters` when absent.
   */
  readonly style?: "letters" | "following" | "words" | "none";
  /** Long options may be shortened as far as they stay unique. */
  readonly isShortening?: boolean;
  /** A number behind a dash is an option: `-20`. */
  readonly hasCount?: boolean;
  /** No option stands behind the first operand: `last` where such words are operands, `refused` where systems differ. */
  readonly optionsAfterOperand?: "last" | "refused";
  /** The kind of operands; `path` when absent. */
  readonly operands?: "path" | "text" | "none";
  readonly maxOperands?: number;
  /** The form of every operand. */
  readonly operand?: RegExp;
  /** Operands that are marks of an expression, not paths. */
  readonly marks?: RegExp;
  /** One of these options must be given: without it the program does something else. */
  readonly needsOption?: readonly string[];
  /** The first operand is no path and must look so, unless one of these options was given: `[pattern, ...names]`. */
  readonly firstOperand?: readonly [RegExp, ...string[]];
  /** Everything below what it is given is read: always, or with one of these options. */
  readonly recursion?: "always" | readonly string[];
  /** Options with which it goes down through links, all of one row together. */
  readonly followsLinks?: readonly (readonly string[])[];
  /** Without one of these options it reads through links that lie in folders that are its operands. */
  readonly keepsLinks?: readonly string[];
  /** Without operands it reads the working folder: always, or when it goes down. */
  readonly folderByDefault?: "always" | "recursive";
  /** Below a folder it reads names only, not contents. */
  readonly isListing?: boolean;
}

export type OptionForms = ReadonlyMap<string, OptionForm>;

const entrySyntax = /^([!?]?)([^=[]+)(?:=([a-z+]+)|\[=([a-z]+)\])?$/;

/** The options that a notation names, letters and long ones alike; those of one entry are one form. */
export function readOptionForms(notation: string): OptionForms {
  const forms = new Map<string, OptionForm>();
  for (const entry of notation.split(/[,\n]/).map((text) => text.trim())) {
    const [, mark, names = "", required, optional] = entrySyntax.exec(entry) ?? [];
    const form: OptionForm = {
      values: (required ?? optional ?? "").split("+").filter((kind) => kind !== "") as ValueKind[],
      isOptional: optional !== undefined,
      isAllowed: mark === "",
      isHarmful: mark === "!",
    };
    for (const name of names.trim().split(" ")) {
      if (/^-./.test(name)) for (const letter of name.slice(1)) forms.set(letter, { ...form });
      else if (name !== "") forms.set(name, form);
    }
  }
  return forms;
}

/** The option of this long name, whole or, where the program shortens, as far as it is unique among all it has. */
export function findLong(name: string, forms: OptionForms, isShortening: boolean): OptionForm | undefined {
  const exact = name.length > 1 ? forms.get(name) : undefined;
  if (exact !== undefined || !isShortening || name === "") return exact;
  const meant = new Set(
    [...forms].filter(([long]) => long.length > 1 && long.startsWith(name)).map(([, form]) => form),
  );
  return meant.size === 1 ? [...meant][0] : undefined;
}

/** An option or a further operand of it may do harm. */
export function isGuarded(
  { maxOperands, operand, firstOperand }: ProgramGrammar,
  forms: OptionForms,
): boolean {
  const hasHarmful = [...forms.values()].some(({ isHarmful }) => isHarmful);
  return hasHarmful || maxOperands !== undefined || operand !== undefined || firstOperand?.length === 1;
}
