import { PassThrough, Writable } from "node:stream";
import { runCommandLine } from "../../packages/palimpsest/build/surfaces/cli/run-command-line.js";

/** Runs one command line after the other, each with folder, environment and streams of its own, as `main.ts` does. */

function replaceStream(name, value) {
  Object.defineProperty(process, name, { value, configurable: true });
}

function collect(chunks) {
  return new Writable({
    write(chunk, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
}

async function run({ args, cwd, environment, input }) {
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, environment);
  const [stdout, stderr] = [[], []];
  const stdin = new PassThrough();
  stdin.end(Buffer.from(input, "base64"));
  replaceStream("stdin", stdin);
  replaceStream("stdout", collect(stdout));
  replaceStream("stderr", collect(stderr));
  const code = await runCommandLine(args, new AbortController().signal);
  const text = (chunks) => Buffer.concat(chunks).toString("utf8");
  return { code, stdout: text(stdout), stderr: text(stderr) };
}

process.on("message", async (order) => process.send(await run(order)));
process.on("disconnect", () => process.exit());
