import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { connect, disconnect, newContainer, newDatabase, refused } from './account.js';

after(disconnect);

const database = newDatabase(connect());
const script = (id) => readFileSync(new URL(`../../docs/scripts/${id}.js`, import.meta.url), 'utf8');

async function withProcedure(id, body = script(id)) {
  const container = await newContainer(await database);
  await container.scripts.storedProcedures.create({ id, body });
  const execute = (parameters, options) => container.scripts.storedProcedure(id).execute('p', parameters, options);
  return { container, execute };
}

const count = async (container) =>
  (await container.items.query('SELECT VALUE COUNT(1) FROM c').fetchAll()).resources[0];

test('items are imported and deleted by stored procedures', async () => {
  const { container, execute } = await withProcedure('bulkImport');
  await container.scripts.storedProcedures.create({ id: 'bulkDelete', body: script('bulkDelete') });
  const items = Array.from({ length: 100 }, (_, i) => ({ id: `i${i}`, pk: 'p', n: i }));
  let done = 0;
  while (done < items.length) {
    const { resource, requestCharge } = await execute([items.slice(done)]);
    assert.ok(resource > 0 && requestCharge > resource);
    done += resource;
  }
  assert.equal(await count(container), 100);
  await refused(400, 409, execute([[{ id: 'new', pk: 'p' }, { id: 'i0', pk: 'p' }]]));
  assert.equal(await count(container), 100);
  let answer;
  do {
    ({ resource: answer } = await container.scripts
      .storedProcedure('bulkDelete')
      .execute('p', ['SELECT * FROM c WHERE c.n >= 10']));
  } while (answer.continuation);
  assert.equal(await count(container), 10);
});

test('two items are swapped or none', async () => {
  const { container, execute } = await withProcedure('swapItems');
  await container.items.create({ id: 'ann', pk: 'p', item: 'sword' });
  await container.items.create({ id: 'bob', pk: 'p', item: 'shield' });
  assert.deepEqual((await execute(['ann', 'bob'])).resource, { ann: 'shield', bob: 'sword' });
  await refused(400, 404, execute(['ann', 'carl']));
  assert.equal((await container.item('ann', 'p').read()).resource.item, 'shield');
});

test('functions of the client become stored procedures', async () => {
  const { container, execute } = await withProcedure('answer', function answer(a, b) {
    console.log('adding');
    getContext().getResponse().setBody(a + b);
  });
  const { resource, headers } = await execute([40, 2], { enableScriptLogging: true });
  assert.equal(resource, 42);
  assert.equal(decodeURIComponent(headers['x-ms-documentdb-script-log-results']), 'adding');
  await container.scripts.storedProcedures.create({ id: 'silent', body: () => {} });
  assert.equal((await container.scripts.storedProcedure('silent').execute('p')).resource, '');
});

test('triggers go with the operations that ask for them', async () => {
  const container = await newContainer(await database);
  await container.scripts.triggers.create({
    id: 'validateTimestamp',
    body: script('validateTimestamp'),
    triggerType: 'Pre',
    triggerOperation: 'Create',
  });
  await container.scripts.triggers.create({
    id: 'updateMetadata',
    body: script('updateMetadata'),
    triggerType: 'Post',
    triggerOperation: 'All',
  });
  await container.items.create({ id: '_metadata', pk: 'p', count: 0, names: [] });
  const both = { preTriggerInclude: ['validateTimestamp'], postTriggerInclude: ['updateMetadata'] };
  const { resource } = await container.items.create({ id: 'a', pk: 'p', name: 'first' }, both);
  assert.equal(typeof resource.timestamp, 'number');
  await refused(400, 400, container.items.create({ id: 'b', pk: 'p' }, both));
  const { resource: metadata } = await container.item('_metadata', 'p').read();
  assert.deepEqual([metadata.count, metadata.names], [1, ['first']]);
  await refused(400, 0, container.item('a', 'p').replace({ id: 'a', pk: 'p' }, { preTriggerInclude: 'validateTimestamp' }));
  await refused(400, 0, container.items.create({ id: 'c', pk: 'p' }, { postTriggerInclude: 'validateTimestamp' }));
  await refused(400, 0, container.items.create({ id: 'c', pk: 'p' }, { preTriggerInclude: 'missing' }));
});

test('functions are called in queries', async () => {
  const container = await newContainer(await database);
  await container.scripts.userDefinedFunctions.create({ id: 'tax', body: script('tax') });
  for (let i = 0; i < 20; i++) await container.items.create({ id: `${i}`, pk: `k${i}`, income: i * 1000 });
  const rows = async (query) => (await container.items.query(query).fetchAll()).resources;
  assert.deepEqual(
    await rows('SELECT VALUE udf.tax(c.income) FROM c WHERE udf.tax(c.income) > 6000 ORDER BY c.income'),
    [6400, 6800, 7200, 7600],
  );
  assert.deepEqual(await rows('SELECT VALUE udf.tax(100)'), [10]);
  await refused(400, 0, rows('SELECT udf.none(c) FROM c'));
});
