// Runs the queries that NodeQueries writes into a file and tells the outcome of each as a line of JSON.
import { readFile } from 'node:fs/promises';
import { connect, disconnect } from './account.js';

const CONCURRENT = 8;
const asked = JSON.parse(await readFile(process.argv[2], 'utf8'));
const client = connect({ connectionPolicy: { retryOptions: { maxRetryAttemptCount: 0 } } });

async function run({ database, container, query, parameters, options }) {
  try {
    const items = client.database(database).container(container).items;
    const { resources } = await items.query({ query, parameters }, options).fetchAll();
    return { rows: resources };
  } catch (error) {
    const message = error.body?.message ?? error.message ?? String(error);
    return { status: error.code ?? 0, message: String(message) };
  }
}

let next = 0;
async function work() {
  while (next < asked.length) {
    const number = next++;
    const outcome = await run(asked[number]);
    console.log(JSON.stringify({ case: number, ...outcome }));
  }
}
await Promise.all(Array.from({ length: CONCURRENT }, work));
disconnect();
