// The account under test, as NodeSdkTest describes it in the environment.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { CosmosClient } from '@azure/cosmos';

const environment = process.env;
export const endpoint = environment.ORRERY_ENDPOINT ?? 'http://127.0.0.1:8081/';
export const throughput = Number(environment.ORRERY_THROUGHPUT ?? 400);
export const ranges = Number(environment.ORRERY_RANGES ?? 1);
export const readOnlyKey = environment.ORRERY_READONLY_KEY ?? '';
export const key =
  environment.ORRERY_KEY ??
  'C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==';

const clients = [];

/** A client that is disposed of when the tests of the file are over. */
export function connect(options = {}) {
  const client = new CosmosClient({ endpoint, key, ...options });
  clients.push(client);
  return client;
}

export function disconnect() {
  for (const client of clients.splice(0)) client.dispose();
}

export const fresh = (start) => `${start}-${randomUUID().slice(0, 8)}`;

export async function newDatabase(client) {
  const { database } = await client.databases.create({ id: fresh('node') });
  return database;
}

/** A container with as many partitions as the deployment asks for. */
export async function newContainer(database, definition = {}) {
  const { container } = await database.containers.create({
    id: fresh('coll'),
    partitionKey: { paths: ['/pk'], kind: 'Hash', version: 2 },
    throughput,
    ...definition,
  });
  return container;
}

/** The call must be refused with that status and substatus. */
export async function refused(status, substatus, call) {
  await assert.rejects(call, (error) => {
    assert.equal(`${error.code}/${error.substatus ?? 0}`, `${status}/${substatus}`, error.message);
    assert.ok(error.message, 'a refusal has a message');
    return true;
  });
}

/** What the client wrote, without what the server added. */
export function own(resource) {
  const { _rid, _self, _etag, _attachments, _ts, ...rest } = resource;
  for (const system of [_rid, _self, _etag, _attachments]) assert.equal(typeof system, 'string');
  assert.equal(typeof _ts, 'number');
  return rest;
}
