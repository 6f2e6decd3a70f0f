/** Alarm protocols as the field writes them, by their values in the API. */
export const PROTOCOL_NAMES: Readonly<Record<string, string>> = {
  scaip: 'SCAIP',
  nowip: 'NOW-IP',
  nowipcontroller: 'NOW-IP (controller)',
  lacs: 'LACS',
  dc09: 'DC-09',
  bs8521: 'BS 8521',
  tt92: 'TT 92',
  ttnew: 'TT New',
  rb2000: 'RB 2000',
  p100: 'P100',
  'cpc-antenna': 'CPC/Antenna',
  contactId: 'Contact ID',
};

/** Name of a protocol; a value without one stands as the API spells it. */
export const protocolName = (protocol: string): string => PROTOCOL_NAMES[protocol] ?? protocol;
