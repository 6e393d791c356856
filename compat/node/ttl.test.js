import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { connect, disconnect, newContainer, newDatabase } from './account.js';

after(disconnect);

const database = newDatabase(connect());

test('items expire by their own ttl or by the default', async () => {
  const container = await newContainer(await database, { defaultTtl: 1 });
  await container.items.create({ id: 'short', pk: 'p' });
  await container.items.create({ id: 'ever', pk: 'p', ttl: -1 });
  let status;
  do {
    status = (await container.item('short', 'p').read()).statusCode;
  } while (status === 200);
  assert.equal(status, 404);
  const { resources } = await container.items.query('SELECT VALUE c.id FROM c').fetchAll();
  assert.deepEqual(resources, ['ever']);
  await assert.rejects(container.items.create({ id: 'bad', pk: 'p', ttl: 'soon' }), { code: 400 });
});

test('a session token of a write is honoured', async () => {
  const container = await newContainer(await database);
  const { headers } = await container.items.create({ id: 'a', pk: 'p' });
  const token = headers['x-ms-session-token'];
  const { statusCode } = await container.item('a', 'p').read({ sessionToken: token });
  assert.equal(statusCode, 200);
});
