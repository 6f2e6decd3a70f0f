import type { Trunk } from '#appliance/sip/trunk/index.ts';

export const host = (uri: string, priority = 10, weight = 100) => ({ uri, priority, weight });

/** A trunk that is right in everything not named. */
export const trunk = (fields: Partial<Trunk> = {}): Trunk => ({
  id: 'trunk-1',
  name: 'Carrier',
  direction: 'both',
  hosts: [host('sip:carrier.example')],
  transport: 'udp',
  ipAllowList: [],
  register: false,
  codecs: ['PCMA'],
  srtp: 'never',
  forceRtpRelay: false,
  strip: 0,
  prepend: '',
  optionsInterval: 60_000,
  ...fields,
});
