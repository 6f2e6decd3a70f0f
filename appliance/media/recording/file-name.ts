/** Names come from applications: nothing climbs out of the folder, nothing hides, nothing surprises a shell. */
export const isPlainName = (file: string): boolean =>
  file.length <= 200 && file.split('/').every((part) => /^[\p{L}\p{N}_@+-][\p{L}\p{N} _.@+-]*$/u.test(part));
