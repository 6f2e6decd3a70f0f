/** Time of a frame, always UTC: `_HH:MM:SS,MM-DD-YYYY` (ANSI/SIA DC-09 5.5.1.9). */
const TIMESTAMP = /^_(\d\d):(\d\d):(\d\d),(\d\d)-(\d\d)-(\d{4})$/;

/** Epoch ms; undefined when it is no such text or no such time. */
export function decodeTimestamp(text: string): number | undefined {
  const parts = TIMESTAMP.exec(text);
  if (parts === null) return undefined;
  const [hour = 0, minute = 0, second = 0, month = 0, day = 0, year = 0] = parts.slice(1).map(Number);
  const epochMs = Date.UTC(year, month - 1, day, hour, minute, second);
  return encodeTimestamp(epochMs) === text ? epochMs : undefined;
}

export function encodeTimestamp(epochMs: number): string {
  const iso = new Date(epochMs).toISOString();
  const [year, month, day] = iso.slice(0, 10).split('-');
  return `_${iso.slice(11, 19)},${month}-${day}-${year}`;
}
