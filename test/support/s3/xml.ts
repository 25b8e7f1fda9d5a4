import type { S3Answer } from './server.ts';

/** An element of S3's answers; what is undefined is left out. */
export function element(name: string, content: string | number | boolean | undefined): string {
  return content === undefined ? '' : `<${name}>${content}</${name}>`;
}

export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** As S3 encodes keys where it is asked to. */
export function urlEncoded(key: string): string {
  return encodeURIComponent(key).replaceAll('%2F', '/').replaceAll('%20', '+');
}

export function xmlAnswer(root: string, ...content: readonly string[]): S3Answer {
  const body = `<?xml version="1.0" encoding="UTF-8"?><${root}>${content.join('')}</${root}>`;
  return { status: 200, headers: { 'content-type': 'application/xml' }, body };
}

export function xmlError(status: number, code: string): S3Answer {
  return { ...xmlAnswer('Error', element('Code', code), element('Message', code)), status };
}

/** The content of each element of a name; enough for what the SDK sends. */
export function contents(xml: string, name: string): readonly string[] {
  return [...xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, 'gs'))].map((match) => unescaped(match[1]!));
}

function unescaped(text: string): string {
  return text
    .replaceAll(/&#x([0-9a-f]+);/gi, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&');
}
