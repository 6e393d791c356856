// An application that checks all it is told while partitions split and merge, until an item 'stop' is there.
// Its last line is a JSON object of the number of requests and what went wrong.
import { connect, disconnect } from './account.js';

const container = connect({ consistencyLevel: 'Session' }).database('d').container('c');
const KEYS = 400;
const OWN_MAX = 150;
const failures = [];
const versions = new Map(); // what was acknowledged of every item that is there
const deleted = new Set();
const underWay = new Map(); // the present turn of everything that repeats
let requests = 0;
let ended = false;
let created = 0;
let bulkCreated = 0;

const keyOf = (id) => `k${Number(id.slice(1)) % KEYS}`;
const any = () => [...versions.keys()][Math.floor(Math.random() * versions.size)];

async function repeat(name, turn) {
  while (!ended && failures.length < 20) {
    try {
      underWay.set(turn, turn());
      await underWay.get(turn);
      requests++;
    } catch (error) {
      if (error.code !== 429) failures.push(`${name}: ${error.code}/${error.substatus} ${error.message}`);
    }
  }
}

/** One writer, so that nobody else changes its items. */
async function write() {
  const choice = Math.random();
  if (versions.size === 0 || choice < 0.4) {
    const n = ((created++ * 7919) % 1000003) * 3 + 1;
    const id = `n${n}`;
    // Created twice would be told as a conflict.
    await container.items.create({ id, pk: keyOf(id), n, version: 0, filling: 'x'.repeat(Math.random() * 4000) });
    versions.set(id, 0);
  } else if (choice < 0.7) {
    const id = any();
    const { resource } = await container.item(id, keyOf(id)).read();
    if (resource?.version !== versions.get(id)) {
      failures.push(`read ${JSON.stringify(resource)} of ${id}, version ${versions.get(id)}`);
      return;
    }
    const condition = { accessCondition: { type: 'IfMatch', condition: resource._etag } };
    // Applied twice would be told as a failed precondition.
    await container.item(id, keyOf(id)).replace({ ...resource, version: resource.version + 1 }, condition);
    versions.set(id, resource.version + 1);
  } else if (choice < 0.9) {
    const id = any();
    const version = versions.get(id) + 1;
    const n = Number(id.slice(1));
    await container.items.upsert({ id, pk: keyOf(id), n, version, filling: 'y'.repeat(Math.random() * 4000) });
    versions.set(id, version);
  } else if (versions.size > OWN_MAX) {
    const id = any();
    deleted.add(id);
    versions.delete(id);
    // Applied twice would be told as missing.
    await container.item(id, keyOf(id)).delete();
  }
}

/** Every item that was there before and was not deleted comes once, and in order where there is one. */
async function query(text, options) {
  const before = [...versions.keys()];
  const seen = new Set();
  let last = -1;
  const pages = container.items.query(text, { maxItemCount: 9, ...options });
  while (pages.hasMoreResults()) {
    const { resources } = await pages.fetchNext();
    requests++;
    for (const { id, n } of resources ?? []) {
      if (seen.has(id)) failures.push(`${text} ${JSON.stringify(options)} gave ${id} twice`);
      seen.add(id);
      if (text.includes('ORDER BY') && n < last) failures.push(`${text}: ${n} comes after ${last}`);
      last = n;
    }
  }
  const missed = before.filter((id) => !seen.has(id) && !deleted.has(id));
  if (missed.length) failures.push(`${text} ${JSON.stringify(options)} missed ${missed}`);
}

async function feed() {
  const before = [...versions.keys()];
  const seen = new Set();
  const pages = container.items.readAll({ maxItemCount: 9 });
  while (pages.hasMoreResults()) {
    const { resources } = await pages.fetchNext();
    requests++;
    for (const { id } of resources ?? []) {
      if (seen.has(id)) failures.push(`the feed gave ${id} twice`);
      seen.add(id);
    }
  }
  const missed = before.filter((id) => !seen.has(id) && !deleted.has(id));
  if (missed.length) failures.push(`the feed missed ${missed}`);
}

/** Creates items by the dozen and deletes them again; each is told of for itself. */
async function bulk() {
  const items = Array.from({ length: 12 }, () => 3 * 1000003 + bulkCreated++).map((n) => ({ id: `b${n}`, pk: `k${n % KEYS}`, n, version: 0 }));
  const rounds = [
    [201, items.map((resourceBody) => ({ operationType: 'Create', partitionKey: resourceBody.pk, resourceBody }))],
    [204, items.map(({ id, pk }) => ({ operationType: 'Delete', id, partitionKey: pk }))],
  ];
  for (const [wanted, operations] of rounds) {
    const answers = await container.items.executeBulkOperations(operations);
    answers.forEach(({ response, error }, i) => {
      const code = response?.statusCode ?? error?.code;
      if (code !== wanted && code !== 429) failures.push(`bulk: ${code} for ${JSON.stringify(operations[i])}`);
    });
  }
}

/** Says so when all that was under way at a merge has ended. */
async function passMerge() {
  const { resource } = await container.item('merged', 'merged').read();
  if (resource?.passed === false) {
    await Promise.allSettled([...underWay].filter(([turn]) => turn !== passMerge).map(([, ended]) => ended));
    await container.item('merged', 'merged').replace({ ...resource, passed: true });
  }
  await new Promise((wait) => setTimeout(wait, 50));
}

async function awaitStop() {
  const { statusCode } = await container.item('stop', 'stop').read();
  ended = statusCode === 200;
  await new Promise((wait) => setTimeout(wait, 200));
}

const forms = [{}, { forceQueryPlan: true }];
await Promise.all([
  repeat('write', write),
  repeat('stop', awaitStop),
  repeat('merge', passMerge),
  repeat('feed', feed),
  repeat('bulk', bulk),
  ...forms.map((form) => repeat('ordered', () => query('SELECT c.id, c.n FROM c ORDER BY c.n', form))),
  ...forms.map((form) => repeat('unordered', () => query('SELECT c.id, c.n FROM c', form))),
]);
for (const [id, version] of versions) {
  const { resource } = await container.item(id, keyOf(id)).read();
  if (resource?.version !== version) failures.push(`${id} is ${JSON.stringify(resource)}, not version ${version}`);
}
disconnect();
console.log(JSON.stringify({ requests, items: versions.size, failures }));
