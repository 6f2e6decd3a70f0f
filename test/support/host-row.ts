import type { HostRow } from '#cloud/store/index.ts';

/** The row of a new host; its identity, place and state are arguments. */
export const HOST_ROW = {
  labels: [],
  serial: null,
  publicKey: '',
  sealKey: {},
  certSerial: null,
  certNext: null,
  certSince: 0,
  certExpires: null,
  generation: 1,
  version: '1',
  siteBaseUrl: null,
  network: null,
  course: null,
  operation: null,
  claim: '',
  twinRev: 0,
  twinBody: null,
} satisfies Partial<HostRow>;
