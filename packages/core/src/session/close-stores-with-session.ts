import type { ProjectStores, Session } from "../spec/index.ts";
import { noMask, type OwnSecretMask } from "./secrets/index.ts";

/** The session, with stores that were opened for it alone: their connections are needed until its log is closed. */
export function closeStoresWithSession(session: Session, stores: ProjectStores): Session {
  return { ...session, close: (options) => session.close(options).finally(() => stores.close()) };
}

/** The same session, whose methods throw nothing that has a key of the process in it. */
export function withMaskedErrors(secrets: OwnSecretMask, session: Session): Session {
  if (secrets === noMask) return session;
  const masked = (cause: unknown): never => {
    throw secrets.error(cause);
  };

  function guarded(method: (...args: readonly unknown[]) => unknown) {
    return (...args: readonly unknown[]): unknown => {
      try {
        const given = method(...args);
        if (given instanceof Promise) return given.catch(masked);
        return isGenerator(given) ? guardedGenerator(given) : given;
      } catch (cause) {
        return masked(cause);
      }
    };
  }

  async function* guardedGenerator<T>(given: AsyncIterable<T>): AsyncGenerator<T> {
    try {
      yield* given;
    } catch (cause) {
      masked(cause);
    }
  }

  const methods = Object.entries(session).map(([name, value]) => [
    name,
    typeof value === "function" ? guarded(value) : value,
  ]);
  return Object.fromEntries(methods) as Session;
}

function isGenerator(given: unknown): given is AsyncIterable<unknown> {
  return typeof given === "object" && given !== null && Symbol.asyncIterator in given;
}
