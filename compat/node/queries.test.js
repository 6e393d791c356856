import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { connect, disconnect, fresh, newContainer, newDatabase, refused } from './account.js';

const client = connect();
const COUNT = 40;
let database;
let container;
before(async () => {
  database = await newDatabase(client);
  container = await newContainer(database);
  for (let n = 0; n < COUNT; n++) await container.items.create({ id: `i${n}`, pk: `k${n % 8}`, n, g: `g${n % 3}` });
});
after(disconnect);

const all = Array.from({ length: COUNT }, (_, n) => n);
const sorted = (numbers) => [...numbers].sort((a, b) => a - b);
const forms = [{}, { forceQueryPlan: true }];

async function pages(iterator) {
  const found = [];
  while (iterator.hasMoreResults()) {
    const { resources } = await iterator.fetchNext();
    if (resources?.length) found.push(resources);
  }
  return found;
}

for (const form of forms) {
  const name = form.forceQueryPlan ? 'by its plan' : 'by the server';

  test(`pages hold at most what was asked for, ${name}`, async () => {
    for (const query of ['SELECT VALUE c.n FROM c', 'SELECT VALUE c.n FROM c ORDER BY c.n']) {
      const found = await pages(container.items.query(query, { maxItemCount: 7, ...form }));
      assert.ok(found.every((page) => page.length <= 7), JSON.stringify(found));
      assert.deepEqual(sorted(found.flat()), all);
    }
  });

  test(`rows come one by one, ${name}`, async () => {
    const seen = [];
    const query = 'SELECT VALUE c.n FROM c ORDER BY c.n DESC';
    for await (const page of container.items.query(query, { maxItemCount: 9, ...form }).getAsyncIterator()) {
      seen.push(...page.resources);
    }
    assert.deepEqual(seen, [...all].reverse());
  });

  test(`sorted, skipped, counted and grouped, ${name}`, async () => {
    const rows = async (query) => (await container.items.query(query, form).fetchAll()).resources;
    assert.deepEqual(await rows('SELECT TOP 3 VALUE c.n FROM c ORDER BY c.n DESC'), [39, 38, 37]);
    assert.deepEqual(await rows('SELECT VALUE c.n FROM c ORDER BY c.n OFFSET 5 LIMIT 2'), [5, 6]);
    assert.deepEqual(await rows('SELECT VALUE COUNT(1) FROM c'), [COUNT]);
    assert.deepEqual(await rows('SELECT MIN(c.n) AS a, MAX(c.n) AS b, AVG(c.n) AS d FROM c'), [{ a: 0, b: 39, d: 19.5 }]);
    assert.deepEqual((await rows('SELECT DISTINCT VALUE c.g FROM c')).sort(), ['g0', 'g1', 'g2']);
    const groups = await rows('SELECT c.g, COUNT(1) AS n, COUNTIF(c.n < 3) AS few FROM c GROUP BY c.g');
    assert.deepEqual(
      groups.sort((a, b) => (a.g < b.g ? -1 : 1)),
      [{ g: 'g0', n: 14, few: 1 }, { g: 'g1', n: 13, few: 1 }, { g: 'g2', n: 13, few: 1 }],
    );
  });

  test(`a wrong query is told with its place, ${name}`, async () => {
    await assert.rejects(container.items.query('SELECT * FROM c WHERE c.Group = 1', form).fetchAll(), (error) => {
      assert.equal(error.code, 400);
      assert.match(error.body?.message ?? error.message, /SC1001/);
      return true;
    });
  });
}

test('a key limits the query', async () => {
  // With a plan forced, the client asks whole ranges and forgets the key (its queryIterator says so).
  const query = { query: 'SELECT VALUE c.n FROM c WHERE c.n > @n ORDER BY c.n', parameters: [{ name: '@n', value: 3 }] };
  const { resources } = await container.items.query(query, { partitionKey: 'k3' }).fetchAll();
  assert.deepEqual(resources, [11, 19, 27, 35]);
});

test('every continuation goes on where its page ended', async () => {
  for (const query of ['SELECT VALUE c.n FROM c', 'SELECT VALUE c.n FROM c ORDER BY c.n', 'SELECT TOP 15 VALUE c.n FROM c ORDER BY c.n']) {
    const whole = (await container.items.query(query).fetchAll()).resources;
    const seen = [];
    let continuationToken;
    do {
      const page = await container.items.query(query, { maxItemCount: 6, continuationToken }).fetchNext();
      seen.push(...page.resources);
      continuationToken = page.continuationToken;
      assert.ok((continuationToken ?? '').length <= 1024);
    } while (continuationToken);
    assert.deepEqual(seen, whole, query);
  }
});

test('a count of distinct rows is the server\'s to make', async () => {
  const query = 'SELECT COUNT(1) AS d FROM (SELECT DISTINCT VALUE c.g FROM c)';
  assert.deepEqual((await container.items.query(query).fetchAll()).resources, [{ d: 3 }]);
});

test('readAll gives every item as it is read', async () => {
  const { resources } = await container.items.readAll().fetchAll();
  assert.deepEqual(sorted(resources.map((item) => item.n)), all);
  const { resource } = await container.item('i5', 'k5').read();
  assert.deepEqual(resources.find((item) => item.id === 'i5'), resource);
});

test('metrics are read', async () => {
  const { headers, resources } = await container.items
    .query('SELECT * FROM c WHERE c.n < 4', { populateQueryMetrics: true })
    .fetchNext();
  assert.equal(resources.length, 4);
  assert.ok(headers['x-ms-documentdb-query-metrics']);
});

test('a prefix of a hierarchical key limits the query', async () => {
  const deep = await newContainer(database, { partitionKey: { paths: ['/a', '/b'], kind: 'MultiHash', version: 2 } });
  for (let n = 0; n < 12; n++) await deep.items.create({ id: `i${n}`, a: `a${n % 2}`, b: `b${n % 3}`, n });
  const query = 'SELECT VALUE c.n FROM c ORDER BY c.n';
  const rows = async (partitionKey) => (await deep.items.query(query, { partitionKey }).fetchAll()).resources;
  assert.deepEqual(await rows(['a1']), [1, 3, 5, 7, 9, 11]);
  assert.deepEqual(await rows(['a1', 'b2']), [5, 11]);
});

test('databases, containers and offers are sorted and counted', async () => {
  const own = await newDatabase(client);
  const names = [fresh('c'), fresh('a'), fresh('b')];
  for (const id of names) await own.containers.create({ id, partitionKey: { paths: ['/pk'] } });
  const ordered = await own.containers.query('SELECT * FROM c ORDER BY c.id').fetchAll();
  assert.deepEqual(ordered.resources.map((one) => one.id), [...names].sort());
  const top = await own.containers.query('SELECT TOP 1 VALUE c.id FROM c ORDER BY c.id DESC').fetchAll();
  assert.deepEqual(top.resources, [[...names].sort().at(-1)]);
  assert.deepEqual((await own.containers.query('SELECT VALUE COUNT(1) FROM c').fetchAll()).resources, [3]);
  const same = { query: 'SELECT VALUE COUNT(1) FROM c WHERE c.id = @id', parameters: [{ name: '@id', value: own.id }] };
  assert.deepEqual((await client.databases.query(same).fetchAll()).resources, [1]);
  const offers = await client.offers.query('SELECT VALUE COUNT(1) FROM c').fetchAll();
  assert.ok(offers.resources[0] >= 3);
  await own.delete();
});

test('a missing container is told', async () => {
  await refused(404, 1003, () => database.container('missing').items.query('SELECT * FROM c').fetchAll());
});
