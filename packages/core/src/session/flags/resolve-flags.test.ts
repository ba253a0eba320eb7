import {
  type EvaluationContext,
  FlagNotFoundError,
  InMemoryProvider,
  type JsonValue,
  OpenFeature,
  type Provider,
  type ResolutionDetails,
} from "@openfeature/server-sdk";
import { afterAll, describe, expect, it } from "vitest";
import { must } from "../../../../testing/src/conformance/outcomes.ts";
import { createVirtualClock, createVirtualDisk, createVirtualIds } from "../../../../testing/src/index.ts";
import type { Settings } from "../../spec/index.ts";
import { readSwitches } from "../../view/switches.ts";
import { loadSettings, trust } from "../settings/index.ts";
import { flagNames, flagTable } from "./flag-table.ts";
import { type ResolveFlagsOptions, resolveFlags } from "./resolve-flags.ts";
import { retiredFlagNames } from "./retired-flags.ts";

/** As a vendor would write it. */
class VendorProvider implements Provider {
  readonly metadata = { name: "vendor" };
  readonly runsOn = "server";
  readonly contexts: EvaluationContext[] = [];
  initialized = 0;
  closed = 0;

  constructor(readonly flags: Readonly<Record<string, unknown>>) {}

  async initialize(): Promise<void> {
    this.initialized += 1;
  }

  async onClose(): Promise<void> {
    this.closed += 1;
  }

  resolveBooleanEvaluation(name: string, _fallback: boolean, context: EvaluationContext) {
    return this.resolve<boolean>(name, context);
  }

  resolveStringEvaluation(name: string, _fallback: string, context: EvaluationContext) {
    return this.resolve<string>(name, context);
  }

  resolveNumberEvaluation(name: string, _fallback: number, context: EvaluationContext) {
    return this.resolve<number>(name, context);
  }

  resolveObjectEvaluation<Value extends JsonValue>(
    name: string,
    _fallback: Value,
    context: EvaluationContext,
  ) {
    return this.resolve<Value>(name, context);
  }

  private async resolve<Value>(name: string, context: EvaluationContext): Promise<ResolutionDetails<Value>> {
    this.contexts.push(context);
    if (!Object.hasOwn(this.flags, name)) throw new FlagNotFoundError(name);
    return { value: this.flags[name] as Value, reason: "TARGETING_MATCH" };
  }
}

function resolve(question: Partial<ResolveFlagsOptions> = {}) {
  return resolveFlags({ environment: {}, settings: {}, clock: createVirtualClock(), ...question });
}

const database = { address: "a database", values: {}, killed: [] };

afterAll(() => OpenFeature.clearProviders());

