import { expect, it } from 'vitest';
import { isCoveredBy } from '#shared/matching/index.ts';

const WHOLE = {};
const [ONE, TWO] = [{ hostId: 'one' }, { hostId: 'two' }];

it.each([
  ['no window', [], 'lowMemory', { hostId: 'one' }, false],
  ['one of the site', [WHOLE], 'lowMemory', { hostId: 'one' }, true],
  ['one of the host', [ONE], 'lowMemory', { hostId: 'one' }, true],
  ['one of another host', [TWO], 'lowMemory', { hostId: 'one' }, false],
  ['one of the site, of what is no host', [WHOLE], 'noHeartbeatReply', {}, true],
  ['one of a host, of what is no host', [ONE], 'noHeartbeatReply', {}, false],
  ['one of a host, of the whole site', [ONE], 'noHeartbeatReply', { hosts: ['one', 'two'] }, false],
  ['those of all hosts, of the whole site', [ONE, TWO], 'noHeartbeatReply', { hosts: ['one', 'two'] }, true],
  ['those of all hosts, of a site without any', [ONE], 'noHeartbeatReply', { hosts: [] }, false],
  ['one of the site, of what work does not cause', [WHOLE], 'duplicateIdentity', { hostId: 'one' }, false],
])('%s: %j covers %s of %j: %s', (_, windows, error, details, covered) => {
  expect(isCoveredBy(windows, error, details)).toBe(covered);
});
