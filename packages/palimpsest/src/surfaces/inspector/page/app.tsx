import { render } from "preact";
import type { InspectedFile, InspectorSource } from "../inspected.ts";
import { Inspector } from "./components/inspector.tsx";
import { createFileSource } from "./file-source.ts";
import { createServerSource, type Network } from "./server-source.ts";

const network: Network = {
  fetch: (url) => fetch(url),
  listen(url, onEvent) {
    const events = new EventSource(url);
    events.addEventListener("message", onEvent);
    // After a break too: what changed meanwhile is told by nobody.
    events.addEventListener("open", onEvent);
    return () => events.close();
  },
};

/** A report has what it shows in an element of its own. */
const inspectedElementId = "inspected";

function openSource(): InspectorSource {
  const element = document.getElementById(inspectedElementId);
  if (!element) return createServerSource(network);
  const file: InspectedFile = JSON.parse(element.textContent ?? "");
  element.remove();
  return createFileSource(file);
}

const root = document.getElementById("app");
if (root) render(<Inspector source={openSource()} />, root);
