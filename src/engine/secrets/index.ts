export {
  createSecretMask,
  type MaskedSecret,
  type MaskedText,
  type SecretMask,
  type SecretMaskOptions,
} from "./create-secret-mask.ts";
export type { Detector } from "./detector.ts";
export type { SecretFinding } from "./secret-finding.ts";
