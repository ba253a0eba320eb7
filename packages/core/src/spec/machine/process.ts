/** Enough to tell one process from every other one, also after a reboot, in a container and when a pid is used again. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Opaque; two processes with one pid have different ones. */
  readonly startTime: string;
  readonly bootId: string;
  readonly host: string;
  /** Opaque; pids of different namespaces cannot be compared. */
  readonly pidNamespace: string;
}

export interface Processes {
  self(): Promise<ProcessIdentity>;
  /** The start time of a live process, `gone` if there is none (a zombie is gone), `unknown` if it cannot be told. */
  look(
    pid: number,
  ): Promise<
    { readonly state: "alive"; readonly startTime: string } | { readonly state: "gone" | "unknown" }
  >;
}
