import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PartitionKeyBuilder } from '@azure/cosmos';
import { connect, disconnect, newContainer, newDatabase, own, refused } from './account.js';

const client = connect();
let database;
before(async () => { database = await newDatabase(client); });
after(disconnect);

async function live(container, item, key) {
  assert.equal((await container.items.create(item)).statusCode, 201);
  const read = await container.item(item.id, key).read();
  assert.equal(read.statusCode, 200);
  assert.deepEqual(own(read.resource), item);
  assert.equal((await container.item(item.id, key).replace({ ...item, n: 1 })).statusCode, 200);
  assert.equal((await container.items.upsert({ ...item, n: 2 })).statusCode, 200);
  assert.equal((await container.item(item.id, key).read()).resource.n, 2);
  assert.equal((await container.item(item.id, key).delete()).statusCode, 204);
}

for (const version of [1, 2]) {
  test(`values of every type are keys of version ${version}`, async () => {
    const container = await newContainer(database, { partitionKey: { paths: ['/pk'], kind: 'Hash', version } });
    await live(container, { id: 's', pk: 'text' }, 'text');
    await live(container, { id: 'e', pk: '' }, '');
    await live(container, { id: 'u', pk: '台北市 😀' }, '台北市 😀');
    await live(container, { id: 'i', pk: 5 }, 5);
    await live(container, { id: 'd', pk: -12.75 }, -12.75);
    await live(container, { id: 'z', pk: 0 }, 0);
    await live(container, { id: 't', pk: true }, true);
    await live(container, { id: 'f', pk: false }, false);
    await live(container, { id: 'n', pk: null }, null);
    await live(container, { id: 'm' }, undefined);
  });
}

test('nested and quoted paths lead to the key', async () => {
  const nested = await newContainer(database, { partitionKey: { paths: ['/properties/name'], version: 2 } });
  await live(nested, { id: 'a', properties: { name: 'x' } }, 'x');
  const quoted = await newContainer(database, { partitionKey: { paths: ['/"department name"'], version: 2 } });
  await live(quoted, { id: 'a', 'department name': 'x' }, 'x');
});

test('hierarchical keys work', async () => {
  const container = await newContainer(database, {
    partitionKey: { paths: ['/tenant', '/user', '/session'], kind: 'MultiHash', version: 2 },
  });
  await live(container, { id: 'a', tenant: 't', user: 5, session: true }, ['t', 5, true]);
  const partial = new PartitionKeyBuilder().addValue('t').addNullValue().addNoneValue().build();
  await live(container, { id: 'a', tenant: 't', user: null }, partial);
  await refused(400, 1001, () => container.item('a', ['t', 5]).delete());
});

test('a key that differs from the item is refused', async () => {
  const container = await newContainer(database);
  await container.items.create({ id: 'a', pk: 'p' });
  await refused(400, 1001, () => container.item('a', 'p').replace({ id: 'a', pk: 'q' }));
});
