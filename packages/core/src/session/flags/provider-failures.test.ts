import { OpenFeature, type Provider, ProviderFatalError } from "@openfeature/server-sdk";
import { afterAll, describe, expect, it, vi } from "vitest";
import { createVirtualClock } from "../../../../testing/src/index.ts";
import { providerTimeoutMs, resolveFlags } from "./resolve-flags.ts";

type Answer = (name: string) => unknown;

function createProvider(answer: Answer, more: Partial<Provider> = {}): Provider {
  const resolve = (name: string) => answer(name) as never;
  return {
    metadata: { name: "shaky" },
    resolveBooleanEvaluation: resolve,
    resolveStringEvaluation: resolve,
    resolveNumberEvaluation: resolve,
    resolveObjectEvaluation: resolve,
    ...more,
  };
}

/** Never answers; `reached` says when it was first asked. */
function createHang() {
  let reach: () => void = () => undefined;
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const never = () => {
    reach();
    return new Promise<never>(() => undefined);
  };
  return { reached, never };
}

const absent = () => Promise.resolve({ value: false, errorCode: "FLAG_NOT_FOUND", reason: "ERROR" });
const settings = { flags: { fold: true } };

function resolve(provider: Provider, clock = createVirtualClock()) {
  return resolveFlags({ provider, settings, environment: {}, clock });
}

afterAll(() => OpenFeature.clearProviders());

/** The flags left when the provider gives nothing. */
const behind = {
  values: { fold: true, clear: true },
  sources: { fold: "settings.flags.fold", clear: "default" },
};

describe("a provider that fails", () => {
  it.each<[string, Answer]>([
    [
      "throws",
      () => {
        throw new Error("boom");
      },
    ],
    ["rejects", () => Promise.reject(new Error("boom"))],
    [
      "answers with an error",
      () => Promise.resolve({ value: 1, errorCode: "GENERAL", errorMessage: "boom" }),
    ],
  ])("and %s leaves the word to settings and defaults, with one warning", async (_, answer) => {
    const resolved = await resolve(createProvider(answer));
    expect(resolved).toMatchObject(behind);
    expect(resolved.warnings).toEqual([
      {
        setting: "flag provider shaky",
        value: "every flag",
        message:
          "The flag provider shaky failed on every flag: GENERAL: boom. Settings and defaults are used.",
      },
    ]);
  });

  it("fails on single flags only for those", async () => {
    const provider = createProvider((name) => {
      if (name === "dream") return Promise.resolve({ value: false });
      if (name === "clear" || name === "snip") return Promise.reject(new Error("boom"));
      return absent();
    });
    expect(await resolve(provider)).toMatchObject({
      values: { dream: false, fold: true, clear: true },
      warnings: [{ value: "clear, snip" }],
    });
  });

  it.each([
    ["clear", "yes", 'expected true or false, got "yes"'],
    ["clear", undefined, "expected true or false, got undefined"],
    ["tool-result-limits", { Bash: "9" }, 'Bash: expected a whole number ≥ 1, got "9"'],
    ["kill-switches", ["clear"], "expected a text of flag names, separated by commas"],
  ])("is not believed that %s is %j", async (flag, value, reason) => {
    const provider = createProvider((name) => (name === flag ? Promise.resolve({ value }) : absent()));
    const { values, warnings } = await resolve(provider);
    expect(values).toMatchObject({ clear: true, "tool-result-limits": {} });
    expect(warnings).toEqual([
      {
        setting: "flag provider shaky",
        value: flag,
        message: `The flag provider shaky failed on ${flag}: ${reason}. Settings and defaults are used.`,
      },
    ]);
  });

  it.each<[string, unknown]>([
    ["undefined", undefined],
    ["null", null],
    ["a text", "on"],
  ])("may answer with %s instead of an answer", async (_, nothing) => {
    expect(await resolve(createProvider(() => Promise.resolve(nothing)))).toMatchObject(behind);
  });

  it("is asked all the same when its set-up failed, as OpenFeature has it", async () => {
    const provider = createProvider(
      (name) => (name === "dream" ? Promise.resolve({ value: false }) : absent()),
      {
        initialize: () => Promise.reject(new Error("no network")),
      },
    );
    for (const resolved of [await resolve(provider), await resolve(provider)]) {
      expect(resolved).toMatchObject({ values: { dream: false, fold: true } });
      expect(resolved.warnings).toEqual([
        {
          setting: "flag provider shaky",
          value: "",
          message:
            "The flag provider shaky failed: no network. Where it has no answer, settings and defaults are used.",
        },
      ]);
    }
  });

  it("is not asked when its set-up failed for good", async () => {
    const answer = vi.fn(absent);
    const provider = createProvider(answer, {
      initialize: () => Promise.reject(new ProviderFatalError("wrong key")),
    });
    const resolved = await resolve(provider);
    expect(resolved).toMatchObject(behind);
    expect(resolved.warnings.map(({ value }) => value)).toEqual(["", "every flag"]);
    expect(answer).not.toHaveBeenCalled();
  });

  it.each<[string, Provider | unknown]>([
    ["is made for browsers", createProvider(absent, { runsOn: "client" })],
    ["has no name", { ...createProvider(absent), metadata: undefined }],
    ["is no provider", "vendor"],
    ["has nothing at all", {}],
  ])(
    "is refused when it %s, and the application's own provider is not asked instead",
    async (_, provider) => {
      const theirs = vi.fn(() => Promise.resolve({ value: false }));
      await OpenFeature.setProviderAndWait(createProvider(theirs, { metadata: { name: "theirs" } }));
      const resolved = await resolve(provider as Provider);
      expect(resolved).toMatchObject(behind);
      expect(resolved.warnings).toHaveLength(1);
      expect(resolved.warnings[0]?.message).toMatch(
        /^The flag provider .* failed: .*\. Where it has no answer, /,
      );
      expect(theirs).not.toHaveBeenCalled();
    },
  );

  it("writes nothing to the terminal", async () => {
    const spies = (["log", "info", "warn", "error", "debug"] as const).map((name) => vi.spyOn(console, name));
    await resolve(createProvider(() => Promise.reject(new Error("boom"))));
    await resolve(createProvider(absent, { initialize: () => Promise.reject(new Error("boom")) }));
    const fail = () => {
      throw new Error("boom");
    };
    await resolve(createProvider(absent, { hooks: [{ error: fail, finally: fail }] }));
    for (const spy of spies) {
      expect(spy).not.toHaveBeenCalled();
      spy.mockRestore();
    }
  });
});

