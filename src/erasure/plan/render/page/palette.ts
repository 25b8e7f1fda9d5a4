/** The page's colours in light and in dark, as CSS custom properties. Text on its ground keeps WCAG's 4.5 to 1. */
export const PALETTE = {
  light: {
    ground: '#f5f6f8',
    paper: '#ffffff',
    text: '#1b2027',
    faint: '#59626e',
    line: '#dadfe5',
    passage: '#98a3b0',
    accent: '#4338ca',
    glow: '#eceafd',
    delete: '#b3261e',
    'delete-ground': '#fdeceb',
    rebuild: '#1f5fbf',
    'rebuild-ground': '#e8f0fd',
    keep: '#1b7440',
    'keep-ground': '#e5f4ea',
    clear: '#0b6b7c',
    'clear-ground': '#e1f3f6',
    review: '#8a5200',
    'review-ground': '#fff2d3',
    ignore: '#565f6a',
    'ignore-ground': '#edf0f3',
  },
  dark: {
    ground: '#13161b',
    paper: '#1b1f26',
    text: '#e6e9ee',
    faint: '#a0a9b6',
    line: '#323a45',
    passage: '#667283',
    accent: '#aeb0ff',
    glow: '#2a2a4d',
    delete: '#ff9f96',
    'delete-ground': '#3a1f1f',
    rebuild: '#97bdff',
    'rebuild-ground': '#1b2a45',
    keep: '#86d9a2',
    'keep-ground': '#193325',
    clear: '#7fd3e3',
    'clear-ground': '#153239',
    review: '#ffc761',
    'review-ground': '#3a2c10',
    ignore: '#b0b8c3',
    'ignore-ground': '#2a3038',
  },
} as const;

/** The palette as CSS: light, and dark where the reader's system asks for it. */
export function paletteCss(): string {
  const list = (theme: Readonly<Record<string, string>>): string =>
    Object.entries(theme)
      .map(([name, colour]) => `--${name}: ${colour};`)
      .join(' ');
  return [
    `:root { color-scheme: light dark; ${list(PALETTE.light)} }`,
    `@media (prefers-color-scheme: dark) { :root { ${list(PALETTE.dark)} } }`,
  ].join('\n');
}
