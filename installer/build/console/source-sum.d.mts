/** SHA-256 over the paths and contents of all that the console is built of, below `root` (absent: this checkout), hex. */
export function sumOfSources(root?: string): string;
