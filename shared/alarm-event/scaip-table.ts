import { codeTable } from './code-table.ts';
import { SCAIP_COMPONENTS } from './scaip-dco.codes.ts';
import { SCAIP_DEVICE_TYPES } from './scaip-dty.codes.ts';
import { SCAIP_LOCATIONS } from './scaip-lco.codes.ts';
import { SCAIP_STATUS_CODES } from './scaip-stc.codes.ts';

/** The built-in code tables of SCAIP, by element name. */
export const scaipTable = {
  dty: codeTable(SCAIP_DEVICE_TYPES, { compare: 'integer' }),
  stc: codeTable(SCAIP_STATUS_CODES, { compare: 'integer' }),
  lco: codeTable(SCAIP_LOCATIONS, { compare: 'integer' }),
  dco: codeTable(SCAIP_COMPONENTS, { compare: 'integer' }),
} as const;