describe("a provider that hangs", () => {
  it.each<[string, (never: () => Promise<never>) => Provider]>([
    ["in its answers", (never) => createProvider(never)],
    ["in its set-up", (never) => createProvider(absent, { initialize: never })],
    ["in a hook", (never) => createProvider(absent, { hooks: [{ before: never }] })],
  ])("%s is waited for as long as agreed and no longer", async (_, create) => {
    const clock = createVirtualClock();
    const hang = createHang();
    const provider = create(hang.never);
    let isResolved = false;
    const resolving = resolve(provider, clock).finally(() => {
      isResolved = true;
    });
    await hang.reached;
    await clock.advance(providerTimeoutMs - 1);
    expect(isResolved).toBe(false);
    await clock.advance(1);
    expect(await resolving).toMatchObject({
      ...behind,
      warnings: [
        {
          setting: "flag provider shaky",
          value: "every flag",
          message:
            "The flag provider shaky failed on every flag: no answer within 1000 ms. Settings and defaults are used.",
        },
      ],
    });
    expect(clock.sleeping).toBe(0);
  });

  it("on one flag is believed on the others", async () => {
    const clock = createVirtualClock();
    const hang = createHang();
    const provider = createProvider((name) => {
      if (name === "compact") return hang.never();
      return name === "dream" ? Promise.resolve({ value: false }) : absent();
    });
    const resolving = resolve(provider, clock);
    await hang.reached;
    await clock.advance(providerTimeoutMs);
    expect(await resolving).toMatchObject({
      values: { dream: false, compact: true },
      sources: { dream: "flag provider shaky", compact: "default" },
      warnings: [{ value: "compact" }],
    });
  });

  it("and answers too late changes nothing any more", async () => {
    const clock = createVirtualClock();
    let answerLate: (answer: unknown) => void = () => undefined;
    const late = new Promise((resolve) => {
      answerLate = resolve;
    });
    const resolving = resolve(
      createProvider(() => late),
      clock,
    );
    await clock.advance(providerTimeoutMs);
    const resolved = await resolving;
    const before = structuredClone(resolved);
    answerLate({ value: false });
    await clock.advance(1);
    expect(resolved).toEqual(before);
  });

  it("and fails too late goes unheard", async () => {
    const clock = createVirtualClock();
    const slow = async () => {
      await clock.sleep(5 * providerTimeoutMs);
      throw new Error("too late");
    };
    const resolving = resolve(createProvider(absent, { initialize: slow }), clock);
    await clock.advance(10 * providerTimeoutMs);
    expect((await resolving).warnings).toHaveLength(1);
  });

  it("is given the time that the caller says", async () => {
    const clock = createVirtualClock();
    const provider = createProvider(createHang().never);
    const resolving = resolveFlags({ provider, settings, environment: {}, clock, timeoutMs: 5 });
    await clock.advance(5);
    expect((await resolving).warnings[0]?.message).toMatch(/no answer within 5 ms/);
  });

  it("keeps no sleep behind once it has answered", async () => {
    const clock = createVirtualClock();
    await resolve(createProvider(absent), clock);
    expect(clock.sleeping).toBe(0);
  });
});
