import { expect, test } from 'vitest';
import { claimOfText } from '#installer/plan/index.ts';

const LONG = '0123456789ABCDEFGHJKMNPQRS';

test.each([
  [`carillon enrol --cloud https://cloud.example --claim ${LONG}`, 'https://cloud.example', LONG],
  [`carillon enrol --claim=${LONG} --cloud=https://cloud.example:8443`, 'https://cloud.example:8443', LONG],
  ['https://cloud.example/console/#/claim?claim=4F7K2M9QXT', 'https://cloud.example', '4F7K2M9QXT'],
  ['https://cloud.example/?claim=4F7K2M9QXT', 'https://cloud.example', '4F7K2M9QXT'],
])('"%s" says where to go, and by which code', (text, cloud, code) => {
  expect(claimOfText(text)).toEqual({ cloud, code });
});

test.each(['', LONG, 'https://cloud.example/console', 'carillon enrol --claim X', '{"v":1}'])(
  '"%s" does not',
  (text) => {
    expect(claimOfText(text)).toBeUndefined();
  },
);
