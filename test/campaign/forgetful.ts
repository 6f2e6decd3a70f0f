import { ExchangeTable } from '#appliance/alarm/protocol/scaip/index.ts';

/**
 * Words for Node that load this file before the appliance: it then takes every SCAIP request for a new one, since each
 * comes to a scope of its own. It exists so that the kill -9 campaign can be seen to turn red.
 */
export const forgetful: readonly string[] = ['--import', `${import.meta.url}?forget`];

if (new URL(import.meta.url).search === '?forget') {
  const receive = ExchangeTable.prototype.receive;
  let requests = 0;
  ExchangeTable.prototype.receive = function (this: ExchangeTable, decoded, context) {
    requests++;
    return receive.call(this, decoded, { ...context, scope: `${context.scope} ${requests}` });
  };
}
