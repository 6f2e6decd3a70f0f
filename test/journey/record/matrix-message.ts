import type { SessionRecord } from '#shared/contract/session-record/index.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';

/* Messages between parties, and attempts of strangers. */

/** A message to a bridge of events by API, one of the application, and one to an address that is too long. */
export async function messageRecords(): Promise<SessionRecord[]> {
  const site = await testAppliance();
  site.answerBy(() => answered({}));
  site.device({ deviceId: 'unit-1' });
  site.bridge({ id: 'chat', protocol: 'api', name: 'Chat', destinationMatch: '^notes$' });
  site.request('MESSAGE', 'unit-1', {
    uri: 'sip:notes@care.example',
    body: 'hello',
    contentType: 'text/plain',
  });
  await site.quiet();
  site.take();
  const sent = site.runtime.messages.send({
    reqUri: 'sip:unit-1@care.example',
    from: 'sip:unit-1@care.example',
    contentType: 'text/plain',
    body: 'hi',
  });
  await site.quiet();
  for (const message of site.take()) if (message.kind === 'request') site.confirm(message);
  await sent;
  const uri = `sip:${'x'.repeat(300)}@care.example`;
  site.tenant.put('notificationsettings', 'care.example', {
    alarmFromEdge: true,
    messageCallbackBaseUrl: 'https://app.example/all',
  });
  site.request('MESSAGE', 'unit-1', { uri, body: 'hello', contentType: 'text/plain' });
  await site.quiet();
  const records = await site.recorded('message');
  await site.close();
  return records;
}

/** A message of a stranger that no application takes. */
export async function attemptRecords(): Promise<SessionRecord[]> {
  const site = await testAppliance();
  site.device({ deviceId: 'unit-1' });
  site.request('MESSAGE', 'unit-1', {
    uri: 'sip:notes@care.example',
    body: 'hello',
    contentType: 'text/plain',
  });
  await site.after(60_000);
  const records = await site.recorded('attempt');
  await site.close();
  return records;
}
