// The ARM emulator from Node: starts it, reads a pool, ends it.
// Run: node examples/node/pools.mjs (from a checkout)
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { createInterface } from 'node:readline';

const emulator = spawn('./poolkeeper', ['arm-emulator', '--output', 'json',
  '--inventory', 'recordings/comings-and-goings.inventory.json'], { stdio: ['ignore', 'pipe', 'inherit'] });

const ended = new Promise(resolve => emulator.on('exit', resolve));
for await (const line of createInterface({ input: emulator.stdout })) {
  const { address, caFile, subscription } = JSON.parse(line);
  const list = await get(`${address}/subscriptions/${subscription}/providers/Microsoft.Network/loadBalancers`
    + '?api-version=2025-03-01', readFileSync(caFile));
  for (const loadBalancer of list.value) {
    for (const pool of loadBalancer.properties.backendAddressPools) {
      const addresses = pool.properties.loadBalancerBackendAddresses ?? [];
      console.log(`${loadBalancer.name}/${pool.name}: ${addresses.length} addresses`);
    }
  }
  emulator.kill('SIGINT');
  break;
}
await ended;

function get(url, ca) {
  return new Promise((resolve, reject) => {
    request(url, { ca, headers: { Authorization: 'Bearer any' } }, answer => {
      let body = '';
      answer.on('data', part => body += part);
      answer.on('end', () => resolve(JSON.parse(body)));
    }).on('error', reject).end();
  });
}
