// Fails in every package and tells of each error whether it is of the one class.
import * as core from "@palimpsest/core";
import * as spec from "@palimpsest/core/spec";
import * as testing from "@palimpsest/testing";
import * as whole from "palimpsest";
import { createGateway } from "palimpsest/gateway";
import { serveMcpHttp } from "palimpsest/mcp";
import { anthropic } from "palimpsest/models/anthropic";
import { openFileStore } from "palimpsest/stores/files";
import { createEmulator } from "palimpsest/testing";

const absent = { id: "absent", resume: true };
const ways: Readonly<Record<string, () => unknown>> = {
  "openSession of @palimpsest/core": () => core.openSession(absent),
  "openSession of palimpsest": () => whole.openSession(absent),
  "openMemory of palimpsest": () => whole.openMemory({ databaseUrl: "nowhere://" }),
  "palimpsest/testing": () => createEmulator({ seed: "no/seed" }),
  "@palimpsest/testing": () => testing.createVirtualClock().advance(-1),
  "palimpsest/gateway": () => createGateway({ upstream: "ftp://127.0.0.1" }),
  "palimpsest/models/anthropic": () => anthropic("claude-opus-4-5", { baseURL: "nowhere" }),
  "palimpsest/mcp": () => serveMcpHttp(),
  "palimpsest/stores/files": async () => {
    const opened = await openFileStore({ project: "here" });
    const found = opened.ok ? await opened.value.blobs.get("absent", "0".repeat(64)) : opened;
    if (!found.ok) throw found.error;
  },
};

const classes = [core.PalimpsestError, spec.PalimpsestError, whole.PalimpsestError];
const told: Record<string, unknown> = { classes: new Set(classes).size };
for (const [name, fail] of Object.entries(ways)) {
  try {
    await fail();
    told[name] = "did not fail";
  } catch (error) {
    const isOurs = error instanceof whole.PalimpsestError && error.constructor === core.PalimpsestError;
    told[name] = isOurs || String(error);
  }
}
console.log(JSON.stringify(told));
