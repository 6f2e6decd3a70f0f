import type { Stage } from './stage.ts';
import type { Task } from './walk.ts';

const HOST = 'second';

/** Work on the hosts of a site. */
export function siteTasks(stage: Stage): readonly Task[] {
  const { call } = stage.demo.open;
  const { there } = stage.demo;
  return [
    {
      number: 11,
      name: 'Drain and swap a host',
      before: async () => {
        const made = await call('POST', `/site/${there('domain')}/${there('siteId')}/claim`, {
          hostId: HOST,
        });
        await stage.join(HOST, String(made.claimCode));
      },
      walk: async (hand) => {
        await hand.go('Fleet');
        await hand.press(HOST);
        await hand.press('Service');
        await hand.sees('Consequences');
        await hand.press(`Drain ${HOST}`);
        await hand.sees('it takes no calls and no alarms');
        await stage.leave(HOST);
        await hand.press('The machine is dead: swap it');
        await hand.fill(`Type ${HOST} to confirm`, HOST);
        await hand.press('Swap the machine');
        const claim = await hand.read(/--claim (\S+)/);
        await stage.join(HOST, claim);
        await hand.go('Fleet');
        await hand.seesRow(HOST, 'online');
      },
    },
  ];
}
