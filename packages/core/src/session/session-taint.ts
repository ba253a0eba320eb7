import type { Entry, Taint } from "../spec/index.ts";
import { emptyTaint, type TaintState, toTaint } from "../view/trust/index.ts";
import { nextSessionTaint, type SessionTrustLocations } from "./next-session-taint.ts";

/** Whether what is written now is trusted, kept up to date entry by entry. */
export interface SessionTaint {
  see(entry: Entry): void;
  /** Made where it is asked for, once. */
  readonly taint: Taint;
  /** To go back to. */
  readonly state: TaintState;
  goBackTo(state: TaintState | undefined): void;
}

/** Where nobody says which files are under version control, none is. */
export const noPlaces: SessionTrustLocations = { cwd: "/", folders: [], isTracked: () => false };

export function createSessionTaint(places: SessionTrustLocations, start: TaintState): SessionTaint {
  let state = start;
  let told: { readonly of: TaintState; readonly taint: Taint } | null = null;
  return {
    see(entry) {
      state = nextSessionTaint(state, entry, places);
    },
    get taint() {
      if (told?.of !== state) told = { of: state, taint: toTaint(state) };
      return told.taint;
    },
    get state() {
      return state;
    },
    goBackTo(former = emptyTaint) {
      state = former;
    },
  };
}
