import { describe, expect, it } from 'vitest';
import { readRecognition, resultOf } from '#appliance/media/speech/index.ts';

const read = (said: unknown) => {
  const answer = readRecognition(said);
  return answer.ok ? answer.value : answer.error.reason;
};

describe('the answer of a recogniser', () => {
  it.each([
    ['text alone', { text: ' yes \n please ' }, { text: 'yes please', alternatives: [] }],
    ['a confidence', { text: 'yes', confidence: 0.4 }, { text: 'yes', confidence: 0.4, alternatives: [] }],
    ['one out of range', { text: 'yes', confidence: 87 }, { text: 'yes', confidence: 1, alternatives: [] }],
    ['one that is none', { text: 'yes', confidence: 'high' }, { text: 'yes', alternatives: [] }],
    [
      'words with confidences',
      { text: 'yes please', result: [{ conf: 1, word: 'yes' }, { conf: 0.5, word: 'please' }, null] },
      { text: 'yes please', confidence: 0.75, alternatives: [] },
    ],
    [
      'alternatives alone',
      { alternatives: [{ text: 'yes', confidence: 0.8 }, { text: 'guess' }, 7] },
      { text: 'yes', confidence: 0.8, alternatives: [{ text: 'guess' }] },
    ],
    ['nothing understood', { text: '' }, { text: '', alternatives: [] }],
  ])('%s', (_, said, expected) => {
    expect(read(said)).toEqual(expected);
  });

  it.each([
    ['a list', [], 'no JSON object'],
    ['null', null, 'no JSON object'],
    ['other fields', { transcript: 'yes' }, 'has no text'],
    ['a number', { text: 7 }, 'has no text'],
    ['a book', { text: 'yes '.repeat(10_000) }, '39999 characters'],
  ])('%s is none', (_, said, reason) => {
    expect(read(said)).toContain(reason);
  });

  it('says little below the least confidence, and all without one', () => {
    const least = { leastConfidence: 0.5 };
    expect(resultOf({ text: 'yes', confidence: 0.5, alternatives: [] }, least)).toEqual({
      reason: 'recognised',
      text: 'yes',
      confidence: 0.5,
    });
    expect(resultOf({ text: 'yes', confidence: 0.4, alternatives: [] }, least)).toMatchObject({
      reason: 'lowConfidence',
      text: 'yes',
    });
    expect(resultOf({ text: 'yes', alternatives: [{ text: 'guess' }] }, least)).toEqual({
      reason: 'recognised',
      text: 'yes',
      alternatives: [{ text: 'guess' }],
    });
    expect(resultOf({ text: '', confidence: 1, alternatives: [] }, least)).toEqual({ reason: 'noMatch' });
  });
});
