/** User-Agent texts of programs that search the Internet for open SIP servers; compared in lower case as a part. */
export const SCANNER_AGENTS: readonly string[] = [
  'friendly-scanner',
  'sipvicious',
  'sipcli',
  'sip-scan',
  'sipscan',
  'sundayddr',
  'vaxsipuseragent',
  'pplsip',
  'iwar',
  'smap',
];
