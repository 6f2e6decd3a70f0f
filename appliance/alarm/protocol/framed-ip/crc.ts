/** CRC-16, reflected polynomial A001, start 0 (ANSI/SIA DC-09 5.5.1), one entry for each value of a byte. */
export const CRC_TABLE: Uint16Array = Uint16Array.from({ length: 256 }, (_, index) => {
  let crc = index;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xa001 : crc >>> 1;
  return crc;
});

export function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) crc = (crc >>> 8) ^ (CRC_TABLE[(crc ^ byte) & 0xff] ?? 0);
  return crc;
}
