import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { connect, disconnect, fresh, newContainer, newDatabase, ranges, refused, throughput } from './account.js';

const client = connect();
let database;
before(async () => { database = await newDatabase(client); });
after(disconnect);

const key = { paths: ['/pk'] };

test('a container is created, read and deleted', async () => {
  const id = fresh('coll');
  const created = await database.containers.create({ id, partitionKey: key, throughput });
  assert.equal(created.statusCode, 201);
  assert.match(created.resource._rid, /^[A-Za-z0-9+-]{11}=$/);
  assert.deepEqual(created.resource.partitionKey, { paths: ['/pk'], kind: 'Hash', ...versionOf(created) });
  assert.deepEqual(created.resource.indexingPolicy, {
    indexingMode: 'consistent',
    automatic: true,
    includedPaths: [{ path: '/*' }],
    excludedPaths: [{ path: '/"_etag"/?' }],
  });
  const read = await database.container(id).read();
  assert.deepEqual(read.resource, created.resource);
  assert.equal((await database.container(id).delete()).statusCode, 204);
  await refused(404, 0, () => database.container(id).read());
});

// The SDK decides on a version for its caller; what it asked for must come back.
const versionOf = ({ resource }) => (resource.partitionKey.version ? { version: resource.partitionKey.version } : {});

test('the throughput decides how many ranges there are', async () => {
  const container = await newContainer(database);
  const { resources } = await container.readPartitionKeyRanges().fetchAll();
  assert.equal(resources.length, ranges);
  assert.equal(resources[0].minInclusive, '');
  assert.equal(resources.at(-1).maxExclusive, 'FF');
  const feedRanges = await container.getFeedRanges();
  assert.equal(feedRanges.length, ranges);
});

test('the second createIfNotExists finds the first', async () => {
  const id = fresh('coll');
  assert.equal((await database.containers.createIfNotExists({ id, partitionKey: key, throughput })).statusCode, 201);
  assert.equal((await database.containers.createIfNotExists({ id, partitionKey: key, throughput })).statusCode, 200);
  await refused(409, 0, () => database.containers.create({ id, partitionKey: key }));
});

test('the list comes in pages and a query finds by name', async () => {
  const own = await newDatabase(client);
  for (const id of ['a', 'b', 'c']) await own.containers.create({ id, partitionKey: key });
  const iterator = own.containers.readAll({ maxItemCount: 2 });
  const seen = [];
  while (iterator.hasMoreResults()) {
    const { resources } = await iterator.fetchNext();
    assert.ok((resources ?? []).length <= 2);
    seen.push(...(resources ?? []).map((container) => container.id));
  }
  assert.deepEqual(seen.sort(), ['a', 'b', 'c']);
  const { resources } = await own.containers.query("SELECT * FROM c WHERE c.id = 'b'").fetchAll();
  assert.deepEqual(resources.map((container) => container.id), ['b']);
  await own.delete();
  await refused(404, 1003, () => own.container('a').read());
});

test('every property is kept', async () => {
  const definition = {
    id: fresh('coll'),
    partitionKey: { paths: ['/tenant', '/user/id', '/"session id"'], kind: 'MultiHash', version: 2 },
    defaultTtl: 3600,
    uniqueKeyPolicy: { uniqueKeys: [{ paths: ['/email'] }, { paths: ['/name/first', '/name/last'] }] },
    conflictResolutionPolicy: {
      mode: 'LastWriterWins', conflictResolutionPath: '/version', conflictResolutionProcedure: '',
    },
    computedProperties: [{ name: 'lower', query: 'SELECT VALUE LOWER(c.name) FROM c' }],
    changeFeedPolicy: { retentionDuration: 10 },
    vectorEmbeddingPolicy: {
      vectorEmbeddings: [{ path: '/vector', dataType: 'float32', dimensions: 8, distanceFunction: 'cosine' }],
    },
    fullTextPolicy: { defaultLanguage: 'en-US', fullTextPaths: [{ path: '/text', language: 'en-US' }] },
    indexingPolicy: {
      indexingMode: 'consistent',
      automatic: true,
      includedPaths: [{ path: '/*' }],
      excludedPaths: [{ path: '/secret/*' }, { path: '/vector/*' }, { path: '/"_etag"/?' }],
      compositeIndexes: [[{ path: '/a', order: 'ascending' }, { path: '/b', order: 'descending' }]],
      spatialIndexes: [{ path: '/location/*', types: ['Point', 'Polygon'] }],
      vectorIndexes: [{ path: '/vector', type: 'flat' }],
      fullTextIndexes: [{ path: '/text' }],
    },
  };
  await database.containers.create({ ...definition, throughput });
  const { resource } = await database.container(definition.id).read();
  for (const name of Object.keys(definition)) assert.deepEqual(resource[name], definition[name], name);
});

test('replace changes what may change', async () => {
  const container = await newContainer(database);
  const { resource: before } = await container.read();
  const replaced = await container.replace({ ...before, defaultTtl: 60 });
  assert.equal(replaced.statusCode, 200);
  const { resource: after } = await container.read();
  assert.equal(after.defaultTtl, 60);
  assert.equal(after._rid, before._rid);
  assert.notEqual(after._etag, before._etag);
  await refused(412, 0, () =>
    container.replace(before, { accessCondition: { type: 'IfMatch', condition: before._etag } }));
  await refused(403, 0, () =>
    container.replace({ ...after, uniqueKeyPolicy: { uniqueKeys: [{ paths: ['/email'] }] } }));
});

test('a recreated container serves clients that knew the old one', async () => {
  const container = await newContainer(database);
  await container.items.create({ id: 'a', pk: 'p' });
  const other = connect();
  await other.database(database.id).container(container.id).delete();
  await other.database(database.id).containers.create({ id: container.id, partitionKey: key, throughput });
  assert.equal((await container.item('a', 'p').read()).statusCode, 404);
  assert.equal((await container.items.create({ id: 'b', pk: 'p' })).statusCode, 201);
  assert.equal((await container.item('b', 'p').read()).statusCode, 200);
});

for (const start of ['with space', 'Straße', '台北市', 'a+b']) {
  test(`a container may be named ${start}`, async () => {
    const container = await newContainer(database, { id: fresh(start) });
    await container.items.create({ id: 'a', pk: 'p' });
    assert.equal((await container.item('a', 'p').read()).statusCode, 200);
    await container.delete();
  });
}

test('values of a unique key are taken once', async () => {
  const container = await newContainer(await database, {
    uniqueKeyPolicy: { uniqueKeys: [{ paths: ['/email'] }] },
  });
  const violated = (call) =>
    assert.rejects(call, (error) => error.code === 409 && error.message.includes('Unique index constraint violation.'));
  await container.items.create({ id: 'a', pk: 'p', email: 'ann' });
  await container.items.create({ id: 'b', pk: 'p', email: 'bob' });
  await container.items.create({ id: 'a', pk: 'q', email: 'ann' });
  await violated(container.items.create({ id: 'c', pk: 'p', email: 'ann' }));
  await violated(container.items.upsert({ id: 'b', pk: 'p', email: 'ann' }));
  const item = container.item('b', 'p');
  await violated(item.replace({ id: 'b', pk: 'p', email: 'ann' }));
  await violated(item.patch([{ op: 'set', path: '/email', value: 'ann' }]));
  const { result } = await container.items.batch(
    [
      { operationType: 'Delete', id: 'b' },
      { operationType: 'Create', resourceBody: { id: 'c', pk: 'p', email: 'ann' } },
    ],
    'p',
  );
  assert.deepEqual(result.map((step) => step.statusCode), [424, 409]);
});
