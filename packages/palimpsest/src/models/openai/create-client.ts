import type { OpenAI } from "openai";
import type { Connection } from "./connection.ts";

/** Waiting is judged by the caller's clock, not by the SDK: this is as long as a timer can be. */
export const maxTimerMs = 2_147_483_647;

/**
 * The official SDK, loaded when it is needed for the first time. It reads nothing from the machine's environment that
 * was handed in here, tries nothing again and prints nothing. Without a key none is sent.
 */
export async function createClient(
  { baseURL, apiKey }: Connection,
  environment: Readonly<Record<string, string | undefined>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<OpenAI> {
  const sdk = await import("openai");
  return new sdk.OpenAI({
    baseURL,
    apiKey: apiKey ?? "none",
    adminAPIKey: null,
    organization: environment.OPENAI_ORG_ID ?? null,
    project: environment.OPENAI_PROJECT_ID ?? null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: maxTimerMs,
    logLevel: "off",
    defaultHeaders: { ...(apiKey === undefined && { authorization: null }), ...headers },
  });
}
