import { createHash } from "node:crypto"
import { referenceScript } from "./ReferenceScript.ts"

const style = `:root{color-scheme:light dark;--line:#8884;--soft:#5f6368;--accent:#0a6d8f;--get:#146c35;--post:#8f5100;--put:#5a3bc0;--delete:#b02020}
html{background:#fff}@media(prefers-color-scheme:dark){html{background:#121212}:root{--soft:#a8adb3;--accent:#5cc4e6;--get:#5ccb85;--post:#e8a857;--put:#b3a0ff;--delete:#ff9a90}}
*{box-sizing:border-box}body{margin:0;font:15px/1.5 system-ui,sans-serif;display:grid;grid-template-columns:19rem 1fr}
aside{position:sticky;top:0;height:100vh;overflow:auto;padding:1rem;border-right:1px solid var(--line)}
h1{font-size:1.1rem;margin:0 0 .6rem}input{width:100%;padding:.4rem;margin-bottom:.6rem;font:inherit}
nav summary{cursor:pointer;font-weight:600}nav ul{list-style:none;margin:0 0 .5rem;padding:0;font-size:.8rem;overflow-wrap:anywhere}
main{padding:1rem 2rem;max-width:62rem;min-width:0;overflow-wrap:anywhere}a{color:var(--accent);text-decoration:none}
article{border-top:1px solid var(--line);padding:.6rem 0;scroll-margin-top:.5rem}article:target{border-left:3px solid var(--accent);padding-left:.7rem}
h3{font-size:1rem;margin:.3rem 0}h4{margin:.6rem 0 .2rem;font-size:.85rem;color:var(--soft)}p{margin:.3rem 0}
.method{font-size:.7rem;letter-spacing:.03em}.get{color:var(--get)}.post{color:var(--post)}.put,.patch{color:var(--put)}.delete{color:var(--delete)}
.type{color:var(--soft);font-size:.85rem}table{border-collapse:collapse;width:100%;font-size:.85rem}
td{border-top:1px solid var(--line);padding:.2rem .5rem .2rem 0;vertical-align:top}td:nth-child(2){white-space:nowrap}.fields{margin:.2rem 0;padding-left:1.1rem;font-size:.85rem}
.who{color:var(--soft);font-size:.85rem}input::placeholder{color:var(--soft);opacity:1}
summary{min-height:24px;padding:1px 0}nav a{display:block;padding:.22rem 0}
.deprecated h3{text-decoration:line-through}details>summary{cursor:pointer}
@media(max-width:50rem){body{display:block}aside{position:static;height:auto;max-height:40vh;border:0;border-bottom:1px solid var(--line)}main{padding:1rem}
tr{display:block;border-top:1px solid var(--line);padding:.25rem 0}td{display:inline;border:0}}`

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`

/** The browsable API reference: one page without anything from elsewhere. */
export const referencePage = (): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>API reference</title>` +
  `<meta name="viewport" content="width=device-width, initial-scale=1"><style>${style}</style></head>` +
  `<body><aside><h1>API reference</h1><input type="search" aria-label="Filter" placeholder="Filter"><nav></nav>` +
  `<p><a href="/api/v1/openapi.json">openapi.json</a></p></aside><main>Loading…</main>` +
  `<script>${referenceScript}</script></body></html>`

/** Its content security policy: its own script and style, and the document it shows. */
export const referencePolicy = (): string =>
  `default-src 'none'; script-src ${hashOf(referenceScript)}; style-src ${hashOf(style)}; connect-src 'self'; ` +
  `base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
