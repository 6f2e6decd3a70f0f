import { describe, expect, it } from 'vitest';
import { withoutMasks } from '#cloud/console/component/form/secret.ts';

describe('the beginning of a copy', () => {
  it('has no mask of a secret at any depth, which the control plane would refuse for a new resource', () => {
    const read = {
      name: 'North',
      restAuthentication: [{ sub: 'carillon', secret: '<secret>' }, { sub: 'other' }],
      dc09: { keys: ['<secret>', 'kept'], account: null },
    };
    expect(withoutMasks(read)).toEqual({
      name: 'North',
      restAuthentication: [{ sub: 'carillon' }, { sub: 'other' }],
      dc09: { keys: ['kept'], account: null },
    });
  });
});
