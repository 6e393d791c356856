import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { connect, disconnect, fresh, newContainer, newDatabase, ranges, refused, throughput } from './account.js';

const client = connect();
let database;
before(async () => { database = await newDatabase(client); });
after(disconnect);

test('manual throughput is read and replaced', async () => {
  const container = await newContainer(database);
  const { resource, offer } = await container.readOffer();
  assert.equal(resource.content.offerThroughput, throughput);
  const changed = ranges === 1 ? throughput + 100 : throughput - 100;
  resource.content.offerThroughput = changed;
  const replaced = await offer.replace(resource);
  assert.equal(replaced.statusCode, 200);
  assert.equal((await container.readOffer()).resource.content.offerThroughput, changed);
});

test('autoscale throughput is read', async () => {
  const maxThroughput = Math.max(throughput, 4000);
  const container = await newContainer(database, { throughput: undefined, maxThroughput });
  const { resource } = await container.readOffer();
  assert.equal(resource.content.offerAutopilotSettings.maxThroughput, maxThroughput);
  assert.equal((await container.getFeedRanges()).length, ranges);
});

test('a database shares its throughput', async () => {
  const { database: shared } = await client.databases.create({ id: fresh('shared'), throughput: 1000 });
  assert.equal((await shared.readOffer()).resource.content.offerThroughput, 1000);
  const { container } = await shared.containers.create({ id: 'sharing', partitionKey: { paths: ['/pk'] } });
  assert.equal((await container.readOffer()).resource, undefined);
  assert.equal((await container.items.create({ id: 'a', pk: 'p' })).statusCode, 201);
});

test('throughput out of step is refused', async () => {
  for (const wrong of [100, 450]) {
    await refused(400, 0, () => newContainer(database, { throughput: wrong }));
  }
});

test('offers are listed', async () => {
  await newContainer(database);
  const { resources } = await client.offers.readAll().fetchAll();
  assert.ok(resources.length > 0);
  const { resource } = await client.offer(resources[0].id).read();
  assert.equal(resource._rid, resources[0]._rid);
});
