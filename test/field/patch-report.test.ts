import { expect, it } from 'vitest';
import { patched } from '#cloud/provisioning/resource/json-patch.ts';
import { jsonPatchSchema } from '#shared/contract/provisioning/index.ts';

/* Patches as public reports show them; `README.md` names the report of each. */

const apply = (document: unknown, patch: unknown) => patched(document, jsonPatchSchema.parse(patch));

it.each([
  // python-json-patch 94
  [
    { '/fields/test': '1' },
    [{ op: 'replace', path: '/~1fields~1test', value: '2' }],
    { '/fields/test': '2' },
  ],
  // jsonpatch.js 17
  [{ 'b/c/d': [1, 2, 3] }, [{ op: 'add', path: '/b~1c~1d/3', value: 4 }], { 'b/c/d': [1, 2, 3, 4] }],
  // openshift/origin 9174
  [{ a: {} }, [{ op: 'add', path: '/a/x.io~1jenkins-uri', value: 'j' }], { a: { 'x.io/jenkins-uri': 'j' } }],
  // resourcejs 120
  [{ 'a~b': 1, c: 1 }, [{ op: 'remove', path: '/a~0b' }], { c: 1 }],
])('%j with %j', (document, patch, expected) => {
  expect(apply(document, patch)).toEqual({ ok: true, value: expected });
});
