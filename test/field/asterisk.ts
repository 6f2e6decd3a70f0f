import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ACCOUNTS, DIFFERS, FOLDERS, NOT_APPLICABLE } from './asterisk.codes.ts';
import { PASSWORD, sippWorld } from './support/sipp-world.ts';
import type { Row } from './support/table.ts';

const WITHIN_S = 12;

/** The SIPp scenarios of asterisk/testsuite on messages, registration, session timers, offers and answers, where SIPp calls. */
export async function asterisk(folder: string): Promise<readonly Row[]> {
  const scenarios = FOLDERS.flatMap((each) => scenariosBelow(join(folder, each)).map((file) => file));
  const chosen = scenarios.filter((file) => file.includes(process.env.FIELD_ONLY ?? ''));
  const files = (kind: Kind) => chosen.filter((file) => kindOf(file) === kind);
  return [
    ...(await run(folder, files('authenticated'), ACCOUNTS, 'credentials')),
    ...(await run(folder, files('registered'), ACCOUNTS, 'deviceid')),
    // Calls come by the trunk: no name of a caller may be a device's.
    ...(await run(folder, files('call'), [], 'deviceid')),
  ];
}

type Kind = 'authenticated' | 'registered' | 'call';
const kindOf = (file: string): Kind =>
  /\/(authed|wrong_password)\//.test(file)
    ? 'authenticated'
    : file.includes('/registration/')
      ? 'registered'
      : 'call';

async function run(
  folder: string,
  files: readonly string[],
  accounts: readonly string[],
  authType: 'credentials' | 'deviceid',
): Promise<readonly Row[]> {
  if (files.length === 0) return [];
  const world = await sippWorld(accounts, authType);
  const mapped = mkdtempSync(join(tmpdir(), 'carillon-asterisk-'));
  const rows: Row[] = [];
  try {
    for (const [number, file] of files.entries()) {
      const name = file
        .slice(folder.length + 1)
        .replace('tests/channels/pjsip/', '')
        .replace('/sipp', '');
      const reason = reasonFor(name, readFileSync(file, 'utf8'));
      if (reason !== undefined) {
        rows.push({ name, verdict: 'not applicable', answer: '', reason });
        continue;
      }
      const copy = join(mapped, `${number}.xml`);
      writeFileSync(copy, mappedText(readFileSync(file, 'utf8')));
      for (const transport of name.startsWith('registration/')
        ? (['udp', 'tcp'] as const)
        : (['udp'] as const)) {
        const account = transport === 'udp' ? 'alice' : 'bob';
        const password = name.includes('wrong') ? 'wrong' : PASSWORD;
        const flags = ['-s', account, '-au', account, '-ap', password];
        // Contacts of the registration scenarios are what the suite's own settings say.
        const at = name.startsWith('registration/') ? { from: '127.0.0.1', fromPort: 5061 } : {};
        const end = await world.scenario({ file: copy, transport, flags, withinS: withinS(file), ...at });
        const complaints = await world.complaints();
        const answer = [end.answer, ...complaints].join('; ').slice(0, 400);
        const why = end.good ? undefined : Object.entries(DIFFERS).find(([part]) => name.includes(part))?.[1];
        rows.push({
          name: `${name} ${transport}`,
          verdict: end.good ? 'as expected' : 'differs',
          answer,
          ...(why !== undefined && { reason: why }),
        });
        console.error(name, transport, end.good, answer.slice(0, 200));
      }
    }
  } finally {
    await world.close();
    rmSync(mapped, { recursive: true, force: true });
  }
  return rows;
}

function reasonFor(name: string, text: string): string | undefined {
  const reported = Object.entries(NOT_APPLICABLE).find(([part]) => name.includes(part))?.[1];
  if (reported !== undefined) return reported;
  const first = /<(send|recv)\b/.exec(text)?.[1];
  return first === 'recv' ? 'the other side of a scenario: Asterisk begins it by its dialplan' : undefined;
}

/** The dialplan of the suite answers every extension; the one that hangs up is another name here. */
const mappedText = (text: string): string => {
  const called = /<recv request="BYE"/.test(text) ? 'leave' : 'hold';
  return text.replace(/sip:(answer|echo|test|playback|hangup)@\[remote_ip\]/g, `sip:${called}@[remote_ip]`);
};

/** As long as the scenario itself pauses, and some. */
function withinS(file: string): number {
  const pauses = [...readFileSync(file, 'utf8').matchAll(/<pause milliseconds="(\d+)"/g)];
  return WITHIN_S + Math.ceil(pauses.reduce((sum, [, ms]) => sum + Number(ms), 0) / 1_000);
}

function scenariosBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((entry) => /(^|\/)sipp\/.*\.xml$/.test(entry))
    .map((entry) => join(folder, entry))
    .toSorted();
}
