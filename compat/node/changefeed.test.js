import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ChangeFeedStartFrom, StatusCodes } from '@azure/cosmos';
import { connect, disconnect, newContainer, newDatabase } from './account.js';

after(disconnect);

const database = newDatabase(connect());

async function filled(count) {
  const container = await newContainer(await database);
  for (let i = 0; i < count; i++) {
    await container.items.create({ id: `i${i}`, pk: `k${i % 5}`, n: i });
  }
  return container;
}

/** Everything up to the first time that nothing is new. */
async function drain(container, options) {
  const iterator = container.items.getChangeFeedIterator(options);
  const rows = [];
  let continuation;
  while (iterator.hasMoreResults) {
    const page = await iterator.readNext();
    continuation = page.continuationToken;
    if (page.statusCode === StatusCodes.NotModified) break;
    rows.push(...page.result);
  }
  return { rows, continuation };
}

test('changes are read from the beginning and on', async () => {
  const container = await filled(20);
  const first = await drain(container, { changeFeedStartFrom: ChangeFeedStartFrom.Beginning(), maxItemCount: 3 });
  assert.equal(new Set(first.rows.map(row => row.id)).size, 20);
  await container.items.upsert({ id: 'i2', pk: 'k2', n: -2 });
  await container.items.create({ id: 'new', pk: 'k1' });
  const second = await drain(container, { changeFeedStartFrom: ChangeFeedStartFrom.Continuation(first.continuation) });
  assert.deepEqual(second.rows.map(row => row.id).sort(), ['i2', 'new']);
});

test('changes of a key are read in their order', async () => {
  const container = await filled(20);
  const { rows } = await drain(container, { changeFeedStartFrom: ChangeFeedStartFrom.Beginning('k3') });
  assert.deepEqual(rows.map(row => row.n), [3, 8, 13, 18]);
});

test('changes are read from now and from a time', async () => {
  const container = await filled(5);
  const now = await drain(container, { changeFeedStartFrom: ChangeFeedStartFrom.Now() });
  assert.equal(now.rows.length, 0);
  const timed = await drain(container, { changeFeedStartFrom: ChangeFeedStartFrom.Time(new Date(Date.now() - 60000)) });
  assert.equal(timed.rows.length, 5);
});
