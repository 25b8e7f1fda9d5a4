import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { openSpark } from './engines/spark.ts';
import { openTrino } from './engines/trino.ts';
import { service } from './services/index.ts';

const INSTALL_MS = 900_000;

test(
  'the S3 server answers',
  async () => {
    const { endpoint } = await service('s3');
    expect((await fetch(endpoint)).status).toBe(200);
  },
  INSTALL_MS,
);

test(
  'Postgres answers',
  async () => {
    const { host, port } = await service('postgres');
    // The request for TLS of the protocol; a server without it says N.
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(port, host, () => socket.write(Buffer.from('0000000804d2162f', 'hex')));
      socket.once('data', (bytes) => {
        socket.destroy();
        resolve(bytes.toString('latin1'));
      });
      socket.once('error', reject);
    });
    expect(answer).toBe('N');
  },
  INSTALL_MS,
);

test(
  'the REST catalog keeps a namespace',
  async () => {
    const { uri } = await service('restCatalog');
    const post = await fetch(`${uri}/v1/namespaces`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ namespace: ['asked'], properties: {} }),
    });
    expect(post.status).toBe(200);
    expect(await (await fetch(`${uri}/v1/namespaces`)).json()).toMatchObject({ namespaces: [['asked']] });
  },
  INSTALL_MS,
);

test(
  'Spark answers',
  async () => {
    const spark = await openSpark();
    expect(await spark.sql("select 9007199254740993, 'a', null, timestamp '2026-01-31 12:00:00.25'")).toEqual(
      [['9007199254740993', 'a', null, '2026-01-31T12:00:00.250000']],
    );
  },
  INSTALL_MS,
);

test(
  'Trino answers',
  async () => {
    const trino = await openTrino();
    expect(
      await trino.sql(
        "SELECT 9007199254740993, 'a', null, timestamp '2026-01-31 12:00:00.250000 UTC', map(ARRAY[2], ARRAY[row(1, 'x')])",
      ),
    ).toEqual([['9007199254740993', 'a', null, '2026-01-31T12:00:00.250000', [['2', ['1', 'x']]]]]);
  },
  INSTALL_MS,
);
