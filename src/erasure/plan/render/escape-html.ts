/** Text as HTML, in an element or between the quotes of an attribute: the only way in which text of events becomes markup. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"'`=]/g, (char) => `&#${char.charCodeAt(0)};`);
}
