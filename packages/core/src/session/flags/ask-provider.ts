import type {
  Client,
  EvaluationDetails,
  FlagValue,
  JsonValue,
  Logger,
  OpenFeatureAPI,
  Provider,
} from "@openfeature/server-sdk";
import type { Clock, FlagName, FlagValues } from "../../spec/index.ts";
import { withinTime } from "../../within-time.ts";
import { checkFlag, type FlagAnswer, flagNames, flagTable, killSwitchesFlag } from "./flag-table.ts";
import { isRetiredFlag, type RetiredFlag, retiredFlagNames } from "./retired-flags.ts";

/** Who is asking: what a provider's rules may look at. `targetingKey` names the subject. */
export type FlagContext = Readonly<Record<string, string | number | boolean>>;

export interface AskOptions {
  readonly clock: Clock;
  /** For set-up and all answers together. */
  readonly timeoutMs: number;
  readonly context: FlagContext;
}

export interface ProviderAnswers {
  readonly provider: string;
  readonly flags: Partial<FlagValues>;
  readonly killSwitches?: string;
  /** Flags that a mode has taken the place of, as far as it has them. */
  readonly retired: ReadonlyMap<RetiredFlag, boolean>;
  /** Why an answer cannot be used. */
  readonly failures: readonly { readonly flag: string; readonly reason: string }[];
  /** The failure besides single answers. */
  readonly problem?: string;
}

type AskedFlag = FlagName | RetiredFlag | typeof killSwitchesFlag;

const flags: readonly AskedFlag[] = [...flagNames, ...retiredFlagNames, killSwitchesFlag];

/** Asks an OpenFeature provider about every flag. Never rejects, and never takes longer than its time. */
export async function askProvider(provider: Provider, options: AskOptions): Promise<ProviderAnswers> {
  const { clock, timeoutMs, context } = options;
  const answers = new Map<AskedFlag, FlagAnswer>();
  let problem: string | undefined;

  async function ask(): Promise<void> {
    try {
      const connection = await connectProvider(provider);
      if (connection.problem !== undefined) problem = reasonOf(connection.problem);
      const asked = flags.map(async (flag) => {
        answers.set(flag, await answerOf(connection.client, flag, context));
      });
      await Promise.all(asked);
    } catch (cause) {
      problem = reasonOf(cause);
    }
  }

  const asked = ask().then(() => "answered");
  if ((await withinTime(asked, timeoutMs, clock)) === undefined) {
    const late: FlagAnswer = { answer: "failed", reason: `no answer within ${timeoutMs} ms` };
    for (const flag of flags) if (!answers.has(flag)) answers.set(flag, late);
  }
  return { provider: nameOf(provider), ...sortAnswers(new Map(answers)), ...(problem && { problem }) };
}

function sortAnswers(answers: ReadonlyMap<AskedFlag, FlagAnswer>) {
  const flags = new Map<string, unknown>();
  const retired = new Map<RetiredFlag, boolean>();
  const failures: { readonly flag: string; readonly reason: string }[] = [];
  for (const [flag, answer] of answers) {
    if (isRetiredFlag(flag)) {
      if (answer.answer === "given") retired.set(flag, answer.value === true);
    } else if (answer.answer === "given") flags.set(flag, answer.value);
    else if (answer.answer === "failed") failures.push({ flag, reason: answer.reason });
  }
  const killSwitches = flags.get(killSwitchesFlag);
  flags.delete(killSwitchesFlag);
  return {
    flags: Object.fromEntries(flags) as Partial<FlagValues>,
    ...(typeof killSwitches === "string" && { killSwitches }),
    retired,
    failures,
  };
}

async function answerOf(client: Client, flag: AskedFlag, context: FlagContext): Promise<FlagAnswer> {
  try {
    return toAnswer(flag, await evaluate(client, flag, { ...context }));
  } catch (cause) {
    return { answer: "failed", reason: reasonOf(cause) };
  }
}

function evaluate(
  client: Client,
  flag: AskedFlag,
  context: Record<string, string | number | boolean>,
): Promise<EvaluationDetails<FlagValue>> {
  if (flag === killSwitchesFlag) return client.getStringDetails(flag, "", context);
  if (isRetiredFlag(flag)) return client.getBooleanDetails(flag, false, context);
  const fallback = flagTable[flag].default;
  return typeof fallback === "boolean"
    ? client.getBooleanDetails(flag, fallback, context)
    : client.getObjectDetails(flag, { ...fallback } as JsonValue, context);
}

function toAnswer(flag: AskedFlag, details: EvaluationDetails<FlagValue>): FlagAnswer {
  const { value, reason, errorCode, errorMessage } = details;
  if (errorCode === "FLAG_NOT_FOUND" || reason === "DISABLED") return { answer: "absent" };
  if (errorCode !== undefined) {
    return { answer: "failed", reason: [errorCode, errorMessage].filter(Boolean).join(": ") };
  }
  if (isRetiredFlag(flag)) {
    // A provider that says what it was handed knows nothing of the flag.
    return reason === "DEFAULT" ? { answer: "absent" } : { answer: "given", value };
  }
  if (flag !== killSwitchesFlag) return checkFlag(flag, value);
  if (typeof value === "string") return { answer: "given", value };
  return { answer: "failed", reason: "expected a text of flag names, separated by commas" };
}

const unnamed = "without a name";

function nameOf(provider: Provider): string {
  try {
    return String(provider.metadata.name ?? unnamed);
  } catch {
    return unnamed;
  }
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error && cause.message !== "" ? cause.message : String(cause);
}

interface Connection {
  readonly client: Client;
  /** The error of the provider's set-up. It may answer all the same. */
  readonly problem?: unknown;
}

/**
 * OpenFeature keeps every provider it was given, and sets it up once. So each has one domain of its own for the life of
 * the process, shared by all sessions it is given to, and is never closed here: it belongs to whoever made it.
 */
const connections = new WeakMap<Provider, Promise<Connection>>();
let domains = 0;

/** Binds a provider to a client through OpenFeature, which is loaded here and nowhere else. Rejects if it cannot be bound. */
function connectProvider(provider: Provider): Promise<Connection> {
  const known = connections.get(provider);
  if (known) return known;
  const connection = bind(provider);
  connection.catch(ignore);
  connections.set(provider, connection);
  return connection;
}

async function bind(provider: Provider): Promise<Connection> {
  const { OpenFeature } = await import("@openfeature/server-sdk");
  const domain = freeDomain(OpenFeature);
  const problem = await OpenFeature.setProviderAndWait(domain, provider).then(
    () => undefined,
    (cause: unknown) => cause ?? "unknown",
  );
  if (OpenFeature.getProvider(domain) !== provider) throw problem ?? new TypeError("it is not a provider");
  const client = OpenFeature.getClient(domain).setLogger(silent);
  return { client, problem };
}

/** Another copy of the package in this process counts domains too, and taking one of its would close its provider. */
function freeDomain(api: OpenFeatureAPI): string {
  do domains += 1;
  while (api.getProvider(`palimpsest-${domains}`) !== api.getProvider());
  return `palimpsest-${domains}`;
}

/** Failures come back as data; nothing may write to a terminal that somebody is drawing on. */
const silent: Logger = { error: ignore, warn: ignore, info: ignore, debug: ignore };

function ignore(): void {}
