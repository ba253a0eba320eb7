import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { createProcessTerminal } from "./process-terminal.ts";

/** A process with a keyboard and a screen. */
function processWith({ isTTY = true, columns = 100, environment = {} } = {}) {
  const stdin = Object.assign(new PassThrough(), { isTTY, raw: [] as boolean[] });
  Object.assign(stdin, { setRawMode: (mode: boolean) => stdin.raw.push(mode) });
  const screen = () => Object.assign(new PassThrough(), { isTTY, columns });
  const stdout = screen();
  const stderr = screen();
  const interrupting = new AbortController();
  const terminal = createProcessTerminal({
    stdin: stdin as unknown as NodeJS.ReadStream,
    stdout: stdout as unknown as NodeJS.WriteStream,
    stderr: stderr as unknown as NodeJS.WriteStream,
    environment,
    isColourRefused: false,
    interrupt: interrupting.signal,
  });
  const shown = (stream: PassThrough) => String(stream.read() ?? "");
  return { stdin, stdout, stderr, terminal, interrupting, shown };
}

describe("a process's terminal", () => {
  it("says no key of its environment once keys are hidden", async () => {
    const key = "Zk7-vQ2xR9pLm4TbW8";
    const { terminal, stderr, shown } = processWith({ environment: { MY_API_KEY: key } });
    await terminal.hideKeys();
    terminal.say(`error: ${key} was refused`);
    terminal.progress(`asking with ${key}`);
    const said = shown(stderr);
    expect(said).toContain("error: [masked: MY_API_KEY] was refused");
    expect(said).not.toContain(key);
  });

  it("asks on stderr and takes yes for yes, anything else for no", async () => {
    for (const [answer, expected] of [
      ["y\n", true],
      ["YES\r\n", true],
      ["\n", false],
      ["n\n", false],
      ["yellow\n", false],
    ] as const) {
      const { stdin, stdout, stderr, terminal, shown } = processWith();
      const asked = terminal.confirm("Delete it?");
      stdin.write(answer);
      expect(await asked).toBe(expected);
      expect([shown(stdout), shown(stderr)]).toEqual(["", "Delete it? [y/N] "]);
    }
  });

  it("takes the end of input for no", async () => {
    const { stdin, terminal } = processWith();
    const asked = terminal.confirm("Delete it?");
    stdin.end();
    expect(await asked).toBe(false);
  });

  it("asks for a line, and drops what was typed before it was asked", async () => {
    const { stdin, stderr, terminal, shown } = processWith();
    stdin.write("y\n");
    const asked = terminal.ask("Why? ");
    stderr.once("readable", () => stdin.write("because\r\n"));
    expect(await asked).toBe("because");
    expect(shown(stderr)).toBe("Why? ");
    stdin.end();
    expect(await terminal.ask("Why? ")).toBeNull();
  });

  it("does not show a secret while it is typed, and knows the keys for mistakes", async () => {
    const { stdin, stdout, stderr, terminal, shown } = processWith();
    const asked = terminal.askHidden("Secret: ");
    stdin.write("wrong\u0015hünter2x");
    stdin.write("\u007f3\r");
    expect(await asked).toBe("hünter23");
    expect(stdin.raw).toEqual([true, false]);
    expect([shown(stdout), shown(stderr)]).toEqual(["", "Secret: \n"]);
  });

  it("gives the terminal back when the person interrupts", async () => {
    const { stdin, terminal } = processWith();
    const asked = terminal.askHidden("Secret: ");
    stdin.write("half\u0003");
    await expect(asked).rejects.toMatchObject({ code: "aborted" });
    expect(stdin.raw).toEqual([true, false]);
  });

  it("stops waiting when it is interrupted from outside", async () => {
    const { terminal, interrupting } = processWith();
    const asked = terminal.confirm("Delete it?");
    interrupting.abort();
    await expect(asked).rejects.toMatchObject({ code: "aborted" });
  });

  it("writes nothing more once nobody reads, and says so to the command", async () => {
    const { stdout, terminal } = processWith();
    stdout.destroy(Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
    await new Promise((resolve) => setImmediate(resolve));
    await terminal.write("to nobody");
    expect([terminal.isClosed, terminal.signal.aborted]).toEqual([true, true]);
  });

  it("fails when the answer cannot be written for another reason", async () => {
    const { stdout, terminal } = processWith();
    stdout._write = (_chunk, _encoding, done) =>
      done(Object.assign(new Error("no space left"), { code: "ENOSPC" }));
    await expect(terminal.write("an answer")).rejects.toMatchObject({ code: "io" });
    expect(terminal.isClosed).toBe(false);
  });

  it("shows progress to people only, and clears it before anything else", async () => {
    const { stderr, terminal, shown } = processWith();
    terminal.progress("reading 10 %");
    terminal.say("done");
    expect(shown(stderr)).toBe("\r\u001b[Kreading 10 %\r\u001b[Kdone\n");
    const piped = processWith({ isTTY: false });
    piped.terminal.progress("reading 10 %");
    expect(piped.shown(piped.stderr)).toBe("");
  });

  it("is 80 columns wide unless the terminal says otherwise", () => {
    expect(processWith().terminal.columns).toBe(100);
    expect(processWith({ columns: 10 }).terminal.columns).toBe(40);
    expect(processWith({ isTTY: false }).terminal.columns).toBe(80);
  });
});
