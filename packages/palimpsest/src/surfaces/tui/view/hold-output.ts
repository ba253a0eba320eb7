/** A terminal's output that can be held back: what is written meanwhile comes when it is let go. */
export interface HeldOutput {
  readonly stdout: NodeJS.WriteStream;
  hold(): void;
  release(): void;
}

/** Everything but writing is the terminal's own. */
export function holdOutput(terminal: NodeJS.WriteStream): HeldOutput {
  const held: (string | Uint8Array)[] = [];
  let isHeld = false;
  const write = (chunk: string | Uint8Array) => {
    if (!isHeld) return terminal.write(chunk);
    held.push(chunk);
    return true;
  };
  const stdout = new Proxy(terminal, {
    get(target, name) {
      if (name === "write") return write;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return {
    stdout,
    hold() {
      isHeld = true;
    },
    release() {
      isHeld = false;
      for (const chunk of held.splice(0)) terminal.write(chunk);
    },
  };
}
