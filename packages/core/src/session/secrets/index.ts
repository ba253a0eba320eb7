export {
  createSecretMask,
  type MaskedSecret,
  type MaskedText,
  type SecretMask,
  type SecretMaskOptions,
} from "./create-secret-mask.ts";
export type { Detector } from "./detector.ts";
export { createOwnMask, noMask, type OwnSecretMask } from "./own/create-own-mask.ts";
export { maskDraft } from "./own/mask-draft.ts";
export { type OwnSecret, ownSecretsOf } from "./own/own-secrets.ts";
export type { SecretFinding } from "./secret-finding.ts";
