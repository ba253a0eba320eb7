import { isRecord } from "../../json/json-values.ts";
import { parseArguments } from "./chat-types.ts";

/** The part of one call in one chunk; empty where there is none. */
export interface CallPiece {
  readonly place: number | undefined;
  readonly serverId: string;
  readonly name: string;
  readonly json: string;
}

/** A call as far as it has come. */
export interface OpenCall {
  readonly place: number | undefined;
  serverId: string;
  name: string;
  json: string;
  /** How much of the JSON was given on. */
  sent: number;
  /** The block it became, once its name was known. */
  block?: { readonly index: number; readonly id: string };
}

export interface CallTable {
  readonly calls: readonly OpenCall[];
  /** The call that a piece belongs to, with the piece in it. */
  take(piece: CallPiece): OpenCall;
}

/**
 * Puts pieces together by their index. Servers leave it out, give every call the index 0, or every piece an id of its
 * own: a piece begins another call only where it has a name, and what was there already has one and differs.
 */
export function createCallTable(): CallTable {
  const calls: OpenCall[] = [];

  function find({ place, serverId, name }: CallPiece): OpenCall | undefined {
    if (place !== undefined) return calls.findLast((call) => call.place === place);
    if (serverId !== "") return calls.findLast((call) => call.serverId === serverId);
    return name === "" ? calls.at(-1) : undefined;
  }

  return {
    calls,
    take(piece) {
      let call = find(piece);
      if (call === undefined || isAnother(call, piece)) {
        call = { place: piece.place, serverId: "", name: "", json: "", sent: 0 };
        calls.push(call);
      }
      call.serverId ||= piece.serverId;
      call.name ||= piece.name;
      call.json += piece.json;
      return call;
    },
  };
}

function isAnother(call: OpenCall, { serverId, name, json }: CallPiece): boolean {
  if (name === "" || call.name === "") return false;
  if (serverId !== "" && call.serverId !== "") return serverId !== call.serverId;
  const isWhole = call.json !== "" && parseArguments(call.json) !== undefined;
  return name !== call.name || (isWhole && json.trimStart().startsWith("{"));
}

/** The pieces of a delta, those of the older `function_call` too. */
export function toCallPieces(delta: Readonly<Record<string, unknown>>): readonly CallPiece[] {
  const { tool_calls: calls, function_call: legacy } = delta;
  const pieces = (Array.isArray(calls) ? calls : []).filter(isRecord).map((call) => toPiece(call, call));
  return isRecord(legacy) ? [...pieces, toPiece({ index: 0 }, { function: legacy })] : pieces;
}

function toPiece(
  { index, id }: Readonly<Record<string, unknown>>,
  { function: called }: Readonly<Record<string, unknown>>,
): CallPiece {
  const { name, arguments: json } = isRecord(called) ? called : {};
  return {
    place: typeof index === "number" ? index : undefined,
    serverId: typeof id === "string" ? id : "",
    name: typeof name === "string" ? name : "",
    json: typeof json === "string" ? json : isRecord(json) ? JSON.stringify(json) : "",
  };
}
