import { describe, expect, it } from "vitest";
import { createVirtualClock } from "../../../../testing/src/index.ts";
import { resolveConfig } from "../session-config.ts";
import { readAssignedSettings } from "./assigned-settings.ts";
import { environmentParts } from "./load-settings.ts";
import { withNewNames } from "./old-settings.ts";
import { readSettings } from "./read-settings.ts";

const read = (where: string) => `${where} is read as economy "thrifty" now; set that instead`;
const unused = (where: string) => `${where} has no effect: it is part of economy "thrifty" now; remove it`;
const origin = { file: "settings.json", path: "/settings.json" };

async function ofFile(text: string) {
  const settings = await readSettings(Buffer.from(text), origin);
  if (!settings.ok) throw settings.error;
  const { value } = settings;
  return [value.settings, value.warnings.map(({ message }) => message)];
}

describe("flags that the mode thrifty has taken the place of", () => {
  it.each(["compact-early", "read-references"])("are read in a settings file: %s", async (name) => {
    expect(await ofFile(`{\n  "flags": { "${name}": true, "fold": true }\n}`)).toEqual([
      { economy: "thrifty", flags: { fold: true } },
      [`settings.json:2:14: ${read(`flags.${name}`)}`],
    ]);
  });

  it("have no effect where they are off, beside the mode, and with a value that they never had", async () => {
    expect(await ofFile('{"flags": {"compact-early": false}}')).toEqual([
      { flags: {} },
      [`settings.json:1:12: ${unused("flags.compact-early")}`],
    ]);
    expect(await ofFile('{"economy": "faithful", "flags": {"compact-early": true}}')).toEqual([
      { economy: "faithful", flags: {} },
      [`settings.json:1:35: ${unused("flags.compact-early")}`],
    ]);
    expect(await ofFile('{"flags": {"read-references": "yes"}}')).toEqual([
      { flags: {} },
      [`settings.json:1:12: ${unused("flags.read-references")}`],
    ]);
  });

  it("leave alone what has none of them", () => {
    for (const value of [{ flags: { fold: true } }, { flags: "x" }, { economy: "thrifty" }])
      expect(withNewNames(value)).toEqual({ settings: value, found: [] });
  });

  it("are read in the environment, where a variable of the mode is stronger", () => {
    const told = (environment: Record<string, string>) => {
      const read = environmentParts(environment);
      if (!read.ok) throw read.error;
      const [all, ...parts] = read.value;
      return [
        parts.map(({ source, settings }) => [source, settings]),
        all?.warnings.map((one) => one.message),
      ];
    };
    const variable = "PALIMPSEST_FLAG_COMPACT_EARLY";
    expect(told({ [variable]: "on" })).toEqual([[[variable, { economy: "thrifty" }]], [read(variable)]]);
    expect(told({ [variable]: "0" })).toEqual([[], [unused(variable)]]);
    expect(told({ [variable]: "1", PALIMPSEST_ECONOMY: "faithful" })).toEqual([
      [["PALIMPSEST_ECONOMY", { economy: "faithful" }]],
      [unused(variable)],
    ]);
    expect(told({ [variable]: "perhaps" })).toEqual([[], [expect.stringContaining('ignored: "perhaps" is')]]);
  });

  it("are taken on a command line, and told of by whoever is given them", () => {
    expect(readAssignedSettings(["flags.compact-early=true"])).toEqual({
      ok: true,
      value: { flags: { "compact-early": true } },
    });
    expect(readAssignedSettings(["flags.compact-earl=true"])).toMatchObject({ ok: false });
  });
});

describe("the mode of a session", () => {
  async function modeOf(options: object, environment: Record<string, string> = {}, more = {}) {
    const asked = { model: "claude-sonnet-4-5", options, environment, clock: createVirtualClock(), ...more };
    const config = await resolveConfig(asked);
    if (!config.ok) throw config.error;
    return [config.value.settings.economy, config.value.warnings.map(({ message }) => message)];
  }

  it("is nothing that was set, unless somebody sets it: options before the environment", async () => {
    expect(await modeOf({})).toEqual([undefined, []]);
    expect(await modeOf({ economy: "faithful" }, { PALIMPSEST_ECONOMY: "thrifty" })).toEqual([
      "faithful",
      [],
    ]);
    expect(await modeOf({}, { PALIMPSEST_ECONOMY: "thrifty" })).toEqual(["thrifty", []]);
  });

  it("is thrifty by a flag of old, with one warning", async () => {
    const flags = { "compact-early": true };
    expect(await modeOf({ flags })).toEqual(["thrifty", [`options: ${read("flags.compact-early")}`]]);
    expect(await modeOf({}, { PALIMPSEST_FLAG_READ_REFERENCES: "1" })).toEqual([
      "thrifty",
      [read("PALIMPSEST_FLAG_READ_REFERENCES")],
    ]);
  });

  it("is thrifty by a store's flag of old where nobody sets it", async () => {
    const store = (value: boolean, killed: readonly string[] = []) => ({
      storedFlags: { address: "postgres://db", values: { "compact-early": value }, killed },
    });
    const where = "store postgres://db: compact-early";
    expect(await modeOf({}, {}, store(true))).toEqual(["thrifty", [read(where)]]);
    expect(await modeOf({ economy: "faithful" }, {}, store(true))).toEqual(["faithful", [read(where)]]);
    expect(await modeOf({}, {}, store(false))).toEqual([undefined, [unused(where)]]);
    expect(await modeOf({}, {}, store(true, ["compact-early"]))).toEqual([undefined, [unused(where)]]);
  });

  it("is not changed by a kill switch of old, which says so", async () => {
    const variable = "PALIMPSEST_FLAG_KILL_SWITCHES";
    expect(await modeOf({ economy: "thrifty" }, { [variable]: "compact-early" })).toEqual([
      "thrifty",
      [unused(`${variable}: compact-early`)],
    ]);
  });

  it("holds for a session that has opened, whatever is set then", async () => {
    expect((await modeOf({}, { PALIMPSEST_ECONOMY: "thrifty" }, { economy: "faithful" }))[0]).toBe(
      "faithful",
    );
  });
});
