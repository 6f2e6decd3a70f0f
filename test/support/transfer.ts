import type { SipRequest } from '#appliance/sip/message/index.ts';
import type { Telephone, telephones } from './telephone.ts';

type Net = Pick<ReturnType<typeof telephones>, 'pump' | 'after'>;

/** Common parts of stories of transfers. */
export const transfers = ({ pump, after }: Net) => ({
  /** The status line in the next NOTIFY, and what becomes of the subscription. */
  async takeNotify(by: Telephone): Promise<string> {
    const notify: SipRequest = by.request('NOTIFY');
    by.respond(notify, 200);
    await pump();
    const state = notify.header('Subscription-State')?.split(';')[0];
    return `${notify.body.toString().split('\r\n')[0]} ${state}`;
  },
  /** Digits that the other hears of two keys. */
  async digitsFrom(from: Telephone, to: Telephone): Promise<string> {
    await after(500);
    to.audio.forget();
    from.audio.press('27');
    await after(1_000);
    return to.audio.digits.map(({ digit }) => digit).join('');
  },
});

export const referTo = (user: string): [string, string][] => [['Refer-To', `<sip:${user}@care.example>`]];
