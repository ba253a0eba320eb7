import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { InspectorSource } from "../../inspected.ts";
import { type Go, useKeys, useLocation } from "../hooks/use-location.ts";
import { useLoaded, useSession } from "../hooks/use-session.ts";
import { type Theme, useTheme } from "../hooks/use-size.ts";
import { type Action, keyBindings, listKeys, type PageLocation, toKeyName } from "../page-location.ts";
import { FailureNote } from "./list-parts.tsx";
import { MemoryScreen } from "./memory-screen.tsx";
import { focusRows } from "./rows.tsx";
import { SessionList } from "./session-list.tsx";
import { SessionScreen } from "./session-screen.tsx";

/** The whole page. */
export function Inspector({ source }: { readonly source: InspectorSource }) {
  const [location, go] = useLocation();
  const { theme, seen, next } = useTheme();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const actions: Partial<Record<Action, () => void>> = {
    sessions: () => go({ screen: "sessions", session: undefined, request: undefined, pinned: undefined }),
    memory: () =>
      go({ screen: location.screen === "memory" && location.session !== undefined ? "session" : "memory" }),
    theme: next,
    help: () => setHelpOpen(true),
    ...(location.screen === "session"
      ? {}
      : { filter: () => document.querySelector<HTMLElement>(".filter")?.focus() }),
  };
  useKeys((action) => {
    actions[action]?.();
    return action in actions;
  });
  return (
    <>
      <Bar location={location} theme={theme} go={go} onTheme={next} onHelp={() => setHelpOpen(true)} />
      <Screen source={source} location={location} go={go} theme={seen} />
      {isHelpOpen && <HelpDialog onClose={() => setHelpOpen(false)} />}
    </>
  );
}

interface BarProps {
  readonly location: PageLocation;
  readonly theme: Theme;
  readonly go: Go;
  readonly onTheme: () => void;
  readonly onHelp: () => void;
}

function Bar({ location, theme, go, onTheme, onHelp }: BarProps) {
  const isOf = (screen: PageLocation["screen"]) => (location.screen === screen ? "page" : undefined);
  return (
    <header class="bar">
      <strong class="brand">Palimpsest</strong>
      <nav aria-label="Screens">
        <button
          type="button"
          aria-current={isOf("sessions")}
          onClick={() =>
            go({ screen: "sessions", session: undefined, request: undefined, pinned: undefined })
          }
        >
          Sessions
        </button>
        {location.session !== undefined && (
          <button type="button" aria-current={isOf("session")} onClick={() => go({ screen: "session" })}>
            Session
          </button>
        )}
        <button type="button" aria-current={isOf("memory")} onClick={() => go({ screen: "memory" })}>
          Memory
        </button>
      </nav>
      <button type="button" class="plain" onClick={onTheme} aria-label={`Theme: ${theme}`}>
        {{ system: "◐", light: "☀", dark: "☾" }[theme]}
        <span class="wide-only"> {theme}</span>
      </button>
      <button type="button" class="plain" onClick={onHelp} aria-label="Keys">
        <kbd>?</kbd>
        <span class="wide-only"> keys</span>
      </button>
    </header>
  );
}

interface ScreenProps {
  readonly source: InspectorSource;
  readonly location: PageLocation;
  readonly go: Go;
  readonly theme: number;
}

function Screen({ source, location, go, theme }: ScreenProps) {
  const sessions = useLoaded(() => source.sessions(), [source, location.screen]);
  const open = useSession(source, location.session);
  const isArriving = useRef(true);
  const only = sessions.value?.length === 1 ? sessions.value[0]?.id : undefined;
  useEffect(() => {
    if (sessions.value === undefined) return;
    // Whoever comes for the only session sees it at once, and may go back to the list.
    const isForIt = isArriving.current && location.screen === "sessions" && only !== undefined;
    isArriving.current = false;
    if (isForIt) go({ screen: "session", session: only });
  }, [sessions.value]);
  const isReady = location.screen === "session" ? open.value !== undefined : sessions.value !== undefined;
  useEffect(() => {
    if (isReady && document.activeElement === document.body) focusRows("main");
  }, [location.screen, isReady]);

  if (location.screen === "memory")
    return <MemoryScreen source={source} path={location.memory} onPath={(memory) => go({ memory })} />;
  const failure = location.screen === "sessions" ? sessions.failure : open.value ? undefined : open.failure;
  if (failure)
    return (
      <main class="screen">
        <FailureNote failure={failure} />
      </main>
    );
  if (location.screen === "sessions")
    return sessions.value ? (
      <SessionList
        entries={sessions.value}
        onOpen={(session) => go({ screen: "session", session, tab: "view" })}
      />
    ) : (
      <main class="screen" />
    );
  return open.value ? (
    <>
      {open.failure && <FailureNote failure={open.failure} />}
      <SessionScreen
        key={location.session}
        source={source}
        open={open.value}
        location={location}
        go={go}
        theme={theme}
      />
    </>
  ) : (
    <main class="screen">
      <p class="note quiet">Reading…</p>
    </main>
  );
}

/** Every key of the page. */
function HelpDialog({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  // Before the next key is heard: Escape closes what can be seen, never what is about to come.
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const rows = [
    ...keyBindings.map(({ keys, about }) => [keys, about] as const),
    ...listKeys.map(([key, about]) => [[key], about] as const),
  ];
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title" onClose={onClose}>
      <header>
        <h2 id="help-title">Keys</h2>
        <button type="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </header>
      <dl>
        {rows.map(([keys, about]) => (
          <div key={about}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{toKeyName(key)}</kbd>
              ))}
            </dt>
            <dd>{about}</dd>
          </div>
        ))}
      </dl>
      <p class="quiet">
        In the chart: click chooses a request, dragging zooms, a double click shows everything.
      </p>
    </dialog>
  );
}
