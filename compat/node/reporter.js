// Tells the result of every single test as a line of JSON, for NodeSdkTest.
import { basename } from 'node:path';
import { inspect } from 'node:util';

export default async function* report(events) {
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    // Suites and files are told by their tests, unless they fail on their own.
    const failed = type === 'test:fail';
    const group = data.details?.type === 'suite' || data.name === data.file;
    if (group && (!failed || data.details?.error?.failureType === 'subtestsFailed')) continue;
    yield JSON.stringify({
      orrery: 1,
      file: basename(data.file ?? ''),
      name: data.name,
      passed: !failed,
      error: failed ? inspect(data.details?.error?.cause ?? data.details?.error, { depth: 6 }) : '',
    }) + '\n';
  }
}
