import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CosmosClient, PermissionMode } from '@azure/cosmos';
import { connect, disconnect, endpoint, fresh, newContainer, newDatabase, refused } from './account.js';

const client = connect();
const limited = [];
let database;
let container;

before(async () => {
  database = await newDatabase(client);
  container = await newContainer(database);
  await container.items.create({ id: 'i', pk: 'a' });
  await container.items.create({ id: 'j', pk: 'b' });
});

after(() => {
  for (const one of limited) one.dispose();
  disconnect();
});

/** A new permission of a new user. */
async function permit(definition) {
  const { user } = await database.users.create({ id: fresh('user') });
  const { resource } = await user.permissions.create({
    id: fresh('permission'),
    permissionMode: PermissionMode.Read,
    resource: container.url,
    ...definition,
  });
  return resource;
}

/** The container for a client that has nothing but what the options say. */
function opened(options) {
  const one = new CosmosClient({ endpoint, ...options });
  limited.push(one);
  return one.database(database.id).container(container.id);
}

test('users and permissions are managed', async () => {
  const id = fresh('user');
  const { user } = await database.users.create({ id });
  assert.equal((await user.read()).resource._permissions, 'permissions/');
  assert.equal((await database.users.upsert({ id })).statusCode, 200);
  const definition = { id: 'p', permissionMode: PermissionMode.Read, resource: container.url };
  const created = await user.permissions.create(definition, { resourceTokenExpirySeconds: 60 });
  assert.equal(created.statusCode, 201);
  assert.match(created.resource._token, /^type=resource&ver=1&sig=/);
  await refused(409, 0, () => user.permissions.create({ ...definition, id: 'q' }));
  await refused(400, 0, () => user.permissions.create(definition, { resourceTokenExpirySeconds: 20000 }));
  const replaced = await user.permission('p').replace({ ...definition, permissionMode: PermissionMode.All });
  assert.equal(replaced.resource.permissionMode, 'All');
  assert.equal((await user.permissions.upsert(definition)).resource.permissionMode, 'Read');
  assert.deepEqual((await user.permissions.readAll().fetchAll()).resources.map((one) => one.id), ['p']);
  assert.equal((await user.permission('p').delete()).statusCode, 204);
  assert.equal((await user.delete()).statusCode, 204);
});

test('a permission feed opens its container for reading', async () => {
  const permission = await permit({});
  const open = opened({ permissionFeed: [permission] });
  assert.equal((await open.item('i', 'a').read()).resource.id, 'i');
  const { resources } = await open.items.query('SELECT * FROM c ORDER BY c.id').fetchAll();
  assert.deepEqual(resources.map((item) => item.id), ['i', 'j']);
  await refused(403, 0, () => open.items.create({ id: 'k', pk: 'a' }));
  await refused(403, 0, () => open.delete());
});

test('a resource token opens its container for writing', async () => {
  const permission = await permit({ permissionMode: PermissionMode.All });
  const open = opened({ resourceTokens: { [container.url]: permission._token } });
  assert.equal((await open.items.create({ id: 'k', pk: 'a' })).statusCode, 201);
  const answers = await open.items.batch([{ operationType: 'Upsert', resourceBody: { id: 'l', pk: 'a' } }], 'a');
  assert.equal(answers.code, 200);
  assert.equal((await open.item('k', 'a').delete()).statusCode, 204);
  await open.item('l', 'a').delete();
});

test('a token for a key stays within it', async () => {
  const permission = await permit({ permissionMode: PermissionMode.All, resourcePartitionKey: ['a'] });
  const open = opened({ resourceTokens: { [container.url]: permission._token } });
  assert.equal((await open.item('i', 'a').read()).resource.id, 'i');
  await refused(403, 0, () => open.item('j', 'b').read());
  const { resources } = await open.items.query('SELECT * FROM c', { partitionKey: 'a' }).fetchAll();
  assert.deepEqual(resources.map((item) => item.id), ['i']);
  await refused(403, 0, () => open.items.query('SELECT * FROM c').fetchAll());
});

test('a token ends with its permission', async () => {
  const { user } = await database.users.create({ id: fresh('user') });
  const { resource } = await user.permissions.create({
    id: 'p', permissionMode: PermissionMode.Read, resource: container.url });
  const open = opened({ permissionFeed: [resource] });
  assert.equal((await open.item('i', 'a').read()).statusCode, 200);
  await user.permission('p').delete();
  await refused(403, 0, () => open.item('i', 'a').read());
});

test('conflicts are none', async () => {
  assert.deepEqual((await container.conflicts.readAll().fetchAll()).resources, []);
});
