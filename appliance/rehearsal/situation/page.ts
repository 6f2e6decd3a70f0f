import type { Situation } from './situation.ts';
import { GROUPS, SITUATIONS } from './table.ts';

const HEAD = `# Rehearse before you go live

\`carillon rehearse\` sends your application the ${SITUATIONS.length} situations below and says how it answered. The requests come from
the delivery of the appliance itself: its signatures, its headers, its retries.

    npx carillon rehearse --callback http://localhost:3000
    npx carillon rehearse --callback https://app.example --junit rehearsal.xml
    npx carillon rehearse --callback http://localhost:3000 --only twice,outage

- The command prints the public keys, the audience and the tenant that your application needs. \`--key\` and \`--next-key\` name keys
  of your own. Where a demo has run in the same folder, its key, audience and tenant are used.
- Rehearse with an application that no operator watches: about 150 alarms of units named \`rehearsal-…\` arrive.
- The header \`X-Trace-Id\` is \`rehearsal-\` and the name of the situation, so that your own log shows which one it was.
- The exit code is 0 when every situation went well and 3 when one did not; \`--json\` and \`--junit FILE\` are for your CI.
- Black box: the rehearsal sees answers only. It cannot see whether an operator got one alarm or two.

The file is written from the table that the command runs: \`npx carillon rehearse --list --markdown\`.
`;

/** The page of the documentation with every situation. */
export function rehearsalPage(): string {
  const groups = Object.entries(GROUPS).map(
    ([title, situations]) => `\n## ${title}\n${situations.map(section).join('')}`,
  );
  return HEAD + groups.join('');
}

const section = ({ name, sent, expected, advice, rule, only }: Situation): string => `
### ${name}

${sent} **${expected}** ${advice}
${only === undefined ? '' : `${ONLY[only]} `}Rule: [${rule.split('#')[0]}](${linkOf(rule)}).
`;

const ONLY = {
  tls: 'Only where the application speaks TLS itself.',
  keyPair: 'Only where the key is a pair, not a shared secret.',
} as const;

/** From a page in `docs`. */
const linkOf = (rule: string): string =>
  rule.startsWith('docs/') ? rule.slice('docs/'.length) : `../${rule}`;
