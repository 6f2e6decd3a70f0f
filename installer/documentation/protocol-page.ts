import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BS8521_PROFILE } from '#appliance/alarm/protocol/bs8521/index.ts';
import { CONTACT_ID_PROFILE } from '#appliance/alarm/protocol/contact-id/index.ts';
import { DC09_PROFILE, XDATA } from '#appliance/alarm/protocol/dc09/index.ts';
import { LACS_PROFILE } from '#appliance/alarm/protocol/lacs/index.ts';
import { CPC_PROFILE, P100_PROFILE } from '#appliance/alarm/protocol/lift/index.ts';
import { NOWIP_PROFILE } from '#appliance/alarm/protocol/nowip/index.ts';
import { RB2000_PROFILE } from '#appliance/alarm/protocol/open-tone/index.ts';
import { SCAIP_PROFILE } from '#appliance/alarm/protocol/scaip/index.ts';
import { TT92_PROFILE, TTNEW_PROFILE } from '#appliance/alarm/protocol/tt/index.ts';
import {
  BS8521_EVENTS,
  BS8521_LOCATIONS,
  BS8521_STATUSES,
  CONTACT_ID_EVENTS,
  CPC_EVENTS,
  P100_EVENTS,
  SCAIP_COMPONENTS,
  SCAIP_DEVICE_TYPES,
  SCAIP_LOCATIONS,
  SCAIP_STATUS_CODES,
  SIA_EVENTS,
  TT_CALLS,
} from '#shared/alarm-event/index.ts';
import { code, fenced, joined, type Page, plain, table } from './page.ts';

/** A protocol, and where its tables and its profile stand. */
interface ProtocolFacts {
  readonly name: string;
  readonly title: string;
  readonly carried: string;
  /** Folder below `appliance/alarm/protocol`. */
  readonly folder: string;
  readonly profiles: Readonly<Record<string, object>>;
  readonly codes: readonly (readonly [title: string, rows: readonly object[]])[];
  /** Files of `examples/sample`, with the word of `carillon explain`. */
  readonly samples: readonly (readonly [kind: string, file: string])[];
}

const PROTOCOLS: readonly ProtocolFacts[] = [
  {
    name: 'scaip',
    title: 'SCAIP',
    carried: 'XML in a SIP MESSAGE',
    folder: 'scaip',
    profiles: { scaip: SCAIP_PROFILE },
    codes: [
      ['Device types (`dty`)', SCAIP_DEVICE_TYPES],
      ['Device components (`dco`)', SCAIP_COMPONENTS],
      ['Status codes (`stc`)', SCAIP_STATUS_CODES],
      ['Locations (`lco`)', SCAIP_LOCATIONS],
    ],
    samples: [['scaip', 'scaip-alarm.xml']],
  },
  {
    name: 'nowip',
    title: 'NOW-IP',
    carried: 'XML in a SIP MESSAGE, with a call',
    folder: 'nowip',
    profiles: { nowip: NOWIP_PROFILE },
    codes: [['Events, the same as of BS 8521-1', BS8521_EVENTS]],
    samples: [['nowip', 'nowip-alarm.xml']],
  },
  {
    name: 'bs8521',
    title: 'BS 8521-1',
    carried: 'DTMF in a call',
    folder: 'bs8521',
    profiles: { bs8521: BS8521_PROFILE },
    codes: [
      ['Events', BS8521_EVENTS],
      ['Statuses', BS8521_STATUSES],
      ['Locations', BS8521_LOCATIONS],
    ],
    samples: [['bs8521', 'bs8521-alarm.txt']],
  },
  {
    name: 'tt',
    title: 'TT92 and TTNEW',
    carried: 'DTMF in a call',
    folder: 'tt',
    profiles: { tt92: TT92_PROFILE, ttnew: TTNEW_PROFILE },
    codes: [['Call codes', TT_CALLS]],
    samples: [
      ['tt92', 'tt92-alarm.txt'],
      ['ttnew', 'ttnew-alarm.txt'],
    ],
  },
  {
    name: 'contact-id',
    title: 'Contact ID',
    carried: 'DTMF in a call',
    folder: 'contact-id',
    profiles: { contactId: CONTACT_ID_PROFILE },
    codes: [['Events', CONTACT_ID_EVENTS]],
    samples: [['contactId', 'contact-id-alarm.txt']],
  },
  {
    name: 'lift',
    title: 'Lift telephones: P100 and CPC',
    carried: 'DTMF in a call',
    folder: 'lift',
    profiles: { p100: P100_PROFILE, 'cpc-antenna': CPC_PROFILE },
    codes: [
      ['Events of P100', P100_EVENTS],
      ['Events of CPC', CPC_EVENTS],
    ],
    samples: [['p100', 'p100-alarm.txt']],
  },
  {
    name: 'dc09',
    title: 'SIA DC-09',
    carried: 'frames over TCP or UDP, plain or encrypted',
    folder: 'dc09',
    profiles: { dc09: DC09_PROFILE },
    codes: [
      ['Events of SIA-DCS', SIA_EVENTS],
      ['Events of ADM-CID', CONTACT_ID_EVENTS],
      ['Extended data', XDATA],
    ],
    samples: [['dc09', 'dc09-alarm.frame']],
  },
  {
    name: 'lacs',
    title: 'LACS',
    carried: 'XML in a SIP MESSAGE; off until a profile describes it',
    folder: 'lacs',
    profiles: { lacs: LACS_PROFILE },
    codes: [],
    samples: [['lacs', 'lacs-alarm.xml']],
  },
  {
    name: 'rb2000',
    title: 'RB2000',
    carried: 'tones in a call; off until a profile describes it',
    folder: 'open-tone',
    profiles: { rb2000: RB2000_PROFILE },
    codes: [],
    samples: [],
  },
];

