// An application over several nodes that checks all it is told while they fail, for ORRERY_SECONDS.
// Its last line is a JSON object of the number of requests and what went wrong.
import { ChangeFeedStartFrom } from '@azure/cosmos';
import { connect, disconnect } from './account.js';

const { ORRERY_ENDPOINTS, ORRERY_DATABASE, ORRERY_SECONDS } = process.env;
const nodes = ORRERY_ENDPOINTS.split(',').map((endpoint) => {
  const connectionPolicy = { enableEndpointDiscovery: false, requestTimeout: 60000 };
  return connect({ endpoint, consistencyLevel: 'Session', connectionPolicy }).database(ORRERY_DATABASE).container('c');
});
const KEYS = 40;
const ITEMS = 100;
const PASSING = new Set([408, 410, 429, 449, 503]);
const faults = [];
const acknowledged = new Map(); // the last version of an item that was told to be there
const tried = new Map(); // the last version that may be there
const fed = new Map();
const until = Date.now() + Number(ORRERY_SECONDS) * 1000;
let continuation;
let done = 0;
let unknown = 0;
let longestMillis = 0;
const failures = []; // what went wrong

const keyOf = (id) => `k${Number(id.slice(1)) % KEYS}`;
const wait = (millis) => new Promise((waited) => setTimeout(waited, millis));

/** Connections that break have no status. */
const isPassing = (error) => PASSING.has(error.code) || typeof error.code === 'string' || error.name === 'TimeoutError' || error.name === 'RestError';

/** One request: what it fails with knows how long that took. */
async function ask(request) {
  const begin = Date.now();
  try {
    return await request();
  } catch (error) {
    error.waitedMillis = Date.now() - begin;
    throw error;
  }
}

/** Without a status where there was no answer. */
function failure(error, begin) {
  return {
    kind: `node ${error.code ?? error.name}`,
    status: typeof error.code === 'number' ? error.code : 0,
    substatus: error.substatus ?? 0,
    text: String(error.message ?? error.body?.message).slice(0, 1000),
    millis: error.waitedMillis ?? Date.now() - begin,
  };
}

/** Asks one node until that fails, then the next. */
async function repeat(name, first, turn) {
  let at = first;
  while (Date.now() < until && faults.length < 20) {
    const begin = Date.now();
    try {
      await turn(nodes[at % nodes.length]);
      done++;
      longestMillis = Math.max(longestMillis, Date.now() - begin);
    } catch (error) {
      longestMillis = Math.max(longestMillis, Date.now() - begin);
      failures.push(failure(error, begin));
      if (!isPassing(error)) faults.push(`${name}: ${error.code}/${error.substatus} ${error.name} ${error.message}`);
      unknown++;
      at++;
      await wait(20);
    }
  }
}

function check(what, id, before, version = 0) {
  if (version < before) faults.push(`${what} of ${id} saw version ${version} after ${before}`);
  if (version > (tried.get(id) ?? 0)) faults.push(`${what} of ${id} saw version ${version}, which nobody wrote`);
}

async function read(node, what, id) {
  const before = acknowledged.get(id);
  const { resource } = await ask(() => node.item(id, keyOf(id)).read());
  check(what, id, before, resource?.version);
}

/** One writer, so that nobody else changes its items. */
async function write(node) {
  const id = `n${Math.floor(Math.random() * ITEMS)}`;
  if (acknowledged.has(id) && Math.random() < 0.3) return read(node, 'read', id);
  const version = (tried.get(id) ?? 0) + 1;
  tried.set(id, version);
  const item = { id, pk: keyOf(id), version };
  if (acknowledged.has(id) && Math.random() < 0.5) await ask(() => node.item(id, keyOf(id)).replace(item));
  else await ask(() => node.items.upsert(item));
  acknowledged.set(id, version);
}

async function query(node) {
  const before = new Map(acknowledged);
  const pages = node.items.query("SELECT c.id, c.version FROM c WHERE STARTSWITH(c.id, 'n')", { maxItemCount: 20 });
  const resources = [];
  while (pages.hasMoreResults()) resources.push(...((await ask(() => pages.fetchNext())).resources ?? []));
  const found = new Map(resources.map(({ id, version }) => [id, version]));
  if (found.size !== resources.length) faults.push('the query gave an item twice');
  for (const [id, version] of before) check('query', id, version, found.get(id));
}

/** Goes on where the page before ended, whichever node gave it. */
async function feed(node) {
  const changeFeedStartFrom = continuation ? ChangeFeedStartFrom.Continuation(continuation) : ChangeFeedStartFrom.Beginning();
  const pages = node.items.getChangeFeedIterator({ changeFeedStartFrom, maxItemCount: 50 });
  while (pages.hasMoreResults) {
    const page = await ask(() => pages.readNext());
    if (page.statusCode === 304) break;
    for (const { id, version } of page.result) {
      if (version === undefined) continue; // of those who look after partitions
      if (version < (fed.get(id) ?? 0)) faults.push(`the feed went back: version ${version} of ${id} after ${fed.get(id)}`);
      fed.set(id, version);
    }
    continuation = page.continuationToken;
  }
  await wait(100);
}

/** When all is over, nodes may still have to recover. */
async function patiently(turn) {
  for (const last = Date.now() + 180000; ; await wait(500)) {
    try {
      return await turn();
    } catch (error) {
      if (Date.now() > last) throw error;
    }
  }
}

await Promise.all([repeat('write', 0, write), repeat('query', 1, query), repeat('feed', 2, feed)]);
for (const node of nodes) {
  for (const id of acknowledged.keys()) await patiently(() => read(node, 'last read', id));
}
await patiently(() => query(nodes[0]));
await patiently(() => feed(nodes[nodes.length - 1]));
for (const [id, version] of acknowledged) {
  if ((fed.get(id) ?? 0) < version) faults.push(`the feed did not give version ${version} of ${id}`);
}
disconnect();
console.log(JSON.stringify({ done, unknown, longestMillis, failures, items: acknowledged.size, faults }));
