import { openSite, pause } from '#test/support/site.ts';
import { type Campaign, type CampaignSetting, mustBreak, type Run } from '../campaign.ts';
import { forgetful } from '../forgetful.ts';
import { beside, judgedAtRest, now } from './known-load.ts';
import { judgeRecovery, together } from './recovery-history.ts';

const RATE = 30;
/** SIGSTOP of so long. s */
const [LONG_S, SHORT_S] = [[5, 40, 300], [5]];
/** Longer than a device waits for an answer. s */
const MUTANT_S = 7;
/** Before and behind it the devices go on. s */
const [BEFORE_S, BEHIND_S] = [1.5, 9];
/** A process that goes on has to work off what waited for it. ms */
const GRACE_MS = 5_000;
const WITHIN_MS = 8_000;
type Process = 'appliance' | 'cloud';

/** Each process hangs (SIGSTOP) while known devices alarm, and goes on. */
export const frozen: Campaign = {
  summary: 'SIGSTOP of appliance and cloud for 5, 40 and 300 s: nothing acknowledged is lost or told twice',
  run: async (setting) => {
    const lengths = setting.minutes === undefined ? SHORT_S : LONG_S;
    const runs: Run[] = [];
    // They wait more than they compute.
    for (const seconds of lengths)
      runs.push(
        ...(await Promise.all([
          hung('appliance', seconds, [], setting),
          hung('cloud', seconds, [], setting),
        ])),
      );
    // A device that got no answer says its alarm again: without the duplicate rule that is a second alarm.
    const mutant = await hung('appliance', MUTANT_S, forgetful, setting);
    return [...runs, mustBreak({ ...mutant, name: 'no duplicate rule' }, 'twice, other id')];
  },
};

async function hung(
  which: Process,
  seconds: number,
  applianceNode: readonly string[],
  { say }: CampaignSetting,
): Promise<Run> {
  const site = await openSite({ applianceNode });
  try {
    say(`${which} hangs for ${seconds} s, known devices ${RATE}/s`);
    let [fromMs, untilMs] = [0, 0];
    const load = { rate: RATE, seconds: BEFORE_S + seconds + BEHIND_S, name: `${which[0]}${seconds}x` };
    const alarms = await beside(site, load, async () => {
      await pause(BEFORE_S * 1000);
      fromMs = now();
      site.freeze(which);
      await pause(seconds * 1000);
      site.thaw(which);
      untilMs = now();
    });
    const { figures, violations } = together(
      await judgedAtRest(site, alarms),
      // A cloud that hangs concerns no alarm at all.
      judgeRecovery({
        alarms,
        faults: [which === 'cloud' ? { fromMs, untilMs: fromMs } : { fromMs, untilMs }],
        graceMs: which === 'cloud' ? 0 : GRACE_MS,
        withinMs: WITHIN_MS,
      }),
    );
    return { name: `${which} ${seconds} s`, figures, violations };
  } finally {
    site.thaw('appliance');
    site.thaw('cloud');
    await site.close();
  }
}