describe("resolveFlags", () => {
  it("gives the defaults where nobody says anything", async () => {
    const defaults = Object.fromEntries(flagNames.map((name) => [name, flagTable[name].default]));
    expect(await resolve()).toEqual({
      values: defaults,
      killSwitches: [],
      killedBy: {},
      given: {},
      sources: Object.fromEntries(flagNames.map((name) => [name, "default"])),
      warnings: [],
    });
  });

  it("gives frozen data of its own", async () => {
    const limits = { Bash: 5 };
    const flags = await resolve({ provider: new VendorProvider({ "tool-result-limits": limits }) });
    limits.Bash = 6;
    expect(flags.values["tool-result-limits"]).toEqual({ Bash: 5 });
    for (const part of [
      flags,
      flags.values,
      flags.values["tool-result-limits"],
      flags.sources,
      flags.warnings,
    ]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
    expect(Object.isFrozen(flagTable["tool-result-limits"].default)).toBe(false);
    expect(JSON.parse(JSON.stringify(flags))).toEqual(flags);
  });

  describe("listens in the order of precedence", () => {
    type Level =
      | "kill switch"
      | "option"
      | "environment"
      | "provider"
      | "store"
      | "local"
      | "project"
      | "user"
      | "default";
    const order: readonly Level[] = [
      "kill switch",
      "option",
      "environment",
      "provider",
      "store",
      "local",
      "project",
      "user",
      "default",
    ];
    const sources: Readonly<Record<Level, string>> = {
      "kill switch": "kill switch fold",
      option: "options.flags.fold",
      environment: "PALIMPSEST_FLAG_FOLD",
      provider: "flag provider vendor",
      store: "store a database",
      local: "settings.flags.fold",
      project: "settings.flags.fold",
      user: "settings.flags.fold",
      default: "default",
    };

    /** Has each of the levels say something about `fold`. */
    async function resolveLevels(says: ReadonlyMap<Level, boolean>) {
      const disk = createVirtualDisk();
      const paths = {
        user: "/home/settings.json",
        project: "/project/.palimpsest/settings.json",
        local: "/project/.palimpsest/settings.local.json",
      };
      for (const [level, path] of Object.entries(paths)) {
        const fold = says.get(level as Level);
        if (fold !== undefined) disk.writeWhole(path, JSON.stringify({ flags: { fold } }));
      }
      const option = says.get("option");
      const options: Settings = option === undefined ? {} : { flags: { fold: option } };
      const load = () => loadSettings({ disk, home: "/home", project: "/project", options });
      const location = { disk, home: "/home", clock: createVirtualClock(), ids: createVirtualIds() };
      for (const { content } of must(await load()).untrusted) must(await trust(location, content));
      const loaded = await load();
      if (!loaded.ok) throw loaded.error;
      const flags = {
        ...(says.has("provider") && { fold: says.get("provider") }),
        ...(says.has("kill switch") && { "kill-switches": "fold" }),
      };
      const variable = says.get("environment");
      return resolve({
        options,
        settings: loaded.value.settings,
        environment: variable === undefined ? {} : { PALIMPSEST_FLAG_FOLD: String(variable) },
        provider: new VendorProvider(flags),
        ...(says.has("store") && { stored: { ...database, values: { fold: says.get("store") } } }),
      });
    }

    const neighbours = order
      .slice(0, -1)
      .map((stronger, position) => [stronger, order[position + 1]!] as const);

    it.each(neighbours)("%s before %s", async (stronger, weaker) => {
      for (const said of stronger === "kill switch" ? [false] : [true, false]) {
        const { values, sources: decided } = await resolveLevels(
          new Map([
            [stronger, said],
            [weaker, !said],
          ]),
        );
        expect({ value: values.fold, source: decided.fold }).toEqual({
          value: said,
          source: sources[stronger],
        });
      }
    });

    it("each of them, with everyone weaker saying otherwise", async () => {
      for (const [position, level] of order.slice(1, -1).entries()) {
        const weaker = order.slice(position + 2, -1);
        const says = new Map([[level, true], ...weaker.map((other) => [other, false] as const)]);
        const flags = await resolveLevels(says);
        expect(flags.values.fold).toBe(true);
        expect(flags.sources.fold).toBe(sources[level]);
        expect(flags.given).toEqual({ fold: true });
      }
    });
  });

  it("hears a store's kill switches over everybody, and passes over what a newer program has put there", async () => {
    const flags = await resolve({
      options: { flags: { fold: true, dream: true } },
      environment: { PALIMPSEST_FLAG_KILL_SWITCHES: "dream" },
      stored: {
        ...database,
        values: { fold: true, snip: "yes", hologram: 1 },
        killed: ["fold", "dream", "hologram"],
      },
    });
    expect(flags.values).toMatchObject({ fold: false, dream: false, snip: true });
    expect(flags.killSwitches).toEqual(["fold", "dream"]);
    expect(flags.killedBy).toEqual({ fold: "store a database", dream: "PALIMPSEST_FLAG_KILL_SWITCHES" });
    expect(flags.warnings.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^The flag snip on a database is not used: /),
    ]);
  });

  it("has kill switches from environment and provider, added up", async () => {
    const { values, killSwitches, given } = await resolve({
      options: { flags: { compact: true } },
      environment: { PALIMPSEST_FLAG_KILL_SWITCHES: "dream , tool-result-limits" },
      provider: new VendorProvider({ "kill-switches": "compact\nsnip", fold: true, compact: true }),
      settings: { flags: { "tool-result-limits": { Bash: 5 } } },
    });
    expect(killSwitches).toEqual(["tool-result-limits", "compact", "snip", "dream"]);
    expect(values).toMatchObject({ compact: false, snip: false, dream: false, "tool-result-limits": {} });
    expect(given).toEqual({ fold: true });
  });

  it("warns of a kill switch that names no flag", async () => {
    const { killSwitches, warnings } = await resolve({
      environment: { PALIMPSEST_FLAG_KILL_SWITCHES: "compct, everything" },
      provider: new VendorProvider({ "kill-switches": "dreams" }),
    });
    expect(killSwitches).toEqual([]);
    expect(warnings).toEqual([
      {
        setting: "PALIMPSEST_FLAG_KILL_SWITCHES",
        value: "compct",
        message: 'PALIMPSEST_FLAG_KILL_SWITCHES: there is no flag "compct" to kill; did you mean compact?',
      },
      {
        setting: "PALIMPSEST_FLAG_KILL_SWITCHES",
        value: "everything",
        message: expect.stringMatching(/"everything" to kill; known flags: tool-result-limits, clear, /),
      },
      {
        setting: "flag provider vendor",
        value: "dreams",
        message: 'flag provider vendor: there is no flag "dreams" to kill; did you mean dream?',
      },
    ]);
  });

  it("gives the switches what they need: kill switches first, settings where no flag was given", async () => {
    const settings: Settings = { sessionNotesEnabled: false, compactEnabled: true };
    const provider = new VendorProvider({ "kill-switches": "compact", fold: true, clear: false });
    const { killSwitches, given } = await resolve({ settings, provider });
    const options = { compactEnabled: true, microcompactEnabled: true };
    expect(readSwitches({ killSwitches, options, flags: given, settings })).toMatchObject({
      compact: false,
      microcompact: true,
      sessionNotes: false,
      sources: {
        compact: "kill switch compact",
        microcompact: "options.microcompactEnabled",
        sessionNotes: "settings.sessionNotesEnabled",
        folding: "kill switch compact",
      },
    });
  });

  it("hears flags of old from a provider as the mode thrifty, and from one that says false nothing", async () => {
    const told = async (flags: Readonly<Record<string, unknown>>) => {
      const { thriftyBy, warnings } = await resolve({ provider: new VendorProvider(flags) });
      return { thriftyBy, warnings: warnings.map(({ message }) => message) };
    };
    expect(await told({ "compact-early": true, "read-references": false })).toEqual({
      thriftyBy: "flag provider vendor",
      warnings: [
        'flag provider vendor: compact-early is read as economy "thrifty" now; set that instead',
        'flag provider vendor: read-references has no effect: it is part of economy "thrifty" now; remove it',
      ],
    });
    expect(await told({ "compact-early": "on" })).toMatchObject({ thriftyBy: undefined });
    expect(await told({})).toEqual({ thriftyBy: undefined, warnings: [] });
  });

  it("tells the provider who is asking", async () => {
    const provider = new VendorProvider({});
    await resolve({ provider, context: { targetingKey: "session_1", project: "a-12345678" } });
    expect(provider.contexts).toHaveLength(flagNames.length + retiredFlagNames.length + 1);
    expect(provider.contexts[0]).toEqual({ targetingKey: "session_1", project: "a-12345678" });
  });

  it("sets a provider up once for all sessions and never closes it", async () => {
    const provider = new VendorProvider({ fold: true });
    const together = await Promise.all([resolve({ provider }), resolve({ provider })]);
    expect([...together, await resolve({ provider })].map(({ values }) => values.fold)).toEqual([
      true,
      true,
      true,
    ]);
    const other = await resolve({ provider: new VendorProvider({ fold: false, dream: false }) });
    expect(other.values).toMatchObject({ fold: false, dream: false });
    expect(provider).toMatchObject({ initialized: 1, closed: 0 });
  });

  it("leaves alone what the application has set up in OpenFeature", async () => {
    const theirs = new VendorProvider({ fold: true });
    const domains = Array.from({ length: 99 }, (_, position) => `palimpsest-${position + 1}`);
    const free = domains.filter((domain) => OpenFeature.getProvider(domain) === OpenFeature.getProvider());
    for (const domain of free) await OpenFeature.setProviderAndWait(domain, theirs);
    expect((await resolve({ provider: new VendorProvider({ dream: false }) })).values.dream).toBe(false);
    expect(free.filter((domain) => OpenFeature.getProvider(domain) !== theirs)).toEqual([]);
    expect((await resolve({ provider: theirs })).values.fold).toBe(true);
    expect(theirs).toMatchObject({ initialized: 1, closed: 0 });
  });

  it("works with the provider that OpenFeature ships", async () => {
    const variants = { on: true, off: false };
    const provider = new InMemoryProvider({
      fold: { variants, defaultVariant: "on", disabled: false },
      dream: { variants, defaultVariant: "off", disabled: true },
    });
    expect(await resolve({ provider, settings: { flags: { dream: false } } })).toMatchObject({
      values: { fold: true, dream: false },
      sources: { fold: "flag provider in-memory", dream: "settings.flags.dream" },
      warnings: [],
    });
  });
});
