/** What ids of dreams begin with; the session in which a model dreams has the dream's id. */
export const dreamPrefix = "dream";

/** Such sessions are about memory itself: they are neither counted nor searched by dreams. */
export function isDreamSession(session: string): boolean {
  return session.startsWith(`${dreamPrefix}_`);
}