/** One page for each protocol, after the one that says what holds for all of them. */
export function protocolPages(root: string): Page[] {
  const rules = readFileSync(join(root, 'docs', 'spec', 'protocols.md'), 'utf8');
  const [, all = ''] = /(## 2\. Rules for every protocol[\s\S]*?)\n## 3\. /.exec(rules) ?? [];
  const [, confidence = ''] = /## 1\. Confidence\n([\s\S]*?)\n## 2\. /.exec(rules) ?? [];
  return [
    {
      address: 'protocols',
      title: 'All protocols',
      summary: `The ${PROTOCOLS.length} families of alarm protocols, and the rules that hold for each.`,
      body: joined(
        table(
          ['Protocol', 'Carried by', 'Profiles'],
          PROTOCOLS.map(({ name, title, carried, profiles }) => [
            `[${title}](/docs/protocols/${name})`,
            carried,
            Object.keys(profiles).map(code).join(', '),
          ]),
        ),
        '## How sure the descriptions are',
        confidence.trim(),
        'Carillon speaks these protocols. It claims conformity to no standard.',
        all
          .replaceAll(/^### 2\.\d+ /gm, '### ')
          .replace('## 2. Rules', '## Rules')
          .trim(),
      ),
    },
    ...PROTOCOLS.map((facts) => protocolPage(root, facts)),
  ];
}

function protocolPage(root: string, facts: ProtocolFacts): Page {
  const { name, title, carried, folder, profiles, codes, samples } = facts;
  const readme = readFileSync(join(root, 'appliance', 'alarm', 'protocol', folder, 'README.md'), 'utf8');
  return {
    address: `protocols/${name}`,
    title,
    summary: `${title}: ${carried}. Codes, times, examples, and the way in which it is spoken.`,
    body: joined(
      `Carried by ${carried}.`,
      samples.length === 0 ? '' : '## Example',
      ...samples.flatMap(([kind, file]) => sampleText(root, kind, file)),
      '## Profile and times',
      'Each value is that of the built-in profile. A tenant changes any of them with a protocol profile of its own, and a receiver names the profile that it wants. Times are milliseconds where the name ends with `Ms`.',
      ...Object.entries(profiles).map(([profile, values]) =>
        joined(
          Object.keys(profiles).length > 1 ? `### ${profile}` : '',
          table(
            ['Value', 'Built in'],
            flattened(values).map(([key, value]) => [code(key), code(value)]),
          ),
        ),
      ),
      codes.length === 0 ? '' : '## Codes',
      codes.length === 0
        ? ''
        : 'A code without a row is no failure: the event is delivered as unknown, and keeps its native code.',
      ...codes.map(([heading, rows]) => joined(`### ${heading}`, codeTable(rows))),
      '## How it is spoken',
      readme
        .replace(/^# .*\n/, '')
        .replaceAll(/^(#+) /gm, '#$1 ')
        .trim(),
    ),
  };
}

function sampleText(root: string, kind: string, file: string): string[] {
  const path = `examples/sample/${file}`;
  const profile = kind === 'lacs' ? ' --profile examples/sample/lacs-profile.json' : '';
  if (!existsSync(join(root, path))) throw new Error(`${path} is not there: name a sample that is`);
  const bytes = readFileSync(join(root, path));
  const shown = bytes.toString('latin1').replaceAll(/[^\x20-\x7e\n]/g, '·');
  return [
    fenced(file.endsWith('.xml') ? 'xml' : 'text', shown),
    fenced('sh', `npx carillon explain ${kind} ${path}${profile}`),
  ];
}

/** Every value of a profile with its path. */
function flattened(value: unknown, at = ''): [string, string][] {
  if (Array.isArray(value) || typeof value !== 'object' || value === null)
    return [[at, typeof value === 'string' ? value : JSON.stringify(value)]];
  return Object.entries(value).flatMap(([key, each]) => flattened(each, at === '' ? key : `${at}.${key}`));
}

/** Rows of a table of codes; a column that no row fills is left out. */
function codeTable(rows: readonly object[]): string {
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cell = (row: object, key: string): string => {
    const value = (row as Readonly<Record<string, unknown>>)[key];
    if (value === undefined || value === null) return '';
    const text = String(value);
    return key === 'meaning' || key === 'note' ? plain(text) : code(text);
  };
  return table(
    keys,
    rows.map((row) => keys.map((key) => cell(row, key))),
  );
}
