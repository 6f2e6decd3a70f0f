import { describe, expect, it } from 'vitest';
import { eventMark, treatEvent } from '#appliance/alarm/protocol/dc09/index.ts';
import { type Origin, RepeatMemory } from '#appliance/alarm/protocol/repeat/index.ts';

const at = (address: string, proof?: string): Origin => ({ address, ...(proof !== undefined && { proof }) });
const SAID = { link: 'bridge\n1234', mark: '0001:abcd', ordinal: 0 };
const MARK = eventMark(SAID);

/** Memory in which each source has sent the event; those with `*` are on the disk. */
function reportedBy(...sources: string[]): RepeatMemory {
  const memory = new RepeatMemory(10);
  for (const [place, source] of sources.entries()) {
    const address = source.replace('*', '');
    const conversation = place === 0 ? MARK : `${MARK} at ${address}`;
    memory.add({ mark: MARK, conversation, origin: at(address), repeatMs: 100, stored: false }, 0);
    if (source.endsWith('*')) memory.stored(conversation, 0);
  }
  return memory;
}

describe('an event whose frame its link does not know', () => {
  const own = `${MARK} at a`;
  it.each([
    { reported: [], by: at('a'), becomes: { kind: 'event', conversation: MARK } },
    { reported: ['a*'], by: at('a'), becomes: { kind: 'storedBefore', conversation: MARK } },
    { reported: ['a'], by: at('a'), becomes: { kind: 'event', conversation: MARK } },
    { reported: ['b*', 'a*'], by: at('a'), becomes: { kind: 'storedBefore', conversation: own } },
    { reported: ['b*', 'a'], by: at('a'), becomes: { kind: 'event', conversation: own } },
    { reported: ['b'], by: at('a'), becomes: { kind: 'event', conversation: own, possibleRepeatOf: MARK } },
    {
      reported: ['b*', 'c'],
      by: at('a'),
      becomes: { kind: 'event', conversation: own, possibleRepeatOf: MARK },
    },
    {
      reported: ['b', 'c', 'd', 'e*'],
      by: at('a'),
      becomes: { kind: 'counted', of: `${MARK} at e`, fate: 'stored' },
    },
    {
      reported: ['b*', 'c*', 'd*', 'e'],
      by: at('a'),
      becomes: { kind: 'counted', of: `${MARK} at e`, fate: 'storeFailed' },
    },
    {
      reported: ['b', 'c', 'd', 'e'],
      by: at('a', 'account'),
      becomes: { kind: 'event', conversation: `${MARK} proven account`, possibleRepeatOf: MARK },
    },
  ])('reported by $reported, from $by: $becomes.kind', ({ reported, by, becomes }) => {
    const verdict = reportedBy(...reported).judge(MARK, by, 50);
    expect(treatEvent({ ...SAID, origin: by }, verdict)).toEqual(becomes);
  });

  it('is new once its time is over, and only if it is on the disk', () => {
    const later = (reported: string) => {
      const verdict = reportedBy(reported).judge(MARK, at('a'), 100);
      return treatEvent({ ...SAID, origin: at('a') }, verdict);
    };
    expect(later('b*')).toEqual({ kind: 'event', conversation: MARK });
    expect(later('b')).toMatchObject({ possibleRepeatOf: MARK });
  });

  it('is another one at another place of the frame, of another frame and of another link', () => {
    const marks = [
      SAID,
      { ...SAID, ordinal: 1 },
      { ...SAID, mark: '0002:abcd' },
      { ...SAID, link: 'x\n1234' },
    ];
    expect(new Set(marks.map(eventMark)).size).toBe(4);
  });
});
