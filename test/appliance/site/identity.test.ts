import { expect, it } from 'vitest';
import { believedKeys } from '#appliance/site/index.ts';
import type { VerifyKey } from '#shared/contract/site/index.ts';

const key = (kid: string) => ({ kid }) as VerifyKey;
const enrolled = { verifyKeys: [key('enrolment')] };

it.each([
  ['none came with a configuration', undefined, enrolled, ['enrolment']],
  ['the configuration has none', [], enrolled, ['enrolment']],
  ['the configuration has one: that of the enrolment is withdrawn', [key('next')], enrolled, ['next']],
  ['the machine is no host', undefined, undefined, []],
  ['the machine is no host and has a configuration', [key('next')], undefined, ['next']],
])('the keys of the platform where %s', (_, replicated, identity, kids) => {
  expect(believedKeys(replicated, identity).map(({ kid }) => kid)).toEqual(kids);
});
