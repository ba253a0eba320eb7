export interface PostgresServer {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  start(): Promise<void>;
  restart(): Promise<void>;
  crash(): Promise<void>;
  move(): Promise<void>;
  stop(): Promise<void>;
}

export function postgresAbsence(): string | null;
export function startPostgres(options?: {
  readonly isDurable?: boolean;
  readonly settings?: Readonly<Record<string, string | number>>;
}): Promise<PostgresServer>;
