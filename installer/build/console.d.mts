/** Writes the console's files into `to` (absent: `cloud/console/dist`); rejects with what the bundler found wrong. */
export function buildConsole(to?: string): Promise<void>;
