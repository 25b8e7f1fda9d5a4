const SVG = 'http://www.w3.org/2000/svg';

/** What an element is made with. Text is added as text: nothing that events say is ever read as markup. */
export interface Made {
  readonly class?: string;
  readonly text?: string;
  readonly attributes?: Readonly<Record<string, string | number>>;
  readonly on?: Readonly<Record<string, (event: Event) => void>>;
}

/** An HTML element with its children. */
export function html<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  made: Made = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  return complete(document.createElement(tag), made, children);
}

/** An SVG element with its children. */
export function svg<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  made: Made = {},
  ...children: readonly (Node | string)[]
): SVGElementTagNameMap[Tag] {
  return complete(document.createElementNS(SVG, tag), made, children);
}

/** A name out of events: its direction is its own, and a break may come after any part of it. */
export function name(text: string, className = 'name'): HTMLElement {
  const parts = text.split(/(?<=[._/])/);
  const children = parts.flatMap((part, at) => (at === 0 ? [part] : [document.createElement('wbr'), part]));
  return html('bdi', { class: className }, ...children);
}

/** The element that the page itself is written with. */
export function found<Type extends Element = HTMLElement>(id: string): Type {
  return document.getElementById(id) as unknown as Type;
}

function complete<Type extends Element>(
  element: Type,
  { class: className, text, attributes = {}, on = {} }: Made,
  children: readonly (Node | string)[],
): Type {
  if (className !== undefined) element.setAttribute('class', className);
  if (text !== undefined) element.textContent = text;
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  for (const [event, listener] of Object.entries(on)) element.addEventListener(event, listener);
  element.append(...children);
  return element;
}
