import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Catalog } from '../../../src/warehouse/catalog.ts';
import { type Fault, failure, sendAnswer } from '../../support/rest-catalog.ts';
import {
  FIRST,
  openWithTable,
  type RestAtHand,
  restAtHand,
  SECOND,
  snapshot,
  TABLE,
} from './rest-under-test.ts';

// A catalog that is down, slow or lies: what was done is found by reading, and nothing is sent twice blindly (hazard 44).

let at: RestAtHand;
let catalog: Catalog;
beforeEach(async () => {
  at = await restAtHand();
  catalog = await openWithTable(at);
});
afterEach(() => at.close());

const isCommit: (request: Parameters<Fault>[0]) => boolean = ({ method, path }) =>
  method === 'POST' && path.endsWith('/tables/learners');
const posts = (): number => at.stub.requests.filter(isCommit).length;

/** Does something else with the first commit. */
function onCommit(fault: Fault): void {
  at.stub.fault = (request, response, carryOut) => {
    if (!isCommit(request)) return 'pass';
    at.stub.fault = undefined;
    return fault(request, response, carryOut);
  };
}

describe('a commit that landed', () => {
  const lies: readonly [string, Fault][] = [
    ...[500, 502, 503, 504].map((status): [string, Fault] => [
      `is found although the answer is ${status}`,
      (_, response, carryOut) => {
        carryOut();
        sendAnswer(response, failure(status, null, 'sorry'));
        return 'handled';
      },
    ]),
    [
      'is found although the connection dies',
      (request, response, carryOut) => {
        carryOut();
        response.destroy();
        return request.method === 'POST' ? 'handled' : 'pass';
      },
    ],
    [
      'is found although the answer is half a page',
      (_, response, carryOut) => {
        carryOut();
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end('{"metadata-location": "/x/metadata/1.met');
        return 'handled';
      },
    ],
    [
      'is found although the answer is a page of a proxy',
      (_, response, carryOut) => {
        carryOut();
        response
          .writeHead(502, { 'content-type': 'text/html' })
          .end('<html><h1>Bad gateway 10.1.2.3</h1></html>');
        return 'handled';
      },
    ],
    [
      'is found although it is answered as a conflict',
      (_, response, carryOut) => {
        carryOut();
        sendAnswer(response, failure(409, 'CommitFailedException', 'metadata location has changed'));
        return 'handled';
      },
    ],
  ];
  test.each(lies)('%s', async (_, lie) => {
    onCommit(lie);
    const { metadata } = await catalog.commit(TABLE, snapshot(FIRST, null));
    expect(metadata.currentSnapshotId).toBe(FIRST);
    expect(metadata.snapshots).toHaveLength(1);
    expect(posts()).toBe(1);
  });

  test('is found although another one followed, and its own snapshot was expired since', async () => {
    onCommit(async (_, response, carryOut) => {
      carryOut();
      const other = await at.open();
      await other.commit(TABLE, snapshot(SECOND, FIRST, 2));
      await other.commit(TABLE, {
        requirements: [],
        updates: [{ action: 'remove-snapshots', 'snapshot-ids': [FIRST] }],
      });
      sendAnswer(response, failure(500, null, 'sorry'));
      return 'handled' as const;
    });
    const { metadata } = await catalog.commit(TABLE, snapshot(FIRST, null));
    expect(metadata.currentSnapshotId).toBe(SECOND);
    expect(posts()).toBe(3);
  });

  test('is found after a while, where reading fails at first', async () => {
    let reads = 0;
    onCommit((_, response, carryOut) => {
      carryOut();
      response.destroy();
      at.stub.fault = ({ method }, again) => {
        reads += 1;
        if (method !== 'GET' || reads > 3) return 'pass';
        sendAnswer(again, failure(503, null, 'not yet'));
        return 'handled';
      };
      return 'handled';
    });
    const { metadata } = await catalog.commit(TABLE, snapshot(FIRST, null));
    expect(metadata.currentSnapshotId).toBe(FIRST);
    expect(reads).toBe(4);
    expect(posts()).toBe(1);
  });
});

describe('a commit that did not land', () => {
  const refusals: readonly Fault[] = [500, 502, 503, 504].map((status) => (_, response) => {
    sendAnswer(response, failure(status, null, 'sorry'));
    return 'handled';
  });
  test.each(refusals)('and may still come is an unknown outcome, never sent again', async (refuse) => {
    onCommit(refuse);
    await expect(catalog.commit(TABLE, snapshot(FIRST, null))).rejects.toMatchObject({
      kind: 'failed',
      code: 'warehouse/unknown-outcome',
      data: { table: TABLE },
    });
    expect(posts()).toBe(1);
    expect(at.slept.length).toBeGreaterThan(3);
  });

  test('and whose place another one took is a lost race', async () => {
    onCommit(async (_, response) => {
      await (await at.open()).commit(TABLE, snapshot(SECOND, null));
      sendAnswer(response, failure(500, null, 'sorry'));
      return 'handled' as const;
    });
    await expect(catalog.commit(TABLE, snapshot(FIRST, null))).rejects.toMatchObject({
      code: 'catalog/conflict',
    });
  });

  test('because the catalog lost a race of its own is sent again after reading', async () => {
    onCommit((_, response) => {
      sendAnswer(response, failure(409, 'CommitFailedException', 'metadata location has changed'));
      return 'handled';
    });
    expect((await catalog.commit(TABLE, snapshot(FIRST, null))).metadata.currentSnapshotId).toBe(FIRST);
    expect(at.stub.requests.map(({ method }) => method)).toEqual(['POST', 'GET', 'POST']);
  });

  test('because its requirement does not hold is a conflict', async () => {
    await (await at.open()).commit(TABLE, snapshot(SECOND, null));
    await expect(catalog.commit(TABLE, snapshot(FIRST, null))).rejects.toMatchObject({
      kind: 'failed',
      code: 'catalog/conflict',
    });
  });

  test('because the table was dropped meanwhile says so', async () => {
    onCommit(() => {
      at.stub.tables.clear();
      return 'pass';
    });
    await expect(catalog.commit(TABLE, snapshot(FIRST, null))).rejects.toMatchObject({
      code: 'warehouse/no-such-table',
    });
  });

  test('to a catalog that is down was not sent', async () => {
    await at.stub.close();
    // The kept connection is seen to end.
    await setTimeout(100);
    await expect(catalog.commit(TABLE, snapshot(FIRST, null))).rejects.toMatchObject({
      kind: 'failed',
      code: 'catalog/unreachable',
    });
  });
});

test('a commit that is answered with nothing in time is read off', async () => {
  const hasty = await at.open({}, { timeoutMs: 200 });
  onCommit((_, __, carryOut) => {
    carryOut();
    return 'handled';
  });
  expect((await hasty.commit(TABLE, snapshot(FIRST, null))).metadata.currentSnapshotId).toBe(FIRST);
  expect(posts()).toBe(1);
});

test('ids of 64 bits come and go exactly', async () => {
  await catalog.commit(TABLE, snapshot(FIRST, null));
  await catalog.commit(TABLE, snapshot(SECOND, FIRST, 2));
  const sent = at.stub.requests.filter(isCommit).map(({ body }) => body);
  expect(sent[1]).toContain('"snapshot-id":9223372036854775807');
  expect(sent[1]).toContain('"snapshot-id":9007199254740993');
  const { metadata } = await (await at.open()).load(TABLE);
  expect(metadata.snapshots.map(({ id, parentId }) => [id, parentId])).toEqual([
    [FIRST, null],
    [SECOND, FIRST],
  ]);
});
