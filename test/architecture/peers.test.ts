import { describe, expect, it } from 'vitest';
import { PROOFS } from '#test/peers/proof.codes.ts';
import type { Entry } from './layout-rule.ts';
import { badPeerTable, PEER_TABLE, peerRows, unproved } from './peer-rule.ts';
import { repositoryTexts } from './repository.ts';
import { lines } from './source.ts';

const repository = repositoryTexts();
const tableOf = (...rows: string[]): Entry => ({
  path: PEER_TABLE,
  text: ['| Peer | Feature | Told by | Result |', '|---|---|---|---|', ...rows].join('\n'),
});
const suite = (name: string, text = ''): Entry => ({ path: `test/peers/${name}.test.ts`, text });
const faultsOf = (table: Entry, ...names: string[]) =>
  badPeerTable(
    table,
    names.map((name) => suite(name)),
  ).map(({ fault }) => fault);

describe('the table of peers', () => {
  it('names every test against a real program, and no other', () => {
    const table = repository.find(({ path }) => path === PEER_TABLE);
    if (table === undefined) throw new Error(`there is no ${PEER_TABLE}`);
    expect(peerRows(table.text).length).toBeGreaterThan(30);
    expect(lines(badPeerTable(table, repository))).toEqual([]);
  });

  it.each([
    [
      'a file that was removed',
      ['| SIPp | calls | call-sipp, call-old | pass |'],
      ['SIPp: there is no call-old.test.ts'],
    ],
    ['a file that is not named', ['| SIPp | digest | other | pass |'], ['does not name call-sipp.test.ts']],
    [
      'a row without a test',
      ['| SIPp | calls | call-sipp | pass |', '| openssl | TLS |  | pass |'],
      ['openssl: no test proves this'],
    ],
    ['a row without a result', ['| SIPp | calls | call-sipp |  |'], ['SIPp: has no result']],
  ])('turns red by %s', (_, rows, faults) => {
    expect(faultsOf(tableOf(...rows), 'call-sipp', ...(rows[0]?.includes('other') ? ['other'] : []))).toEqual(
      faults,
    );
  });

  it('stays green where every test is named', () => {
    expect(
      faultsOf(tableOf('| SIPp | calls | call-sipp | pass on an idle machine |'), 'call-sipp', 'programs'),
    ).toEqual([]);
  });
});

describe('the scenarios that were promised', () => {
  it('have each a test that is called so', () => {
    expect(PROOFS.length).toBeGreaterThan(60);
    expect(unproved(PROOFS, repository)).toEqual([]);
  });

  it('turn red when a test is called otherwise, or its file is missing', () => {
    const file = 'test/peers/a.test.ts';
    const named = (title: string) =>
      unproved([['glare', file, title]], [suite('a', `it.each([1])('glare over %s', f);`)]);
    expect(named('glare over')).toEqual([]);
    expect(named('late ACK')).toEqual([`glare: no test of ${file} says "late ACK"`]);
    expect(unproved([['glare', file, 'glare']], [])).toEqual([`glare: there is no ${file}`]);
  });
});
