import { describe, expect, it } from 'vitest';
import { trunkUsers } from '#cloud/console/page/setup/trunk-user.ts';

const hosts = [{ uri: 'sip:192.0.2.10' }];
const resources = {
  receiver: [
    {
      ...{ id: 'r-1', name: 'Alarms', defaultEmergencyDestination: '+46855511000' },
      emergencyCallList: {
        steps: [
          { entries: [{ destination: 'sip:duty@care.example' }] },
          { entries: [{ destination: '+46 70 123 45 67' }, { destination: 'sip:+4540000000@care.example' }] },
        ],
      },
    },
    { id: 'r-2', name: 'Panels' },
  ],
  sender: [
    {
      ...{ id: 's-1', name: 'Centre', unknownAlarmEventVoiceDestination: '+46855511003' },
      targetEndpoint: {
        ...{ destAddr: 'sip:alarm@arc.example', defaultVoiceDestination: '+46855511001' },
        terminatingTrunkGroupId: 'north',
      },
    },
  ],
  mediaService: [{ id: 'm-1', emergencyDestination: '+46855511002' }],
};
const usersOf = (trunk: object): readonly string[] =>
  trunkUsers({ direction: 'both', hosts, ...trunk }, resources).map(
    ({ kind, name, path, destination }) => `${kind} ${name} ${path} ${destination}`,
  );

const RECEIVER = 'receiver Alarms /defaultEmergencyDestination +46855511000';
const FIRST = 'receiver Alarms /emergencyCallList/steps/1/entries/0/destination +46 70 123 45 67';
const SECOND =
  'receiver Alarms /emergencyCallList/steps/1/entries/1/destination sip:+4540000000@care.example';
const SERVICE = 'mediaService m-1 /emergencyDestination +46855511002';

describe('the users of a trunk', () => {
  it.each<readonly [string, object, readonly string[]]>([
    ['every number without a prefix, in lists too', {}, [RECEIVER, FIRST, SECOND, SERVICE]],
    [
      'the numbers of its prefix, however they are written',
      { numberPrefix: '+46' },
      [RECEIVER, FIRST, SERVICE],
    ],
    ['a longer prefix', { numberPrefix: '+4670' }, [FIRST]],
    [
      'of its group those that name it alone',
      { trunkGroupId: 'north' },
      [
        'sender Centre /targetEndpoint/defaultVoiceDestination +46855511001',
        'sender Centre /unknownAlarmEventVoiceDestination +46855511003',
      ],
    ],
    ['none of a group that no object names', { trunkGroupId: 'south' }, []],
    ['none where calls only arrive', { direction: 'in' }, []],
    ['none without a host', { hosts: [] }, []],
  ])('are %s', (_name, trunk, expected) => {
    expect(usersOf(trunk)).toEqual(expected);
  });
});
