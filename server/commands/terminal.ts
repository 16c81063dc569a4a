/** What a command reads and writes beside the data directory. */
export interface Terminal {
  env: Record<string, string | undefined>;
  stdin: NodeJS.ReadableStream;
  stdout: (line: string) => void;
  stderr: (line: string) => void;
  /** Ends commands that would run for ever. */
  signal?: AbortSignal;
}
