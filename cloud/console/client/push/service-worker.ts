/*
 * Shows that an alarm waits, also while no window of the console is open. A message says nothing more, and neither does the notice:
 * it stands on screens that are locked.
 */

interface Lasting extends Event {
  readonly waitUntil: (work: Promise<unknown>) => void;
}

interface Pressed extends Lasting {
  readonly notification: Notification;
}

interface ConsoleWindow {
  readonly url: string;
  readonly focus: () => Promise<unknown>;
  readonly postMessage: (message: unknown) => void;
}

/** The part of a service worker's scope that is used here; the types of the page know none. */
interface WorkerScope {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    readonly claim: () => Promise<void>;
    readonly matchAll: (which: object) => Promise<readonly ConsoleWindow[]>;
    readonly openWindow: (address: string) => Promise<unknown>;
  };
  readonly skipWaiting: () => Promise<void>;
  addEventListener(name: 'install' | 'activate' | 'push', act: (event: Lasting) => void): void;
  addEventListener(name: 'notificationclick', act: (event: Pressed) => void): void;
}

const scope = globalThis as unknown as WorkerScope;

const QUEUE = '/console/queue';
/** A display on a wall shows no queue to take from. */
const WALL = '/console/wall/';

/** The page gives the sentence in the language of its person; a worker has no catalog of texts. */
const sentence = new URL(location.href).searchParams.get('sentence') ?? 'An alarm is waiting';

scope.addEventListener('install', (event) => event.waitUntil(scope.skipWaiting()));
scope.addEventListener('activate', (event) => event.waitUntil(scope.clients.claim()));

scope.addEventListener('push', (event) => {
  // `renotify` is missing in the types: one notice stands for all alarms, and each message rings again.
  const options = { tag: 'alarm-queue', renotify: true, requireInteraction: true, icon: '/console/bell.svg' };
  event.waitUntil(scope.registration.showNotification(sentence, options));
});

scope.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openQueue());
});

/** An open window goes there by itself: loaded again it would lose the alarms that it has taken. */
async function openQueue(): Promise<void> {
  const windows = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const open = windows.find(({ url }) => !new URL(url).pathname.startsWith(WALL));
  if (open === undefined) {
    await scope.clients.openWindow(QUEUE);
    return;
  }
  open.postMessage({ page: 'queue' });
  await open.focus();
}
