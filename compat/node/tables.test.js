// Tables and entities through the official Node client.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  AzureNamedKeyCredential,
  AzureSASCredential,
  RestError,
  TableClient,
  TableServiceClient,
  TableTransaction,
  generateAccountSas,
  generateTableSas,
  odata,
} from '@azure/data-tables';

const endpoint = process.env.ORRERY_TABLE_ENDPOINT;
const key = process.env.ORRERY_KEY;
const credential = new AzureNamedKeyCredential('localhost', key);
const options = {
  allowInsecureConnection: true,
  retryOptions: { maxRetries: 0 },
};
const service = new TableServiceClient(endpoint, credential, options);
const made = [];

after(async () => {
  for (const name of made) {
    await service.deleteTable(name);
  }
});

async function freshTable(requestHeaders) {
  const name = `node${process.pid}x${Date.now()}x${made.length}`;
  await service.createTable(name, {
    requestOptions: {
      customHeaders: requestHeaders ?? {
        'x-ms-offer-throughput': process.env.ORRERY_THROUGHPUT,
      },
    },
  });
  made.push(name);
  return new TableClient(endpoint, name, credential, options);
}

async function refused(status, code, promise) {
  await assert.rejects(promise, (error) => {
    assert.ok(error instanceof RestError, String(error));
    assert.equal(error.statusCode, status, error.message);
    assert.equal(error.details?.odataError?.code, code, JSON.stringify(error.details));
    return true;
  });
}

async function all(iterator) {
  const found = [];
  for await (const entity of iterator) {
    found.push(entity);
  }
  return found;
}

const rowsOf = async (client, filter) =>
  (await all(client.listEntities({ queryOptions: { filter } }))).map((entity) => entity.rowKey);

test('tables are made, listed by filter and taken away', async () => {
  const name = `list${process.pid}x${Date.now()}`;
  await service.createTable(name);
  // The client takes 409 for done.
  await service.createTable(name);
  const found = await all(
    service.listTables({ queryOptions: { filter: odata`TableName eq ${name}` } }),
  );
  assert.deepEqual(found.map((table) => table.name), [name]);
  await service.deleteTable(name);
  await refused(400, 'InvalidResourceName', service.createTable('no-dash'));
  const gone = new TableClient(endpoint, name, credential, options);
  await refused(404, 'TableNotFound', gone.createEntity({ partitionKey: 'p', rowKey: 'r' }));
});

test('every type comes back as it was', async () => {
  const client = await freshTable();
  await client.createEntity({
    partitionKey: 'p',
    rowKey: 'r',
    text: '台北 "q"',
    whole: 5,
    half: 1.5,
    large: 9007199254740993n,
    yes: true,
    time: { type: 'DateTime', value: '2024-02-29T12:34:56.1234567Z' },
    guid: { type: 'Guid', value: '0f8fad5b-d9cb-469f-a165-70867728950e' },
    bytes: new Uint8Array([0, 1, 255]),
    nan: { type: 'Double', value: 'NaN' },
    infinite: { type: 'Double', value: 'Infinity' },
    wholeDouble: { type: 'Double', value: '5' },
    missing: undefined,
  });
  const read = await client.getEntity('p', 'r', { disableTypeConversion: true });
  assert.deepEqual(read.large, { type: 'Int64', value: '9007199254740993' });
  assert.deepEqual(read.time, { type: 'DateTime', value: '2024-02-29T12:34:56.1234567Z' });
  assert.deepEqual(read.guid, { type: 'Guid', value: '0f8fad5b-d9cb-469f-a165-70867728950e' });
  assert.deepEqual(read.bytes, { type: 'Binary', value: 'AAH/' });
  assert.deepEqual(read.nan, { type: 'Double', value: 'NaN' });
  assert.deepEqual(read.infinite, { type: 'Double', value: 'Infinity' });
  const converted = await client.getEntity('p', 'r');
  assert.equal(converted.text, '台北 "q"');
  assert.equal(converted.whole, 5);
  assert.equal(converted.half, 1.5);
  assert.equal(converted.large, 9007199254740993n);
  assert.equal(converted.yes, true);
  assert.deepEqual([...converted.bytes], [0, 1, 255]);
  assert.equal(converted.wholeDouble, 5);
  assert.ok(!('missing' in converted));
  assert.match(converted.etag, /^W\/"datetime'.*'"$/);
  assert.deepEqual(await rowsOf(client, 'infinite gt 100.0'), ['r']);
  assert.deepEqual(await rowsOf(client, 'infinite lt 100.0'), []);
});

