import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Catalog } from '../../../src/warehouse/catalog.ts';
import { failure, sendAnswer } from '../../support/rest-catalog.ts';
import { FIRST, openWithTable, type RestAtHand, restAtHand, snapshot, TABLE } from './rest-under-test.ts';

let at: RestAtHand;
let catalog: Catalog;
beforeEach(async () => {
  at = await restAtHand();
  catalog = await openWithTable(at);
});
afterEach(() => at.close());

describe('a question', () => {
  test('is asked again, later each time, until it is answered', async () => {
    let asked = 0;
    at.stub.fault = (_, response) => {
      asked += 1;
      if (asked > 3) return 'pass';
      if (asked === 1) sendAnswer(response, failure(503, null, 'not yet'));
      if (asked === 2) response.destroy();
      if (asked === 3) response.writeHead(200).end('{"metadata": {"format-ver');
      return 'handled';
    };
    expect((await catalog.load(TABLE)).table).toBe(TABLE);
    expect(asked).toBe(4);
    const [first = 0, second = 0, third = 0] = at.slept;
    expect(first).toBeGreaterThanOrEqual(100);
    expect(second).toBeGreaterThan(first);
    expect(third).toBeGreaterThan(second);
  });

  test.each([
    [
      'half a page of JSON',
      200,
      'application/json',
      '{"metadata": {"format-version": 2',
      'catalog/bad-answer',
    ],
    ['a web page', 200, 'text/html', '<!DOCTYPE html><p>Welcome</p>', 'catalog/bad-answer'],
    ['nothing', 200, 'application/json', '', 'catalog/bad-answer'],
    ['no table', 200, 'application/json', '{}', 'catalog/bad-answer'],
    ['a web page that says 404', 404, 'text/html', '<html>no such page</html>', 'catalog/not-found'],
    [
      'a refusal',
      403,
      'application/json',
      '{"error":{"message":"role x may not","type":"ForbiddenException","code":403}}',
      'catalog/forbidden',
    ],
  ])('that is answered with %s is a typed error', async (_, status, type, body, code) => {
    at.stub.fault = (__, response) => {
      response.writeHead(status, { 'content-type': type }).end(body);
      return 'handled';
    };
    const fault = await catalog.load(TABLE).catch((error: unknown) => error);
    expect(fault).toMatchObject({ kind: 'failed', code });
    expect((fault as Error).message).not.toMatch(/<html|Welcome|no such page/);
  });

  test('that is answered without end is given up', async () => {
    const strict = await at.open({}, { largestBody: 10_000 });
    at.stub.fault = (_, response) => {
      response.writeHead(200);
      const more = (): void => {
        if (!response.destroyed) response.write(' '.repeat(4_000), () => setImmediate(more));
      };
      more();
      return 'handled';
    };
    await expect(strict.load(TABLE)).rejects.toMatchObject({ code: 'catalog/answer-too-large' });
  });

  test('waits as long as the catalog asks for, and not for ever', async () => {
    let asked = 0;
    at.stub.fault = (_, response) => {
      asked += 1;
      if (asked > 2) return 'pass';
      const later = asked === 1 ? '7' : new Date(at.clock.now() + 9_000).toUTCString();
      sendAnswer(response, failure(429, 'TooManyRequests', 'slow down'), { 'retry-after': later });
      return 'handled';
    };
    await catalog.load(TABLE);
    expect(at.slept).toEqual([7_000, 9_000]);
    at.stub.fault = (_, response) => {
      sendAnswer(response, failure(429, null, 'slow down'), { 'retry-after': '86400' });
      return 'handled';
    };
    await expect(catalog.load(TABLE)).rejects.toMatchObject({ code: 'catalog/busy' });
    expect(at.slept).toHaveLength(2);
  });

  test('whose pages never end is an error', async () => {
    at.stub.fault = ({ path }, response) => {
      if (!path.endsWith('/tables')) return 'pass';
      sendAnswer(response, { status: 200, body: { identifiers: [], 'next-page-token': 'again' } });
      return 'handled';
    };
    await expect(catalog.list()).rejects.toMatchObject({ code: 'catalog/bad-answer' });
  });
});

describe('a redirect', () => {
  test('on the same host is followed, by a question', async () => {
    at.stub.fault = ({ path }, response) => {
      if (path.startsWith('/moved')) return 'pass';
      at.stub.fault = undefined;
      response.writeHead(308, { location: `${at.stub.uri}/v1${path}` }).end();
      return 'handled';
    };
    expect((await catalog.load(TABLE)).table).toBe(TABLE);
  });

  test('to another host is refused, and nothing is sent there', async () => {
    const met: unknown[] = [];
    const other = createServer((request, response) => {
      met.push(request.headers);
      response.end('{}');
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}/v1/x`;
    const known = await at.open({ token: 'tell-nobody' });
    at.stub.fault = (_, response) => {
      response.writeHead(307, { location: elsewhere }).end();
      return 'handled';
    };
    const refusal = { kind: 'refused', code: 'catalog/redirect' };
    await expect(known.load(TABLE)).rejects.toMatchObject(refusal);
    await expect(known.commit(TABLE, snapshot(FIRST, null))).rejects.toMatchObject(refusal);
    await expect(at.open({ token: 'tell-nobody' })).rejects.toMatchObject(refusal);
    expect(met).toEqual([]);
    other.close();
  });
});
