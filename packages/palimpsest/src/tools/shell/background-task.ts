/** Work that goes on while the model does something else. */
export interface BackgroundTask {
  readonly id: string;
  /** What it is, for a person and the model; one line. */
  readonly title: string;
  readonly isRunning: boolean;
  /** How it ended, in a few words; absent while it runs. */
  readonly outcome?: string;
  /** Resolves once it has ended, however. */
  readonly ended: Promise<void>;
  /** What it has put out since it was asked last, bounded. */
  takeOutput(): string;
  /** Ends it with all it started; resolves once it has ended. */
  stop(): Promise<void>;
  /** The model knows that it has ended: no notice of it is due. */
  markTold(): void;
}

/** Who has tasks: the shell, agents. */
export interface TaskSource {
  tasks(): readonly BackgroundTask[];
}
