/** What of a content predicts its tokens, beside the plain rule; the order is that of stored calibrations. */
export const featureNames = [
  "letters",
  "digits",
  "newlines",
  "spaces",
  "punctuation",
  "extraBytes",
  "opaqueBytes",
  "toolUses",
  "media",
] as const;

export type FeatureName = (typeof featureNames)[number];

/**
 * Counts that add up: the features of two contents together are the sum of both, so that what was added since a
 * response can be kept as one sum. In long texts the first five are projected from a sample.
 *
 * - `letters`: letters, and all characters beyond ASCII
 * - `spaces`: blanks, tabs and carriage returns
 * - `extraBytes`: UTF-8 bytes beyond one per UTF-16 unit; 0 for ASCII, 2 per character for Chinese
 * - `opaqueBytes`: thinking that the text does not show, as far as its signature or data tells
 * - `media`: images and documents; a small image is a part of one
 * - `plain`: tokens by the plain rule
 */
export type Features = Readonly<Record<FeatureName | "plain", number>>;

/** Features in the making. */
export type FeatureTally = { -readonly [Name in keyof Features]: number };

export function createTally(): FeatureTally {
  return {
    letters: 0,
    digits: 0,
    newlines: 0,
    spaces: 0,
    punctuation: 0,
    extraBytes: 0,
    opaqueBytes: 0,
    toolUses: 0,
    media: 0,
    plain: 0,
  };
}

export const noFeatures: Features = createTally();

export function addFeatures(one: Features, other: Features): Features {
  return {
    letters: one.letters + other.letters,
    digits: one.digits + other.digits,
    newlines: one.newlines + other.newlines,
    spaces: one.spaces + other.spaces,
    punctuation: one.punctuation + other.punctuation,
    extraBytes: one.extraBytes + other.extraBytes,
    opaqueBytes: one.opaqueBytes + other.opaqueBytes,
    toolUses: one.toolUses + other.toolUses,
    media: one.media + other.media,
    plain: one.plain + other.plain,
  };
}

/** In the order of `featureNames`. */
export function featureValues(features: Features): readonly number[] {
  return [
    features.letters,
    features.digits,
    features.newlines,
    features.spaces,
    features.punctuation,
    features.extraBytes,
    features.opaqueBytes,
    features.toolUses,
    features.media,
  ];
}
