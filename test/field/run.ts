import { printTable, type Row } from './support/table.ts';

/** Suites of others, run from a fetched copy of them; `README.md` says which folder each takes. */
const SUITES: Readonly<Record<string, (folder: string) => Promise<readonly Row[]>>> = {
  torture: async (folder) => (await import('./torture.ts')).torture(folder),
  'pjsua-sendto': async (folder) => (await import('./pjsua-sendto.ts')).pjsuaSendto(folder),
  asterisk: async (folder) => (await import('./asterisk.ts')).asterisk(folder),
  'dc09-sender': async (folder) => (await import('./dc09-sender.ts')).dc09Sender(folder),
  'pjsua-sipp': async (folder) => (await import('./pjsua-sipp.ts')).pjsuaSipp(folder),
  wycheproof: async (folder) => (await import('./wycheproof.ts')).wycheproof(folder),
};

const [, , name = '', folder] = process.argv;
const suite = SUITES[name];
if (suite === undefined || folder === undefined) {
  console.error(`usage: node test/field/run.ts ${Object.keys(SUITES).join('|')} FOLDER`);
  process.exit(2);
}
printTable(await suite(folder));
