import { type Sources, settingTable } from '#shared/setting/index.ts';
import { layout } from '../action/layout.ts';

/** Settings as a person writes them: keys of the configuration file, values as text. */
export type Written = Readonly<Record<string, string>>;

const PREFIX = 'CARILLON_';

/** Keys of the appliance's configuration file in the order of the settings table. */
export const applianceKeys: readonly string[] = Object.values(settingTable)
  .filter(({ programs, env }) => programs.includes('appliance') && env !== 'CARILLON_CONFIG')
  .map(({ env }) => env.slice(PREFIX.length).toLowerCase());

/** The settings that hold a secret, as keys of the file. */
export const secretKeys: readonly string[] = Object.values(settingTable)
  .filter(({ secret }) => secret)
  .map(({ env }) => env.slice(PREFIX.length).toLowerCase());

/** The content of the file on every installed host. */
const INSTALLED: Written = { data: layout.state };

/** Two words for one thing, of which the service takes one. */
const SAME_THING = [
  ['claim', 'claim_file'],
  ['claim_file', 'claim'],
] as const;

/**
 * One set of settings out of several, the later source over the earlier one. An answer of `undefined` says nothing;
 * an empty text is an answer (it switches a listener off). A claim that is typed takes the place of the file of before, and the
 * other way round; one source that names both keeps both, for whoever judges.
 */
export function merged(...sources: readonly Readonly<Record<string, string | undefined>>[]): Written {
  const all: Record<string, string> = { ...INSTALLED };
  for (const source of sources) {
    for (const [named, other] of SAME_THING) if (source[named] !== undefined) delete all[other];
    for (const [key, value] of Object.entries(source)) if (value !== undefined) all[key] = value;
  }
  return all;
}

/** `CARILLON_SIP_UDP=…` as `sip_udp`, of the appliance's settings only. */
export function fromEnvironment(environment: Readonly<Record<string, string | undefined>>): Written {
  const found: Record<string, string> = {};
  for (const key of applianceKeys) {
    const value = environment[PREFIX + key.toUpperCase()];
    if (value !== undefined) found[key] = value;
  }
  return found;
}

/** For `readSettings`, which judges every value. */
export const asSources = (written: Written): Sources => ({ flags: {}, environment: {}, file: written });

/** The configuration file: readable, and the same text for the same settings. */
export function configurationText(written: Written): string {
  const lines = Object.values(settingTable).flatMap(({ env, meaning }) => {
    const key = env.slice(PREFIX.length).toLowerCase();
    const value = written[key];
    return value === undefined ? [] : [`# ${meaning}`, `${key} = ${JSON.stringify(value)}`, ''];
  });
  return `# Written by \`carillon configure\`; \`carillon config show\` explains every setting.\n\n${lines.join('\n')}`;
}
