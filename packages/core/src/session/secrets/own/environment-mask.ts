import { createOwnMask, type OwnSecretMask } from "./create-own-mask.ts";
import { ownSecretsOf } from "./own-secrets.ts";

export type EnvironmentMask = Pick<OwnSecretMask, "text" | "value" | "error">;

/** Masks the keys of an environment, where no session's mask is at hand; made with the first text. */
export function createEnvironmentMask(
  environment: Readonly<Record<string, string | undefined>>,
): EnvironmentMask {
  let mask: OwnSecretMask | undefined;
  const made = () => {
    mask ??= createOwnMask(ownSecretsOf({ environment }));
    return mask;
  };
  return {
    text: (text) => made().text(text),
    value: (value) => made().value(value),
    error: (error) => made().error(error),
  };
}
