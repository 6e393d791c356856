// Fills a container with readings of devices, keyed as told, over plain HTTP and without any package:
//   node docs/examples/fill.mjs KEY [ITEMS] [ENDPOINT]
// KEY is one of those below. The account key is taken from ORRERY_KEY, or is the emulator's.
import { createHmac } from 'node:crypto';

const KEYS = {
  device: (r) => r.deviceId, // a thousand values, used alike
  tenant: (r) => r.tenantId, // five values, and one has most of the items
  day: (r) => r.day, // seven values, and all new items have the last one
  tenantDevice: (r) => `${r.tenantId}-${r.deviceId}`, // a synthetic key of two properties
  daySuffix: (r) => `${r.day}.${r.suffix}`, // a synthetic key: the day in twenty parts
};
const WELL_KNOWN = 'C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==';
const [name, count = '3000', endpoint = 'http://127.0.0.1:8081'] = process.argv.slice(2);
if (!(name in KEYS)) {
  console.error(`usage: node docs/examples/fill.mjs ${Object.keys(KEYS).join('|')} [ITEMS] [ENDPOINT]`);
  process.exit(1);
}

async function ask(verb, path, type, link, body, headers = {}) {
  const date = new Date().toUTCString();
  const text = `${verb}\n${type}\n${link}\n${date}\n\n`.split('\n');
  const signed = [text[0].toLowerCase(), text[1].toLowerCase(), text[2], text[3].toLowerCase(), '', ''].join('\n');
  const key = Buffer.from(process.env.ORRERY_KEY ?? WELL_KNOWN, 'base64');
  const signature = createHmac('sha256', key).update(signed).digest('base64');
  const authorization = encodeURIComponent(`type=master&ver=1.0&sig=${signature}`);
  const answer = await fetch(endpoint + path, {
    method: verb,
    body: JSON.stringify(body),
    headers: { authorization, 'x-ms-date': date, 'x-ms-version': '2020-07-15', ...headers },
  });
  if (answer.status === 429) {
    await new Promise((wait) => setTimeout(wait, Number(answer.headers.get('x-ms-retry-after-ms'))));
    return ask(verb, path, type, link, body, headers);
  }
  if (answer.status >= 400 && answer.status !== 409) {
    throw new Error(`${verb} ${path}: ${answer.status} ${await answer.text()}`);
  }
  return answer.json();
}

/** The same readings each time: a small generator of its own makes the numbers. */
function* readings(items) {
  let seed = 42;
  const random = (below) => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return (seed >>> 12) % below; // the low bits of such a generator repeat
  };
  for (let i = 0; i < items; i++) {
    const tenant = random(100) < 80 ? 'big' : `small${random(4)}`;
    const day = `2026-11-${String(9 + Math.floor((7 * i) / items)).padStart(2, '0')}`;
    yield { id: `${i}`, deviceId: `d${random(1000)}`, tenantId: tenant, day, suffix: random(20), value: random(100), note: 'x'.repeat(200) };
  }
}

await ask('POST', '/dbs', 'dbs', '', { id: 'readings' });
await ask(
  'POST', '/dbs/readings/colls', 'colls', 'dbs/readings',
  { id: name, partitionKey: { paths: ['/pk'], kind: 'Hash', version: 2 } },
  { 'x-ms-offer-throughput': '1000' },
);
let batch = [];
let written = 0;
async function send() {
  const left = batch;
  batch = [];
  const headers = { 'x-ms-cosmos-is-batch-request': 'True', 'x-ms-cosmos-batch-atomic': 'False', 'x-ms-cosmos-batch-continue-on-error': 'True' };
  const results = await ask('POST', `/dbs/readings/colls/${name}/docs`, 'docs', `dbs/readings/colls/${name}`, left, headers);
  const again = left.filter((_, i) => results[i].statusCode === 429);
  const waits = results.map((result) => result.retryAfterMilliseconds ?? 0);
  written += left.length - again.length;
  process.stdout.write(`\r${written} items`);
  if (again.length > 0) {
    await new Promise((wait) => setTimeout(wait, Math.max(...waits)));
    batch = again;
    await send();
  }
}
for (const reading of readings(Number(count))) {
  const item = { ...reading, pk: KEYS[name](reading) };
  batch.push({ operationType: 'Upsert', partitionKey: JSON.stringify([item.pk]), resourceBody: item });
  if (batch.length === 100) await send();
}
if (batch.length > 0) await send();
console.log();
