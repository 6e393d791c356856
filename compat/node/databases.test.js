import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { connect, disconnect, fresh, newDatabase, refused } from './account.js';

const client = connect();
after(disconnect);

test('a database is created, read and deleted', async () => {
  const id = fresh('db');
  const created = await client.databases.create({ id });
  assert.equal(created.statusCode, 201);
  assert.equal(created.resource.id, id);
  assert.match(created.resource._rid, /^[A-Za-z0-9+-]{6}==$/);
  assert.equal(created.resource._self, `dbs/${created.resource._rid}/`);
  assert.equal(created.resource._colls, 'colls/');
  assert.equal(created.resource._users, 'users/');
  assert.ok(created.requestCharge > 0);

  const read = await client.database(id).read();
  assert.equal(read.statusCode, 200);
  assert.deepEqual(read.resource, created.resource);

  assert.equal((await client.database(id).delete()).statusCode, 204);
  await refused(404, 0, () => client.database(id).read());
});

test('the second createIfNotExists finds the first', async () => {
  const id = fresh('db');
  assert.equal((await client.databases.createIfNotExists({ id })).statusCode, 201);
  assert.equal((await client.databases.createIfNotExists({ id })).statusCode, 200);
});

test('an existing name is refused', async () => {
  const database = await newDatabase(client);
  await refused(409, 0, () => client.databases.create({ id: database.id }));
});

test('the list comes in pages', async () => {
  const wanted = [];
  for (let i = 0; i < 3; i++) wanted.push((await newDatabase(client)).id);
  const iterator = client.databases.readAll({ maxItemCount: 2 });
  const seen = [];
  while (iterator.hasMoreResults()) {
    const { resources } = await iterator.fetchNext();
    assert.ok((resources ?? []).length <= 2);
    seen.push(...(resources ?? []).map((database) => database.id));
  }
  assert.equal(new Set(seen).size, seen.length);
  for (const id of wanted) assert.ok(seen.includes(id), id);
});

test('a query finds by name', async () => {
  const database = await newDatabase(client);
  const { resources } = await client.databases
    .query({ query: 'SELECT * FROM root r WHERE r.id = @id', parameters: [{ name: '@id', value: database.id }] })
    .fetchAll();
  assert.deepEqual(resources.map((found) => found.id), [database.id]);
});

for (const start of ['with space', 'Straße', '台北市', 'a+b', '😀']) {
  test(`a database may be named ${start}`, async () => {
    const id = fresh(start);
    await client.databases.create({ id });
    assert.equal((await client.database(id).read()).resource.id, id);
    await client.database(id).delete();
  });
}
