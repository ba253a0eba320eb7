/** Asks a server again for its tools when it says that they have changed. */
export interface Relisting {
  /** The tools have changed; said any number of times meanwhile, it is asked once more. */
  request(): void;
  /** Asks now, where that was not possible when it was requested. */
  resume(): void;
}

/** `list` asks, and gives false where nobody can be asked: then the request stays open. It must not reject. */
export function createRelisting(list: () => Promise<boolean>): Relisting {
  let isStale = false;
  let isRunning = false;

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    let isPossible = true;
    while (isStale && isPossible) {
      isStale = false;
      isPossible = await list();
      isStale ||= !isPossible;
    }
    isRunning = false;
  }

  return {
    request() {
      isStale = true;
      void run();
    },
    resume: () => void run(),
  };
}
