import { go } from '../route.ts';

/** Shows the queue in this window when the worker asks for it: a person has pressed a notice. Apart, since every page does so. */
export function followNotices(): void {
  if (!('serviceWorker' in navigator)) return;
  navigator.serviceWorker.addEventListener(
    'message',
    ({ data }: MessageEvent<{ readonly page?: string } | null>) => {
      if (data?.page === 'queue') go('queue');
    },
  );
}
