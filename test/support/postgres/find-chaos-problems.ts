/** A line of a worker's own file, written first thing after the acknowledgement that it is about. */
export type ChaosRecord =
  | {
      readonly kind: "entry";
      readonly session: string;
      readonly place: number;
      readonly seq: number;
      readonly epoch: number;
      readonly id: string;
      readonly mark: string;
    }
  | { readonly kind: "version"; readonly path: string; readonly version: number; readonly mark: string }
  | { readonly kind: "sent"; readonly id: string; readonly from: string; readonly to: string }
  | {
      readonly kind: "taken";
      readonly id: string;
      readonly from: string;
      readonly to: string;
      /** Nanoseconds of the machine, as text. */
      readonly askedAt: string;
      readonly takenAt: string;
    }
  | { readonly kind: "received"; readonly to: string; readonly ids: readonly string[]; readonly at: string }
  | { readonly kind: "queued" | "done"; readonly job: string }
  | { readonly kind: "open"; readonly session: string; readonly epoch: number }
  | {
      readonly kind: "refusal" | "problem";
      readonly what: string;
      readonly code: string;
      readonly said: string;
    }
  | { readonly kind: "end" };

export interface StoredEntry {
  readonly place: number;
  readonly line: string;
}

export interface StoredLog {
  readonly session: string;
  readonly lastSeq: number;
  readonly bytes: number;
  readonly entries: readonly StoredEntry[];
}

/** What workers were told, each in the order of its file, and what is in the database after all of it. */
export interface ChaosHistory {
  readonly records: readonly ChaosRecord[];
  readonly logs: readonly StoredLog[];
  readonly versions: readonly { readonly path: string; readonly version: number; readonly mark: string }[];
  readonly effects: readonly string[];
  readonly jobsLeft: number;
}

type RecordOf<Kind extends ChaosRecord["kind"]> = Extract<ChaosRecord, { readonly kind: Kind }>;

/** Everything that is not as promised, as sentences. */
export function findChaosProblems(history: ChaosHistory): readonly string[] {
  const of = <Kind extends ChaosRecord["kind"]>(kind: Kind) =>
    history.records.filter((record): record is RecordOf<Kind> => record.kind === kind);
  return [
    ...of("problem").map(({ what, code, said }) => `${what}: ${code} ${said}`),
    ...logProblems(history.logs, of("entry")),
    ...versionProblems(history.versions, of("version")),
    ...mailProblems(of("sent"), of("taken"), of("received")),
    ...jobProblems(history, of("queued")),
  ];
}

interface ParsedEntry {
  readonly seq: number;
  readonly epoch: number;
  readonly id: string;
  readonly message?: { readonly content: string };
}

function logProblems(
  logs: readonly StoredLog[],
  acknowledged: readonly RecordOf<"entry">[],
): readonly string[] {
  const problems: string[] = [];
  const ids = new Set<string>();
  const marks = new Set<string>();
  const present = new Map<string, string>();
  for (const { session, lastSeq, bytes, entries } of logs) {
    let [position, seq, epoch] = [0, 0, 0];
    for (const { place: at, line } of entries) {
      const entry = JSON.parse(line) as ParsedEntry;
      const where = `${session} at ${at}`;
      const mark = entry.message?.content.split(" ")[0];
      if (at !== position) problems.push(`${where}: stands where ${position} ends`);
      if (entry.seq !== seq + 1) problems.push(`${where}: number ${entry.seq} behind ${seq}`);
      if (entry.epoch < epoch)
        problems.push(`${where}: a write of epoch ${entry.epoch} was accepted behind ${epoch}`);
      if (ids.has(entry.id)) problems.push(`${where}: entry ${entry.id} is there twice`);
      if (mark !== undefined && marks.has(mark)) problems.push(`${where}: ${mark} was written twice`);
      ids.add(entry.id);
      if (mark !== undefined) marks.add(mark);
      present.set(keyOf({ ...entry, session, place: at }), mark ?? "");
      position = at + Buffer.byteLength(line);
      seq = entry.seq;
      epoch = Math.max(epoch, entry.epoch);
    }
    if (lastSeq !== seq || bytes !== position)
      problems.push(`${session}: its row says ${lastSeq} and ${bytes} bytes, it has ${seq} and ${position}`);
  }
  for (const entry of acknowledged)
    if (present.get(keyOf(entry)) !== entry.mark)
      problems.push(`${keyOf(entry)} was acknowledged and is lost`);
  return problems;
}

function keyOf({
  session,
  place,
  seq,
  epoch,
  id,
}: Pick<RecordOf<"entry">, "session" | "place" | "seq" | "epoch" | "id">): string {
  return `${session} at ${place}: entry ${seq} of epoch ${epoch}, ${id}`;
}

function versionProblems(
  versions: ChaosHistory["versions"],
  acknowledged: readonly RecordOf<"version">[],
): readonly string[] {
  const problems: string[] = [];
  const newest = new Map<string, number>();
  const marks = new Set<string>();
  const present = new Map<string, string>();
  for (const { path, version, mark } of versions) {
    if (version !== (newest.get(path) ?? 0) + 1) problems.push(`${path}: version ${version} follows a gap`);
    if (marks.has(mark)) problems.push(`${path}: ${mark} was written twice`);
    newest.set(path, version);
    marks.add(mark);
    present.set(`${path} ${version}`, mark);
  }
  for (const { path, version, mark } of acknowledged)
    if (present.get(`${path} ${version}`) !== mark)
      problems.push(`${path}: version ${version}, ${mark}, was acknowledged and is lost`);
  return problems;
}

function mailProblems(
  sent: readonly RecordOf<"sent">[],
  taken: readonly RecordOf<"taken">[],
  received: readonly RecordOf<"received">[],
): readonly string[] {
  const problems: string[] = [];
  const receivedAt = new Map(
    received.flatMap(({ ids, at, to }) => ids.map((id) => [`${to} ${id}`, BigInt(at)])),
  );
  for (const { id, to, askedAt } of taken) {
    const at = receivedAt.get(`${to} ${id}`);
    if (at !== undefined && BigInt(askedAt) > at) problems.push(`mail ${id} came again to ${to}`);
  }
  const inTime = taken.toSorted((one, other) => (BigInt(one.takenAt) < BigInt(other.takenAt) ? -1 : 1));
  const firsts = new Map<string, number>();
  for (const [order, { id }] of inTime.entries()) if (!firsts.has(id)) firsts.set(id, order);
  const lanes = new Map<string, { readonly id: string; readonly order: number }>();
  for (const { id, from, to } of sent) {
    const order = firsts.get(id);
    const before = lanes.get(`${from} ${to}`);
    if (order === undefined) problems.push(`mail ${id} was accepted and never came`);
    else if (before && order < before.order) problems.push(`mail ${id} came before ${before.id}`);
    if (order !== undefined) lanes.set(`${from} ${to}`, { id, order });
  }
  return problems;
}

function jobProblems(
  { effects, jobsLeft }: ChaosHistory,
  queued: readonly RecordOf<"queued">[],
): readonly string[] {
  const problems = jobsLeft === 0 ? [] : [`${jobsLeft} jobs are left`];
  const done = new Set(effects);
  if (done.size !== effects.length) problems.push("a job had its effect twice");
  for (const { job } of queued) if (!done.has(job)) problems.push(`job ${job} was accepted and never done`);
  return problems;
}
