import { interpreters, plainReaders } from "./running-programs.ts";
import { anyWords } from "./unknown-text.ts";

/** Options whose value is a command, whatever the program. */
const commandOption =
  /^--(?:exec(?:-batch)?|command|cmd|call|shell|script-shell|rsh|rsync-path|pager|editor|(?:to|info|rmt|rsh|unzip|sendmail|proxy)-command|(?:use-)?compress-program|(?:info|new-volume)-script|checkpoint-action|entrypoint|startas|open-files-in-pager|extcmd|upload-pack|receive-pack|\w+-cmd|(?:tree|index|msg|env|parent|commit|tag-name)-filter|on-\w+|preexec|postexec)$/;

/** Programs with more of them; a short one may stand at the end of a bundle, or before its value in one word. */
const programOptions: Readonly<Record<string, readonly string[]>> = {
  ansible: ["-a"],
  chokidar: ["-c"],
  compgen: ["-C", "-F"],
  complete: ["-C", "-F"],
  docker: ["--entrypoint"],
  fc: ["-e"],
  fd: ["-x", "-X"],
  fdfind: ["-x", "-X"],
  git: ["-x", "-O", "-u"],
  go: ["-exec", "-toolexec"],
  man: ["-P", "-H"],
  mapfile: ["-C"],
  nc: ["-e", "-c", "--sh-exec"],
  ncat: ["-e", "-c", "--sh-exec"],
  npm: ["-c"],
  npx: ["-c"],
  readarray: ["-C"],
  rg: ["--pre", "--hostname-bin"],
  rsync: ["-e"],
  scp: ["-S"],
  script: ["-c"],
  sftp: ["-S"],
  sort: ["--compress-program"],
  split: ["--filter"],
  "start-stop-daemon": ["-x", "-a"],
  tar: ["-I", "-F"],
  tcpdump: ["-z"],
  xterm: ["-e"],
  zip: ["-TT"],
};

/** Values of these are said, looked for or shown, and not run. */
const saidName =
  /(?:^|[-.])(?:author|body|cause|comment|content|committer|date|desc|description|exclude|format|glob|grep|include|label|message|msg|name|notes?|pattern|pretty|prompt|query|reason|regexp?|search|subject|summary|text|title|trailer)$/i;
const saidLetters = /^-[a-zA-Z]*?[bdfFHkmnqStv]/;
const sshCommand = /^(?:-o\s*)?(?:proxy|local|remote|knownhosts)command(?:\s*=\s*|\s+)([\s\S]+)$/i;
const gitCommandKey =
  /^[\w-]+\..*(?:askpass|clean|cmd|command|editor|external|fsmonitor|helper|pager|process|program|proxy|smudge|textconv|driver)$/i;

/** Commands that options give to a program, each a program or text with the words behind it. */
export function* commandsInOptions(name: string, rest: readonly string[]): Generator<readonly string[]> {
  const own = Object.hasOwn(programOptions, name) ? (programOptions[name] ?? []) : [];
  const isReader = (plainReaders.has(name) && name !== "git") || interpreters.has(name);
  for (const [position, word] of rest.entries()) {
    const behind = () => rest.slice(position + 1);
    const isCommand = (option: string) => own.includes(option) || (!isReader && commandOption.test(option));
    if (isCommand(word) || own.some((option) => isBundle(word, option))) yield withoutSigns(behind());
    if (name === "tar" && /^-?[a-zA-Z]*[IF]/.test(word))
      for (const [at] of rest.slice(position + 1, position + 5).entries())
        yield rest.slice(position + 1 + at);
    const inWord =
      own.map((option) => attachedValue(word, option)).find((value) => value !== undefined) ??
      sshCommand.exec(word)?.[1] ??
      /^\+[^!]*!([\s\S]+)$/.exec(word)?.[1] ??
      (isReader ? undefined : /^!(\S+\s[\s\S]*)$/.exec(word)?.[1]) ??
      (isReader || isSaid(rest[position - 1]) ? undefined : namedValue(name, word, isCommand));
    if (inWord !== undefined) yield withoutSigns([inWord, ...behind()]);
  }
}

/** The next word is the value of an option that only says something. */
function isSaid(option = ""): boolean {
  return /^-[a-zA-Z]*[dfFHmt]$|^--(?:data|field|form|header)/.test(option);
}

