/**
 * Files of `npm run test:peers` in another folder: no programs, but strangers at the sockets of a whole appliance. They judge time,
 * and run alone there.
 */
export const STRANGERS = ['sip-hostile', 'sip-message', 'sip-dialog'].map(
  (name) => `test/fuzz/${name}.test.ts`,
);
