import { cpus, totalmem } from "node:os";

/** The machine a number was measured on, without its name. */
export function machineLine() {
  const model = cpus()[0]?.model.trim() ?? "unknown CPU";
  return `${cpus().length} × ${model}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}, ${process.platform}`;
}
