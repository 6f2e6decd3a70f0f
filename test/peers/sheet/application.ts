import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';

/** An application of a customer. Its alarms come as `POST …/newAlarmbridgeEvent`; it looks at no signature. */
export interface Application {
  /** Where the demo passes callbacks on to. */
  readonly url: string;
  /** While it is not well it refuses each callback for good. */
  isWell: boolean;
  /** Devices whose alarms it cannot take: it answers an error of its own. */
  readonly stumbles: Set<string>;
  /** Paths of the callbacks that it took. */
  readonly taken: string[];
  /** Listens with a certificate of its own, too, and gives its address: receivers that a person sets up post to it. */
  readonly listen: (certificate: { readonly cert: string; readonly key: string }) => Promise<string>;
  readonly close: () => Promise<void>;
}

/** Receivers with this path in their callback address get people to speak with; the alarms of the others are done at once. */
export const SPEAKING = '/speaking';

export async function startApplication(): Promise<Application> {
  const take: RequestListener = (request, response) => {
    let text = '';
    request.on('data', (part) => {
      text += String(part);
    });
    request.on('end', () => {
      const [status, body] = answerTo(String(request.url), text);
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    });
  };
  const servers: Server[] = [];
  const open = async (server: Server): Promise<number> => {
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  };
  const port = await open(createServer(take));
  const application: Application = {
    url: `http://127.0.0.1:${port}`,
    isWell: true,
    stumbles: new Set(),
    taken: [],
    listen: async (certificate) => `https://127.0.0.1:${await open(createTlsServer(certificate, take))}`,
    close: async () => {
      for (const server of servers) server.close();
    },
  };
  const answerTo = (path: string, text: string): readonly [number, object] => {
    const isAlarm = path.endsWith('/newAlarmbridgeEvent');
    if (isAlarm && [...application.stumbles].some((device) => text.includes(`"${device}"`)))
      return [500, { success: false, reason: 'The customer of this device is not known here' }];
    if (!application.isWell) return [400, {}];
    application.taken.push(path);
    if (!isAlarm) return [200, {}];
    return [200, { action: path.startsWith(SPEAKING) ? 'callEmergencyCenter' : 'drop' }];
  };
  return application;
}
