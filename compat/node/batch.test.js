import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { connect, disconnect, newContainer, newDatabase } from './account.js';

after(disconnect);

const database = newDatabase(connect());

test('a batch happens as a whole', async () => {
  const container = await newContainer(await database);
  const { result, code } = await container.items.batch(
    [
      { operationType: 'Create', resourceBody: { id: 'a', pk: 'p', n: 1 } },
      { operationType: 'Upsert', resourceBody: { id: 'b', pk: 'p' } },
      { operationType: 'Patch', id: 'a', resourceBody: { operations: [{ op: 'incr', path: '/n', value: 2 }] } },
      { operationType: 'Read', id: 'a' },
      { operationType: 'Delete', id: 'b' },
    ],
    'p',
  );
  assert.equal(code, 200);
  assert.deepEqual(result.map((step) => step.statusCode), [201, 201, 200, 200, 204]);
  assert.equal(result[3].resourceBody.n, 3);
});

test('a batch with a step that fails leaves no trace', async () => {
  const container = await newContainer(await database);
  const { result } = await container.items.batch(
    [
      { operationType: 'Create', resourceBody: { id: 'a', pk: 'p' } },
      { operationType: 'Delete', id: 'missing' },
    ],
    'p',
  );
  assert.deepEqual(result.map((step) => step.statusCode), [424, 404]);
  assert.equal((await container.item('a', 'p').read()).statusCode, 404);
});

test('more than a hundred steps are refused', async () => {
  const container = await newContainer(await database);
  const steps = Array.from({ length: 101 }, (_, i) => ({ operationType: 'Create', resourceBody: { id: `${i}`, pk: 'p' } }));
  await assert.rejects(container.items.batch(steps, 'p'));
});

test('bulk runs each operation by itself', async () => {
  const container = await newContainer(await database);
  const operations = Array.from({ length: 120 }, (_, i) => ({
    operationType: 'Create',
    partitionKey: `k${i % 10}`,
    resourceBody: { id: `i${i}`, pk: `k${i % 10}` },
  }));
  operations.push({ operationType: 'Read', id: 'missing', partitionKey: 'k1' });
  const results = await container.items.executeBulkOperations(operations);
  const codes = results.map((done) => done.response?.statusCode ?? done.error?.code);
  assert.equal(codes.filter((code) => code === 201).length, 120);
  assert.equal(codes.filter((code) => code === 404).length, 1);
});
