/** The style of the plan's page: light and dark by the reader's own setting. */
export const STYLE = `
:root { color-scheme: light dark; --back: #fbfbfa; --paper: #ffffff; --text: #22252a; --faint: #6b7078; --line: #c3c7cd;
  --delete: #b42318; --rebuild: #1d5fbf; --keep: #1f7a35; --clear: #1f7a35; --review: #a15c00; --ignore: #777; --passage: #999; }
@media (prefers-color-scheme: dark) { :root { --back: #15171a; --paper: #1e2126; --text: #e6e8eb; --faint: #9aa0a8; --line: #4a4f57;
  --delete: #ff8a80; --rebuild: #8ab4ff; --keep: #7bd88f; --clear: #7bd88f; --review: #ffc14d; --ignore: #999; --passage: #777; } }
body { margin: 0; background: var(--back); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
header, main > section { max-width: 62rem; margin: 0 auto; padding: 1rem 1.5rem; }
h1 { font-size: 1.5rem; margin: .5rem 0 0; } h2 { font-size: 1.1rem; } h3 { font-size: 1rem; margin: 0; }
.digest, .why { color: var(--faint); margin: .2rem 0; overflow-wrap: anywhere; }
.open { border-left: 4px solid var(--review); background: var(--paper); padding: .6rem 1rem; font-weight: 600; }
.legend { display: flex; flex-wrap: wrap; gap: 1.2rem; list-style: none; padding: 0; }
.dot { display: inline-block; width: .7rem; height: .7rem; border-radius: 50%; background: var(--tone); margin-right: .5rem; }
.delete { --tone: var(--delete); } .rebuild { --tone: var(--rebuild); } .keep { --tone: var(--keep); }
.clear { --tone: var(--clear); } .review { --tone: var(--review); } .ignore { --tone: var(--ignore); }
.passage { --tone: var(--passage); }
figure { margin: 0; padding: 0 1rem; overflow-x: auto; border-block: 1px solid var(--line); background: var(--paper); }
svg { display: block; margin: 0 auto; font-family: inherit; }
.edge { fill: none; stroke: var(--line); stroke-width: 1.5; } .tip { fill: var(--line); }
.table rect { fill: var(--back); stroke: var(--tone); stroke-width: 1.6; }
.passage rect { stroke-dasharray: 4 3; }
.table .name { fill: var(--text); font-size: 14px; font-weight: 600; } .table .done { fill: var(--tone); font-size: 12px; }
a:focus-visible rect, a:hover rect { stroke-width: 3; }
ol { padding-left: 1.4rem; } ol > li { margin: 0 0 1rem; padding-left: .4rem; scroll-margin-top: 1rem; }
ol > li:target h3 { text-decoration: underline; text-decoration-color: var(--tone); text-decoration-thickness: 3px; }
ol p { margin: .15rem 0; overflow-wrap: anywhere; } pre { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--paper); padding: .5rem; }
`;
