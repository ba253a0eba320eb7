import type { ShellScan } from "./shell-scan.ts";

interface HereDocument {
  readonly delimiter: string;
  /** Nothing in it is substituted. */
  readonly isQuoted: boolean;
  /** Tabs at the beginnings of its lines do not count. */
  readonly isIndented: boolean;
  readonly texts: string[];
}

export interface HereDocuments {
  /** Gives what will hold the text, once it was read. */
  expect(written: string, isIndented: boolean): readonly string[];
  /** Reads what was expected: it begins at this line. */
  take(): void;
}

/** `expand` gives what a text is once its substitutions ran. */
export function createHereDocuments(
  scan: ShellScan,
  expand: (body: string) => readonly string[],
): HereDocuments {
  let waiting: HereDocument[] = [];
  const endless = new Set<string>();

  /** The lines up to the delimiter; `undefined` where it never comes. */
  function bodyOf({ delimiter, isQuoted, isIndented }: HereDocument): string | undefined {
    const lines: string[] = [];
    for (let at = scan.at; at < scan.text.length; ) {
      let line = "";
      do {
        const end = scan.text.indexOf("\n", at);
        const part = scan.text.slice(at, end < 0 ? undefined : end);
        at = end < 0 ? scan.text.length : end + 1;
        line = (line === "" ? "" : line.slice(0, -1)) + (isIndented ? part.replace(/^\t+/, "") : part);
      } while (!isQuoted && /(?:^|[^\\])(?:\\\\)*\\$/.test(line) && at < scan.text.length);
      if (line === delimiter) {
        scan.at = at;
        return lines.join("\n");
      }
      lines.push(line);
    }
    return undefined;
  }

  return {
    expect(written, isIndented) {
      const delimiter = written
        .replace(/\\\n/g, "")
        .replace(
          /\$?(['"])([\s\S]*?)\1|\\([\s\S])/g,
          (_, _mark, inside?: string, one?: string) => inside ?? one ?? "",
        );
      const texts: string[] = [];
      waiting.push({ delimiter, isQuoted: /['"\\]/.test(written), isIndented, texts });
      return texts;
    },
    take() {
      const documents = waiting;
      waiting = [];
      for (const document of documents) {
        const { delimiter, isQuoted, texts } = document;
        const body = endless.has(delimiter) ? undefined : bodyOf(document);
        if (body === undefined) endless.add(delimiter);
        else texts.push(body, ...(isQuoted ? [] : expand(body)));
      }
    },
  };
}
