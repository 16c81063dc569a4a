/** What a command reads and writes beside the data directory. */
export interface Terminal {
  env: Record<string, string | undefined>;
  stdin: NodeJS.ReadableStream;
  stdout: (line: string) => void;
  stderr: (line: string) => void;
  /** Ends what would go on for ever. */
  signal?: AbortSignal;
}
