import type { ProjectStores, Session } from "../spec/index.ts";

/** The session, with stores that were opened for it alone: their connections are needed until its log is closed. */
export function closeStoresWithSession(session: Session, stores: ProjectStores): Session {
  return { ...session, close: (options) => session.close(options).finally(() => stores.close()) };
}
