import { spawn } from "node:child_process";

/** Hands an address to the program that opens pages here; says so where there is none. */
export function openBrowser(url: string, platform: string, onFailure: (reason: string) => void): void {
  const program = platform === "darwin" ? "open" : "xdg-open";
  const child = spawn(program, [url], { stdio: "ignore", detached: true });
  child.on("error", (cause) => onFailure(`${program} cannot be run: ${cause.message}`));
  child.unref();
}
