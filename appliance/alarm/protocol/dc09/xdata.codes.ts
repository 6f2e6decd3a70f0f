/** The meaning of an extended data field (ANSI/SIA DC-09 5.5.1.8). Texts are Windows-1252 or UTF-8. */
export interface XdataRow {
  readonly id: string;
  readonly key: string;
  readonly meaning: string;
  readonly maxLength: number;
  /** Refused: the whole frame cannot be processed. */
  readonly refused?: true;
}

// biome-ignore format: one row a line reads as a table
export const XDATA: readonly XdataRow[] = [
  { id: 'A', key: 'authenticationHash', meaning: 'authentication value', maxLength: 12 },
  { id: 'C', key: 'supervisionCategory', meaning: 'supervision category', maxLength: 64 },
  { id: 'H', key: 'timeOfOccurrence', meaning: 'time the event happened', maxLength: 21 },
  { id: 'I', key: 'alarmText', meaning: 'text about the event', maxLength: 256 },
  { id: 'J', key: 'networkPath', meaning: 'number of the network path used', maxLength: 1 },
  { id: 'K', key: 'encryptionKeyExchange', meaning: 'key exchange', maxLength: 64, refused: true },
  { id: 'L', key: 'location', meaning: 'text about the place', maxLength: 256 },
  { id: 'M', key: 'macAddress', meaning: 'hardware address, 12 hex digits', maxLength: 12 },
  { id: 'N', key: 'networkAddress', meaning: 'network address of the sender', maxLength: 128 },
  { id: 'O', key: 'buildingName', meaning: 'name of the building', maxLength: 256 },
  { id: 'P', key: 'programmingData', meaning: 'programming data', maxLength: 256 },
  { id: 'R', key: 'room', meaning: 'room', maxLength: 256 },
  { id: 'S', key: 'siteName', meaning: 'name of the site', maxLength: 256 },
  { id: 'T', key: 'alarmTrigger', meaning: 'kind of trigger', maxLength: 1 },
  { id: 'V', key: 'verification', meaning: 'reference for checking the alarm, for example a URL', maxLength: 256 },
  { id: 'X', key: 'longitude', meaning: 'longitude, 12 characters', maxLength: 12 },
  { id: 'Y', key: 'latitude', meaning: 'latitude, 12 characters', maxLength: 12 },
  { id: 'Z', key: 'altitude', meaning: 'altitude', maxLength: 12 },
];
