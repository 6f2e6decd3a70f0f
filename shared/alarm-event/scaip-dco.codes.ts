import type { CodeRow } from './code-table.ts';

/**
 * SCAIP element `dco`: part of the device. Compare as integers, send three digits.
 * 030-089 are reserved, 090-099 private to a controller.
 */
// biome-ignore format: one row a line reads as a table
export const SCAIP_COMPONENTS: readonly CodeRow[] = [
  { code: '000', key: 'unknown', meaning: 'part not known', receive: 'unspecified', send: 'unspecified', basis: 'near' },
  { code: '001', key: 'undefined', meaning: 'part deliberately not stated', receive: 'unspecified', send: null, basis: 'near' },
  { code: '002', key: 'button1', meaning: 'button 1', receive: 'button1', send: 'button1', basis: 'exact' },
  { code: '003', key: 'button2', meaning: 'button 2', receive: 'button2', send: 'button2', basis: 'exact' },
  { code: '004', key: 'button3', meaning: 'button 3', receive: 'button3', send: 'button3', basis: 'exact' },
  { code: '005', key: 'button4', meaning: 'button 4', receive: null, send: null, basis: 'none' },
  { code: '006', key: 'button5', meaning: 'button 5', receive: null, send: null, basis: 'none' },
  { code: '007', key: 'switch1', meaning: 'switch 1', receive: 'switch1', send: 'switch1', basis: 'exact' },
  { code: '008', key: 'switch2', meaning: 'switch 2', receive: 'switch2', send: 'switch2', basis: 'exact' },
  { code: '009', key: 'switch3', meaning: 'switch 3', receive: null, send: null, basis: 'none' },
  { code: '010', key: 'switch4', meaning: 'switch 4', receive: null, send: null, basis: 'none' },
  { code: '011', key: 'switch5', meaning: 'switch 5', receive: null, send: null, basis: 'none' },
  { code: '012', key: 'output1', meaning: 'output 1', receive: null, send: null, basis: 'none' },
  { code: '013', key: 'output2', meaning: 'output 2', receive: null, send: null, basis: 'none' },
  { code: '014', key: 'output3', meaning: 'output 3', receive: null, send: null, basis: 'none' },
  { code: '015', key: 'output4', meaning: 'output 4', receive: null, send: null, basis: 'none' },
  { code: '016', key: 'output5', meaning: 'output 5', receive: null, send: null, basis: 'none' },
  { code: '017', key: 'automatic1', meaning: 'automatic circuit 1', receive: 'automatic1', send: 'automatic1', basis: 'exact' },
  { code: '018', key: 'automatic2', meaning: 'automatic circuit 2', receive: 'automatic2', send: 'automatic2', basis: 'exact' },
  { code: '019', key: 'automatic3', meaning: 'automatic circuit 3', receive: null, send: null, basis: 'none' },
  { code: '020', key: 'automatic4', meaning: 'automatic circuit 4', receive: null, send: null, basis: 'none' },
  { code: '021', key: 'automatic5', meaning: 'automatic circuit 5', receive: null, send: null, basis: 'none' },
  { code: '022', key: 'ethernetCircuit', meaning: 'network circuit', receive: null, send: null, basis: 'none' },
  { code: '023', key: 'memoryCircuit', meaning: 'memory', receive: null, send: null, basis: 'none' },
  { code: '024', key: 'microcontroller', meaning: 'processor', receive: null, send: null, basis: 'none' },
  { code: '025', key: 'module1', meaning: 'module 1', receive: 'module1', send: 'module1', basis: 'exact' },
  { code: '026', key: 'module2', meaning: 'module 2', receive: 'module2', send: 'module2', basis: 'exact' },
  { code: '027', key: 'module3', meaning: 'module 3', receive: 'module3', send: 'module3', basis: 'exact' },
  { code: '028', key: 'module4', meaning: 'module 4', receive: 'module4', send: 'module4', basis: 'exact' },
  { code: '029', key: 'module5', meaning: 'module 5', receive: 'module5', send: 'module5', basis: 'exact' },
];
