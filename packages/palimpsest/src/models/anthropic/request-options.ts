/** The longest timer there is: the SDK's own clock must never end what is still alive. */
const neverMs = 2_147_483_647;

/** How every request is sent: once, with its betas, until the signal ends it. */
export function requestOptions(request: {
  readonly betas: readonly string[];
  readonly signal: AbortSignal;
  readonly body?: object;
}) {
  const { betas, body, signal } = request;
  return {
    ...(body && { body }),
    ...(betas.length > 0 && { headers: { "anthropic-beta": betas.join(",") } }),
    maxRetries: 0,
    timeout: neverMs,
    signal,
  };
}