function isBundle(word: string, option: string): boolean {
  return /^-\w$/.test(option) && /^-[a-zA-Z]{2,}$/.test(word) && word.endsWith(option.slice(1));
}

function attachedValue(word: string, option: string): string | undefined {
  if (option.length > 2 && word.startsWith(`${option}=`)) return word.slice(option.length + 1);
  if (option.length > 2) return undefined;
  const at = /^-[^-]/.test(word) ? word.indexOf(option.slice(1)) : -1;
  const isBehindLetters = at > 0 && /^-[a-zA-Z]*$/.test(word.slice(0, at));
  return isBehindLetters ? word.slice(at + option.length - 1) || undefined : undefined;
}

/** `--name=VALUE`, `name=VALUE`, `-xVALUE`: where the name says that it is a command, or the value is several words. */
function namedValue(name: string, word: string, isCommand: (option: string) => boolean): string | undefined {
  const [, option = "", value = ""] = /^([\w.:-]+?)=([\s\S]+)$/.exec(word) ?? [];
  if (isCommand(option)) return value;
  const isSeveral = /\S\s+\S/.test(value) && !saidName.test(option) && !/^[A-Z_\d]+$/.test(option);
  if (isSeveral && (name !== "git" || option.startsWith("--"))) return value;
  const short =
    name === "git" || saidLetters.test(word) ? undefined : /^-[a-zA-Z]([^=]*\s[\s\S]*)$/.exec(word);
  return short?.[1];
}

/** `exec=`, `!` and `|` stand before the command itself. */
function withoutSigns([first = "", ...rest]: readonly string[]): readonly string[] {
  return [first.replace(/^(?:\s|exec=|command=|[!|@])+/, ""), ...rest];
}

/** The commands git would run as its settings say; a single word is a text of the shell. */
export function* gitCommands(rest: readonly string[]): Generator<readonly string[]> {
  for (const [position, word] of rest.entries()) {
    if (word.startsWith("ext::")) yield [word.slice("ext::".length).replaceAll("% ", "\\ ")];
    if (word === "send-pack" || word === "http-push") yield ["git", "push", ...rest.slice(position + 1)];
    if (/^--config-env=alias\./i.test(word)) yield ["git", anyWords];
    const [, key = "", , value = rest[position + 1] ?? ""] =
      /^(?:-c|--config-env=)?([\w-]+\.[^=]+)(=([\s\S]*))?$/.exec(word) ?? [];
    if (gitCommandKey.test(key)) yield withoutSigns([value]);
    if (!/^alias\./i.test(key)) continue;
    yield value.startsWith("!") ? [value.slice(1)] : ["git", ...value.split(/\s+/).filter(Boolean)];
  }
}

const substitution =
  /(?:^|[\s;{}\d$!/,])s([^\w\s\\])((?:\\[\s\S]|(?!\1)[^\\])*)\1((?:\\[\s\S]|(?!\1)[^\\])*)\1([gpimIM0-9]*e?)/g;

/** GNU sed runs what stands behind `e`, and with that flag what it has made. */
export function sedCommands(rest: readonly string[]): readonly string[] {
  const isRunning = runsLines(rest);
  return rest.flatMap((word) => {
    const command = /(?:^|[\d$;{}/!\n\s])e\s+([^\n]+)/.exec(withoutSubstitutions(word))?.[1];
    const made = [...word.matchAll(substitution)].filter(
      ([, , , , flags]) => isRunning || flags?.endsWith("e"),
    );
    return [...(command === undefined ? [] : [command]), ...made.map(([, , , text = ""]) => text)];
  });
}

/** Whether a script lets sed run the lines that it reads, as they are or changed. */
export function runsLines(rest: readonly string[]): boolean {
  return rest.some(
    (word) =>
      /(?:^|[;{}\n])[ \t]*(?:\d+|\$|\/[^/]*\/)?[ \t]*e[ \t]*(?:$|[;}\n])/.test(withoutSubstitutions(word)) ||
      [...word.matchAll(substitution)].some(([, , , , flags]) => flags?.endsWith("e")),
  );
}

function withoutSubstitutions(script: string): string {
  return script.replace(substitution, ";");
}
