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
