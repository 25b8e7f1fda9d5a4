import { connect } from 'node:net';
import { expect, test } from 'vitest';
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
