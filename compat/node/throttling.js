// Runs at a server that enforces throughput (ThrottlingSdkTest), not with the other suites.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { connect, disconnect, newContainer, newDatabase } from './account.js';

after(disconnect);

test('a burst gets in with the usual retries', async () => {
  const container = await newContainer(await newDatabase(connect()));
  const workers = Array.from({ length: 6 }, async (_, worker) => {
    for (let i = 0; i < 25; i++) {
      await container.items.create({ id: `${worker}-${i}`, pk: `p${i}`, text: 'x'.repeat(500) });
    }
  });
  await Promise.all(workers);
  const { resources } = await container.items.query('SELECT VALUE COUNT(1) FROM c').fetchAll();
  assert.deepEqual(resources, [150]);
});

test('without retries the refusal is seen', async () => {
  const never = {
    maxRetryAttemptCount: 0,
    fixedRetryIntervalInMilliseconds: 0,
    maxWaitTimeInSeconds: 0,
  };
  const client = connect({ connectionPolicy: { retryOptions: never } });
  const container = await newContainer(await newDatabase(client));
  await assert.rejects(
    async () => {
      for (let i = 0; i < 200; i++) {
        await container.items.create({ id: `${i}`, pk: 'p', text: 'x'.repeat(200_000) });
      }
    },
    (error) => {
      assert.equal(error.code, 429);
      assert.equal(Number(error.substatus), 3200);
      assert.ok(Number(error.headers['x-ms-retry-after-ms']) > 0);
      assert.match(error.message, /Request rate is large/);
      assert.match(error.headers['x-orrery-throttled-by'], /^range=0;budget=400\.00;/);
      return true;
    },
  );
});
