export {
  createSecretMask,
  type MaskedSecret,
  type MaskedText,
  type SecretMask,
  type SecretMaskOptions,
} from "./create-secret-mask.ts";
export type { Detector } from "./detector.ts";
export type { SecretFinding } from "./known-tokens.ts";
export { createOwnMask, maskDraft, noMask, type OwnSecretMask } from "./own/create-own-mask.ts";
export { type OwnSecret, ownSecretsOf } from "./own/own-secrets.ts";
