import type { Command } from 'commander';
import { exitCode, Stop } from '../../../exit-code.ts';
import { ownVersion } from '../../../io/release.ts';
import type { Programs } from '../../../program.ts';
import { findLogin, type Terminal } from '../../operator/index.ts';
import { hostPort } from '../../option/option-word.ts';
import { documentTools } from './document.ts';
import { explainTool, platformTools, simulateTool } from './platform.ts';
import { serveTools } from './server.ts';

interface Flags {
  readonly allowSimulate?: boolean;
  readonly to: string;
  readonly domain: string;
  readonly cloud?: string;
  readonly token?: string;
}

/** `carillon mcp`: a server by which an assistant looks things up here; it changes nothing unless it is allowed to. */
export function mcpCommand(root: Command, programs: Programs, { environment }: Terminal): void {
  root
    .command('mcp')
    .summary('lets an assistant read documentation, records and traces (Model Context Protocol)')
    .description(
      'Serves tools of the Model Context Protocol over standard input and output: documentation, records, traces, frames taken apart, configuration judged without storing it. Read-only.',
    )
    .option('--allow-simulate', 'also a tool that sends a simulated alarm to a demo on this machine')
    .option('--to <host:port>', 'with --allow-simulate: SIP address of the demo', hostPort, '127.0.0.1:5060')
    .option('--domain <domain>', 'with --allow-simulate: tenant of the demo', 'demo.carillon.test')
    .option('--cloud <url>', 'base URL of the cloud (default: CARILLON_CLOUD, or that of the login)')
    .option('--token <token>', 'API token or JWT (default: CARILLON_TOKEN, or that of the login)')
    .addHelpText(
      'after',
      '\nExample:\n  carillon mcp --cloud https://cloud.example\n\nIn the configuration of an assistant:\n  {"mcpServers": {"carillon": {"command": "carillon", "args": ["mcp"]}}}\n\nA token with the scope read is enough.',
    )
    .action(async (flags: Flags) => {
      const tools = [
        ...documentTools(),
        explainTool(programs),
        ...platformTools(() => findLogin(environment, flags)),
        ...(flags.allowSimulate === true ? [simulateTool(programs, onLoopback(flags.to), flags.domain)] : []),
      ];
      const write = (line: string): void => void process.stdout.write(`${line}\n`);
      await serveTools(tools, ownVersion(), process.stdin, write);
    });
}

/** Chosen: an assistant sends alarms to this machine alone. At a site, a person would answer them. */
function onLoopback(to: string): string {
  if (/^(?:127\.\d+\.\d+\.\d+|\[::1\]|localhost):\d+$/.test(to)) return to;
  throw new Stop(
    exitCode.wrongUse,
    `--to ${to} is another machine; an assistant simulates alarms on this one only. Write 127.0.0.1:PORT.`,
  );
}