test('merge, replace, upsert and delete hold to etags', async () => {
  const client = await freshTable();
  await client.createEntity({ partitionKey: 'p', rowKey: 'r', a: 1, b: 2 });
  await refused(
    409, 'EntityAlreadyExists', client.createEntity({ partitionKey: 'p', rowKey: 'r' }));
  const known = (await client.getEntity('p', 'r')).etag;
  await client.updateEntity({ partitionKey: 'p', rowKey: 'r', b: 3 }, 'Merge', { etag: known });
  let read = await client.getEntity('p', 'r');
  assert.deepEqual([read.a, read.b], [1, 3]);
  await refused(
    412,
    'UpdateConditionNotSatisfied',
    client.updateEntity({ partitionKey: 'p', rowKey: 'r', b: 4 }, 'Replace', { etag: known }),
  );
  await client.upsertEntity({ partitionKey: 'p', rowKey: 'r', c: 5 }, 'Replace');
  read = await client.getEntity('p', 'r');
  assert.deepEqual([read.a, read.c], [undefined, 5]);
  await client.upsertEntity({ partitionKey: 'p', rowKey: 'new', c: 5 }, 'Merge');
  await refused(
    404,
    'ResourceNotFound',
    client.updateEntity({ partitionKey: 'p', rowKey: 'none', c: 5 }, 'Merge'),
  );
  await refused(
    412, 'UpdateConditionNotSatisfied', client.deleteEntity('p', 'r', { etag: known }));
  await client.deleteEntity('p', 'r');
  await refused(404, 'ResourceNotFound', client.getEntity('p', 'r'));
});

test('pages go on where they ended, and rows are in order within a partition', async () => {
  const client = await freshTable();
  for (let i = 24; i >= 0; i--) {
    await client.createEntity({
      partitionKey: `p${i % 3}`, rowKey: String(i).padStart(3, '0'), n: i });
  }
  const pages = [];
  for await (const page of client.listEntities().byPage({ maxPageSize: 4 })) {
    assert.ok(page.length <= 4);
    pages.push(...page.map((entity) => entity.rowKey));
  }
  assert.equal(new Set(pages).size, 25);
  const ordered = await rowsOf(client, "PartitionKey eq 'p1' and RowKey ge '004'");
  assert.deepEqual(ordered, ['004', '007', '010', '013', '016', '019', '022']);
  const some = await all(
    client.listEntities({ queryOptions: { filter: 'n ge 20', select: ['n'] } }));
  assert.deepEqual(some.map((entity) => entity.n).sort(), [20, 21, 22, 23, 24]);
  assert.equal(some[0].rowKey, undefined);
});

test('a transaction happens as a whole or not at all', async () => {
  const client = await freshTable();
  const batch = new TableTransaction();
  for (let i = 0; i < 99; i++) {
    batch.createEntity({ partitionKey: 'p', rowKey: `r${i}`, n: i });
  }
  batch.upsertEntity({ partitionKey: 'p', rowKey: 'merged', n: 1 }, 'Merge');
  const done = await client.submitTransaction(batch.actions);
  assert.equal(done.status, 202);
  assert.equal(done.subResponses.length, 100);
  assert.ok(done.subResponses.every((part) => part.status === 204 && part.etag));
  const failing = new TableTransaction();
  failing.deleteEntity('p', 'r0');
  failing.updateEntity({ partitionKey: 'p', rowKey: 'r1', n: -1 }, 'Merge');
  failing.createEntity({ partitionKey: 'p', rowKey: 'r2' });
  await assert.rejects(client.submitTransaction(failing.actions), (error) => {
    assert.equal(error.statusCode, 409, error.message);
    assert.equal(error.code, 'EntityAlreadyExists');
    assert.match(error.message, /2:The specified entity already exists/);
    return true;
  });
  assert.equal((await rowsOf(client, "PartitionKey eq 'p'")).length, 100);
  const tooMany = new TableTransaction();
  for (let i = 0; i < 101; i++) {
    tooMany.upsertEntity({ partitionKey: 'q', rowKey: `r${i}` });
  }
  await assert.rejects(client.submitTransaction(tooMany.actions), /maximum 100/);
});

test('shared access signatures allow what they say', async () => {
  const client = await freshTable();
  for (const partition of ['a', 'b', 'c']) {
    await client.createEntity({ partitionKey: partition, rowKey: '1' });
  }
  const reader = new TableClient(
    endpoint,
    client.tableName,
    new AzureSASCredential(generateTableSas(client.tableName, credential, {
      permissions: { query: true },
      startPartitionKey: 'b', startRowKey: '0', endPartitionKey: 'b', endRowKey: '9',
    })),
    options,
  );
  assert.deepEqual(
    (await all(reader.listEntities())).map((entity) => entity.partitionKey), ['b']);
  assert.equal((await reader.getEntity('b', '1')).rowKey, '1');
  await refused(403, 'AuthorizationFailure', reader.getEntity('a', '1'));
  await refused(
    403,
    'AuthorizationPermissionMismatch',
    reader.createEntity({ partitionKey: 'b', rowKey: '2' }),
  );
  const account = new TableServiceClient(
    endpoint,
    new AzureSASCredential(generateAccountSas(credential, {
      permissions: { list: true },
      resourceTypes: 'sco',
    })),
    options,
  );
  assert.ok((await all(account.listTables())).length > 0);
  await refused(403, 'AuthorizationPermissionMismatch', account.createTable('never'));
});

test('what the service does not do is told so', async () => {
  await assert.rejects(service.getProperties(), (error) => {
    assert.equal(error.statusCode, 501);
    return true;
  });
});
