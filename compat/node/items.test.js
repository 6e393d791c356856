import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { connect, disconnect, newContainer, newDatabase, own, refused, ranges } from './account.js';

const client = connect();
let database;
let container;
before(async () => { database = await newDatabase(client); });
beforeEach(async () => { container = await newContainer(database); });
after(disconnect);

test('an item is created, read, replaced and deleted', async () => {
  const item = { id: 'a', pk: 'p', text: '台北 "q" \\ \n', n: 1.5, yes: true, none: null, list: [1, { b: [] }] };
  const created = await container.items.create(item);
  assert.equal(created.statusCode, 201);
  assert.deepEqual(own(created.resource), item);
  assert.equal(created.etag, created.resource._etag);
  assert.ok(created.requestCharge > 0);

  const read = await container.item('a', 'p').read();
  assert.equal(read.statusCode, 200);
  assert.deepEqual(read.resource, created.resource);

  const replaced = await container.item('a', 'p').replace({ ...item, n: 2 });
  assert.equal(replaced.statusCode, 200);
  assert.equal(replaced.resource._rid, created.resource._rid);
  assert.notEqual(replaced.resource._etag, created.resource._etag);
  assert.equal((await container.item('a', 'p').read()).resource.n, 2);

  assert.equal((await container.item('a', 'p').delete()).statusCode, 204);
  const gone = await container.item('a', 'p').read();
  assert.equal(gone.statusCode, 404);
  assert.equal(gone.resource, undefined);
  await refused(404, 0, () => container.item('a', 'p').delete());
});

test('an item without an id gets one', async () => {
  const { resource } = await container.items.create({ pk: 'p' });
  assert.ok(resource.id);
  assert.equal((await container.item(resource.id, 'p').read()).statusCode, 200);
});

test('an existing id is refused within its key only', async () => {
  await container.items.create({ id: 'a', pk: 'p' });
  await refused(409, 0, () => container.items.create({ id: 'a', pk: 'p' }));
  assert.equal((await container.items.create({ id: 'a', pk: 'q' })).statusCode, 201);
});

test('upsert creates, then replaces', async () => {
  assert.equal((await container.items.upsert({ id: 'a', pk: 'p', n: 1 })).statusCode, 201);
  assert.equal((await container.items.upsert({ id: 'a', pk: 'p', n: 2 })).statusCode, 200);
  assert.equal((await container.item('a', 'p').read()).resource.n, 2);
});

test('items of many keys are found again', async () => {
  const met = new Set();
  for (let i = 0; i < 30; i++) {
    const { headers } = await container.items.create({ id: 'same', pk: `key ${i}`, n: i });
    met.add(headers['x-ms-session-token'].split(':')[0]);
  }
  assert.equal(met.size, ranges);
  for (let i = 0; i < 30; i++) assert.equal((await container.item('same', `key ${i}`).read()).resource.n, i);
});

test('a stale etag is refused', async () => {
  const { etag } = await container.items.create({ id: 'a', pk: 'p' });
  const ifMatch = { accessCondition: { type: 'IfMatch', condition: etag } };
  await container.item('a', 'p').replace({ id: 'a', pk: 'p', n: 1 }, ifMatch);
  await refused(412, 0, () => container.item('a', 'p').replace({ id: 'a', pk: 'p', n: 2 }, ifMatch));
  await refused(412, 0, () => container.items.upsert({ id: 'a', pk: 'p', n: 2 }, ifMatch));
  await refused(412, 0, () => container.item('a', 'p').delete(ifMatch));
  assert.equal((await container.item('a', 'p').read()).resource.n, 1);
});

test('an unchanged item is not sent again', async () => {
  const { etag } = await container.items.create({ id: 'a', pk: 'p' });
  const known = { accessCondition: { type: 'IfNoneMatch', condition: etag } };
  const read = await container.item('a', 'p').read(known).catch((error) => ({ statusCode: error.code }));
  assert.equal(read.statusCode, 304);
});

test('every operation of a patch works', async () => {
  await container.items.create({ id: 'a', pk: 'p', n: 1, list: [1, 2], gone: true, old: 'x' });
  const { resource, statusCode } = await container.item('a', 'p').patch([
    { op: 'add', path: '/list/-', value: 3 },
    { op: 'set', path: '/fresh', value: { b: 1 } },
    { op: 'replace', path: '/list/0', value: 9 },
    { op: 'incr', path: '/n', value: 4 },
    { op: 'remove', path: '/gone' },
    { op: 'move', from: '/old', path: '/moved' },
  ]);
  assert.equal(statusCode, 200);
  const expected = { id: 'a', pk: 'p', n: 5, list: [9, 2, 3], fresh: { b: 1 }, moved: 'x' };
  assert.deepEqual(own(resource), expected);
  assert.deepEqual(own((await container.item('a', 'p').read()).resource), expected);
});

test('the condition of a patch decides', async () => {
  await container.items.create({ id: 'a', pk: 'p', n: 1 });
  const operations = [{ op: 'incr', path: '/n', value: 1 }];
  const condition = 'from c where c.n = 1';
  assert.equal((await container.item('a', 'p').patch({ operations, condition })).resource.n, 2);
  await refused(412, 1110, () => container.item('a', 'p').patch({ operations, condition }));
  await refused(400, 0, () => container.item('a', 'p').patch([{ op: 'remove', path: '/missing' }]));
});

test('delete by partition key hides that key only', async () => {
  for (const pk of ['doomed', 'kept']) {
    for (const id of ['a', 'b']) await container.items.create({ id, pk });
  }
  await container.deleteAllItemsForPartitionKey('doomed');
  assert.equal((await container.item('a', 'doomed').read()).statusCode, 404);
  assert.equal((await container.item('b', 'doomed').read()).statusCode, 404);
  assert.equal((await container.item('a', 'kept').read()).statusCode, 200);
});

test('an item that is too large is refused', async () => {
  await refused(413, 0, () => container.items.create({ id: 'a', pk: 'p', text: 'x'.repeat(2 * 1024 * 1024) }));
});

test('a missing container is told', async () => {
  // The SDK reads the container first, to learn its key.
  await refused(404, 0, () => database.container('missing').items.create({ id: 'a', pk: 'p' }));
});

test('a unique key holds within its partition key', async () => {
  const unique = await newContainer(database, { uniqueKeyPolicy: { uniqueKeys: [{ paths: ['/email'] }] } });
  await unique.items.create({ id: 'a', pk: 'p', email: 'e' });
  await refused(409, 0, () => unique.items.create({ id: 'b', pk: 'p', email: 'e' }));
  assert.equal((await unique.items.create({ id: 'b', pk: 'q', email: 'e' })).statusCode, 201);
});

for (const id of ['with space', 'Straße', '台北市', 'a+b', '😀']) {
  test(`an item may be named ${id}`, async () => {
    await container.items.create({ id, pk: id });
    assert.equal((await container.item(id, id).read()).resource.id, id);
    assert.equal((await container.item(id, id).delete()).statusCode, 204);
  });
}

test('a session reads its own writes', async () => {
  const session = connect({ consistencyLevel: 'Session' });
  const same = session.database(database.id).container(container.id);
  for (let i = 0; i < 10; i++) {
    await same.items.create({ id: 'a', pk: `key ${i}` });
    const read = await same.item('a', `key ${i}`).read();
    assert.equal(read.statusCode, 200);
    assert.match(read.headers['x-ms-session-token'], /^\d+:-1#\d+$/);
  }
});
