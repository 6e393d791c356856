import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { connect, disconnect, endpoint, fresh, key, newContainer, newDatabase, readOnlyKey, refused } from './account.js';

after(disconnect);

test('the account is read', async () => {
  const { resource } = await connect().getDatabaseAccount();
  assert.equal(resource.consistencyPolicy, 'Session');
  assert.equal(resource.writableLocations.length, 1);
  assert.equal(resource.writableLocations[0].databaseAccountEndpoint, endpoint);
  assert.equal(resource.enableMultipleWritableLocations, false);
});

test('a connection string opens the account', async () => {
  const { CosmosClient } = await import('@azure/cosmos');
  const client = new CosmosClient(`AccountEndpoint=${endpoint};AccountKey=${key};`);
  const { resource } = await client.databases.createIfNotExists({ id: fresh('node') });
  assert.ok(resource._rid);
  client.dispose();
});

test('a wrong key is refused', async () => {
  const client = connect({ key: key.replaceAll('a', 'b') });
  await refused(401, 0, () => client.databases.readAll().fetchAll());
});

test('a read-only key reads and does not write', { skip: !readOnlyKey }, async () => {
  const database = await newDatabase(connect());
  const container = await newContainer(database);
  await container.items.create({ id: 'a', pk: 'p' });
  const reader = connect({ key: readOnlyKey });
  const same = reader.database(database.id).container(container.id);
  assert.equal((await same.item('a', 'p').read()).statusCode, 200);
  await refused(403, 0, () => same.items.create({ id: 'b', pk: 'p' }));
});
