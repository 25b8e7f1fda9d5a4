import { request } from 'node:http';

/**
 * Sends an HTTP request to a Unix socket and gives the text of the answer.
 *
 * @throws Error with the answer's text where its status is not 200
 */
export async function askOn(socketPath: string, path: string, body?: object): Promise<string> {
  return new Promise((resolve, reject) => {
    const payload = body === undefined ? '' : JSON.stringify(body);
    const asked = request(
      {
        ...{ socketPath, path, method: body === undefined ? 'GET' : 'POST' },
        headers: { 'content-length': Buffer.byteLength(payload) },
      },
      (response) => {
        let answer = '';
        response.setEncoding('utf8');
        response.on('data', (text: string) => {
          answer += text;
        });
        response.on('end', () => (response.statusCode === 200 ? resolve(answer) : reject(new Error(answer))));
      },
    );
    asked.on('error', reject);
    asked.end(payload);
  });
}

/** Whether anybody answers on a socket. */
export async function answersOn(socketPath: string): Promise<boolean> {
  return (await askOn(socketPath, '/')) !== '';
}
